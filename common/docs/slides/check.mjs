// Checks built decks:  node check.mjs DECK.html...
// Opens each slide in Chromium at 1280 x 720 and measures it (check_slide.mjs), on the screen and in print. Also checks links,
// that there are no requests to the network, and that the PDF has as many pages as there are slides. kit_author checks the text
// and the shape of a deck. Every complaint names the deck, the slide, what is wrong and what to do. The exit status is 0 only
// if there are no complaints.
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { PDFDocument } from "pdf-lib";
import { openBrowser, openPage, show } from "../browser.mjs";
import { program } from "../shared.mjs";
import { inspect, limits } from "./check_slide.mjs";

/// Returns { complaints, slides, minutes } of one deck.
export async function checkDeck(browser, html) {
    const name = basename(html, ".html");
    const complaints = [];
    const { page, refused } = await openPage(browser, "a deck");
    await show(page, html);
    await page.evaluate(() => document.fonts.ready);
    const slides = await page.evaluate(outline);
    const complain = (slide, what, where, cure) => {
        const place = `${name}, slide ${slide + 1} "${slides[slide]?.heading ?? ""}"`;
        complaints.push(`${place}: ${what}${where && `: "${where}"`}; ${cure}`);
    };

    slides.forEach(({ links }, slide) => {
        for (const href of links) {
            const wrong = brokenLink(href, html, slides);
            if (wrong) complain(slide, wrong, href, "mend the link");
        }
    });
    // There is one complaint per slide and kind, with the number of places. In print, only what was not reported for the screen
    // counts.
    const found = slides.map(() => new Map());
    await page.addStyleTag({ content: "section, section * { pointer-events: auto !important }" });
    for (const medium of ["screen", "print"]) {
        if (medium === "print") await page.emulateMediaType(medium); // this call resets the setting for reduced motion
        for (let slide = 0; slide < slides.length; ++slide) {
            if (medium === "screen") await turnTo(page, slide, complain);
            for (const problem of await page.evaluate(inspect, slide, limits, medium === "screen")) {
                const kind = problem.what.replace(/[\d.]+/g, "");
                const same = found[slide].get(kind) ?? { medium, places: [] };
                if (same.medium === medium) same.places.push(problem);
                found[slide].set(kind, same);
            }
        }
    }
    found.forEach((kinds, slide) => {
        for (const { medium, places } of kinds.values()) {
            const [{ what, where, cure }, ...more] = places;
            const others = more.length > 0 ? ` (and ${more.length} more places)` : "";
            complain(slide, `${medium === "print" ? "in print, " : ""}${what}${others}`, where, cure);
        }
    });
    complaints.push(...[...refused].map((what) => `${name}: ${what}`));
    await page.close();

    const pdf = html.replace(/\.html$/, ".pdf");
    const pages = existsSync(pdf) ? (await PDFDocument.load(readFileSync(pdf))).getPageCount() : slides.length;
    if (pages !== slides.length)
        complaints.push(`${name}: its PDF has ${pages} pages, and there are ${slides.length} slides; build it again`);
    const minutes = slides.reduce((sum, slide) => sum + (slide.minutes ?? 0), 0);
    return { complaints, slides: slides.length, minutes };
}

async function turnTo(page, slide, complain) {
    await page.evaluate((number) => (location.hash = `#${number}`), slide + 1);
    const cure = "is this a deck that the target slides_html made?";
    const absent = () => complain(slide, "does not show itself", "", cure);
    await page.waitForFunction(isShown, { timeout: 5000 }, slide).catch(absent);
}

/// Runs in the page. Returns the kind of each slide.
function outline() {
    return [...document.querySelectorAll("section")].map((section, index) => {
        const note = document.querySelector(`.bespoke-marp-note[data-index="${index}"]`)?.textContent.trim() ?? "";
        const time = /^Time: (\d+(?:\.\d+)?) min/m.exec(note);
        return {
            heading: section.querySelector("h1, h2")?.textContent.trim() ?? "",
            minutes: time ? Number(time[1]) : null,
            links: [...section.querySelectorAll("a[href]")].map((link) => link.getAttribute("href")),
            ids: [section, ...section.querySelectorAll("[id]")].map(({ id }) => id),
        };
    });
}

/// Runs in the page. Returns whether this slide is visible.
function isShown(index) {
    const section = document.querySelectorAll("section")[index];
    const box = section.getBoundingClientRect();
    const visible = getComputedStyle(section.closest("svg")).visibility === "visible";
    return visible && box.width > 0 && Math.abs(box.top) < 2;
}

/// Returns what is wrong with a link; null if nothing is wrong. Links to the web are not followed.
function brokenLink(href, html, slides) {
    if (/^https?:/.test(href)) return null;
    const [path, id] = href.split("#").map(decodeURIComponent);
    if (path) return existsSync(join(dirname(html), path)) ? null : "a link to a file that is not there";
    const known = slides.some(({ ids }) => ids.includes(id)) || (Number(id) >= 1 && Number(id) <= slides.length);
    return known ? null : "a link to nothing in this deck";
}

program(import.meta.url, async (...decks) => {
    const complaints = decks.length > 0 ? [] : ["no deck was given, so nothing is checked"];
    const browser = await openBrowser();
    for (const deck of decks) {
        const { complaints: own, slides, minutes } = await checkDeck(browser, deck);
        const verdict = own.length === 0 ? "in order" : `${own.length} complaints`;
        console.log(`${basename(deck, ".html")}: ${slides} slides, ${minutes} minutes: ${verdict}`);
        complaints.push(...own);
    }
    await browser.close();
    return { complaints };
});
