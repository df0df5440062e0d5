// Reads every page of a built site: links and anchors must lead somewhere, pictures must exist and have a text, text that is
// not for readers must not be visible, and each page must be reachable. Lectures must show their profiles. Maintained link checkers need a server and, for
// anchors, a newer node than Debian's, so this file does it with an HTML parser.
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { basename, join, posix } from "node:path";
import { filter, findAll, getElementsByTagName, isTag, isText, textContent } from "domutils";
import { parseDocument } from "htmlparser2";

const marks = ["<!--", "](", "<details", "**", "``"];

/// Returns { anchors, links, complaints, pictures } of a page.
function factsOf(html) {
    const page = parseDocument(html);
    const facts = { anchors: new Set([""]), links: [], pictures: 0, complaints: [] };
    const complain = (what) => facts.complaints.push(what);
    for (const { name, attribs, children } of findAll(() => true, page.children)) {
        const { id, href, src, alt, data } = attribs;
        for (const anchor of new Set([id, name === "a" && attribs.name])) {
            if (!anchor) continue;
            if (facts.anchors.has(anchor)) complain(`two anchors are called ${anchor}`);
            facts.anchors.add(anchor);
        }
        if (href !== undefined && (name === "a" || name === "link")) facts.links.push(href);
        if (src !== undefined && name === "script") facts.links.push(src);
        if (name === "img") {
            ++facts.pictures;
            if (!alt?.trim()) complain(`picture ${src} has no alternative text`);
            if (/^[a-z]+:/i.test(src)) complain(`picture ${src} is no file of the site`);
            else facts.links.push(src);
        }
        if (name === "object") complain(`picture ${data} is an <object>: no text for it`);
        const first = children.find((child) => isTag(child) || textContent(child).trim());
        if (name === "details" && first?.name !== "summary") complain("a collapsed part has no summary");
    }
    const [titles, [title], [body]] = ["h1", "title", "body"].map((name) => getElementsByTagName(name, page));
    if (titles.length !== 1) complain(`${titles.length} headings <h1>, one is needed`);
    if (!title || !textContent(title).trim()) complain("no title");
    if (body?.attribs.class === "profile-page") facts.complaints.push(...faultsOfProfile(page));
    facts.profiles = findAll(({ name, attribs }) => name === "figure" && attribs.class === "profile", page.children).length;
    const prose = body?.attribs.class === "text-page" ? filter(isText, body) : [];
    for (const text of prose) {
        if (!marks.some((mark) => text.data.includes(mark)) || isCode(text)) continue;
        complain(`shows "${text.data.trim().slice(0, 60)}", which was not meant to be read`);
    }
    return facts;
}

/// Returns complaints about the page of a profile: each kernel must have lines, requests and steps, and there must be a picture for
/// readers without JavaScript.
function faultsOfProfile(page) {
    const [data] = findAll(({ attribs }) => attribs.id === "profile", page.children);
    const { kernels } = JSON.parse(textContent(data));
    const isEmpty = ({ lines, samples, warps }) => !lines.length || !samples.length || !warps.some(({ steps }) => steps.length);
    const faults = kernels.filter(isEmpty).map(({ name }) => `the profile of ${name} is empty`);
    if (!kernels.length) faults.push("the profile has no kernel");
    const hasPicture = (instead) => getElementsByTagName("img", instead).length > 0;
    if (!getElementsByTagName("noscript", page).some(hasPicture)) faults.push("the profile has no picture for readers without JavaScript");
    return faults;
}

const isCode = ({ name, parent }) => name === "code" || name === "pre" || (parent !== null && isCode(parent));

/// Returns { complaints, pages, links, pictures, outside, slidesNotBuilt }. Another target builds the slides, perhaps later;
/// until then, a deck in the folder `decks` is enough. The lectures of the topics `profiled` must show a profile.
export function checkPages(site, decks, profiled = []) {
    const result = { complaints: [], pages: 0, links: 0, pictures: 0, outside: 0, slidesNotBuilt: 0 };
    const known = new Set(readdirSync(site, { recursive: true }).filter((file) => statSync(join(site, file)).isFile()));
    const urls = [...known].filter((file) => file.endsWith(".html"));
    const facts = new Map(urls.map((url) => [url, factsOf(readFileSync(join(site, url), "utf8"))]));
    const slidesBuilt = existsSync(join(site, "../slides/index.html"));
    const ways = new Map();

    /// Returns what is wrong with a link on a page; undefined if nothing is wrong.
    function wrong(url, href) {
        if (/^(https?:\/\/|mailto:)/.test(href)) return void ++result.outside;
        ++result.links;
        if (/^[a-z]+:/i.test(href)) return "is of no known kind";
        const [path, anchor = ""] = decodeURI(href).split("#");
        const to = path ? posix.join(posix.dirname(url), path) : url;
        if (to.startsWith("../slides/")) return wrongSlides(to);
        if (to.startsWith("..")) return "leaves the site";
        if (!known.has(to)) return `there is no ${to}`;
        ways.get(url).push(to);
        if (facts.has(to) && !facts.get(to).anchors.has(anchor)) return `${to} has no anchor ${anchor}`;
    }

    function wrongSlides(to) {
        if (existsSync(join(site, to))) return;
        const deck = basename(to, ".html");
        if (slidesBuilt) return "the slides are built, but not these";
        if (deck !== "index" && !existsSync(join(decks, `${deck}.md`))) return `there is no deck ${deck}.md`;
        ++result.slidesNotBuilt;
    }

    for (const [url, { links, pictures, complaints }] of facts) {
        ways.set(url, []);
        result.complaints.push(...complaints.map((complaint) => `${url}: ${complaint}`));
        result.pictures += pictures;
        for (const href of links) {
            const what = wrong(url, href);
            if (what) result.complaints.push(`${url}: link ${href}: ${what}`);
        }
    }
    const reached = new Set(["index.html"]);
    for (const url of reached) for (const to of ways.get(url) ?? []) reached.add(to);
    // Doxygen writes more lists than the site uses.
    for (const url of urls)
        if (!reached.has(url) && !url.startsWith("reference/"))
            result.complaints.push(`${url}: no way leads here from index.html`);
    for (const topic of profiled)
        if (!facts.get(`lectures/${topic}/README.html`)?.profiles)
            result.complaints.push(`lectures/${topic}/README.html: shows no profile: its Markdown has no <!-- profile: ... --> above a command`);
    if (!facts.has("index.html")) result.complaints.push("index.html: does not exist");
    result.pages = urls.length;
    return result;
}
