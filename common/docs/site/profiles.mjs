// The interactive profiles in lectures. A page of Markdown has the line <!-- profile: KERNEL... --> above the command of a demo with
// --profile. The site runs this command on the executor, and shows the page that it writes, with only these kernels.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { escaped } from "../shared.mjs";
import { pictureOf } from "./profile_picture.mjs";

const most = { bytes: 300_000, samples: 5, steps: 120 };
const dataOf = /(<script type="application\/json" id="profile">)(.*?)(<\/script>)/s;

/// Returns the profile that such a mark and the command below it request, as { kernels, command, name }; undefined if the text is not
/// a mark. `number`: counts the profiles of the page from 1.
export function requested(mark, command, number) {
    const found = /^<!-- profile: (.+?) -->\s*$/.exec(mark);
    return found && { kernels: found[1].split(" "), command: command.trim(), name: `profile_${number}` };
}

/// Returns the place of a profile in its lecture: a picture, which client.js replaces by the page.
export function placeHtml({ kernels, command, name }) {
    const names = kernels.join(", ").replace(/, ([^,]*)$/, " and $1");
    const alt = `The steps of the first warp of ${names}: a row for each step, a cell for each lane`;
    return (
        `<figure class="profile" data-title="Profile of ${escaped(names)}">\n<a href="${name}.html"><img src="${name}.svg" alt="${escaped(alt)}"></a>\n` +
        `<figcaption><a href="${name}.html">Open this page alone</a>, or write it: <code>${escaped(command)}</code></figcaption></figure>\n`
    );
}

/// Runs the command and returns the text of the page that it writes.
function written(course, { command }) {
    const [program, ...options] = command.split(/\s+/);
    if (!program.startsWith("build/course/demo/") || !options.at(-1)?.startsWith("--profile="))
        throw new Error("its command is not build/course/demo/TOPIC ... --profile=FILE.html");
    const folder = mkdtempSync(join(tmpdir(), "kit_profile_"));
    try {
        const file = join(folder, "profile.html");
        execFileSync(join(course.demos, basename(program)), [...options.slice(0, -1), `--profile=${file}`], { stdio: "pipe" });
        return readFileSync(file, "utf8");
    } finally {
        rmSync(folder, { recursive: true, force: true });
    }
}

/// Returns a part of a source without marks and without the comment above the first function. `covered` are the lines that the
/// exercise asks for.
function readable(part, exercise) {
    const code = part.text.findIndex((line) => !line.startsWith("//"));
    const isIn = (lines, i) => lines?.includes(part.first + i) ?? false;
    const text = part.text.map((line, i) => (i < code || isIn(exercise?.marks, i) ? null : line));
    const covered = text.flatMap((line, i) => (line?.trim() && isIn(exercise?.removed, i) ? [part.first + i] : []));
    return { ...part, text, covered };
}

/// Returns a kernel with fewer samples and steps: the first requests of each line and kind, and the one with the highest cost.
function smaller(kernel) {
    const cost = ({ kind, units, ideal }) => (kind === "atomic" ? ideal - units : units - ideal);
    const lines = new Map();
    for (const sample of kernel.samples) {
        const key = `${sample.file}:${sample.line}:${sample.kind}`;
        lines.set(key, [...(lines.get(key) ?? []), sample]);
    }
    const few = (all) => {
        const worst = all.reduce((best, sample) => (cost(sample) > cost(best) ? sample : best));
        return all.filter((sample, i) => i < most.samples || sample === worst);
    };
    const warps = kernel.warps.map((warp) => {
        const left = Math.max(0, warp.steps.length - most.steps);
        return { ...warp, steps: warp.steps.slice(0, most.steps), more: warp.more + left };
    });
    return { ...kernel, warps, samples: [...lines.values()].flatMap(few) };
}

/// Returns the data of a page with only these kernels and with paths in the checkout.
export function reduced(course, data, names) {
    const inCheckout = (path) => (path.startsWith(`${course.root}/`) ? path.slice(course.root.length + 1) : path);
    const exercises = new Map(course.topics.flatMap((topic) => topic.exercises.map((exercise) => [exercise.solution, exercise])));
    const kernels = names.map((name) => {
        const kernel = data.kernels.find((each) => each.name.replace(/^.*::/, "") === name);
        if (!kernel) throw new Error(`the program ran no kernel ${name}, only ${data.kernels.map((each) => each.name).join(", ")}`);
        const source = kernel.source.map((part) => readable(part, exercises.get(inCheckout(part.file))));
        return smaller({ ...kernel, name, source });
    });
    const relative = (key, value) => (key === "file" ? inCheckout(value) : value);
    return { ...data, timeline: [], kernels: JSON.parse(JSON.stringify(kernels), relative) };
}

/// Returns the files of a profile on the page `path`, as [[name, text], ...].
export function profileFiles(course, path, profile, title) {
    const page = written(course, profile);
    const data = reduced(course, JSON.parse(page.match(dataOf)[2]), profile.kernels);
    const picture = `<img src="${profile.name}.svg" alt="The steps of the first warp of each kernel: a row for each step, a cell for each lane">`;
    const back = `<p class="to-lecture"><a href="${basename(path, ".md")}.html">${escaped(title)}</a></p>`;
    let text = page;
    const put = (place, by) => {
        if (text.search(place) < 0) throw new Error(`the executor's page has no ${place}`);
        text = text.replace(place, () => by);
    };
    const [, open, , close] = page.match(dataOf);
    put(dataOf, open + JSON.stringify(data).replace(/</g, "\\u003c") + close);
    put(/<body>/, `<body class="profile-page">`);
    put(/<header>/, `<header>\n  ${back}`);
    put(/(?<=<code id="command">)(?=<)/, escaped(data.command));
    put(/<noscript id="instead">.*?<\/noscript>/s, `<noscript>${picture}</noscript>`);
    if (text.length > most.bytes) course.complain(path, `${profile.name}.html has ${text.length} bytes, at most ${most.bytes} are allowed`);
    const at = (ending) => join(dirname(path), `${profile.name}.${ending}`);
    return [
        [at("html"), text],
        [at("svg"), pictureOf(data.kernels)],
    ];
}
