// A table of kind "sweep": time against n, both logarithmic, one line per version; beside it the fraction of the bound.
// Dashed: the time that the bound alone would take. Left of where it crosses the lines the fixed cost rules.
import { boundOf, card, cardWidth, drawn, headline, red, sourceOf, soft, text, named } from "./chart.mjs";

const colors = ["#3d6b99", "#a9812f", "#4f8544", "#b4412f", "#7f6a9c", "#3f8a8c", "#26323d"];
const shapes = ["circle", "square", "triangle-up", "diamond", "triangle-down", "cross", "stroke"];
const panelHeight = 220;
const legendTop = 78;
const legendRow = 22;

/// The SVG of a sweep; null if there is only one n.
export async function sweepChart({ run }, table, prefix) {
    const rows = named(table.rows).filter((row) => row.valid !== false && row.us > 0 && row.n > 0);
    if (new Set(rows.map((row) => row.n)).size < 2) return null;
    const bound = rows.every((row) => row.of_bound > 0) ? boundOf(rows) : null;
    const inOrder = [...rows.filter((row) => !row.library), ...rows.filter((row) => row.library)];
    const versions = [...new Set(inOrder.map((row) => row.version))];
    const look = new Map(versions.map((version, i) => [version, lookOf(version, i, rows)]));
    const legend = legendOf(versions, look);
    const top = legendTop + legend.rows * legendRow + 20;
    const left = 62;
    const between = 66;
    const width = bound ? (cardWidth - left - between - 30) / 2 : cardWidth - left - 40;
    const values = rows.map((row) => ({ ...row, share: row.of_bound, ...look.get(row.version) }));
    const smallest = Math.min(...rows.map((row) => row.n));
    const largest = Math.max(...rows.map((row) => row.n));
    const margin = (largest / smallest) ** 0.025;
    const binary = rows.filter((row) => Number.isInteger(Math.log2(row.n))).length > rows.length / 2;
    const ticks = binary ? powersOfTwo(smallest, largest) : powersOfTen([smallest, largest]);
    const x = {
        field: "n",
        type: "quantitative",
        scale: { type: "log", base: 2, domain: [smallest / margin, largest * margin], nice: false },
        axis: {
            title: "n",
            values: ticks,
            grid: true,
            labelExpr: binary ? "'2^' + round(log(datum.value) / LN2)" : "format(datum.value, '~s')",
            labelOverlap: false,
            labelFlush: false,
        },
    };
    const times = rows.map((row) => row.us);
    const timeDomain = [Math.min(...times) / 1.5, Math.max(...times) * 1.3];
    const time = {
        field: "us",
        type: "quantitative",
        scale: { type: "log", domain: timeDomain, nice: false },
        axis: {
            title: "us",
            titleAngle: 0,
            titleAlign: "right",
            titleX: -8,
            titleY: -8,
            values: powersOfTen(timeDomain),
            format: "~r",
            tickCount: 4,
        },
    };
    const panel = (name, spec) =>
        drawn({ width, height: panelHeight, autosize: "none", ...spec }, `${prefix}${name}_`);
    const timePanel = await panel("time", {
        padding: { left, top, right: 0, bottom: 0 },
        layer: [...idealTime(rows, bound, x, time, timeDomain), ...linesOf(values, x, time)],
    });
    const parts = [legend.body, timePanel];
    if (bound) {
        const share = {
            field: "share",
            type: "quantitative",
            scale: { domain: [0, Math.max(1, ...rows.map((row) => row.of_bound)) * 1.04], nice: false },
            axis: { title: null, format: ".0%", values: [0, 0.25, 0.5, 0.75, 1] },
        };
        const limit = {
            data: { values: [{ share: 1 }] },
            mark: { type: "rule", stroke: red, strokeDash: [5, 4], strokeWidth: 1.4 },
            encoding: { y: share },
        };
        const second = await panel("share", {
            padding: { left: left + width + between, top, right: 0, bottom: 0 },
            layer: [limit, ...linesOf(values, x, share)],
        });
        parts.push(
            second,
            text(
                left + width + between,
                top - 10,
                `fraction of what ${bound} reaches`,
                `font-size="13" fill="${soft}"`,
            ),
        );
    }
    return card({
        height: top + panelHeight + 50,
        title: `${headline(table.title)}: time against n`,
        description: versions.map((version) => describe(version, rows)).join("; "),
        heading: `${headline(table.title)}: ${bound ? "where the fixed cost ends" : "time against n"}`,
        source: sourceOf(run, rows) + (bound ? `; dashed: what ${bound} alone would take` : ""),
        body: parts.join("\n"),
    });
}

function lookOf(version, i, rows) {
    const library = rows.some((row) => row.version === version && row.library);
    return {
        color: library ? soft : colors[i % colors.length],
        shape: shapes[i % shapes.length],
        dash: library ? [6, 3] : [1, 0],
    };
}

function linesOf(values, x, y) {
    const color = { field: "color", type: "nominal", scale: null };
    const detail = { field: "version", type: "nominal" };
    return [
        {
            data: { values },
            mark: { type: "line", strokeWidth: 1.8, clip: true },
            encoding: { x, y, color, detail, strokeDash: { field: "dash", type: "nominal", scale: null } },
        },
        {
            data: { values },
            mark: { type: "point", filled: true, size: 42, opacity: 1 },
            encoding: { x, y, color, shape: { field: "shape", type: "nominal", scale: null } },
        },
    ];
}

/// The time that the bound alone takes at each n: time times fraction. No line where it is not the same for all versions.
function idealTime(rows, bound, x, time, [lowest]) {
    if (!bound) return [];
    const ideal = new Map(rows.map((row) => [row.n, row.us * row.of_bound]));
    const same = (row) => Math.abs(row.us * row.of_bound - ideal.get(row.n)) < 0.02 * ideal.get(row.n);
    if (!rows.filter((row) => row.of_bound > 0.01).every(same)) return [];
    const values = [...ideal].map(([n, us]) => ({ n, us })).filter((value) => value.us >= lowest);
    return [
        {
            data: { values },
            mark: { type: "line", stroke: red, strokeDash: [5, 4], strokeWidth: 1.4 },
            encoding: { x, y: time },
        },
    ];
}

/// Powers of two in the range, at most seven, at even distances.
function powersOfTwo(smallest, largest) {
    const first = Math.ceil(Math.log2(smallest) - 1e-9);
    const last = Math.floor(Math.log2(largest) + 1e-9);
    const step = Math.max(1, Math.ceil((last - first) / 6));
    const powers = [];
    for (let power = last; power >= first; power -= step) powers.unshift(2 ** power);
    return powers;
}

function powersOfTen([lowest, highest]) {
    const powers = [];
    for (let power = Math.floor(Math.log10(lowest)); 10 ** power <= highest; ++power) {
        for (const step of highest / lowest < 100 ? [1, 2, 5] : [1])
            if (step * 10 ** power >= lowest && step * 10 ** power <= highest)
                powers.push(step * 10 ** power);
    }
    return powers.map((value) => Number(value.toPrecision(3)));
}

/// A legend in columns that are wide enough for the longest name.
function legendOf(versions, look) {
    const longest = Math.max(...versions.map((version) => version.length));
    const columns = Math.max(
        1,
        Math.min(versions.length, Math.floor((cardWidth - 48) / (40 + longest * 7.2))),
    );
    const columnWidth = (cardWidth - 48) / columns;
    const body = versions.map((version, i) => {
        const x = 24 + (i % columns) * columnWidth;
        const y = legendTop + Math.floor(i / columns) * legendRow;
        const { color, shape, dash } = look.get(version);
        const dashed = dash[1] > 0 ? ` stroke-dasharray="${dash}"` : "";
        return (
            `  <g transform="translate(${x.toFixed(1)},${y})"><line x1="0" y1="0" x2="26" y2="0" stroke="${color}" stroke-width="1.8"${dashed}/>` +
            `<path d="${symbol(shape)}" transform="translate(13,0)" fill="${color}" stroke="none"/>` +
            `<text x="34" y="4.5" font-size="13">${version.replace(/&/g, "&amp;").replace(/</g, "&lt;")}</text></g>`
        );
    });
    return { body: body.join("\n"), rows: Math.ceil(versions.length / columns) };
}

const symbols = {
    circle: "M-3.7,0a3.7,3.7 0 1,0 7.4,0a3.7,3.7 0 1,0 -7.4,0Z",
    square: "M-3.3,-3.3h6.6v6.6h-6.6Z",
    "triangle-up": "M-3.7,3.2L0,-3.2L3.7,3.2Z",
    diamond: "M0,-4.2L4.2,0L0,4.2L-4.2,0Z",
    "triangle-down": "M-3.7,-3.2L0,3.2L3.7,-3.2Z",
    cross: "M-4,-1.4h2.6v-2.6h2.8v2.6h2.6v2.8h-2.6v2.6h-2.8v-2.6h-2.6Z",
    stroke: "M-4,-1.4h8v2.8h-8Z",
};

function symbol(shape) {
    return symbols[shape];
}

function describe(version, rows) {
    const own = rows.filter((row) => row.version === version);
    const end = own[own.length - 1];
    return `${version}: ${own[0].us} us at n = ${own[0].n}, ${end.us} us at n = ${end.n}`;
}
