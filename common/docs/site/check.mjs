// Checks a built site:  node check.mjs SITE DECKS Reads every page. In Chromium, examines every page of text once, and one page
// of each kind in every view. Every complaint names the page and the place. The exit status is 0 only if there are no
// complaints.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { openBrowser } from "../browser.mjs";
import { program } from "../shared.mjs";
import { checkInBrowser, views } from "./check_browser.mjs";
import { checkPages } from "./check_pages.mjs";

/// Returns the kind of a page; pages of one kind look alike. Returns undefined for Doxygen's own lists and listings, which are
/// not checked.
function kindOf(site, file) {
    if (!file.endsWith(".html") || /^reference\/(classes|.*(members|_source|namespaces))/.test(file)) return undefined;
    if (file.startsWith("reference/")) return /\/(namespace|class|struct)/.exec(file)?.[1];
    const [, kind] = /<body class="([^"]*)"/.exec(readFileSync(join(site, file), "utf8"));
    return kind === "source-page" ? /\.\w+\.html$/.exec(file)[0] : kind;
}

/// `profiled`: the topics whose lectures must show a profile.
program(import.meta.url, async (site, decks, ...profiled) => {
    const { complaints, pages, links, pictures, outside, slidesNotBuilt } = checkPages(site, decks, profiled);
    const urls = {};
    const kinds = new Set();
    for (const file of readdirSync(site, { recursive: true }).sort()) {
        const kind = kindOf(site, file);
        if (kind && !kinds.has(kind)) urls[file] = kind.startsWith(".") ? views.slice(0, 2) : views;
        else if (kind === "text-page") urls[file] = views.slice(0, 1);
        else if (kind === "profile-page") urls[file] = views.slice(0, 2);
        kinds.add(kind);
    }
    const browser = await openBrowser();
    const searches = ["missing barrier", "reduce", "occupancy calculator"];
    complaints.push(...(await checkInBrowser(browser, site, urls, searches)));
    await browser.close();
    const said =
        `${pages} pages, ${links} links, ${pictures} pictures (${outside} links to other hosts were not followed, ${slidesNotBuilt} lead ` +
        `to slides that are not built); ${Object.keys(urls).length} pages looked at in Chromium; ${complaints.length} complaints`;
    return { said, complaints };
});
