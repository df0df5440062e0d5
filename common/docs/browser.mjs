// Chromium without a window, for the checks: where it is, and pages that load nothing from the network.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import puppeteer from "puppeteer-core";

/// The path of Chromium or Chrome: CHROME_PATH, or the first in PATH. Null if there is none.
export function findBrowser() {
    if (process.env.CHROME_PATH) return existsSync(process.env.CHROME_PATH) ? process.env.CHROME_PATH : null;
    for (const name of ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]) {
        for (const folder of (process.env.PATH ?? "").split(delimiter)) {
            if (existsSync(join(folder, name))) return join(folder, name);
        }
    }
    return null;
}

/// Starts it. The sandbox needs a user who is not root.
export async function openBrowser() {
    const executablePath = findBrowser();
    if (!executablePath)
        throw new Error(
            "there is no Chromium in PATH and none in CHROME_PATH (Debian: apt-get install chromium)",
        );
    const root = process.getuid?.() === 0;
    const args = ["--hide-scrollbars", "--disable-gpu", ...(root ? ["--no-sandbox"] : [])];
    return puppeteer.launch({ executablePath, args, headless: true });
}

/// A page of the size of a slide. What it asks from the network is refused and listed in `refused`.
export async function openPage(browser) {
    const page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 720, deviceScaleFactor: 1 });
    await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }]);
    const refused = [];
    await page.setRequestInterception(true);
    page.on("request", (request) => {
        if (/^(file|data|blob|about):/.test(request.url())) return request.continue();
        refused.push(request.url());
        return request.abort();
    });
    return { page, refused };
}
