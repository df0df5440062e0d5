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
    for (const file of filesOf(root, "results", /\.json$/)) {
        const [, topic, , name] = file.split("/");
        try {
            const record = JSON.parse(readFileSync(join(root, file), "utf8"));
            if (record.schema !== 1) ++skipped;
            if (record.schema !== 1 || record.run.backend !== "gpu") continue;
            const device = name === "h200.json" ? "" : `_${basename(name, ".json")}`;
            for (const table of record.tables.filter(({ kind }) => charts[kind])) {
                const id = `chart_${topic.replace(/^\d+_/, "")}_${table.table}${device}`;
                const svg = await charts[table.kind](record, table, `${id}_`).catch(({ message }) =>
                    complaints.push(`${file}: table ${table.table}: ${message}`),
                );
                if (typeof svg === "string") made.push({ file: `lectures/${topic}/figures/${id}.svg`, svg });
            }
        } catch (error) {
            complaints.push(`${file}: ${error.message}`);
        }
    }
    return { made, complaints, skipped };
}

/// "lectures/TOPIC/FOLDER/NAME" of all files with such names.
function filesOf(root, folder, names) {
    const topics = readdirSync(join(root, "lectures")).filter((name) => /^\d\d_/.test(name));
    return topics.sort().flatMap((topic) => {
        const path = `lectures/${topic}/${folder}`;
        const found = existsSync(join(root, path)) ? readdirSync(join(root, path)) : [];
        return found
            .filter((name) => names.test(name))
            .sort()
            .map((name) => `${path}/${name}`);
    });
}

async function main(root, check) {
    const { made, complaints, skipped } = await allCharts(root);
    const wanted = new Set(made.map(({ file }) => file));
    const stray = filesOf(root, "figures", /^chart_.*\.svg$/).filter((file) => !wanted.has(file));
    const changed = made.filter(({ file, svg }) => {
        const path = join(root, file);
        return !existsSync(path) || readFileSync(path, "utf8") !== svg;
    });
    const said = [`${made.length} charts`];
    if (check) {
        const cure = "is not what its record gives; draw it anew: cmake --build --preset docs -t plots";
        complaints.push(...changed.map(({ file }) => `${file}: ${cure}`));
        complaints.push(
            ...stray.map((file) => `${file}: no record gives this chart; the target plots removes it`),
        );
    } else {
        for (const { file, svg } of changed) writeFileSync(join(root, file), svg);
        for (const file of stray) rmSync(join(root, file));
        said.push(`${changed.length} of them new or changed`, `${stray.length} removed`);
    }
    if (skipped > 0) said.push(`${skipped} records of an older format left out`);
    console.log(said.join(", "));
    for (const complaint of complaints) console.error(complaint);
    return complaints.length === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    process.exit(await main(process.argv[2], process.argv.includes("--check")));
}
