// Looks at pages in Chromium as a reader does: by axe-core, light and dark, on a wide screen and on a phone. Nothing may reach
// beyond a phone's screen, nothing may be asked from the network, no script may fail, and the search must find.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { openPage } from "../browser.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export const views = [
    { name: "wide, light", width: 1440, height: 900, scheme: "light" },
    { name: "phone, dark", width: 320, height: 700, scheme: "dark" },
    { name: "wide, dark", width: 1440, height: 900, scheme: "dark" },
    { name: "phone, light", width: 320, height: 700, scheme: "light" },
];

async function violations(page) {
    const found = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
    return found.violations.map(
        ({ id, help, nodes }) => `${help} (${id}): ${nodes.length} times, first ${nodes[0].html.slice(0, 100)}`,
    );
}

/// Complaints about one page as it is shown in each of the views.
async function lookAt(page, site, url, wanted) {
    const complaints = [];
    await page.goto(pathToFileURL(resolve(site, url)).href, { waitUntil: "load" });
    await page.evaluate(axe);
    await page.evaluate(() => document.querySelectorAll("details").forEach((part) => (part.open = true)));
    for (const { name, width, height, scheme } of wanted) {
        await page.setViewport({ width, height });
        await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
        complaints.push(...(await violations(page)).map((what) => `${url} (${name}): ${what}`));
        const beyond = await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        if (beyond > 0) complaints.push(`${url} (${name}): ${beyond} px of it reach beyond the screen`);
    }
    return complaints;
}

/// Complaints about the pages { url: views }. `searches` are words for which the search of index.html must find something.
export async function checkInBrowser(browser, site, pages, searches = []) {
    const complaints = [];
    const { page, refused } = await openPage(browser);
    page.on("pageerror", (error) => complaints.push(`${page.url()}: its script fails: ${error.message}`));
    for (const [url, wanted] of Object.entries(pages)) complaints.push(...(await lookAt(page, site, url, wanted)));
    for (const words of searches) {
        await page.goto(pathToFileURL(resolve(site, "index.html")).href, { waitUntil: "load" });
        await page.type("#search", words);
        const found = await page.waitForSelector("#results a[href]", { timeout: 5000 }).catch(() => null);
        if (!found) complaints.push(`index.html: the search finds nothing for "${words}"`);
        await page.evaluate(axe);
        complaints.push(...(await violations(page)).map((what) => `index.html, with what the search finds: ${what}`));
    }
    for (const url of new Set(refused)) complaints.push(`asks the network for ${url}; the site brings all it needs`);
    await page.close();
    return complaints;
}
