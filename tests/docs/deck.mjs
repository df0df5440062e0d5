// For tests of the checks: decks that keep all rules, except those that a test breaks.
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { scratchFolder } from "./scratch.mjs";

const work = join(dirname(fileURLToPath(import.meta.url)), "../.."); // the folder of the copies in the build folder
const notes = "\n\n<!--\nTime: 2 min.\nSay: what there is to say.\n-->\n";

/// Returns a valid slide with these contents.
export function slide(content, { kind = "", note = notes, heading = "## A headline" } = {}) {
    return `${kind ? `<!-- _class: ${kind} -->\n\n` : ""}${heading}\n\n${content}${note}`;
}

/// The slides that every deck has.
export const frame = {
    title: "<!-- _class: title -->\n\n# **00** A deck\n\nwith a sentence\n",
    predict: slide("1. yes\n2. no", { kind: "predict" }),
    demo: slide("```sh\ntrue\n```", { kind: "demo" }),
    exercises: slide("- one", { kind: "exercises" }),
};

/// Builds a deck from these slides, and returns its path.
export async function build_deck(slides) {
    const folder = scratchFolder("deck-");
    const file = (name) => join(folder, name);
    const front = "---\ntitle: 00 A deck\ntheme: course\nlang: en\npaginate: true\nfooter: 00 A deck\n---\n";
    writeFileSync(file("00_deck.md"), front + slides.join("\n\n---\n\n"));
    const run = promisify(execFile)(process.execPath, [
        join(work, "common/docs/slides/convert.mjs"),
        file("00_deck.md"),
        file("00_deck.html"),
        join(work, "theme.css"),
    ]);
    run.child.stdin.end();
    await run;
    return { folder, html: file("00_deck.html") };
}
