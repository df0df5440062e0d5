// Draws one request of a warp: which sectors, banks or addresses its 32 lanes access. A text says what that costs.
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
};
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
