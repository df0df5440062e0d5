// Puts an SVG file into a slide as a part of the page, not as a picture: so it gets the deck's fonts, and the checks can
// measure its text. Names of its own (ids) get a prefix, because one page holds many figures.

const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");

/// The lines of an HTML block. No line of it is empty: an empty line would end the block in Markdown.
export function inlineFigure(svg, { prefix, alternative, caption }) {
    const ids = new Set([...svg.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1]));
    const own = (text, before, after) =>
        text.replace(new RegExp(`${before}([^"')]+)${after}`, "g"), (whole, id) =>
            ids.has(id) ? whole.replace(id, prefix + id) : whole,
        );
    let text = svg.replace(/<\?xml[^>]*\?>|<!DOCTYPE[^>]*>|<!--[\s\S]*?-->/g, "");
    // Title and description would pop up under the pointer; the slide's alternative text takes their place.
    text = text.replace(/<(title|desc)\b[^>]*>[\s\S]*?<\/\1>/g, "");
    text = own(text, '\\sid="', '"');
    text = own(text, "url\\(#", "\\)");
    text = own(text, 'href="#', '"');
    text = text.replace(/<svg\b([^>]*)>/, (whole, attributes) => {
        const kept = attributes.replace(/\s(width|height|role|aria-\w+)="[^"]*"/g, "");
        return `<svg${kept} role="img" aria-label="${escaped(alternative)}">`;
    });
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    const foot = caption ? [`<figcaption>${escaped(caption)}</figcaption>`] : [];
    return ["<figure>", ...lines, ...foot, "</figure>"];
}
