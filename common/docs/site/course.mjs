// What the site knows about the course: the model that kit_author prints, and Doxygen's list of documented names. It also
// defines where a file of the checkout is on the site: a page a/b.md is a/b.html, and a source a/b.cu is a/b.cu.html.
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join, posix } from "node:path";
import { getElementsByTagName, textContent } from "domutils";
import { parseDocument } from "htmlparser2";

/// Returns the path from a page of the site to the folder of the site.
export const up = (url) => "../".repeat(url.split("/").length - 1);

export const pageUrl = (page) => page.replace(/\.md$/, ".html");
export const folderAnchor = (folder) => folder.replace(/\//g, "-");

export class Course {
    complaints = [];
    figures = new Set(); // files that pages show, or to which they have links

    /// `names` are the names that Doxygen documents (doxygenNames).
    constructor(model, names) {
        Object.assign(this, model, { names, sources: new Set(model.sources) });
        this.pageOf = new Map(model.pages.map((page) => [page.path, page]));
        this.anySlides = model.topics.some((topic) => topic.slides);
    }

    complain(where, what) {
        this.complaints.push(`${where}: ${what}`);
    }

    /// Returns where a contract or header is documented, as { url, name } of its namespace; undefined if it is not documented.
    reference(file) {
        return this.names.pageOfFile.get(file);
    }

    /// Returns the address of a file or folder of the checkout on the site; undefined if there is none. For a contract, it is
    /// in the reference.
    address(file) {
        if (this.pageOf.has(file)) return pageUrl(file);
        if (this.pageOf.has(`${file}/README.md`)) return `${file}/README.html`;
        const deck = /^slides\/(\w+)\.md$/.exec(file);
        if (deck) return `../slides/${deck[1]}.html`;
        const isContract = this.topics.some((topic) => topic.contract === file);
        if (isContract && this.reference(file)) return this.reference(file).url;
        if (this.sources.has(file)) return `${file}.html`;
        const isFolder = [...this.sources, ...this.pageOf.keys()].some((path) => path.startsWith(`${file}/`));
        return isFolder ? `source.html#${folderAnchor(file)}` : undefined;
    }

    /// Returns a link in a page of Markdown as a link of the site.
    link(page, href) {
        if (/^[a-z]+:|^#/i.test(href)) return href;
        const [path, anchor] = href.split("#");
        const file = posix.join(posix.dirname(page), decodeURI(path)).replace(/\/$/, "");
        if (/\.(svg|png)$/.test(file)) return this.figure(page, path);
        const address = this.address(file);
        if (!address) this.complain(page, `links to ${file}, which is no page and no source file of the site`);
        return up(page) + (address ?? file) + (anchor ? `#${anchor}` : "");
    }

    /// Returns the address of a picture, which has the same path on the site as in the checkout.
    figure(page, src) {
        this.figures.add(posix.join(posix.dirname(page), src));
        return src;
    }
}

/// Returns what Doxygen documents, from its XML: where the namespace that a file declares is described, and names for the
/// search.
export function doxygenNames(folder) {
    const names = { pageOfFile: new Map(), entries: [] };
    const child = (element, name) => element.children.find((each) => each.name === name);
    const text = (element) => (element ? textContent(element).replace(/\s+/g, " ").trim() : "");
    const about = (element) =>
        ["briefdescription", "detaileddescription"]
            .map((name) => text(child(element, name)))
            .join(" ")
            .trim();
    for (const file of readdirSync(folder)
        .filter((name) => name.endsWith(".xml"))
        .sort()) {
        const document = parseDocument(readFileSync(join(folder, file), "utf8"), { xmlMode: true });
        const [compound] = getElementsByTagName("compounddef", document);
        if (!compound) continue; // an index or configuration of Doxygen
        const { id, kind } = compound.attribs;
        const space = child(compound, "innernamespace");
        if (kind === "file" && space) {
            const page = { url: `reference/${space.attribs.refid}.html`, name: text(space) };
            names.pageOfFile.set(child(compound, "location").attribs.file, page);
        }
        if (!["namespace", "class", "struct"].includes(kind)) continue;
        const url = `reference/${id}.html`;
        const title = `${kind} ${text(child(compound, "compoundname"))}`;
        names.entries.push([url, title, "", about(compound)]);
        for (const member of getElementsByTagName("memberdef", compound)) {
            const anchor = member.attribs.id.slice(member.attribs.id.lastIndexOf("_1") + 2);
            const name = text(child(member, "name")) + text(child(member, "argsstring"));
            names.entries.push([`${url}#${anchor}`, title, name, about(member)]);
        }
    }
    return names;
}

export function readCourse(program, xml) {
    const model = JSON.parse(execFileSync(program, ["json"], { encoding: "utf8", maxBuffer: 1 << 26 }));
    return new Course(model, doxygenNames(xml));
}
