// Chromium without a window, for the checks. The environment's CHROME_PATH says where it is: kit_docs.cmake looks for it.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/// Starts it. The sandbox needs a user who is not root.
export async function openBrowser() {
    if (!process.env.CHROME_PATH) throw new Error("CHROME_PATH must say where Chromium is (CMake's targets set it)");
    const args = ["--hide-scrollbars", "--disable-gpu", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])];
    return puppeteer.launch({ executablePath: process.env.CHROME_PATH, args, headless: true });
}

/// A page of the size of a slide. What it asks from the network is refused: `refused` has a complaint about each address.
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

/// Shows a file. Its page knows axe-core then.
export async function show(page, file) {
    await page.goto(pathToFileURL(resolve(file)).href, { waitUntil: "load" });
    await page.evaluate(axe);
}
