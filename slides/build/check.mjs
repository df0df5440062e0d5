// Checks built decks:  node check.mjs ROOT DECK.html...
// Each slide is opened in Chromium at 1280 x 720 and measured (check_slide.mjs), on the screen and as it is printed. Beside
// that: the shape of a deck, notes, links, nothing from the network, and as many pages in the PDF as there are slides.
// Every complaint names deck, slide, what is wrong and what to do. Exit status 0 only if there is none.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { constants, inflateSync } from "node:zlib";
import { openBrowser, openPage } from "../common/docs/browser.mjs";
import { inspect, limits } from "./check_slide.mjs";

/// { complaints, slides, minutes } of one deck.
export async function checkDeck(browser, html, root) {
    const name = basename(html, ".html");
    const complaints = [];
    const { page, refused } = await openPage(browser);
    await page.goto(pathToFileURL(resolve(html)).href, { waitUntil: "load" });
    await page.evaluate(() => document.fonts.ready);
    const slides = await page.evaluate(outline);
    const complain = (slide, what, where, cure) =>
        complaints.push(
            `${name}, slide ${slide + 1} "${slides[slide]?.heading ?? ""}": ${what}${where && `: "${where}"`}; ${cure}`,
        );

    shape(slides, charts(root, name), complain);
    for (const { slide, href } of slides.flatMap((each, slide) =>
        each.links.map((href) => ({ slide, href })),
    )) {
        const wrong = brokenLink(href, html, slides);
        if (wrong) complain(slide, wrong, href, "mend the link");
    }
    const seen = new Set();
    // One complaint per slide and kind, with the number of places; in print only what the screen does not have.
    const measure = async (slide, medium) => {
        const problems = await page.evaluate(inspect, slide, limits, medium === "screen");
        const kinds = new Map();
        for (const problem of problems) {
            const kind = problem.what.replace(/[\d.]+/g, "");
            if (medium === "print" && seen.has(`${slide} ${kind}`)) continue;
            seen.add(`${slide} ${kind}`);
            kinds.set(kind, [...(kinds.get(kind) ?? []), problem]);
        }
        for (const [{ what, where, cure }, ...more] of kinds.values()) {
            const places = more.length > 0 ? ` (and ${more.length} more places)` : "";
            complain(slide, `${medium === "print" ? "in print, " : ""}${what}${places}`, where, cure);
        }
    };
    await page.addStyleTag({ content: "section, section * { pointer-events: auto !important }" });
    for (let slide = 0; slide < slides.length; ++slide) {
        await page.evaluate((number) => (location.hash = `#${number}`), slide + 1);
        await page
            .waitForFunction(
                (index) =>
                    document.querySelectorAll("section")[index].getClientRects().length > 0 && visible(index),
                { timeout: 5000 },
                slide,
            )
            .catch(() =>
                complain(
                    slide,
                    "does not show itself",
                    "",
                    "is this a deck that the target slides_html made?",
                ),
            );
        await measure(slide, "screen");
    }
    await page.emulateMediaType("print");
    for (let slide = 0; slide < slides.length; ++slide) await measure(slide, "print");
    for (const url of new Set(refused))
        complaints.push(`${name}: asks the network for ${url}; a deck brings all it needs`);

    const pdf = html.replace(/\.html$/, ".pdf");
    if (existsSync(pdf) && pdfPages(readFileSync(pdf)) !== slides.length)
        complaints.push(
            `${name}: its PDF has ${pdfPages(readFileSync(pdf))} pages, and there are ${slides.length} slides; build it again`,
        );
    await page.close();
    return {
        complaints,
        slides: slides.length,
        minutes: slides.reduce((sum, slide) => sum + (slide.minutes ?? 0), 0),
    };
}

/// Runs in the page: what each slide is.
function outline() {
    window.visible = (index) => {
        const section = document.querySelectorAll("section")[index];
        return (
            getComputedStyle(section.closest("svg")).visibility === "visible" &&
            Math.abs(section.getBoundingClientRect().top) < 2
        );
    };
    return [...document.querySelectorAll("section")].map((section, index) => {
        const note =
            document.querySelector(`.bespoke-marp-note[data-index="${index}"]`)?.textContent.trim() ?? "";
        const time = /^Time: (\d+(?:\.\d+)?) min/m.exec(note);
        return {
            heading: section.querySelector("h1, h2")?.textContent.trim() ?? "",
            classes: [...section.classList],
            note,
            minutes: time ? Number(time[1]) : null,
            links: [...section.querySelectorAll("a[href]")].map((link) => link.getAttribute("href")),
            ids: [section.id, ...[...section.querySelectorAll("[id]")].map((element) => element.id)],
        };
    });
}

/// Number and order of slides, headlines, notes.
function shape(slides, hasCharts, complain) {
    if (slides.length < 15 || slides.length > 30)
        complain(0, `there are ${slides.length} slides`, "", "15 to 30 make a deck");
    if (!slides[0].classes.includes("title"))
        complain(0, "the first slide is no title", "", "give it the class title");
    const wanted = ["predict", "demo", "exercises", ...(hasCharts ? ["chart"] : [])];
    for (const kind of wanted) {
        if (!slides.some((slide) => slide.classes.includes(kind)))
            complain(0, `the deck has no slide of class ${kind}`, "", "write one");
    }
    slides.forEach((slide, index) => {
        if (!slide.heading)
            complain(index, "has no headline", "", "one idea per slide, said in its headline");
        if (slide.classes.includes("title")) return;
        if (!slide.note)
            complain(index, "has no speaker notes", "", "what to say, what students get wrong, how long");
        else if (slide.minutes === null)
            complain(index, "its notes do not say how long", "", 'begin them with "Time: 3 min."');
        if (slide.classes.includes("demo") && !slides[index - 1]?.classes.includes("predict"))
            complain(
                index,
                "a demo without a prediction before it",
                "",
                "put a slide of class predict directly before it",
            );
    });
}

/// Whether lectures/TOPIC has measured charts, which a deck then shows.
function charts(root, topic) {
    const figures = join(root, "lectures", topic, "figures");
    return existsSync(figures) && readdirSync(figures).some((file) => file.startsWith("chart_"));
}

/// What is wrong with a link; null if nothing is. Links to the web are not followed.
function brokenLink(href, html, slides) {
    if (/^https?:/.test(href)) return null;
    if (href.startsWith("#")) {
        const id = decodeURIComponent(href.slice(1));
        const known =
            slides.some((slide) => slide.ids.includes(id)) ||
            (Number(id) >= 1 && Number(id) <= slides.length);
        return known ? null : "a link to nothing in this deck";
    }
    const file = join(dirname(html), decodeURIComponent(href.split("#")[0]));
    return existsSync(file) ? null : "a link to a file that is not there";
}

/// Pages of a PDF: the largest count of a page tree, or else the page objects. Both may stand in a compressed stream.
export function pdfPages(bytes) {
    const parts = [bytes.toString("latin1")];
    for (const match of parts[0].matchAll(/\/ObjStm\b[^>]*>>\s*stream\r?\n/g)) {
        const start = match.index + match[0].length;
        const end = parts[0].indexOf("endstream", start);
        parts.push(
            inflateSync(bytes.subarray(start, end), { finishFlush: constants.Z_SYNC_FLUSH }).toString(
                "latin1",
            ),
        );
    }
    const text = parts.join("\n");
    const tree = /\/Type\s*\/Pages\b[^>]*?\/Count\s+(\d+)|\/Count\s+(\d+)[^>]*?\/Type\s*\/Pages\b/g;
    const counts = [...text.matchAll(tree)].map((match) => Number(match[1] ?? match[2]));
    return counts.length > 0 ? Math.max(...counts) : [...text.matchAll(/\/Type\s*\/Page\b(?!s)/g)].length;
}

async function main(root, decks) {
    const browser = await openBrowser();
    const all = [];
    try {
        for (const deck of decks) {
            const { complaints, slides, minutes } = await checkDeck(browser, deck, root);
            const verdict = complaints.length === 0 ? "in order" : `${complaints.length} complaints`;
            console.log(`${basename(deck, ".html")}: ${slides} slides, ${minutes} minutes: ${verdict}`);
            all.push(...complaints);
        }
    } finally {
        await browser.close();
    }
    for (const complaint of all) console.error(complaint);
    if (decks.length === 0) console.error("no deck was given, so nothing is checked");
    return decks.length > 0 && all.length === 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    const [root, ...decks] = process.argv.slice(2);
    main(root, decks).then(
        (ok) => process.exit(ok ? 0 : 1),
        (error) => {
            console.error(error.message);
            process.exit(1);
        },
    );
}
