// Charts of ladders: one bar per version. Its length is the fraction of the bound or, if there is no bound, the time. The
// library is the last bar, and a grey line marks its value on all other bars.
import * as chart from "./chart.mjs";

const right = 165;
const top = 70;
const rowHeight = 28;

/// Returns the SVG of a ladder; null if it has fewer than two bars.
export async function ladderChart({ run, roofs }, table, prefix) {
    const { rows, bound } = chart.usable(chart.libraryLast(table.rows), roofs);
    if (rows.length < 2) return null;
    const values = rows.map((row) => ({
        version: row.version,
        length: bound ? row.of_bound : row.us,
        label: labelOf(row, bound),
        ...colorsOf(row, rows),
    }));
    const longest = Math.max(...values.map((value) => value.length), bound ? 1 : 0);
    const left = 30 + 7.2 * Math.max(...values.map((value) => value.version.length), 16);
    const width = chart.cardWidth - left - right;
    const height = rows.length * rowHeight;
    const names = { title: null, domain: false, ticks: false, labelFontSize: 14, labelPadding: 8 };
    const scaleY = { domain: rows.map((row) => row.version), paddingInner: 0.28, paddingOuter: 0.14 };
    const y = { field: "version", type: "nominal", scale: scaleY };
    const x = { ...chart.number("length", { domain: [0, longest] }, null), stack: null };
    const bar = { type: "bar", cornerRadius: 2, strokeWidth: 0.9 };
    const label = { type: "text", align: "left", dx: 8, fontSize: 14, fill: chart.ink };
    const layers = [
        chart.layer(bar, { y: { ...y, axis: names }, x, fill: chart.given("fill"), stroke: chart.given("stroke") }),
        chart.layer(label, { y, x, text: { field: "label" } }),
    ];
    // The line goes through all rows except those with a label at this place.
    const scale = width / longest;
    const line = (at, color) => {
        const free = values.filter(({ length, label }) => {
            const beyond = (at - length) * scale - 4;
            return beyond < 0 || beyond > 8 + 7.2 * label.length;
        });
        const mark = { type: "tick", orient: "vertical", size: rowHeight, thickness: 1.4, color };
        layers.unshift(
            chart.layer(
                mark,
                { y, x },
                free.map(({ version }) => ({ version, length: at })),
            ),
        );
    };
    const library = values.filter((value, i) => rows[i].library).map((value) => value.length);
    if (library.length > 0) line(bound ? Math.max(...library) : Math.min(...library), "#9aa3ab");
    if (bound) line(1, chart.red);
    const [at, said, look] = bound
        ? [left + scale, `100%: ${bound}`, `text-anchor="middle" fill="${chart.red}"`]
        : [left, "time; shorter is better", `fill="${chart.soft}"`];
    const note = chart.text(Math.round(at), top + height + 20, said, `font-size="13" ${look}`);
    const shown = bound ? `fraction of what ${bound.split(",")[0]} reaches` : "time";
    return chart.card({
        ...{ table, shown, height: top + height + 36 },
        below: `${shown}, ${chart.measured(run, rows)}`,
        description: values.map((value) => `${value.version}: ${value.label}`),
        body: [await chart.drawn({ left, top, width, height, layers, data: { values } }, prefix), note],
    });
}

/// Returns the SVG of a free table in which every row has a time in milliseconds: bars without a bound. Returns null for other
/// tables, and for fewer than three rows. If some rows are versions, the other rows are grey: they are parts of the work, or
/// values for comparison.
export function timesChart(record, table, prefix) {
    if (table.rows.length < 3 || !table.rows.every((row) => row.milliseconds > 0 && row.label)) return null;
    const isVersion = ({ row }) => /^v\d/.test(row);
    const some = table.rows.some(isVersion);
    const rows = table.rows.map((row) => {
        const version = row.label.replace(/ +/g, " ");
        return { row: version, version, us: 1000 * row.milliseconds, aside: some && !isVersion(row) };
    });
    return ladderChart(record, { ...table, rows }, prefix);
}

function labelOf(row, bound) {
    const decimals = row.of_bound < 0.0005 ? 2 : row.of_bound < 0.0995 ? 1 : 0;
    const share = bound ? `${(100 * row.of_bound).toFixed(decimals)}%, ` : "";
    return `${share}${chart.rounded(row.us)} us${row.noisy ? ", noisy" : ""}`;
}

/// Returns the colours: grey for the library, green for the fastest version of the course.
function colorsOf(row, rows) {
    if (row.library || row.aside) return chart.grey;
    const own = rows.filter((other) => !other.library && !other.aside);
    return own.some((other) => other.us < row.us) ? chart.blue : chart.green;
}
