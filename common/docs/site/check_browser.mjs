// Looks at pages in Chromium as a reader does: with axe-core, in light and dark mode, on a wide screen and on a phone. Nothing
// may extend beyond a phone's screen, there may be no request to the network, no script may fail, and the search must find its
// words.
import { join } from "node:path";
import { openPage, show } from "../browser.mjs";

export const views = [
    { name: "wide, light", width: 1440, height: 900, scheme: "light" },
    { name: "phone, dark", width: 320, height: 700, scheme: "dark" },
    { name: "wide, dark", width: 1440, height: 900, scheme: "dark" },
    { name: "phone, light", width: 320, height: 700, scheme: "light" },
];

/// Returns complaints about the pages { url: views }. `searches` are words for which the search in index.html must find
/// something.
export async function checkInBrowser(browser, site, pages, searches = []) {
    const complaints = [];
    const { page, refused } = await openPage(browser, "the site");
    page.on("pageerror", (error) => complaints.push(`${page.url()}: its script fails: ${error.message}`));
    const look = async (where) => {
        const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
        for (const { id, help, nodes } of violations)
            complaints.push(`${where}: ${help} (${id}): ${nodes.length} times, first ${nodes[0].html.slice(0, 100)}`);
    };
    for (const [url, wanted] of Object.entries(pages)) {
        await show(page, join(site, url));
        await page.evaluate(() => document.querySelectorAll("details").forEach((part) => (part.open = true)));
        for (const { name, width, height, scheme } of wanted) {
            await page.setViewport({ width, height });
            await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
            await look(`${url} (${name})`);
            const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
            if (beyond > 0) complaints.push(`${url} (${name}): ${beyond} px of it reach beyond the screen`);
        }
    }
    for (const words of searches) {
        await show(page, join(site, "index.html"));
        await page.type("#search", words);
        const found = await page.waitForSelector("#results a[href]", { timeout: 5000 }).catch(() => null);
        if (!found) complaints.push(`index.html: the search finds nothing for "${words}"`);
        await look("index.html, with what the search finds");
    }
    await page.close();
    return [...complaints, ...refused];
}
