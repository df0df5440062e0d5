// Makes of a deck (slides/TOPIC.md) the Markdown that Marp reads:
//     node expand.mjs ROOT slides/TOPIC.md OUT.md [DEPFILE]
// Code, output and figures are put in (include.mjs), columns become elements, references behind numbers vanish, links to
// other decks become links to their pages, and paths of the repository in `code spans` must exist.
// Every complaint names file and line; with one complaint nothing is written, and the exit status is 1.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { includeCode, includeFigure, includeOutput } from "./include.mjs";

const typedCode = /^```(?!sh\s*$)/;
const pathInCode = /`((?:common|exercises|lectures|slides|solutions|tests)\/[\w./-]*[\w/])`/g;

/// { text, complaints, files }: the expanded deck, what is wrong with it, and the files it was made from.
export function expand(root, deck) {
    const files = [deck];
    const complaints = [];
    let line = 0;
    const context = {
        root,
        deck,
        figures: 0,
        read(file) {
            if (!existsSync(join(root, file))) return null;
            files.push(file);
            return readFileSync(join(root, file), "utf8");
        },
        fail(what) {
            complaints.push(`${deck}:${line}: ${what}`);
            return [];
        },
    };
    const source = readFileSync(join(root, deck), "utf8").split("\n");
    const out = [];
    let fence = false;
    let note = false;
    let column = false;
    let front = source[0] === "---";
    if (!front) context.fail('a deck begins with a front matter: ---, "title: NN Topic", ---');
    const endColumns = () => {
        if (column) out.push("", "</div></div>", "");
        column = false;
    };
    for (const text of source) {
        ++line;
        const content = text.trim();
        const directive = /^<!-- (code|output): (.*) -->$/.exec(content);
        if (front) {
            front = line === 1 || content !== "---";
            if (!front) out.push(...frontMatter(source.slice(1, line - 1), context));
            out.push(text);
        } else if (note) {
            if (/^$|^[A-Z][\w ]{1,24}: /.test(content) || out[out.length - 1] === "") out.push(content);
            else out[out.length - 1] += " " + content;
            if (content.includes("-->")) note = false;
        } else if (fence) {
            if (content.startsWith("```")) fence = false;
            out.push(text);
        } else if (directive) {
            out.push(...(directive[1] === "code" ? includeCode : includeOutput)(directive[2], context));
        } else if (content === "<!-- column -->") {
            out.push(
                "",
                column ? '</div><div class="column">' : '<div class="columns"><div class="column">',
                "",
            );
            column = true;
        } else if (content === "---" || content === "<!-- columns end -->") {
            endColumns();
            if (content === "---") out.push(text);
        } else if (content.startsWith("```")) {
            if (typedCode.test(content))
                context.fail(
                    "code and output are never typed on slides: <!-- code: FILE REGION --> or <!-- output: ... -->",
                );
            fence = true;
            out.push(text);
        } else if (content.includes("![")) {
            out.push(...includeFigure(text, context));
        } else {
            note = /^<!--(?![=?])/.test(content) && !content.includes("-->");
            // Notes stand at the end of a slide: columns are closed before them, but not before directives such as _class.
            if (note || /^<!-- (?!_?\w+:)/.test(content)) endColumns();
            out.push(withoutReferences(linked(text, context)));
        }
    }
    endColumns();
    if (note || fence || front)
        context.fail("something that was opened is not closed: notes, a code block or the front matter");
    return { text: out.join("\n"), complaints, files };
}

/// What every deck has in its front matter besides its title.
function frontMatter(given, context) {
    const title = given.map((text) => /^title: *(\d\d .+)$/.exec(text)).find(Boolean);
    if (!title || given.length !== 1) context.fail(`the front matter is one line, "title: NN Topic"`);
    return ["theme: course", "lang: en", "paginate: true", `footer: ${title?.[1]}`];
}

/// Without <!--= ... -->, <!--? ... --> and <!--given-->, which a tool reads and Marp would take for speaker notes.
export function withoutReferences(text) {
    return text.replace(/<!--(=|\?)[\s\S]*?-->|<!--given-->/g, "");
}

/// Checks links and paths, and turns links to decks into links to their pages.
function linked(text, context) {
    for (const [, path] of text.matchAll(pathInCode)) {
        if (!path.includes("TOPIC") && !existsSync(join(context.root, path)))
            context.fail(`there is no ${path}`);
    }
    return text.replace(/\]\(([^)\s]+)\)/g, (whole, target) => {
        if (/^(https?:|#)/.test(target)) return whole;
        const deck = /^(\d\d_\w+)\.md$/.exec(target);
        if (!deck)
            context.fail(
                `${target}: link to another deck (08_scan.md) or to the web, or write a path as code`,
            );
        else if (!existsSync(join(context.root, "slides", target)))
            context.fail(`there is no deck ${target}`);
        return deck ? `](${deck[1]}.html)` : whole;
    });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    const [root, deck, out, depfile] = process.argv.slice(2);
    const { text, complaints, files } = expand(root, deck);
    if (complaints.length > 0) {
        console.error(complaints.join("\n"));
        process.exit(1);
    }
    writeFileSync(out, text);
    const depends = [...new Set(files)].map((file) => join(root, file).replace(/ /g, "\\ "));
    if (depfile) writeFileSync(depfile, `${out}: ${depends.join(" ")}\n`);
    console.log(`${basename(deck)}: ${files.length - 1} pieces put in`);
}
