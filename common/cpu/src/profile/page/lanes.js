// Draws one step of a warp. For a request: which sectors, banks or addresses its 32 lanes access, with a text that says what that
// costs. For a shuffle or a vote: which lane reads from which lane, or which lanes vote yes.
"use strict";

/// Creates an element with attributes and children. A text among the children is never interpreted as HTML.
function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (name === "onclick") element.addEventListener("click", value);
        else if (value !== undefined && value !== false) element.setAttribute(name, value);
    }
    element.append(...children.filter((child) => child !== null && child !== ""));
    return element;
}

const kinds = {
    load: { name: "global load", unit: "sector" },
    store: { name: "global store", unit: "sector" },
    shared_load: { name: "shared load", unit: "wavefront" },
    shared_store: { name: "shared store", unit: "wavefront" },
    atomic: { name: "atomic", unit: "address" },
    barrier: { name: "barrier", unit: "" },
    warp_barrier: { name: "warp barrier", unit: "" },
    shuffle: { name: "shuffle", unit: "" },
    vote: { name: "vote", unit: "" },
    exchange: { name: "exchange", unit: "" },
};
const isRequest = (kind) => kinds[kind].unit !== "";
const isShared = (kind) => kind.startsWith("shared");

const digits = (value) => value.toLocaleString("en-US", { maximumFractionDigits: 2 });
const counted = (value, unit) => `${digits(value)} ${unit}${digits(value) === "1" ? "" : /(s|ch)$/.test(unit) ? "es" : "s"}`;
const isActive = (lanes, lane) => ((lanes >>> lane) & 1) === 1;
const activeLanes = (lanes) => [...Array(32).keys()].filter((lane) => isActive(lanes, lane));

/// Returns ascending numbers as ranges, such as "0–3, 8".
function ranges(numbers) {
    const parts = [];
    for (let i = 0; i < numbers.length; ) {
        let end = i;
        while (end + 1 < numbers.length && numbers[end + 1] === numbers[end] + 1) ++end;
        parts.push(end > i ? `${numbers[i]}–${numbers[end]}` : `${numbers[i]}`);
        i = end + 1;
    }
    return parts.join(", ");
}

/// Returns the lanes that touch each word of `size` bytes, as a Map from the number of the word to its lanes.
function wordsOf(sample, size, lanes = activeLanes(sample.lanes)) {
    const words = new Map();
    for (const lane of lanes) {
        const last = Math.floor((sample.at[lane] + sample.bytes - 1) / size);
        for (let word = Math.floor(sample.at[lane] / size); word <= last; ++word) {
            if (!words.has(word)) words.set(word, []);
            words.get(word).push(lane);
        }
    }
    return new Map([...words].sort(([a], [b]) => a - b));
}

function cell(lanes, what) {
    const label = lanes.length === 0 ? "" : lanes.length === 1 ? `${lanes[0]}` : `${lanes[0]}…`;
    return make("span", { class: `cell ${what}`, title: lanes.length ? `lanes ${ranges(lanes)}` : false }, label);
}

/// ---- Global memory: lines of 128 bytes. A sector of a line is moved as a whole if any of its bytes is touched.

function memoryPicture(sample) {
    const words = wordsOf(sample, 4);
    const sectors = new Set([...words.keys()].map((word) => Math.floor(word / 8)));
    const memory = make("div", { class: "memory", "aria-hidden": "true" });
    for (const line of new Set([...sectors].map((sector) => Math.floor(sector / 4)))) {
        memory.append(make("span", { class: "offset" }, `+${digits(line * 128)}`));
        for (let i = 0; i < 4; ++i) {
            const sector = line * 4 + i;
            const moved = sectors.has(sector);
            const box = make("span", { class: `sector ${moved ? "moved" : "unmoved"}${i === 2 ? " third" : ""}` });
            for (let word = sector * 8; moved && word < sector * 8 + 8; ++word) {
                const lanes = words.get(word) ?? [];
                box.append(cell(lanes, lanes.length ? "used" : ""));
            }
            memory.append(box);
        }
    }
    return memory;
}

function memoryInWords(sample) {
    const used = new Set(activeLanes(sample.lanes).map((lane) => sample.at[lane])).size * sample.bytes;
    const moved = sample.units * 32;
    const share = Math.round((100 * used) / moved);
    return (
        `${counted(activeLanes(sample.lanes).length, "lane")} use ${counted(used, "byte")}, which lie in ` +
        `${counted(sample.units, "sector")}: ${counted(moved, "byte")} are moved, and ${share} % of them are used. ` +
        (sample.units > sample.ideal ? `Side by side, ${counted(sample.ideal, "sector")} would do.` : "Fewer sectors cannot hold them.")
    );
}

/// ---- Shared memory: 32 banks, each of which delivers one word of 4 bytes at a time.

/// Returns the banks for each group of lanes that are served together. The executor has found the groups; wide accesses have
/// several.
function partsOf(sample) {
    return sample.together.map((mask) => {
        const lanes = activeLanes(mask);
        const banks = Array.from({ length: 32 }, () => []);
        for (const [word, who] of wordsOf(sample, 4, lanes)) banks[word % 32].push({ word, lanes: who });
        return { lanes, banks, wavefronts: Math.max(...banks.map((words) => words.length)) };
    });
}

function banksPicture(part) {
    const picture = make("div", { class: "banks", "aria-hidden": "true" });
    part.banks.forEach((words, bank) => {
        const column = make("div", { class: "bank" }, make("span", { class: "which" }, `${bank}`));
        words.forEach(({ lanes }, i) => column.append(cell(lanes, i === 0 ? "used" : "extra")));
        if (!words.length) column.append(cell([], ""));
        picture.append(column);
    });
    return picture;
}

function partInWords({ lanes, banks, wavefronts }) {
    const words = new Set(banks.flatMap((of) => of.map(({ word }) => word)));
    const who = lanes.length === 32 ? "All lanes" : `Lanes ${ranges(lanes)}`;
    if (words.size === 1 && lanes.length > 1) return `${who} want the same word: its bank gives it to all of them at once.`;
    if (wavefronts === 1) return `${who} find each bank with at most one word to give: no conflict, 1 wavefront.`;
    const busiest = banks.map((of, bank) => ({ bank, of })).filter(({ of }) => of.length === wavefronts);
    const { bank, of } = busiest[0];
    const asking = [...new Set(of.flatMap((word) => word.lanes))].sort((a, b) => a - b);
    const also = busiest.length > 1 ? `, as ${busiest.length === 2 ? "has" : "have"} ${counted(busiest.length - 1, "other bank")}` : "";
    return (
        `Conflict: bank ${bank} has ${wavefronts} different words to give (lanes ${ranges(asking)})${also}. ` +
        `It gives one at a time: ${counted(wavefronts, "wavefront")} instead of 1.`
    );
}

/// ---- Atomics: lanes that update the same address wait for each other.

function atomicInWords(sample) {
    const lanes = activeLanes(sample.lanes);
    const most = Math.max(...[...new Set(lanes.map((lane) => sample.at[lane]))].map((at) => lanes.filter((lane) => sample.at[lane] === at).length));
    const start = `${counted(lanes.length, "lane")} update ${counted(sample.units, "address")}`;
    return most > 1 ? `${start}: on the busiest, ${most} lanes go one after another.` : `${start}: none waits for another.`;
}

/// ---- The whole figure.

function laneList(sample) {
    const list = make("ol", { class: "lanes" });
    for (let lane = 0; lane < 32; ++lane) {
        if (!isActive(sample.lanes, lane)) {
            list.append(make("li", { class: "out" }, make("span", { class: "lane" }, `${lane}`), "takes no part"));
            continue;
        }
        const at = sample.at[lane];
        const where = isShared(sample.kind) ? `bank ${Math.floor(at / 4) % 32}` : sample.kind === "atomic" ? "" : `sector ${Math.floor(at / 32)}`;
        list.append(
            make(
                "li",
                {},
                make("span", { class: "lane" }, `${lane}`),
                make("code", {}, sample.elements[lane] || `+${digits(at)}`),
                make("span", { class: "where" }, where),
            ),
        );
    }
    return list;
}

/// Returns the whole figure for one request.
function requestPicture(sample) {
    const figure = make("figure", { class: "picture" });
    const says = (text) => figure.append(make("figcaption", {}, text));
    if (isShared(sample.kind)) {
        for (const part of partsOf(sample)) {
            says(partInWords(part));
            figure.append(banksPicture(part));
        }
    } else if (sample.kind === "atomic") {
        says(atomicInWords(sample));
    } else {
        says(memoryInWords(sample));
        figure.append(memoryPicture(sample));
    }
    figure.append(make("h4", { class: "hint" }, `The lanes, ${counted(sample.bytes, "byte")} each`), laneList(sample));
    return figure;
}

/// ---- Shuffles and votes.

const svgElement = (name, attributes, ...children) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
};

/// Returns the rule by which the lanes of a shuffle choose the lane from which they read, as { short, says }.
function ruleOf({ lanes, from }) {
    const readers = activeLanes(lanes);
    const own = readers.filter((lane) => from[lane] === lane);
    const others = readers.filter((lane) => from[lane] !== lane);
    const all = (rule) => others.length > 0 && others.every((lane) => rule(lane) === rule(others[0]));
    const kept = !own.length ? "" : own.length === 1 ? ` Lane ${own[0]} reads its own value.` : ` Lanes ${ranges(own)} read their own values.`;
    if (readers.length > 1 && readers.every((lane) => from[lane] === from[readers[0]]))
        return { short: `from lane ${from[readers[0]]}`, says: `All lanes read the value of lane ${from[readers[0]]}.` };
    if (!others.length) return { short: "own value", says: "Each lane reads its own value." };
    if (all((lane) => from[lane] - lane)) {
        const distance = from[others[0]] - others[0];
        const where = distance > 0 ? "higher" : "lower";
        return {
            short: `from lane ${distance > 0 ? "+" : "−"} ${Math.abs(distance)}`,
            says: `${others.length === 1 ? `Lane ${others[0]} reads` : `Lanes ${ranges(others)} read`} from the lane that is ${Math.abs(distance)} ${where}.${kept}`,
        };
    }
    if (all((lane) => from[lane] ^ lane)) {
        const bits = from[others[0]] ^ others[0];
        return { short: `from lane ^ ${bits}`, says: `Lane i reads from lane i ^ ${bits}, so pairs of lanes exchange their values.${kept}` };
    }
    return { short: "each its lane", says: "The list shows from which lane each lane reads." };
}

const box = 20, rowOfSources = 14, rowOfReaders = 86;

/// Returns a row of 32 boxes. `what` is the class of each lane's box.
function boxes(top, what) {
    return [...Array(32).keys()].flatMap((lane) => {
        const label = lane % 4 === 0 || lane === 31 ? `${lane}` : "";
        const at = { x: lane * box + box / 2, y: top + 14, class: `lane-name ${what(lane)}` };
        return [svgElement("rect", { x: lane * box + 1, y: top, width: box - 2, height: 20, rx: 2, class: `lane-box ${what(lane)}` }), svgElement("text", at, label)];
    });
}

function shufflePicture({ lanes, from }) {
    const svg = svgElement("svg", { viewBox: `0 0 ${32 * box} 110`, class: "exchange", "aria-hidden": "true" });
    const read = new Set(activeLanes(lanes).map((lane) => from[lane]));
    svg.append(...boxes(rowOfSources, (lane) => (read.has(lane) ? "used" : "")));
    for (const lane of activeLanes(lanes)) {
        const ends = [from[lane], lane].map((each) => each * box + box / 2);
        const own = from[lane] === lane ? " own" : "";
        svg.append(svgElement("path", { class: `reads${own}`, d: `M${ends[0]} ${rowOfSources + 20}L${ends[1]} ${rowOfReaders}` }));
    }
    svg.append(...boxes(rowOfReaders, (lane) => (isActive(lanes, lane) ? "used" : "")));
    return svg;
}

function votePicture({ lanes, yes }) {
    const svg = svgElement("svg", { viewBox: `0 0 ${32 * box} 22`, class: "exchange", "aria-hidden": "true" });
    svg.append(...boxes(1, (lane) => (isActive(yes, lane) ? "used" : isActive(lanes, lane) ? "votes-no" : "")));
    return svg;
}

/// Returns the whole figure for a step in which the lanes of a warp meet.
function exchangePicture(step) {
    const figure = make("figure", { class: "picture" });
    const says = (...text) => figure.append(make("figcaption", {}, ...text));
    const readers = activeLanes(step.lanes);
    const meet = `${readers.length === 32 ? "All lanes" : `Lanes ${ranges(readers)}`} `;
    if (step.kind === "shuffle") {
        says(make("code", {}, step.call), `: ${ruleOf(step).says} A line leads from the value that is read (above) to the lane that reads it (below).`);
        figure.append(shufflePicture(step));
        const list = make("ol", { class: "lanes" });
        for (const lane of readers)
            list.append(make("li", {}, make("span", { class: "lane" }, `${lane}`), `reads ${step.from[lane] === lane ? "its own value" : `lane ${step.from[lane]}`}`));
        figure.append(make("h4", { class: "hint" }, "The lanes"), list);
    } else if (step.kind === "vote") {
        const yes = activeLanes(step.yes);
        says(make("code", {}, step.call), `: ${meet}vote. ${yes.length ? `Yes (filled): ${yes.length === 1 ? "lane" : "lanes"} ${ranges(yes)}.` : "No lane votes yes."} Each lane learns the result.`);
        figure.append(votePicture(step));
    } else if (step.kind === "exchange") {
        says(make("code", {}, step.call), `: ${meet}take part, and each receives a result.`);
    } else {
        says(`${meet}wait here for each other.`);
    }
    return figure;
}
