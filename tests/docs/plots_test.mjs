// Tests that charts are drawn from records alone, identically each time, and that a committed chart that differs from its record is reported.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { boundOf, headline, named, rounded } from "../../common/docs/charts/chart.mjs";
import { courseRoofline, kernels, topics } from "../../common/docs/charts/chart_roofline.mjs";
import { allCharts } from "../../common/docs/charts/plots.mjs";
import { tidied } from "../../common/docs/charts/tidy.mjs";
import { scratchFolder } from "./scratch.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const sample = () => JSON.parse(readFileSync(join(here, "h200.json"), "utf8"));

/// Creates a course with one topic and these records: { "h200.json": record }.
function course(records) {
    const root = scratchFolder("course-");
    for (const folder of ["results", "figures"])
        mkdirSync(join(root, "lectures/07_sample", folder), { recursive: true });
    for (const [name, record] of Object.entries(records))
        writeFileSync(
            join(root, "lectures/07_sample/results", name),
            typeof record === "string" ? record : JSON.stringify(record),
        );
    return root;
}

/// Runs plots.mjs. Returns { ok, said }.
function plots(root, ...options) {
    try {
        return {
            ok: true,
            said: execFileSync(
                process.execPath,
                [join(here, "../../common/docs/charts/plots.mjs"), root, ...options],
                {
                    encoding: "utf8",
                    stdio: "pipe",
                },
            ),
        };
    } catch (error) {
        return { ok: false, said: error.stdout + error.stderr };
    }
}

test("one chart per ladder and sweep, with what it shows in words", async () => {
    const { made, complaints } = await allCharts(course({ "h200.json": sample() }));
    assert.deepEqual(complaints, []);
    assert.deepEqual(
        made.map(({ file }) => file),
        ["ladder", "times", "sizes"].map((table) => `lectures/07_sample/figures/chart_sample_${table}.svg`),
    );
    const [ladder, times, sizes] = made.map(({ svg }) => svg);
    assert.match(ladder, /<title>A sample of 2\^20 floats: fraction of what a device copy reaches<\/title>/);
    assert.match(
        ladder,
        /<desc>v1 slow &amp; simple: 25%, 1,235 us; v2 fast: 98%, 61\.7 us, noisy; the library: 97%, 62\.5 us<\/desc>/,
    );
    assert.match(ladder, />fraction of what a device copy reaches, NVIDIA H200, 2026-01-02, median of 31</);
    assert.match(ladder, />100%: a device copy, 4,001 GB\/s</);
    assert.doesNotMatch(ladder, /v3 wrong/, "a wrong result has no bar");
    assert.match(times, />time, NVIDIA H200/);
    assert.match(times, />3\.25 us</);
    assert.match(sizes, />v2 fast</);
    assert.match(sizes, />2\^10</);
    assert.match(sizes, />fraction of what a device copy reaches</);
    assert.match(sizes, /median of 31 or 51/);
});

test("a free table of times has bars, too: versions in colour, the rest grey", async () => {
    const record = sample();
    const row = (row, label, milliseconds) => ({ row, label, milliseconds });
    const rows = [row("in", "copies alone", 0.5), row("v1", "v1  slow", 12.25), row("v1o", "v1  as slow", 13), row("v2", "v2  fast", 2)];
    record.tables = [
        { table: "few", kind: "free", title: "two rows", rows: rows.slice(1, 3) },
        { table: "parts", kind: "free", title: "four rows", rows },
        { table: "gaps", kind: "free", title: "a time is missing", rows: [...rows, { row: "x", label: "x", milliseconds: null }] },
    ];
    const { made, complaints } = await allCharts(course({ "h200.json": record }));
    assert.deepEqual(complaints, []);
    assert.deepEqual(
        made.map(({ file }) => file),
        ["lectures/07_sample/figures/chart_sample_parts.svg"],
    );
    assert.match(made[0].svg, /<desc>copies alone: 500 us; v1 slow: 12,250 us; v1 as slow: 13,000 us; v2 fast: 2,000 us<\/desc>/);
    assert.match(made[0].svg, />time, NVIDIA H200, 2026-01-02</, "how often is not in such a table");
    const colors = [...made[0].svg.matchAll(/<path d="M[^"]*"[^>]*fill="(#8fb8de|#cfe3c8|#e3e0d8)"/g)].map((match) => match[1]);
    assert.deepEqual(colors, ["#e3e0d8", "#8fb8de", "#8fb8de", "#cfe3c8"]);
});

test("bars stand in the order of the record, the library last", async () => {
    const record = sample();
    record.tables[0].rows.unshift(record.tables[0].rows.pop());
    const { made } = await allCharts(course({ "h200.json": record }));
    const bars = [...made[0].svg.matchAll(/>(v\d slow[^<]*|v2 fast|the library)<\/text>/g)].map(
        (match) => match[1],
    );
    assert.deepEqual(bars, ["v1 slow &amp; simple", "v2 fast", "the library"]);
    const places = [...made[0].svg.matchAll(/translate\(-8,([\d.]+)\)/g)].map((match) => Number(match[1]));
    assert.deepEqual(
        places,
        [...places].sort((a, b) => a - b),
    );
});

test("the lengths of bars are the figures of the record", async () => {
    const { made } = await allCharts(course({ "h200.json": sample() }));
    const bars = [...made[0].svg.matchAll(/<path d="M[^"]*"[^>]*fill="(#8fb8de|#cfe3c8|#e3e0d8)"/g)].map(
        (match) => match[0],
    );
    const widths = bars.map((bar) =>
        Math.max(
            ...bar
                .match(/-?\d+(\.\d+)?/g)
                .map(Number)
                .filter((value) => value < 700),
        ),
    );
    assert.equal(widths.length, 3, bars.join("\n"));
    assert.ok(Math.abs(widths[1] / widths[0] - 0.98 / 0.25) < 0.05, `${widths}`);
    assert.match(bars[1], /#cfe3c8/, "the fastest of our own is green");
    assert.match(bars[2], /#e3e0d8/, "the library is grey");
});

test("the same record gives the same file; no name and no number is left to chance", async () => {
    const root = course({ "h200.json": sample() });
    const [first, second] = [await allCharts(root), await allCharts(root)];
    assert.deepEqual(first, second);
    for (const { svg } of first.made) {
        assert.doesNotMatch(svg, /\d\.\d{3,}/);
        assert.doesNotMatch(svg, /NaN|undefined|Infinity/);
        for (const [, id] of svg.matchAll(/\bid="([^"]+)"/g)) assert.match(id, /^chart_sample_/);
    }
});

test("what stands together and looks alike is one path; what nobody sees is gone; the rest stays", () => {
    const line = (x) => `<line transform="translate(${x},-9)" x2="0" y2="9" stroke="#ddd"/>`;
    const dot = (x, fill) => `<path transform="translate(${x},4)" d="M3,0A3,3,0,1,1,-3,0Z" fill="${fill}"/>`;
    const clipped = (id) => `<g><path d="M0,0h9v9h-9Z"/><g clip-path="url(#${id})"><path d="M0,0L9,9" stroke="${id}"/></g></g>`;
    const clip = (id) => `<clipPath id="${id}"><rect width="9"/></clipPath>`;
    const bar = '<path d="M0,0L9,9Z" fill="red" stroke="blue"/>';
    assert.deepEqual(
        tidied(
            `<g fill="none"><g>${line(7)}${line(64)}</g><path d="" display="none"/>${dot(1, "red")}${dot(9.5, "red")}` +
                `${dot(1, "blue")}<text x="1">2^10 &amp;</text>${clipped("a")}${clipped("b")}${bar}${bar}</g>` +
                `<defs>${clip("a")}${clip("b")}</defs>`,
        ).split("\n"),
        [
            '  <g fill="none">',
            '  <path d="M7,-9l0,9M64,-9l0,9" stroke="#ddd"/>',
            '  <path d="M4,4A3,3,0,1,1,-2,4ZM12.5,4A3,3,0,1,1,6.5,4Z" fill="red"/>',
            '  <path d="M4,4A3,3,0,1,1,-2,4Z" fill="blue"/>',
            '  <text x="1">2^10 &amp;</text>',
            '  <g clip-path="url(#a)">',
            '  <path d="M0,0L9,9" stroke="a"/>',
            '  <path d="M0,0L9,9" stroke="b"/>',
            "  </g>",
            `  ${bar}`,
            `  ${bar}`,
            "  </g>",
            "  <defs>",
            '  <clipPath id="a">',
            '  <rect width="9"/>',
            "  </clipPath>",
            "  </defs>",
        ],
    );
    for (const broken of ["<g><text></g>", "<g>", "<g a='1'/>", "</g>"]) assert.throws(() => tidied(broken), /not understood/);
});

test("--check finds a chart that was changed, is missing, or has no record", () => {
    const root = course({ "h200.json": sample() });
    assert.equal(plots(root, "--check").ok, false, "nothing is drawn yet");
    assert.equal(plots(root).ok, true);
    assert.deepEqual(plots(root, "--check"), { ok: true, said: "3 charts\n" });
    const ladder = join(root, "lectures/07_sample/figures/chart_sample_ladder.svg");
    writeFileSync(ladder, readFileSync(ladder, "utf8").replace("1,235", "1,135"));
    writeFileSync(ladder.replace("ladder", "old"), "<svg/>");
    const { ok, said } = plots(root, "--check");
    assert.equal(ok, false);
    assert.match(said, /chart_sample_ladder\.svg: is not what its record gives/);
    assert.match(said, /chart_sample_old\.svg: no record gives this chart/);
    assert.equal(plots(root).ok, true);
    assert.equal(plots(root, "--check").ok, true);
    assert.deepEqual(readdirSync(dirname(ladder)).length, 3, "the stray chart is removed");
});

test("records that are not drawn, and records that cannot be", async () => {
    const cpu = { ...sample(), run: { backend: "cpu" } };
    const old = { topic: "07_sample", rows: [] };
    const without = sample();
    for (const row of without.tables[0].rows.slice(1)) row.valid = false;
    without.tables[2].rows.splice(1, 2);
    without.tables[2].rows.splice(2, 1);
    delete without.tables[1].rows;
    const { made, complaints, skipped } = await allCharts(
        course({
            "a100.json": sample(),
            "b200.json": without,
            "cpu_executor.json": cpu,
            "old.json": old,
            "z.json": "{",
        }),
    );
    assert.equal(skipped, 1);
    assert.ok(
        made.some(({ file }) => file.endsWith("/chart_sample_ladder_a100.svg")),
        "another GPU, another name",
    );
    assert.ok(
        !made.some(({ file }) => /(ladder|sizes)_b200\.svg/.test(file)),
        "one bar or one size is no chart",
    );
    assert.equal(complaints.length, 2);
    assert.match(complaints[0], /b200\.json: table times: /);
    assert.match(complaints[1], /z\.json: /);
});

test("only the record that pages quote by default is drawn", async () => {
    const { made } = await allCharts(course({ "a100.json": sample(), "h200.json": sample(), "t4.json": sample() }));
    assert.ok(made.length > 0 && !made.some(({ file }) => /_(a100|t4)\.svg$/.test(file)));
});

/// Creates a course whose topics have records with the rows of the roofline: 2^20 elements in 100 us, at 1000 GB/s.
function courseWithKernels() {
    const root = scratchFolder("course-");
    mkdirSync(join(root, "lectures/19_roofline"), { recursive: true });
    for (const topic of topics) {
        const own = kernels.filter(([other]) => other === topic);
        const tables = [...new Set(own.map(([, table]) => table))].map((table) => ({
            table,
            title: `${table}: 1048576 entries`,
            rows: own
                .filter(([, other]) => other === table)
                .map(([, , row]) => ({ row, n: 2 ** 20, us: 100, gb_per_s: 1000, repetitions: 31 })),
        }));
        const run = { device: "NVIDIA H200", date: "2026-01-02" };
        const record = { run, roofs: { copy_gb_per_s: 2000, fp32_tflop_per_s: 100 }, tables };
        mkdirSync(join(root, "lectures", topic, "results"), { recursive: true });
        writeFileSync(join(root, "lectures", topic, "results/h200.json"), JSON.stringify(record));
    }
    return root;
}

test("the roofline of the course: points from records, and roofs", async () => {
    const root = courseWithKernels();
    const svg = courseRoofline(root);
    // One addition for each of 2^20 elements in 100 us is 10.5 GFLOP/s, half of what 2000 GB/s would allow.
    assert.match(svg, /07 v8 fast: 0\.01 operations per byte, 10\.5 GFLOP\/s, 50% of the roof/);
    // 1922 operations per element are 20,154 GFLOP/s, at 20.2 operations per byte; 2000 GB/s would allow 40,306.
    assert.match(svg, /05 v7 31 x 31: 20\.2 operations per byte, 20,154 GFLOP\/s, 50% of the roof/);
    assert.equal(svg.match(/<circle/g).length, kernels.length);
    assert.match(svg, />100 TFLOP\/s</);
    const record = join(root, "lectures/07_reduction/results/h200.json");
    writeFileSync(record, readFileSync(record, "utf8").replace('"v8"', '"v9"'));
    const { complaints } = await allCharts(root);
    assert.ok(complaints.some((complaint) => complaint.includes("07_reduction has no row ladder:v8")));
    rmSync(record);
    assert.equal(courseRoofline(root), null, "not all records are there");
});

test("numbers and titles as they are written", () => {
    assert.deepEqual([1172.928, 443.04, 44.28, 3.872, 12345.6].map(rounded), [
        "1,173",
        "443",
        "44.3",
        "3.87",
        "12,346",
    ]);
    assert.equal(headline("the sum of 268435456 floats"), "The sum of 2^28 floats");
    assert.equal(headline("a box of 0.0002 in a crowd"), "A box of 0.0002 in a crowd");
    assert.equal(headline("n floats (microseconds; percent)"), "n floats");
    assert.equal(headline("c = a + b"), "c = a + b");
    assert.equal(headline("out = a * in + b"), "out = a * in + b");
    const names = (...rows) =>
        named(rows.map(([row, version]) => ({ row, version }))).map(({ version }) => version);
    assert.deepEqual(names(["v3@8", "two loads"], ["v3@9", "two loads"], ["cub@8", "CUB"]), [
        "v3 two loads",
        "v3 two loads",
        "CUB",
    ]);
    assert.deepEqual(names(["v2_4", "4 blocks"], ["v7", "v7's middle"]), ["v2 4 blocks", "v7's middle"]);
    assert.deepEqual(names(["v1_a", "x"], ["v1_b", "x"]), ["v1_a x", "v1_b x"]);
    assert.equal(
        boundOf([{ bound: "copy" }, { bound: "fp32" }], { copy_gb_per_s: 4000 }),
        "a device copy or fp32 arithmetic",
    );
    assert.equal(headline("100 calls of 1000 and 5000"), "100 calls of 1000 and 5000");
});
