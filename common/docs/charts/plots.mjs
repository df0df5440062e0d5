// Draws the charts of all recorded results:  node plots.mjs ROOT [--check]
// From lectures/*/results/*.json (schema 1, measured on a GPU) into lectures/*/figures/chart_TOPIC_TABLE.svg: one per table of
// kind ladder or sweep. With --check nothing is written: exit status 1 if a committed chart is not what its record gives.
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ladderChart } from "./chart_ladder.mjs";
import { sweepChart } from "./chart_sweep.mjs";

const charts = { ladder: ladderChart, sweep: sweepChart };

/// All charts of a course: [{ file, svg }], and complaints about records that cannot be drawn.
export async function allCharts(root) {
    const made = [];
    const complaints = [];
    let skipped = 0;
    for (const topic of topics(root)) {
        for (const name of folder(join(root, "lectures", topic, "results"), ".json")) {
            const file = `lectures/${topic}/results/${name}`;
            let record;
            try {
                record = JSON.parse(readFileSync(join(root, file), "utf8"));
            } catch (error) {
                complaints.push(`${file}: ${error.message}`);
                continue;
            }
            if (record.schema !== 1) ++skipped;
            if (record.schema !== 1 || record.run.backend !== "gpu") continue;
            const short = topic.replace(/^\d+_/, "");
            const device = name === "h200.json" ? "" : `_${basename(name, ".json")}`;
            for (const table of record.tables) {
                if (!charts[table.kind]) continue;
                const id = `chart_${short}_${table.table}${device}`;
                try {
                    const svg = await charts[table.kind](record, table, `${id}_`);
                    if (svg) made.push({ file: `lectures/${topic}/figures/${id}.svg`, svg });
                } catch (error) {
                    complaints.push(`${file}: table ${table.table}: ${error.message}`);
                }
            }
        }
    }
    return { made, complaints, skipped };
}

/// Charts in lectures/*/figures that no record gives.
export function strayCharts(root, made) {
    const wanted = new Set(made.map((chart) => chart.file));
    return topics(root)
        .flatMap((topic) =>
            folder(join(root, "lectures", topic, "figures"), ".svg").map(
                (name) => `lectures/${topic}/figures/${name}`,
            ),
        )
        .filter((file) => basename(file).startsWith("chart_") && !wanted.has(file));
}

function topics(root) {
    return readdirSync(join(root, "lectures"))
        .filter((name) => /^\d\d_/.test(name))
        .sort();
}

function folder(path, ending) {
    return existsSync(path)
        ? readdirSync(path)
              .filter((name) => name.endsWith(ending))
              .sort()
        : [];
}

async function main(root, check) {
    const { made, complaints, skipped } = await allCharts(root);
    const stray = strayCharts(root, made);
    let changed = 0;
    for (const { file, svg } of made) {
        const path = join(root, file);
        if (existsSync(path) && readFileSync(path, "utf8") === svg) continue;
        ++changed;
        if (check)
            complaints.push(
                `${file}: is not what its record gives; draw it anew: cmake --build --preset docs -t plots`,
            );
        else writeFileSync(path, svg);
    }
    for (const file of stray) {
        if (check) complaints.push(`${file}: no record gives this chart; the target plots removes it`);
        else rmSync(join(root, file));
    }
    const said = [`${made.length} charts`];
    if (!check) said.push(`${changed} of them new or changed`, `${stray.length} removed`);
    if (skipped > 0) said.push(`${skipped} records of an older format left out`);
    console.log(said.join(", "));
    for (const complaint of complaints) console.error(complaint);
    return complaints.length === 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    const ok = await main(process.argv[2], process.argv.includes("--check"));
    process.exit(ok ? 0 : 1);
}
