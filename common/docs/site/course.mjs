// What the site knows of the course: the model that kit_course prints, and Doxygen's list of what it documents. Where a file of
// the checkout is found on the site is decided here: a page a/b.md is a/b.html, a source a/b.cu is a/b.cu.html.
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join, posix } from "node:path";
import { findAll, findOne, getElementsByTagName, textContent } from "domutils";
import { parseDocument } from "htmlparser2";

export const escaped = (text) =>
    text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");

/// The anchor of a heading, as GitHub makes it.
export const slug = (text) =>
    text
        .trim()
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\p{M} _-]/gu, "")
        .replace(/ /g, "-");

/// From a page of the site to the site's folder.
export const up = (url) => "../".repeat(url.split("/").length - 1);

export const pageUrl = (page) => page.replace(/\.md$/, ".html");
export const folderAnchor = (folder) => folder.replace(/\//g, "-");

export class Course {
    complaints = [];
    figures = new Set(); // files that pages show or link to

    /// `names` are Doxygen's, see doxygenNames.
    constructor(model, names) {
        Object.assign(this, model);
        this.names = names;
        this.pageOf = new Map(model.pages.map((page) => [page.path, page]));
        this.sourceSet = new Set(model.sources);
        this.folders = new Set();
        for (const path of [...model.sources, ...model.pages.map((page) => page.path)])
            for (let at = posix.dirname(path); at !== "."; at = posix.dirname(at)) this.folders.add(at);
        this.anySlides = model.topics.some((topic) => topic.slides);
    }

    complain(where, what) {
        this.complaints.push(`${where}: ${what}`);
    }

    /// Where a contract or header is documented, { url, name } of its namespace; undefined if it is not.
    reference(file) {
        return this.names.pageOfFile.get(file);
    }

    /// The address on the site of a file or folder of the checkout; undefined if there is none. Contracts lead to the reference.
    address(file) {
        if (this.pageOf.has(file)) return pageUrl(file);
        if (this.pageOf.has(`${file}/README.md`)) return `${file}/README.html`;
        const deck = /^slides\/(\w+)\.md$/.exec(file);
        if (deck) return `../slides/${deck[1]}.html`;
        if (this.topics.some((topic) => topic.contract === file) && this.reference(file))
            return this.reference(file).url;
        if (this.sourceSet.has(file)) return `${file}.html`;
        return this.folders.has(file) ? `source.html#${folderAnchor(file)}` : undefined;
    }

    /// A link of a page of Markdown as a link of the site.
    link(page, href) {
        if (/^[a-z]+:|^#/i.test(href)) return href;
        const [path, anchor] = href.split("#");
        const file = posix.join(posix.dirname(page), decodeURI(path)).replace(/\/$/, "");
        if (/\.(svg|png)$/.test(file)) return this.figure(page, path);
        const address = this.address(file);
        if (!address) this.complain(page, `links to ${file}, which is no page and no source file of the site`);
        return up(page) + (address ?? file) + (anchor ? `#${anchor}` : "");
    }

    /// A picture lies on the site where it lies in the checkout.
    figure(page, src) {
        this.figures.add(posix.join(posix.dirname(page), src));
        return src;
    }
}

/// What Doxygen documents, from its XML: where the namespace that a file declares is described, and names to be searched.
export function doxygenNames(folder) {
    const names = { pageOfFile: new Map(), entries: [] };
    const child = (element, name) => findOne((each) => each.name === name, element.children, false);
    const text = (element) => (element ? textContent(element).replace(/\s+/g, " ").trim() : "");
    for (const file of readdirSync(folder).sort()) {
        if (!file.endsWith(".xml") || file === "index.xml") continue;
        const [compound] = getElementsByTagName(
            "compounddef",
            parseDocument(readFileSync(join(folder, file), "utf8"), { xmlMode: true }),
        );
        if (!compound) continue; // Doxygen's own configuration
        const { id, kind } = compound.attribs;
        const url = `reference/${id}.html`;
        if (kind === "file") {
            const space = child(compound, "innernamespace");
            if (space) {
                const page = { url: `reference/${space.attribs.refid}.html`, name: text(space) };
                names.pageOfFile.set(child(compound, "location").attribs.file, page);
            }
        } else if (["namespace", "class", "struct"].includes(kind)) {
            const title = `${kind} ${text(child(compound, "compoundname"))}`;
            const about = (element) =>
                ["brief", "detailed"]
                    .map((kind) => text(child(element, `${kind}description`)))
                    .join(" ")
                    .trim();
            names.entries.push([url, title, "", about(compound)]);
            for (const member of findAll((each) => each.name === "memberdef", compound.children)) {
                const anchor = member.attribs.id.slice(member.attribs.id.lastIndexOf("_1") + 2);
                const name = text(child(member, "name")) + text(child(member, "argsstring"));
                names.entries.push([`${url}#${anchor}`, title, name, about(member)]);
            }
        }
    }
    return names;
}

export function readCourse(program, xml) {
    const model = JSON.parse(execFileSync(program, ["json"], { encoding: "utf8", maxBuffer: 1 << 26 }));
    return new Course(model, doxygenNames(xml));
}
