// A table of kind "ladder": one bar per version, its length the fraction of the bound, or the time where no bound is given.
import {
    blue,
    boundName,
    boundWithRoof,
    card,
    drawn,
    green,
    grey,
    headline,
    ink,
    red,
    rounded,
    soft,
    sourceOf,
} from "./chart.mjs";

const left = 250;
const right = 150;
const top = 70;
const rowHeight = 28;

/// The SVG of a ladder.
export async function ladderChart({ run, roofs }, table, prefix) {
    const rows = table.rows.filter((row) => row.valid !== false && row.us > 0);
    if (rows.length === 0) throw new Error("the table has no valid row with a time");
    const bound = rows.every((row) => row.of_bound > 0 && row.bound === rows[0].bound) ? rows[0].bound : null;
    const own = rows.filter((row) => !row.library);
    const best = own.reduce((fastest, row) => (row.us < fastest.us ? row : fastest), own[0] ?? rows[0]);
    const values = rows.map((row) => {
        const look = row.library ? grey : row === best ? green : blue;
        const share = bound ? `${Math.round(100 * row.of_bound)}%, ` : "";
        return {
            version: row.version,
            length: bound ? row.of_bound : row.us,
            label: `${share}${rounded(row.us)} us${row.noisy ? ", noisy" : ""}`,
            ...look,
        };
    });
    const longest = Math.max(...values.map((value) => value.length), bound ? 1 : 0);
    const y = {
        field: "version",
        type: "nominal",
        sort: null,
        scale: { paddingInner: 0.28, paddingOuter: 0.14 },
    };
    const x = {
        field: "length",
        type: "quantitative",
        stack: null,
        scale: { domain: [0, longest], nice: false },
    };
    const hidden = { ...x, axis: null };
    const height = rows.length * rowHeight;
    const layers = [
        {
            mark: { type: "bar", cornerRadius: 2, strokeWidth: 0.9 },
            encoding: {
                y: {
                    ...y,
                    axis: { title: null, domain: false, ticks: false, labelFontSize: 14, labelPadding: 8 },
                },
                x: hidden,
                fill: { field: "fill", type: "nominal", scale: null },
                stroke: { field: "stroke", type: "nominal", scale: null },
            },
        },
        {
            mark: { type: "text", align: "left", dx: 8, fontSize: 14, fill: ink },
            encoding: { y, x: hidden, text: { field: "label" } },
        },
    ];
    if (bound)
        layers.push({
            data: { values: [{ length: 1 }] },
            mark: {
                type: "rule",
                stroke: red,
                strokeDash: [5, 4],
                strokeWidth: 1.4,
                y: 0,
                y2: { expr: "height" },
            },
            encoding: { x: hidden },
        });
    const width = 760 - left - right;
    const body = await drawn(
        {
            width,
            height,
            autosize: "none",
            padding: { left, top, right, bottom: 0 },
            data: { values },
            layer: layers,
            resolve: { axis: { y: "shared" } },
        },
        prefix,
    );
    const at = left + width / longest;
    const note = bound
        ? `  <text x="${at.toFixed(1)}" y="${top + height + 20}" font-size="13" text-anchor="middle" fill="${red}">100%: ${boundWithRoof(bound, roofs)}</text>`
        : `  <text x="${left}" y="${top + height + 20}" font-size="13" fill="${soft}">time; shorter is better</text>`;
    const what = bound ? `fraction of ${boundName(bound)}` : "time per version";
    return card({
        height: top + height + 36,
        title: `${headline(table.title)}: ${what}`,
        description: values.map((value) => `${value.version}: ${value.label}`).join("; "),
        heading: `${headline(table.title)}: ${what}`,
        source: sourceOf(run, rows),
        body: body + "\n" + note,
    });
}
