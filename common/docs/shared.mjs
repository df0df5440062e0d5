// What slides, charts and the site share: text and code as HTML, and the end of a program with its complaints.
import { fileURLToPath } from "node:url";

export const escaped = (text) =>
    text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");

/// Splits coloured code into lines. A colour that continues over a line end is closed there and opened again.
export function linesOf(html) {
    const open = [];
    return html.split("\n").map((line) => {
        const before = open.join("");
        for (const [tag] of line.matchAll(/<\/?span[^>]*>/g)) tag.startsWith("</") ? open.pop() : open.push(tag);
        return before + line + "</span>".repeat(open.length);
    });
}

/// Runs main() with the arguments of the command, if node was started with this module. main() returns a text for the end, and
/// complaints that name their places. The exit status is 0 only if there are no complaints.
export async function program(module, main) {
    if (process.argv[1] !== fileURLToPath(module)) return;
    const { said = "", complaints } = await main(...process.argv.slice(2)).catch(({ message }) => ({
        complaints: [message],
    }));
    for (const complaint of complaints) console.error(complaint);
    if (said) console.log(said);
    process.exit(complaints.length === 0 ? 0 : 1);
}
