// Draws the charts of all recorded results:  node plots.mjs ROOT [--check]
// Reads lectures/*/results/*.json (schema 1, measured on a GPU), and writes lectures/*/figures/chart_TOPIC_TABLE.svg: one chart
// for each table of kind ladder or sweep, or with times in milliseconds; and one for several topics (chart_roofline.mjs). If a
// topic has h200.json, the record that pages quote by default, only this record has charts. With --check, nothing is written,
// and the exit status is 1 if a committed chart differs from the chart of its record.
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { program } from "../shared.mjs";
import { ladderChart, timesChart } from "./chart_ladder.mjs";
import { courseRoofline, file as rooflineFile } from "./chart_roofline.mjs";
import { sweepChart } from "./chart_sweep.mjs";

const charts = { ladder: ladderChart, sweep: sweepChart, free: timesChart };

/// Returns all charts of a course, as [{ file, svg }], and complaints about records that cannot be drawn.
export async function allCharts(root) {
    const made = [];
    const complaints = [];
    let skipped = 0;
    for (const file of filesOf(root, /^lectures\/\d\d_\w+\/results\/[^/]+\.json$/)) {
        const [, topic, , name] = file.split("/");
        if (name !== "h200.json" && existsSync(join(root, "lectures", topic, "results/h200.json"))) continue;
        const device = name === "h200.json" ? "" : `_${basename(name, ".json")}`;
        let place = file;
        try {
            const record = JSON.parse(readFileSync(join(root, file), "utf8"));
            if (record.schema !== 1) ++skipped;
            if (record.schema !== 1 || record.run.backend !== "gpu") continue;
            for (const table of record.tables.filter(({ kind }) => charts[kind])) {
                place = `${file}: table ${table.table}`;
                const id = `chart_${topic.replace(/^\d+_/, "")}_${table.table}${device}`;
                const svg = await charts[table.kind](record, table, `${id}_`);
                if (svg) made.push({ file: `lectures/${topic}/figures/${id}.svg`, svg });
            }
        } catch ({ message }) {
            complaints.push(`${place}: ${message}`);
        }
    }
    try {
        const svg = courseRoofline(root);
        if (svg) made.push({ file: rooflineFile, svg });
    } catch ({ message }) {
        complaints.push(`${rooflineFile}: ${message}`);
    }
    return { made, complaints, skipped };
}

/// Returns the files of lectures with these names.
const filesOf = (root, names) =>
    readdirSync(join(root, "lectures"), { recursive: true })
        .map((file) => `lectures/${file}`)
        .filter((file) => names.test(file))
        .sort();

program(import.meta.url, async (root, check) => {
    const { made, complaints, skipped } = await allCharts(root);
    const wanted = new Set(made.map(({ file }) => file));
    const stray = filesOf(root, /\/figures\/chart_[^/]*\.svg$/).filter((file) => !wanted.has(file));
    const changed = made.filter(({ file, svg }) => {
        const path = join(root, file);
        return !existsSync(path) || readFileSync(path, "utf8") !== svg;
    });
    const said = [`${made.length} charts`];
    if (check) {
        const cure = "is not what its record gives; draw it anew: cmake --build --preset docs -t plots";
        complaints.push(...changed.map(({ file }) => `${file}: ${cure}`));
        complaints.push(...stray.map((file) => `${file}: no record gives this chart; the target plots removes it`));
    } else {
        for (const { file, svg } of changed) writeFileSync(join(root, file), svg);
        for (const file of stray) rmSync(join(root, file));
        said.push(`${changed.length} of them new or changed`, `${stray.length} removed`);
    }
    if (skipped > 0) said.push(`${skipped} records of an older format left out`);
    return { said: said.join(", "), complaints };
});
