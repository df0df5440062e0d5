// Converts a page of Markdown to HTML for the site, with markdown-it and with the course's links, figures, code and tables.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import MarkdownIt from "markdown-it";
import anchor from "markdown-it-anchor";
import { escaped } from "../shared.mjs";
import { coloured } from "./code.mjs";
import { up } from "./course.mjs";
import { placeHtml, requested } from "./profiles.mjs";

/// Returns the anchor of a heading, as GitHub forms it.
const slugify = (text) =>
    text
        .trim()
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\p{M} _-]/gu, "")
        .replace(/ /g, "-");

const withoutComments = (html) => html.replace(/<!--[^]*?-->/g, "");

/// Changes links to those of the site, and an image that is alone in its paragraph to a figure.
function intoTheCourse({ tokens, env }) {
    const { course, page } = env;
    tokens.forEach((token, i) => {
        for (const part of token.children ?? []) {
            if (part.type === "link_open") part.attrSet("href", course.link(page, part.attrGet("href")));
            if (part.type === "image") course.figure(page, part.attrGet("src"));
        }
        // The top left cell of a table whose rows have names is not a heading.
        if (token.type === "th_open" && !tokens[i + 1].content) token.tag = tokens[i + 2].tag = "td";
        if (token.type === "heading_open" && token.tag === "h2")
            env.headings.push({ id: token.attrGet("id"), html: md.renderInline(tokens[i + 1].content, env) });
        if (token.type !== "inline" || tokens[i - 1]?.type !== "paragraph_open") return;
        const [image, ...more] = token.children;
        if (image?.type !== "image" || more.length > 0) return;
        env.figures.push({ src: image.attrGet("src"), alt: image.content.replace(/`/g, "") });
        tokens[i - 1].tag = tokens[i + 1].tag = "figure";
    });
}

function makeMarkdown() {
    const md = new MarkdownIt({ html: true });
    const mark = { class: "permalink", symbol: "#", placement: "after" };
    const renderAttrs = () => ({ "aria-label": "Link to here" });
    const permalink = anchor.permalink.linkInsideHeader({ ...mark, renderAttrs });
    md.use(anchor, { slugify, permalink, level: [2, 3, 4, 5, 6], tabIndex: false });
    md.core.ruler.push("course", intoTheCourse);
    const { rules } = md.renderer;
    rules.fence = (tokens, i, options, env) => {
        const { info, content, map } = tokens[i];
        const language = info.trim().split(" ")[0];
        env.blocks.push({ language, content });
        const profile = env.course.demos && requested(tokens[i - 1]?.content ?? "", content, env.profiles.length + 1);
        if (profile) {
            env.profiles.push(profile);
            return placeHtml(profile);
        }
        const html = `<pre class="fragment"><code>${coloured(content, language === "cpp" && "cpp")}</code></pre>\n`;
        const quote = env.quotes.find((each) => each.line === map[0] + 1);
        if (!quote) return html;
        const where = `${up(env.page)}${env.course.address(quote.file)}#L${quote.first}`;
        return `${html}<p class="from"><a href="${where}">${quote.file}, lines ${quote.first} to ${quote.last}</a></p>\n`;
    };
    rules.image = (tokens, i) =>
        `<img src="${tokens[i].attrGet("src")}" alt="${escaped(tokens[i].content.replace(/`/g, ""))}">`;
    rules.html_inline = (tokens, i) => withoutComments(tokens[i].content);
    rules.html_block = (tokens, i, options, env) => {
        const html = withoutComments(tokens[i].content);
        return html.replace(/(?<=<summary>)[^]*?(?=<\/summary>)/g, (text) => md.renderInline(text, env));
    };
    // A table that is wider than the screen can be scrolled, also with the keyboard. The table of claims has its own column
    // widths.
    rules.table_open = (tokens, i) => {
        const head = tokens.slice(i).find((token) => token.type === "inline").content;
        return `<div class="scroll${head === "claim" ? " claims" : ""}"><table>\n`;
    };
    rules.table_close = () => "</table></div>\n";
    return md;
}

const md = makeMarkdown();

/// Returns { html, headings, figures, blocks, profiles }: the page, its headings of the second level, its figures, its blocks of code,
/// and the profiles that it shows.
export function readPage(course, { path, quotes }) {
    const env = { course, page: path, quotes, headings: [], figures: [], blocks: [], profiles: [] };
    return { html: md.render(readFileSync(join(course.root, path), "utf8"), env), ...env };
}
