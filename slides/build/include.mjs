// What a deck takes from other files, by one line of comment:
//     <!-- code: solutions/TOPIC/NAME.cu REGION [lines=1,5-9] [mark=2-3] -->
//     <!-- output: lectures/TOPIC/results/h200.txt 3-12 -->      or, for the paragraph that contains a text,   "v1 divergent"
//     ![alternative text](../lectures/TOPIC/figures/NAME.svg "caption")
// `context` knows the repository (root, read) and collects complaints (fail).
import { dirname, join, relative } from "node:path";
import { inlineFigure } from "./figures.mjs";
import { dedent, pick, ranges, region, regionNames } from "./regions.mjs";

const languages = {
    cu: "cpp",
    cuh: "cpp",
    cpp: "cpp",
    hpp: "cpp",
    h: "cpp",
    sh: "sh",
    cmake: "cmake",
    txt: "cmake",
};

/// The fence for a comment `code:`.
export function includeCode(rest, context) {
    const match = /^(\S+) ([^\s=]+)((?: (?:lines|mark)=\S+)*)$/.exec(rest);
    if (!match) return context.fail(`is not "code: FILE REGION [lines=A-B] [mark=A-B]": ${rest}`);
    const [, file, name, options] = match;
    const text = context.read(file);
    if (text === null) return context.fail(`there is no file ${file}`);
    let lines = region(text, name);
    if (lines === null) {
        const names = regionNames(text).join(", ") || "none";
        return context.fail(`${file} has no region // [${name}] ... // [/${name}]; it has: ${names}`);
    }
    let mark = "";
    for (const option of options.trim().split(" ").filter(Boolean)) {
        const [key, value] = option.split("=");
        const wanted = ranges(value);
        if (!wanted) return context.fail(`${option}: line numbers are written 3-5 or 1,4-6, and ascend`);
        const last = wanted[wanted.length - 1][1];
        if (last > lines.length) return context.fail(`${option}: ${file} ${name} has ${lines.length} lines`);
        if (key === "lines") lines = pick(lines, wanted);
        else mark = ` mark=${value}`;
    }
    const language = languages[file.split(".").pop()] ?? "text";
    return ["```" + language + mark, ...lines, "```"];
}

/// The fence for a comment `output:`.
export function includeOutput(rest, context) {
    const match = /^(\S+)(?: (?:(\d+)-(\d+)|"([^"]+)"))?$/.exec(rest);
    if (!match) return context.fail(`is not "output: FILE 3-12" or "output: FILE \\"TEXT\\"": ${rest}`);
    const [, file, from, to, wanted] = match;
    const text = context.read(file);
    if (text === null) return context.fail(`there is no recorded output ${file}`);
    const all = text.replace(/\n$/, "").split("\n");
    let lines;
    if (from) {
        if (Number(from) > Number(to) || Number(from) < 1 || Number(to) > all.length)
            return context.fail(`${file} has ${all.length} lines, not ${from}-${to}`);
        lines = all.slice(Number(from) - 1, Number(to));
    } else if (!wanted) {
        lines = all;
    } else {
        const at = all.findIndex((line) => line.includes(wanted));
        if (at < 0) return context.fail(`${file} has no line with "${wanted}"`);
        let first = at;
        let last = at;
        while (first > 0 && all[first - 1].trim() !== "") --first;
        while (last + 1 < all.length && all[last + 1].trim() !== "") ++last;
        lines = all.slice(first, last + 1);
    }
    return ["```text", ...dedent(lines), "```"];
}

/// The figure for a line that is an image and nothing else.
export function includeFigure(line, context) {
    const match = /^!\[([^\]]*)\]\(([^)\s]+)(?: "([^"]*)")?\)$/.exec(line.trim());
    if (!match)
        return context.fail(`an image stands alone on its line: ![what it shows](FILE.svg "caption")`);
    const [, alternative, target, caption] = match;
    if (alternative.trim() === "") return context.fail(`${target} has no alternative text`);
    const file = relative(context.root, join(dirname(join(context.root, context.deck)), target));
    if (!file.endsWith(".svg")) return context.fail(`${file}: figures are SVG`);
    const svg = context.read(file);
    if (svg === null) return context.fail(`there is no figure ${file}`);
    return inlineFigure(svg, { prefix: `f${++context.figures}-`, alternative, caption });
}
