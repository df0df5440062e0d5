// The entries of the search: [address, page, heading, text] for each section of a page, each name in the reference, and each
// file.
import { Parser } from "htmlparser2";

/// Returns the sections of a page, which begin at headings with an anchor.
export function sectionsOf(url, title, html) {
    const sections = [[url, title, "", ""]];
    let heading = "";
    let skipped = 0;
    const parser = new Parser({
        onopentag(name, { id, class: kind }) {
            if (/^h[2-6]$/.test(name) && id) (sections.push([`${url}#${id}`, title, "", ""]), (heading = name));
            if (skipped || name === "h1" || kind === "permalink" || kind === "from") ++skipped;
        },
        ontext(text) {
            if (!skipped) sections.at(-1)[heading ? 2 : 3] += text;
        },
        onclosetag(name) {
            if (name === heading) heading = "";
            if (skipped) --skipped;
            else if (/^(p|li|pre|t[dh]|summary|h\d)$/.test(name)) sections.at(-1)[3] += " ";
        },
    });
    parser.end(html);
    for (const section of sections) for (const i of [2, 3]) section[i] = section[i].replace(/\s+/g, " ").trim();
    return sections.filter(([, , head, text]) => head || text);
}

/// The index is a script and not JSON, because a page that is opened as a file cannot load other files.
export const searchScript = (entries) =>
    `window.searchIndex = [\n${entries.map((entry) => JSON.stringify(entry)).join(",\n")}\n];\n`;
