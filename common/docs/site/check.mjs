// Checks a built site:  node check.mjs SITE DECKS
// Every page is read; in Chromium every page of text is looked at once, and one page of each kind in every view. Every complaint
// names page and place. Exit status 0 only if there is none.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { openBrowser } from "../browser.mjs";
import { checkInBrowser, views } from "./check_browser.mjs";
import { checkPages } from "./check_pages.mjs";

const [site, decks] = process.argv.slice(2);
const { complaints, pages, links, pictures, outside, slidesNotBuilt } = checkPages(site, decks);
/// What a page is like, among pages that look the same; undefined for Doxygen's own lists and listings, which are as they are.
function kindOf(file) {
    if (!file.endsWith(".html") || /^reference\/(classes|.*(members|_source|namespaces))/.test(file)) return undefined;
    if (file.startsWith("reference/")) return /\/(namespace|class|struct)/.exec(file)?.[1];
    const [, kind] = /<body class="([^"]*)"/.exec(readFileSync(join(site, file), "utf8"));
    return kind === "source-page" ? /\.\w+\.html$/.exec(file)[0] : kind;
}

const urls = {};
const kinds = new Set();
for (const file of readdirSync(site, { recursive: true }).sort()) {
    const kind = kindOf(file);
    if (kind && !kinds.has(kind)) urls[file] = kind.startsWith(".") ? views.slice(0, 2) : views;
    else if (kind === "text-page") urls[file] = views.slice(0, 1);
    kinds.add(kind);
}
const browser = await openBrowser();
try {
    complaints.push(
        ...(await checkInBrowser(browser, site, urls, ["missing barrier", "reduce", "occupancy calculator"])),
    );
} finally {
    await browser.close();
}
for (const complaint of complaints) console.error(complaint);
console.log(
    `${pages} pages, ${links} links, ${pictures} pictures (${outside} links to other hosts were not followed, ${slidesNotBuilt} lead ` +
        `to slides that are not built); ${Object.keys(urls).length} pages looked at in Chromium; ${complaints.length} complaints`,
);
process.exit(complaints.length === 0 ? 0 : 1);
