// Builds the site:  node build.mjs KIT_COURSE DOXYGEN_XML SITE [DEMOS]
// Writes the pages, pages with sources, the index of the search, and SITE.header and SITE.footer, with which Doxygen then
// writes SITE/reference. DEMOS is the folder of the demos, if they run on the executor. Then lectures show profiles.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { escaped, program } from "../shared.mjs";
import { sourceHtml } from "./code.mjs";
import { pageUrl, readCourse, up } from "./course.mjs";
import { doxygenFrame, framed, referenceHtml, sourceIndexHtml, withParts } from "./frame.mjs";
import { landingHtml } from "./landing.mjs";
import { readPage } from "./markdown.mjs";
import { profileFiles } from "./profiles.mjs";
import { searchScript, sectionsOf } from "./search.mjs";

/// Writes the site of a course, and returns the number of entries in its search. Complaints are added to course.complaints.
export function build(course, site) {
    const write = (url, text) => {
        mkdirSync(dirname(join(site, url)), { recursive: true });
        writeFileSync(join(site, url), text);
    };
    const own = (url, title, kind, html, more) =>
        write(url, framed(course, { url, title: escaped(title), kind, html, ...more }));
    rmSync(site, { recursive: true, force: true });

    const entries = [];
    const pages = new Map();
    for (const page of course.pages) {
        const { path, title } = page;
        const { html, headings, figures, blocks, profiles } = readPage(course, page);
        pages.set(path, { figures, blocks });
        for (const profile of profiles) {
            try {
                for (const [file, text] of profileFiles(course, path, profile, title)) write(file, text);
            } catch ({ message }) {
                course.complain(path, `its profile of ${profile.kernels.join(", ")}: ${message}`);
            }
        }
        own(pageUrl(path), title, "text-page", withParts(course, path, html), { path, headings });
        entries.push(...sectionsOf(pageUrl(path), title, html));
    }
    own("index.html", "A course in CUDA C++ that grades itself", "landing", landingHtml(course, pages));
    own("reference.html", "Reference", "reference-page", referenceHtml(course));
    own("source.html", "Source files", "source-index", sourceIndexHtml(course));
    for (const file of course.sources) {
        const url = `${file}.html`;
        const reference = course.reference(file);
        const parts = reference ? `<p class="parts"><a href="${up(url)}${reference.url}">Reference</a></p>\n` : "";
        const text = readFileSync(join(course.root, file), "utf8");
        own(url, file, "source-page", `<h1>${escaped(file)}</h1>\n${parts}${sourceHtml(file, text)}`);
        entries.push([url, file, "", ""]);
    }
    entries.push(...course.names.entries);
    write("search_index.js", searchScript(entries));

    for (const figure of course.figures) {
        if (existsSync(join(course.root, figure))) cpSync(join(course.root, figure), join(site, figure));
        else course.complain(figure, "this figure does not exist, and a page shows it or links to it");
    }
    for (const file of ["site.css", "client.js"]) cpSync(new URL(file, import.meta.url), join(site, file));
    const minisearch = createRequire(import.meta.url).resolve("minisearch");
    cpSync(join(dirname(minisearch), "../umd/index.js"), join(site, "minisearch.js"));
    const [header, footer] = doxygenFrame(course);
    writeFileSync(`${site}.header`, header);
    writeFileSync(`${site}.footer`, footer);
    return entries.length;
}

program(import.meta.url, async (kitCourse, xml, site, demos) => {
    const course = readCourse(kitCourse, xml);
    course.demos = demos;
    const entries = build(course, site);
    const { topics, pages, sources, complaints } = course;
    const said =
        `${topics.length} topics, ${pages.length} pages of text, ${sources.size} source files, ` +
        `${entries} entries of the search, ${complaints.length} complaints`;
    return { said, complaints };
});
