// Chromium without a window, for checks and PDF: where it is, and pages that load nothing from the network.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import puppeteer from "puppeteer-core";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// The path of Chromium or Chrome: CHROME_PATH, or the first in PATH. Throws an Error if there is none.
export function findBrowser() {
    const folders = (process.env.PATH ?? "").split(delimiter);
    const inPath = names.flatMap((name) => folders.map((folder) => join(folder, name)));
    const path = (process.env.CHROME_PATH ? [process.env.CHROME_PATH] : inPath).find(existsSync);
    if (path) return path;
    throw new Error(
        "there is no Chromium in PATH and none in CHROME_PATH (Debian: apt-get install chromium)",
    );
}

/// Starts it. The sandbox needs a user who is not root.
export async function openBrowser() {
    const root = process.getuid?.() === 0;
    const args = ["--hide-scrollbars", "--disable-gpu", ...(root ? ["--no-sandbox"] : [])];
    return puppeteer.launch({ executablePath: findBrowser(), args, headless: true });
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
