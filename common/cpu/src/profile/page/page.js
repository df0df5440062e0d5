// The selection, and what the page shows for it. In a list of buttons, the arrow keys move; the Tab key stops at one button of
// each list.

const profile = JSON.parse(document.getElementById("profile").textContent);
const by = (id) => document.getElementById(id);
const fileName = (path) => path.slice(path.lastIndexOf("/") + 1);
const chosen = { kernel: 0, line: 0, sample: null, warp: 0, shape: 0, uncovered: false };

/// In a lecture of the site, the page is a frame next to text, so its letters are smaller. `wide`: the selected line is next to the source.
const isEmbedded = self !== top;
const isWide = matchMedia(`(min-width: ${isEmbedded ? 60 : 68}rem)`);
const adapt = () => {
    document.documentElement.classList.toggle("embedded", isEmbedded);
    document.documentElement.classList.toggle("wide", isWide.matches);
};
isWide.addEventListener("change", adapt);
adapt();

/// After a tap or a click, scrolls to the result where it would be outside of the visible part of the page. Leaves the lecture around
/// the page where it is.
function showResult(event) {
    if (event.detail && !isWide.matches) scrollBy(0, by("chosen").getBoundingClientRect().top);
}
const kernel = () => profile.kernels[chosen.kernel];

/// ---- Lists of buttons.

const steps = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, Home: -Infinity, End: Infinity };

/// Makes the arrow keys move from button to button in the list, and select the button that they reach.
function walk(list) {
    list.addEventListener("keydown", (event) => {
        const step = steps[event.key];
        if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
        const buttons = [...list.querySelectorAll("button")];
        const here = buttons.indexOf(document.activeElement);
        if (here < 0) return;
        const next = Math.min(buttons.length - 1, Math.max(0, here + step));
        event.preventDefault();
        const key = buttons[next].dataset.key;
        buttons[next].click(); // can create the buttons again
        const now = [...document.querySelectorAll(`#${list.id} button`)].find((button) => button.dataset.key === key);
        now?.focus();
        now?.scrollIntoView({ block: "nearest" });
    });
}

/// Returns a row of buttons, exactly one of which is selected. If there are many buttons, returns a drop-down list instead.
function choices(list, label, names, current, choose, small = "") {
    list.className = `choices ${small}`;
    if (names.length > 8) {
        list.removeAttribute("role");
        list.removeAttribute("aria-label");
        const select = make("select", { "aria-label": label }, ...names.map((name) => make("option", {}, name)));
        select.selectedIndex = current;
        select.addEventListener("change", () => choose(select.selectedIndex));
        list.replaceChildren(select);
        return;
    }
    list.setAttribute("role", "radiogroup");
    list.setAttribute("aria-label", label);
    const button = (name, i) => {
        const state = { "aria-checked": `${i === current}`, tabindex: i === current ? "0" : "-1" };
        return make("button", { type: "button", role: "radio", "data-key": `${i}`, ...state, onclick: () => choose(i) }, name);
    };
    list.replaceChildren(...names.map(button));
}

function markCurrent(list, key) {
    const buttons = [...list.querySelectorAll("button")];
    const current = buttons.find((button) => button.dataset.key === key);
    for (const button of buttons) {
        button.tabIndex = button === (current ?? buttons[0]) ? 0 : -1;
        if (button === current) button.setAttribute("aria-current", "true");
        else button.removeAttribute("aria-current");
    }
}

/// ---- Source.

const words = new Set(
    ("__global__ __device__ __host__ __shared__ __constant__ __restrict__ __launch_bounds__ alignas auto bool break case char class const " +
        "constexpr continue default do double else enum extern false float for if inline int long namespace nullptr return short signed sizeof " +
        "static static_cast struct switch template this true typename unsigned using void volatile while").split(" "),
);

/// Returns a line of C++ with colours for keywords, comments and strings.
function coloured(text) {
    const parts = [];
    for (const [part] of text.matchAll(/\/\/.*|\/\*.*?(?:\*\/|$)|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])+'|\w+|[^\w"'/]+|./g)) {
        const kind = /^\/[/*]/.test(part) ? "comment" : /^["']/.test(part) ? "text" : words.has(part) ? "kw" : "";
        parts.push(kind ? make("span", { class: kind }, part) : part);
    }
    return parts;
}

const columns = [
    { title: "global", of: "sectors", kinds: ["load", "store"] },
    { title: "shared", of: "wavefronts", kinds: ["shared_load", "shared_store"] },
    { title: "atomics", of: "updates", kinds: ["atomic"] },
];

/// Returns what the kinds of requests in a column cost on a line: the units, and how many of them are needed. For atomics, the
/// units are lanes, and the needed ones are those that need not wait. `worst` is the kind that wastes most.
function cost(line, column) {
    const sum = { units: 0, needed: 0, worst: null };
    for (const { kind, requests, units, ideal, lanes } of line.kinds.filter(({ kind }) => column.kinds.includes(kind))) {
        const here = kind === "atomic" ? { units: lanes, needed: units } : { units, needed: Math.min(units, ideal) };
        sum.units += here.units;
        sum.needed += here.needed;
        const wasted = (here.units - here.needed) / requests;
        if (!sum.worst || wasted > sum.worst.wasted)
            sum.worst = { kind, wasted, per: here.units / requests, needed: here.needed / requests };
    }
    return sum;
}

const rounded = (value) => digits(Math.round(10 * value) / 10);

function costCell(line, column, most, first) {
    const place = make("span", { class: `cost${first ? " first" : ""}` });
    const { worst, units, needed } = cost(line, column);
    if (!worst) return place;
    const bar = make("span", { class: "bar" }, make("i"), units > needed ? make("i") : "");
    [needed, units - needed].forEach((part, i) => bar.children[i] && (bar.children[i].style.width = `${(100 * part) / most}%`));
    const spoken = ` ${column.of} per ${kinds[worst.kind].name}, ${rounded(worst.needed)} needed: `;
    const per = make("span", { class: `per${worst.wasted > 0 ? " too-much" : ""}` }, rounded(worst.per));
    place.append(per, make("span", { class: "spoken" }, spoken), bar);
    return place;
}

function showSource() {
    const shown = columns.filter((column) => kernel().lines.some((line) => cost(line, column).worst));
    const most = new Map(shown.map((column) => [column, Math.max(...kernel().lines.map((line) => cost(line, column).units))]));
    by("source").style.setProperty("--columns", shown.length);
    by("legend").replaceChildren(
        make("span", {}, make("span", { class: "key needed" }), "needed"),
        make("span", {}, make("span", { class: "key more" }), "more than needed"),
        make("span", {}, "Number: for one request of a warp. Bar: for all requests."),
    );
    const heads = () =>
        make(
            "li",
            { class: "line heads" },
            make("span", { class: "number" }, "line"),
            ...shown.map((column, i) => make("span", { class: `cost${i ? "" : " first"}` }, `${column.title}: ${column.of}`)),
            make("span", { class: "source" }),
        );
    const row = (part, text, i) => {
        const number = part.first + i;
        const index = kernel().lines.findIndex(({ file, line }) => file === part.file && line === number);
        const line = kernel().lines[index];
        const inside = [
            make("span", { class: "number" }, `${number}`),
            ...shown.map((column, i) => (line ? costCell(line, column, most.get(column), i === 0) : make("span", { class: "cost" }))),
            make("span", { class: "source" }, ...(isCovered(part, number) ? [covered(text)] : text ? coloured(text) : ["\u200b"])),
        ];
        if (!line) return make("li", {}, make("div", { class: "line" }, ...inside));
        const choose = (event) => {
            chooseLine(index);
            showResult(event);
        };
        return make("li", {}, make("button", { class: "line", type: "button", "data-key": `${index}`, onclick: choose }, ...inside));
    };
    by("source").replaceChildren(
        ...kernel().source.flatMap((part) => [
            make("p", { class: "file mono" }, fileName(part.file)),
            make("ol", { class: "code" }, heads(), ...part.text.map((text, i) => (text === null ? "" : row(part, text, i)))),
        ]),
    );
    if (!kernel().source.length) by("source").append(make("p", {}, "The source of its lines cannot be read here."));
}

function textOf({ file, line }) {
    const part = kernel().source.find(({ file: name, first, text }) => name === file && line >= first && line < first + text.length);
    return part && !isCovered(part, line) ? part.text[line - part.first].trim() : "";
}

/// The site covers lines that an exercise asks for, until the reader uncovers them.
const isCovered = (part, line) => !chosen.uncovered && (part.covered ?? []).includes(line);
const covered = (text) => make("span", { class: "covered" }, `${text.match(/^\s*/)[0]}(a line of the exercise)`);

function showUncover() {
    const some = kernel().source.some((part) => part.covered?.length);
    by("uncover").hidden = !some;
    by("uncover").textContent = chosen.uncovered ? "Cover the lines of the exercise" : "Show the lines of the exercise";
}

by("uncover").addEventListener("click", () => {
    chosen.uncovered = !chosen.uncovered;
    showUncover();
    showSource();
    chooseLine(chosen.line, chosen.sample, chosen.step);
});

/// ---- The selected line.

const samplesOf = (line) => kernel().samples.filter((sample) => sample.file === line.file && sample.line === line.line);
const costOf = (sample) => (sample.kind === "atomic" ? sample.ideal - sample.units : sample.units - sample.ideal);
const dearest = (samples) => samples.reduce((best, sample) => (!best || costOf(sample) > costOf(best) ? sample : best), null);
const blockName = ({ block: [x, y, z] }) => (y || z ? `(${x},${y},${z})` : `${x}`);

const memoryOf = (sample) => sample.elements.find((name) => name)?.replace(/[[.].*$/, "") ?? "";
const whatOf = (sample) => kinds[sample.kind].name + (memoryOf(sample) ? ` of ${memoryOf(sample)}` : "");
const sameWarp = (a, b) => a.launch === b.launch && a.warp === b.warp && `${a.block}` === `${b.block}`;

/// Returns the text that distinguishes a request from other requests of its kind.
function whoOf(sample, all) {
    const launch = all.some((other) => other.launch !== sample.launch) ? `launch ${sample.launch}, ` : "";
    const step = all.filter((other) => sameWarp(sample, other)).length > 1 ? `, step ${sample.step + 1}` : "";
    return `${launch}block ${blockName(sample)}, warp ${sample.warp}${step}`;
}

/// Shows first the request and then the warp that makes it; the figure is below.
function showRequests(place, focusOn) {
    const all = samplesOf(kernel().lines[chosen.line]);
    const what = [...new Set(all.map(whatOf))];
    const alike = all.filter((sample) => whatOf(sample) === whatOf(chosen.sample));
    const lists = [make("div", { id: "what" }), make("div", { id: "who" })];
    const again = (sample, list) => {
        chosen.sample = sample;
        showRequests(place, list);
    };
    const dearestOf = (i) => dearest(all.filter((sample) => whatOf(sample) === what[i]));
    choices(lists[0], "Request", what, what.indexOf(whatOf(chosen.sample)), (i) => again(dearestOf(i), 0), "small");
    const who = alike.map((sample) => whoOf(sample, alike));
    choices(lists[1], "Warp that makes it", who, alike.indexOf(chosen.sample), (i) => again(alike[i], 1), "small");
    lists.forEach(walk);
    place.replaceChildren(...lists, requestPicture(chosen.sample));
    const others = what.map((_, i) => dearestOf(i)).filter((sample) => whatOf(sample) !== whatOf(chosen.sample));
    const title = (sample) => make("h4", {}, `${whatOf(sample)}: ${whoOf(sample, all)}`);
    place.append(...others.map((sample) => make("div", { class: "paper-only" }, title(sample), requestPicture(sample))));
    if (focusOn !== undefined) lists[focusOn].querySelector('[tabindex="0"], select').focus();
}

function showLine() {
    const line = kernel().lines[chosen.line];
    const body = by("chosen-body");
    body.replaceChildren();
    if (!line) {
        by("chosen-title").textContent = "Nothing was counted";
        body.append(make("p", {}, "This kernel's accesses were not looked at, or it made none."));
        return;
    }
    by("chosen-title").textContent = line.line ? `Line ${line.line} of ${fileName(line.file)}` : "An unknown line";
    const text = textOf(line);
    if (text) body.append(make("pre", {}, ...coloured(text)));
    for (const { kind, requests, lanes, units, ideal, says } of line.kinds) {
        const { name, unit } = kinds[kind];
        const good = kind === "atomic" ? "Few lanes wait for each other." : `${counted(units / requests, unit)} per request: no more than needed.`;
        const facts = `${counted(requests, "request")} of warps, ${digits(lanes / requests)} lanes each; ${counted(units, kind === "atomic" ? "address" : unit)}`;
        const enough = kind === "atomic" ? " in all requests together" : `, ${digits(ideal)} would be ideal`;
        body.append(
            make("h3", {}, name),
            make("p", { class: `says ${says ? "bad" : "good"}` }, says ? `${says[0].toUpperCase()}${says.slice(1)}.` : good),
            make("p", { class: "facts" }, facts + enough + "."),
        );
        if (kind === "load" && line.repeated)
            body.append(make("p", {}, `${counted(line.repeated, "request")} read what the same warp had just read.`));
        if (kind === "atomic") body.append(make("p", {}, `${counted(line.addresses, "address")} in the whole kernel.`));
    }
    if (line.products)
        body.append(
            make("h3", {}, "tensor cores"),
            make("p", {}, `${counted(line.products, "product")} of matrices, with ${counted(line.multiplications, "multiplication")}.`),
        );
    if (line.barriers) body.append(make("h3", {}, "barrier"), make("p", {}, `${counted(line.barriers, "warp")} passed it.`));
    if (line.divergent)
        body.append(
            make("h3", {}, "divergent branch"),
            make("p", {}, `${counted(line.divergent, "time")} only some of the lanes that had come together went this way, and the others waited.`),
        );
    const meeting = [chosen.step, ...kernel().warps.flatMap(({ steps }) => steps)].find(
        (step) => step && !isRequest(step.kind) && step.kind !== "barrier" && step.file === line.file && step.line === line.line,
    );
    if (meeting) body.append(make("h3", {}, kinds[meeting.kind].name), exchangePicture(meeting));
    const all = samplesOf(line);
    if (!all.length) return;
    body.append(make("h3", {}, "One request of a warp, lane by lane"));
    const place = make("div", { id: "request" });
    body.append(place);
    showRequests(place);
}

/// `step`: the step of a warp that was selected, if one was.
function chooseLine(index, sample, step) {
    chosen.line = index;
    chosen.step = step;
    const all = kernel().lines[index] ? samplesOf(kernel().lines[index]) : [];
    chosen.sample = sample ?? dearest(all);
    markCurrent(by("source"), `${index}`);
    showLine();
}

/// ---- Steps.

/// Returns 32 cells: filled for a lane that takes part, half filled for one that votes no.
function strip({ lanes, yes = lanes }) {
    const svg = svgElement("svg", { viewBox: "0 0 320 10", preserveAspectRatio: "none", "aria-hidden": "true" });
    const draw = (what, is, height) => {
        const cells = [...Array(32).keys()].filter(is);
        const d = cells.map((lane) => `M${lane * 10} ${10 - height}h8.6v${height}h-8.6z`).join("");
        svg.append(svgElement("path", { class: what, d }));
    };
    draw("strip-idle", (lane) => !isActive(yes, lane), 10);
    draw("strip-on", (lane) => isActive(yes, lane), 10);
    draw("strip-on", (lane) => isActive(lanes, lane) && !isActive(yes, lane), 3);
    return svg;
}

function lanesInWords({ kind, lanes, yes, from }) {
    const who = `lanes ${ranges(activeLanes(lanes))}`;
    if (kind === "vote") return yes ? `${who}; yes: ${ranges(activeLanes(yes))}` : `${who}; none votes yes`;
    return kind === "shuffle" ? `${who}, ${ruleOf({ lanes, from }).short}` : who;
}

/// Returns what a step costs, or what the lanes exchange in it.
function resultOf(step) {
    const { kind, units, lanes } = step;
    if (kind === "shuffle") return ruleOf(step).short;
    if (kind === "vote") return `${activeLanes(step.yes).length} of ${activeLanes(lanes).length} yes`;
    return isRequest(kind) ? counted(units, kinds[kind].unit) : `${activeLanes(lanes).length} lanes`;
}

function showSteps() {
    const warp = kernel().warps[chosen.warp];
    by("steps-part").hidden = !warp;
    if (!warp) return;
    const names = kernel().warps.map((one) => `block ${blockName(one)}, warp ${one.warp}`);
    choices(by("warps"), "Warp", names, chosen.warp, (i) => {
        chosen.warp = i;
        showSteps();
    }, "small");
    const rows = warp.steps.map((step, i) => {
        const dear = step.kind === "atomic" ? step.units < step.ideal : step.units > step.ideal;
        const choose = (event) => {
            const index = kernel().lines.findIndex(({ file, line }) => file === step.file && line === step.line);
            const mine = kernel().samples.filter((sample) => sameWarp(sample, warp) && sample.file === step.file && sample.line === step.line);
            chooseLine(index, mine.find((sample) => sample.step === i) ?? mine.find(({ kind }) => kind === step.kind) ?? mine[0], step);
            markCurrent(by("steps"), `${i}`);
            showResult(event);
        };
        return make(
            "li",
            {},
            make(
                "button",
                { class: "step", type: "button", "data-key": `${i}`, tabindex: i ? "-1" : "0", onclick: choose },
                make("span", { class: "number" }, `${i + 1}`),
                make("span", {}, `line ${step.line}`),
                make("span", {}, kinds[step.kind].name),
                make("span", { class: "strip", role: "img", "aria-label": lanesInWords(step) }, strip(step)),
                make("span", { class: dear ? "too-much" : "" }, resultOf(step)),
            ),
        );
    });
    by("steps").replaceChildren(...rows);
    by("more-steps").textContent = warp.more ? `${counted(warp.more, "step")} more are not kept.` : "";
}

/// ---- Launches, kernels, and the whole page.

function showBlocks() {
    const { shapes } = kernel();
    by("blocks-part").hidden = !shapes.length;
    if (!shapes.length) return;
    const size = (sizes) => sizes.map(digits).join(" × ").replace(/( × 1)+$/, "");
    const names = shapes.map(({ grid, block, launches }) => `${size(grid)} ${size(grid) === "1" ? "block" : "blocks"} of ${size(block)}${launches > 1 ? `, ${digits(launches)} times` : ""}`);
    by("shapes").hidden = shapes.length < 2;
    choices(by("shapes"), "Launch", names, chosen.shape, (i) => {
        chosen.shape = i;
        showBlocks();
    }, "small");
    by("blocks").replaceChildren(blocksPicture(shapes[chosen.shape], profile.device));
}

function chooseKernel(index) {
    Object.assign(chosen, { kernel: index, line: 0, sample: null, warp: 0, shape: 0 });
    choices(by("kernels"), "Kernel", profile.kernels.map(({ name }) => name), index, chooseKernel);
    const { launches, blocks, threads, lines } = kernel();
    const launched = `${counted(launches, "launch")}, ${counted(blocks, "block")}, ${counted(threads, "thread")}`;
    by("launched").textContent = `${launched}; counted by the CPU executor, which stands for one ${profile.device.name}.`;
    showUncover();
    showSource();
    const wasted = (line) => columns.reduce((sum, column) => sum + cost(line, column).units - cost(line, column).needed, 0);
    const first = lines.reduce((best, line, i) => (wasted(line) > wasted(lines[best]) ? i : best), 0);
    chooseLine(first);
    const threadsOf = ({ grid, block }) => [...grid, ...block].reduce((product, size) => product * size);
    chosen.shape = kernel().shapes.reduce((best, shape, i, all) => (threadsOf(shape) > threadsOf(all[best]) ? i : best), 0);
    showSteps();
    showBlocks();
}

by("command").textContent = profile.command;
document.title = `Profile of ${profile.command}`;
for (const list of ["kernels", "source", "warps", "steps", "shapes"]) walk(by(list));
showStreams();
if (profile.kernels.length) chooseKernel(0);
else document.querySelector("main").replaceChildren(make("p", { class: "says" }, "Nothing was counted: no kernel has run, or none with the checks."));
