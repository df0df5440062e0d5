// What all charts share: the card on which they are drawn (the same as for figures), colours, and Vega without a canvas. The
// output depends only on the record: it has a fixed layout, does not measure text, and writes numbers with two decimals.
import * as vega from "vega";
import * as vegaLite from "vega-lite";
import { escaped } from "../shared.mjs";
import { tidied } from "./tidy.mjs";

export const ink = "#26323d";
export const soft = "#5b6975";
export const blue = { stroke: "#3d6b99", fill: "#8fb8de" };
export const green = { stroke: "#4f8544", fill: "#cfe3c8" };
export const grey = { stroke: "#5b6975", fill: "#e3e0d8" };
export const red = "#a83a29";
const font = "Helvetica, Arial, sans-serif";
export const cardWidth = 760;

const axis = {
    ...{ labelColor: ink, titleColor: soft, gridColor: "#e3e0d8", domainColor: soft, tickColor: soft },
    ...{ labelFontSize: 13, labelLimit: 0, titleFontSize: 13, titleFontWeight: "normal" },
};
const config = { aria: false, background: null, font, view: { stroke: null }, axis };

// Parts of Vega-Lite charts: a numeric axis, a look that depends on the data, and one layer of marks.
export const number = (field, scale, axis) => ({ field, type: "quantitative", scale: { nice: false, ...scale }, axis });
export const given = (field) => ({ field, type: "nominal", scale: null });
export const layer = (mark, encoding, values) => ({ ...(values && { data: { values } }), mark, encoding });

/// Returns the inner elements of a chart, which has a fixed place on the card.
export async function drawn({ left, top, width, height, layers, data }, prefix) {
    const padding = { left, top, right: 0, bottom: 0 };
    const spec = { width, height, data, layer: layers, autosize: "none", padding, config };
    const view = new vega.View(vega.parse(vegaLite.compile(spec).spec), { renderer: "none" });
    const svg = await view.toSVG();
    view.finalize();
    const names = new Map(); // Vega numbers its names over the whole run; here the numbers start again for each chart
    const inner = svg
        .replace(/^[\s\S]*?<svg[^>]*>|<\/svg>\s*$/g, "")
        .replace(/(id="|url\(#)([A-Za-z_]+\d+)/g, (whole, before, id) => {
            if (!names.has(id)) names.set(id, `${prefix}${names.size + 1}`);
            return before + names.get(id);
        })
        .replace(/-?\d+\.(\d{3,}|\d+e-\d+)/g, (number) => String(Number(Number(number).toFixed(2))))
        .replaceAll(` font-family="${font}"`, "") // the card has this attribute
        .replace(
            / (pointer-events="none"|(?:class|role|aria-[a-z]+)="[^"]*"|opacity="1"|transform="translate\(0,0\)")/g,
            "",
        );
    return tidied(inner);
}

export function text(x, y, content, attributes = "") {
    return `  <text x="${x}" y="${y}"${attributes && " " + attributes}>${escaped(content)}</text>`;
}

export const smallText = (color) => `font-size="13" fill="${color}"`;

/// Returns a whole file: the card, the title of the table, what is shown of it, a line of text below, and the chart.
export function card({ table, height, shown, heading, below, description, body }) {
    const title = headline(table.title);
    return [
        `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${cardWidth} ${height}" width="${cardWidth}" height="${height}"` +
            ` role="img" font-family="${font}" font-size="14" fill="${ink}">`,
        `  <title>${escaped(`${title}: ${shown}`)}</title>`,
        `  <desc>${escaped(description.join("; "))}</desc>`,
        `  <rect x="1" y="1" width="${cardWidth - 2}" height="${height - 2}" rx="10" stroke="#c9c5ba" stroke-width="1.2" fill="#f7f6f2"/>`,
        text(24, 32, heading ? `${title}: ${heading}` : title, 'font-size="16" font-weight="bold"'),
        text(24, 53, below, smallText(soft)),
        ...body,
        "</svg>",
        "",
    ].join("\n");
}

/// Returns the line about the measurement, such as "NVIDIA H200, 2026-11-21, median of 31". Rows of a free table have no number
/// of repetitions.
export function measured(run, rows) {
    const repetitions = [...new Set(rows.map((row) => row.repetitions ?? 0))].sort((a, b) => a - b);
    const median = repetitions[0] > 0 ? [`median of ${repetitions.join(" or ")}`] : [];
    return [run.device, run.date, ...median].join(", ");
}

/// Returns the rows that can be drawn, and the bound with which they are compared; null if some row has no bound.
export function usable(recorded, roofs) {
    const rows = named(recorded).filter((row) => row.valid !== false && row.us > 0);
    return { rows, bound: rows.every((row) => row.of_bound > 0) ? boundOf(rows, roofs) : null };
}

export const libraryLast = (rows) => [...rows].sort((a, b) => Boolean(a.library) - Boolean(b.library));

/// Returns the heading: with a capital letter, large powers of two as powers, and without the text in brackets at the end of
/// the title.
export function headline(title) {
    const short = title.replace(/ \([^)]*\)$/, "").replace(/(?<![\d.])\d{4,}\b/g, (number) => {
        const power = Math.log2(Number(number));
        return Number.isInteger(power) ? `2^${power}` : number;
    });
    return /^(a|[a-z]{2,})\b(?! =)/.test(short) ? short[0].toUpperCase() + short.slice(1) : short;
}

/// Returns the names of the rows in a chart, each once: "v3 two loads per thread" (the row's id, then its text). An id such as
/// cub is left out, because the text says the same.
export function named(rows) {
    const names = rows.map(({ row, version }) => {
        const id = /^v\d+[a-z]?(?=$|[_@])/.exec(row)?.[0];
        return id && !version.startsWith(id) ? `${id} ${version}` : version;
    });
    const ids = rows.map(({ row }) => row.split("@")[0]);
    const twice = (i) => rows.some((row, k) => names[k] === names[i] && ids[k] !== ids[i]);
    return rows.map((row, i) => ({ ...row, version: twice(i) ? `${ids[i]} ${row.version}` : names[i] }));
}

/// Formats a number: 1172.928 as "1,173", 44.28 as "44.3", 3.872 as "3.87".
export function rounded(value) {
    const decimals = value < 10 ? 2 : value < 100 ? 1 : 0;
    return value.toFixed(decimals).replace(/\B(?=(\d{3})+$)/g, value < 1000 ? "" : ",");
}

const bounds = {
    copy: { name: "a device copy", roof: "copy_gb_per_s", unit: "GB/s" },
    fp32: { name: "fp32 arithmetic", roof: "fp32_tflop_per_s", unit: "TFLOP/s" },
    shared: { name: "shared memory", roof: "shared_gb_per_s", unit: "GB/s" },
};

/// Returns the bound with which the rows are compared, such as "a device copy, 4,131 GB/s"; if there are several, "a device
/// copy or fp32 arithmetic".
export function boundOf(rows, roofs = {}) {
    const all = [...new Set(rows.map((row) => row.bound))];
    const names = all.map((bound) => bounds[bound]?.name ?? String(bound).replace(/_/g, " "));
    const { roof, unit } = bounds[all[0]] ?? {};
    const measured = all.length === 1 && roofs[roof] > 0 ? `, ${rounded(roofs[roof])} ${unit}` : "";
    return names.join(" or ") + measured;
}
