// Runs Chromium without a window, for the checks. The environment variable CHROME_PATH is its path, which kit_docs.cmake finds.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/// Starts the browser. Its sandbox works only for a user other than root.
export async function openBrowser() {
    if (!process.env.CHROME_PATH) throw new Error("CHROME_PATH must say where Chromium is (CMake's targets set it)");
    const args = ["--hide-scrollbars", "--disable-gpu", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])];
    return puppeteer.launch({ executablePath: process.env.CHROME_PATH, args, headless: true });
}

/// Opens a page with the size of a slide. Requests to the network are refused: `refused` gets a complaint for each address.
export async function openPage(browser, what) {
    const page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 720, deviceScaleFactor: 1 });
    await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }]);
    const refused = new Set();
    await page.setRequestInterception(true);
    page.on("request", (request) => {
        if (/^(file|data|blob|about):/.test(request.url())) return request.continue();
        refused.add(`asks the network for ${request.url()}; ${what} brings all it needs`);
        return request.abort();
    });
    return { page, refused };
}

/// Shows a file, and then loads axe-core into the page.
export async function show(page, file) {
    await page.goto(pathToFileURL(resolve(file)).href, { waitUntil: "load" });
    await page.evaluate(axe);
}
