// The roofline of the course, for lecture 19: every timed kernel that computes, in one chart, from the records of all topics. A
// record has times and bytes. The number of operations that a kernel performs for each element is defined here.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as chart from "./chart.mjs";

export const file = "lectures/19_roofline/figures/chart_roofline_course.svg";

/// Operations for each element of a table: a number, or a function of the row and the title of the table. Tables that are
/// missing here have kernels without arithmetic, such as copies, transposes and barriers.
const entries = (row, title) => (2 * Number(/(\d+) entries/.exec(title)[1])) / row.n;
const operations = {
    "00_first_kernel": { ladder: 1 },
    "02_occupancy": { affine: 2 },
    "03_memory_access": { rows: 1, particles: 6, wide: 1 },
    "05_convolution": Object.fromEntries(
        [5, 9, 15, 31].flatMap((w) => [
            [`d1_w${w}`, 2 * w],
            [`d2_w${w}`, 2 * w * w],
            [`sep_w${w}`, (row) => (row.row === "v7" ? 2 * w * w : 4 * w)],
        ]),
    ),
    "06_histogram": { letters: 1, bytes: 1, values: 1 },
    "07_reduction": { ladder: 1, small: 1 },
    "08_scan": { ladder: 1, small: 1, tiles: 1, compact: 1 },
    "16_dynamic_parallelism": { spmv_uniform: entries, spmv_power: entries, spmv_block: entries },
    "19_roofline": { fuse: 3, sum: 4, halves: 2 },
};

export const topics = Object.keys(operations);

/// The kernels that the legend names: topic, table, row, name, and the place of the number if it is not at the lower right.
export const kernels = [
    ["00_first_kernel", "ladder", "v2_8", "00 v2 vector addition"],
    ["03_memory_access", "rows", "v2", "03 v2 a row per thread"],
    ["03_memory_access", "rows", "v3", "03 v3 neighbours", 5, -3],
    ["03_memory_access", "particles", "v4", "03 v4 structures"],
    ["03_memory_access", "particles", "v5", "03 v5 arrays"],
    ["07_reduction", "ladder", "v1", "07 v1 divergent tree"],
    ["07_reduction", "ladder", "v8", "07 v8 fast"],
    ["05_convolution", "d1_w5", "v4", "05 v4 a mask of 5"],
    ["05_convolution", "d1_w31", "v1", "05 v1 a mask of 31"],
    ["05_convolution", "d2_w5", "v7", "05 v7 5 x 5"],
    ["05_convolution", "d1_w31", "v4", "05 v4 a mask of 31", 10, 2],
    ["05_convolution", "sep_w31", "v11", "05 v11 31 + 31"],
    ["05_convolution", "d2_w31", "v5", "05 v5 31 x 31"],
    ["05_convolution", "d2_w31", "v7", "05 v7 31 x 31"],
    ["16_dynamic_parallelism", "spmv_power", "v1", "16 v1 a thread per row"],
    ["06_histogram", "letters", "v2", "06 v2 one counter for all"],
    ["19_roofline", "fuse", "v2", "19 v2 two kernels"],
    ["19_roofline", "fuse", "v3", "19 v3 one kernel", 6, -8],
];

const axes = { left: 76, top: 84, width: 340, height: 318, x: [0.05, 500], y: [0.5, 200000] };
const decades = ([first, last]) => Math.log10(last / first);
const placeX = (value) => axes.left + (axes.width * Math.log10(value / axes.x[0])) / decades(axes.x);
const placeY = (value) => axes.top + axes.height * (1 - Math.log10(value / axes.y[0]) / decades(axes.y));
const at = (number) => String(Number(number.toFixed(2)));

/// Returns the SVG; null if the course has no such lecture, or if records are missing.
export function courseRoofline(root) {
    const fileOf = (topic) => join(root, "lectures", topic, "results/h200.json");
    if (!existsSync(join(root, "lectures/19_roofline")) || topics.some((topic) => !existsSync(fileOf(topic))))
        return null;
    const records = new Map(topics.map((topic) => [topic, JSON.parse(readFileSync(fileOf(topic), "utf8"))]));
    const placed = new Map(topics.flatMap((topic) => pointsOf(topic, records.get(topic))));
    const points = kernels.map(([topic, table, row, name, dx = 6, dy = 13]) => {
        const point = placed.get(`${topic} ${table} ${row}`);
        if (!point) throw new Error(`${topic} has no row ${table}:${row} with gb_per_s`);
        return Object.assign(point, { name, dx, dy });
    });
    const all = [...records.values()];
    const bandwidth = median(all.map(({ roofs }) => roofs.copy_gb_per_s));
    const peak = 1000 * median(all.map(({ roofs }) => roofs.fp32_tflop_per_s).filter((roof) => roof > 0));
    for (const point of placed.values()) point.share = point.gflops / Math.min(peak, bandwidth * point.intensity);
    const run = { ...all[0].run, date: [...new Set(all.map((record) => record.run.date))].sort().join(" and ") };
    return chart.card({
        table: { title: `${placed.size} kernels of the course under the roofs` },
        shown: "operations per second against operations per byte",
        below: chart.measured(run, points),
        height: axes.top + axes.height + 52,
        description: [...placed.values()].map(
            ({ name, intensity, gflops, share }) =>
                `${name}: ${chart.rounded(intensity)} operations per byte, ${chart.rounded(gflops)} GFLOP/s, ` +
                `${percent(share)} of the roof`,
        ),
        body: [...grid(), ...roofs(bandwidth, peak), ...dots([...placed.values()]), ...marks(points), ...legend(points)],
    });
}

/// Returns the course's own kernels in tables whose operations are known, by "topic table row".
function pointsOf(topic, { tables }) {
    return tables
        .filter(({ table }) => operations[topic][table])
        .flatMap(({ table, title, rows }) =>
            rows
                .filter((row) => row.gb_per_s && !row.library && /^v\d/.test(row.row))
                .map((row) => {
                    const rule = operations[topic][table];
                    const gflops = ((typeof rule === "number" ? rule : rule(row, title)) * row.n) / row.us / 1e3;
                    const name = `${topic.slice(0, 2)} ${row.row}, ${title}`;
                    const { repetitions } = row;
                    return [`${topic} ${table} ${row.row}`, { name, gflops, intensity: gflops / row.gb_per_s, repetitions }];
                }),
        );
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const percent = (share) => `${(100 * share).toFixed(share < 0.01 ? 1 : 0)}%`;
const line = (x1, y1, x2, y2, look) =>
    `  <line x1="${at(x1)}" y1="${at(y1)}" x2="${at(x2)}" y2="${at(y2)}" ${look}/>`;
const powers = ([first, last]) => {
    const all = [];
    for (let power = Math.ceil(Math.log10(first)); 10 ** power <= last; ++power) all.push(power);
    return all;
};

function grid() {
    const right = axes.left + axes.width;
    const bottom = axes.top + axes.height;
    const look = 'stroke="#e3e0d8" stroke-width="1"';
    const soft = chart.smallText(chart.soft);
    return [
        ...powers(axes.x).flatMap((power) => {
            const x = placeX(10 ** power);
            const value = String(Number((10 ** power).toFixed(2)));
            return [
                line(x, axes.top, x, bottom, look),
                chart.text(at(x), bottom + 18, value, `text-anchor="middle" ${soft}`),
            ];
        }),
        ...powers(axes.y).flatMap((power) => {
            const y = placeY(10 ** power);
            const value = power >= 3 ? `${10 ** (power - 3)} T` : `${10 ** power} G`;
            return [
                line(axes.left, y, right, y, look),
                chart.text(axes.left - 8, at(y + 4), value, `text-anchor="end" ${soft}`),
            ];
        }),
        chart.text(axes.left, axes.top - 10, "FLOP/s", soft),
        chart.text(right, bottom + 38, "operations per byte", `text-anchor="end" ${soft}`),
    ];
}

function roofs(bandwidth, peak) {
    const ridge = peak / bandwidth;
    const corners = [
        [axes.x[0], bandwidth * axes.x[0]],
        [ridge, peak],
        [axes.x[1], peak],
    ];
    const places = corners.map(([x, y]) => `${at(placeX(x))},${at(placeY(y))}`).join(" ");
    const red = chart.smallText(chart.red);
    return [
        `  <polyline points="${places}" fill="none" stroke="${chart.red}" stroke-width="1.6"/>`,
        chart.text(at(placeX(ridge)), at(placeY(peak) - 10), `${chart.rounded(peak / 1000)} TFLOP/s`, red),
        chart.text(axes.left + 8, at(placeY(bandwidth * axes.x[0]) - 86), `${chart.rounded(bandwidth)} GB/s`, red),
    ];
}

const dots = (points) =>
    points
        .filter(({ dx }) => dx === undefined)
        .map(
            ({ intensity, gflops }) =>
                `  <circle cx="${at(placeX(intensity))}" cy="${at(placeY(gflops))}" r="2.2" fill="${chart.blue.stroke}" fill-opacity="0.45"/>`,
        );

const marks = (points) =>
    points.map(({ intensity, gflops, dx, dy }, i) => {
        const x = at(placeX(intensity));
        return [
            `  <circle cx="${x}" cy="${at(placeY(gflops))}" r="3.6" stroke="${chart.blue.stroke}" fill="${chart.blue.fill}"/>`,
            chart.text(at(placeX(intensity) + dx), at(placeY(gflops) + dy), String(i + 1), `font-size="13" fill="${chart.ink}"`),
        ].join("\n");
    });

function legend(points) {
    const left = axes.left + axes.width + 34;
    const end = chart.cardWidth - 24;
    return [
        chart.text(end, axes.top - 10, "of the roof", `text-anchor="end" ${chart.smallText(chart.soft)}`),
        ...points.flatMap(({ name, share }, i) => {
            const y = axes.top + 8 + 17.9 * i;
            return [
                chart.text(left + 18, at(y), String(i + 1), `text-anchor="end" ${chart.smallText(chart.ink)}`),
                chart.text(left + 28, at(y), name, chart.smallText(chart.ink)),
                chart.text(end, at(y), percent(share), `text-anchor="end" ${chart.smallText(chart.ink)}`),
            ];
        }),
    ];
}
