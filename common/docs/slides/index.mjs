// Writes the page that lists the decks:  node index.mjs OUT_FOLDER THEME.css EXPANDED.md...
// Titles, first sentences, numbers of slides and minutes come from the decks.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { escaped } from "../shared.mjs";

const [out, theme, ...files] = process.argv.slice(2);
const decks = files.map((file) => basename(file, ".md"));
const items = files.map((file, i) => {
    const [, front, title, ...slides] = readFileSync(file, "utf8").split(/^---$/m);
    const about = title.split("\n").find((line) => line.trim() && !/^(#|<!--)/.test(line.trim()));
    const times = slides.join("").matchAll(/^(?:<!-- )?Time: (\d+(?:\.\d+)?) min/gm);
    const minutes = [...times].reduce((sum, [, time]) => sum + Number(time), 0);
    const pdf = existsSync(join(out, `${decks[i]}.pdf`)) ? `, <a href="${decks[i]}.pdf">PDF</a>` : "";
    return (
        `<li><a class="deck" href="${decks[i]}.html">${escaped(/title: (.*)/.exec(front)[1])}</a>` +
        ` <span>${slides.length + 1} slides, ${minutes} minutes${pdf}</span><p>${escaped(about ?? "")}</p></li>`
    );
});
const fonts = readFileSync(theme, "utf8").match(/@font-face \{ font-family: "Inter"[^}]*\}/g) ?? [];
const page = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Slides of the course in CUDA C++</title>
<style>
${fonts.join("\n")}
:root { color-scheme: light dark; --ink: #26323d; --soft: #566470; --paper: #fff; --line: #c9c5ba; --link: #2f5a86; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --soft: #a9b4be; --paper: #171c21; --line: #3a444e; --link: #8fb8de; } }
body { margin: 0 auto; max-width: 46rem; padding: 2.5rem 1.25rem; background: var(--paper); color: var(--ink); font: 400 1.0625rem/1.55 Inter, sans-serif; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 1rem; }
a { color: var(--link); }
ul { list-style: none; margin: 1.5rem 0 0; padding: 0; }
li { border-top: 1px solid var(--line); padding: 1rem 0; }
.deck { font-size: 1.25rem; font-weight: 700; }
li span { color: var(--soft); white-space: nowrap; }
li p { margin: 0.25rem 0 0; }
kbd { font: inherit; font-weight: 600; border: 1px solid var(--line); border-radius: 4px; padding: 0 0.35em; }
</style>
</head>
<body>
<h1>Slides</h1>
<p>Each deck is one file that needs no network. Keys: <kbd>F</kbd> full screen, <kbd>P</kbd> the speaker's window with notes
and the next slide, <kbd>O</kbd> overview. The PDF is for print.</p>
<ul>
${items.join("\n")}
</ul>
</body>
</html>
`;
writeFileSync(join(out, "index.html"), page);
console.log(`${decks.length} decks: ${join(out, "index.html")}`);
