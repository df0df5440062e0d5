// A table of kind "ladder": one bar per version, its length the fraction of the bound, or the time where no
// bound is given. The library comes last, and a grey line takes its mark to all other bars.
import * as chart from "./chart.mjs";

const right = 165;
const top = 70;
const rowHeight = 28;

/// The SVG of a ladder; null if there are not two bars to compare.
export async function ladderChart({ run, roofs }, table, prefix) {
    const valid = chart.named(table.rows).filter((row) => row.valid !== false && row.us > 0);
    if (valid.length < 2) return null;
    const rows = [...valid.filter((row) => !row.library), ...valid.filter((row) => row.library)];
    const bound = rows.every((row) => row.of_bound > 0) ? chart.boundOf(rows, roofs) : null;
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
    const y = {
        field: "version",
        type: "nominal",
        scale: { domain: rows.map((row) => row.version), paddingInner: 0.28, paddingOuter: 0.14 },
    };
    const x = {
        field: "length",
        type: "quantitative",
        stack: null,
        axis: null,
        scale: { domain: [0, longest], nice: false },
    };
    const names = { title: null, domain: false, ticks: false, labelFontSize: 14, labelPadding: 8 };
    const given = (field) => ({ field, type: "nominal", scale: null });
    const layers = [
        {
            mark: { type: "bar", cornerRadius: 2, strokeWidth: 0.9 },
            encoding: { y: { ...y, axis: names }, x, fill: given("fill"), stroke: given("stroke") },
        },
        {
            mark: { type: "text", align: "left", dx: 8, fontSize: 14, fill: chart.ink },
            encoding: { y, x, text: { field: "label" } },
        },
    ];
    // A line through all rows, but for those in which a label stands there.
    const scale = width / longest;
    const line = (at, mark) => {
        const free = values.filter(({ length, label }) => {
            const begin = length * scale + 4;
            return at * scale < begin || at * scale > begin + 8 + 7.2 * label.length;
        });
        layers.unshift({
            data: { values: free.map(({ version }) => ({ version, length: at })) },
            mark: { type: "tick", orient: "vertical", size: rowHeight, thickness: 1.4, ...mark },
            encoding: { y, x },
        });
    };
    const library = values.filter((value, i) => rows[i].library).map((value) => value.length);
    if (library.length > 0) line(bound ? Math.max(...library) : Math.min(...library), { color: "#9aa3ab" });
    if (bound) line(1, { color: chart.red });
    const padding = { left, top, right, bottom: 0 };
    const body = await chart.drawn(
        { width, height, autosize: "none", padding, data: { values }, layer: layers },
        prefix,
    );
    const below = top + height + 20;
    const note = bound
        ? chart.text(
              Math.round(left + width / longest),
              below,
              `100%: ${bound}`,
              `font-size="13" text-anchor="middle" fill="${chart.red}"`,
          )
        : chart.text(
              Math.round(left),
              below,
              "time; shorter is better",
              `font-size="13" fill="${chart.soft}"`,
          );
    const what = bound ? `fraction of what ${bound.split(",")[0]} reaches` : "time";
    return chart.card({
        height: top + height + 36,
        title: `${chart.headline(table.title)}: ${what}`,
        description: values.map((value) => `${value.version}: ${value.label}`).join("; "),
        heading: chart.headline(table.title),
        source: `${what}, ${chart.sourceOf(run, rows)}`,
        body: body + "\n" + note,
    });
}

function labelOf(row, bound) {
    const share = bound ? `${(100 * row.of_bound).toFixed(row.of_bound < 0.0995 ? 1 : 0)}%, ` : "";
    return `${share}${chart.rounded(row.us)} us${row.noisy ? ", noisy" : ""}`;
}

/// The library is grey, the fastest of our own green.
function colorsOf(row, rows) {
    if (row.library) return chart.grey;
    const faster = rows.some((other) => !other.library && other.us < row.us);
    return faster ? chart.blue : chart.green;
}
