// Inserts figures into slides as parts of the page, not as pictures, so that they use the deck's fonts and the checks can
// measure their text. Their ids get a prefix, because one page contains many figures.
import { readFileSync } from "node:fs";
import { escaped } from "../shared.mjs";

/// Returns the HTML of a figure. It has no empty lines, because an empty line would end the block in Markdown.
function inlineFigure(svg, prefix, alternative, caption) {
    const ids = new Set([...svg.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1]));
    const text = svg
        .replace(/<\?xml[^>]*\?>|<!DOCTYPE[^>]*>|<!--[\s\S]*?-->/g, "")
        // A title or description would appear under the mouse pointer. The alternative text of the slide replaces title and
        // description.
        .replace(/<(title|desc)\b[^>]*>[\s\S]*?<\/\1>/g, "")
        .replace(/(\sid="|url\(#|href="#)([^"')]+)/g, (whole, before, id) =>
            ids.has(id) ? before + prefix + id : whole,
        )
        .replace(/<svg\b([^>]*)>/, (whole, attributes) => {
            const kept = attributes.replace(/\s(width|height|role|aria-\w+)="[^"]*"/g, "");
            return `<svg${kept} role="img" aria-label="${escaped(alternative)}">`;
        });
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    const foot = caption ? [`<figcaption>${escaped(caption)}</figcaption>`] : [];
    return ["<figure>", ...lines, ...foot, "</figure>", ""].join("\n");
}

/// For markdown-it: replaces a paragraph of the form ![what it shows](/whole/path.svg "caption") by the figure.
export function inlineFigures(markdown) {
    markdown.core.ruler.after("block", "course_figures", ({ tokens, Token }) => {
        let figures = 0;
        for (let i = 1; i + 1 < tokens.length; ++i) {
            const image = /^!\[([^\]]*)\]\((\/.*?\.svg)(?: "([^"]*)")?\)$/.exec(tokens[i].content);
            if (tokens[i].type !== "inline" || tokens[i - 1].type !== "paragraph_open" || !image) continue;
            const [, alternative, file, caption] = image;
            const figure = new Token("html_block", "", 0);
            figure.content = inlineFigure(readFileSync(file, "utf8"), `f${++figures}-`, alternative, caption);
            figure.map = tokens[i].map;
            tokens.splice(i - 1, 3, figure);
        }
    });
}
