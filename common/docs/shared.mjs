// What slides, charts and site share: text and code as HTML, and how a program says what it found.
import { fileURLToPath } from "node:url";

export const escaped = (text) =>
    text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");

/// The lines of coloured code. A colour that reaches over a line's end is closed there and opened again.
export function linesOf(html) {
    const open = [];
    return html.split("\n").map((line) => {
        const before = open.join("");
        for (const [tag] of line.matchAll(/<\/?span[^>]*>/g)) tag.startsWith("</") ? open.pop() : open.push(tag);
        return before + line + "</span>".repeat(open.length);
    });
}

/// Runs main with the arguments of the command, if node was started with this module. It returns what to say at the end and
/// complaints, each of which names its place. Exit status 0 only if there is none.
export async function program(module, main) {
    if (process.argv[1] !== fileURLToPath(module)) return;
    const { said = "", complaints } = await main(...process.argv.slice(2)).catch(({ message }) => ({
        complaints: [message],
    }));
    for (const complaint of complaints) console.error(complaint);
    if (said) console.log(said);
    process.exit(complaints.length === 0 ? 0 : 1);
}
