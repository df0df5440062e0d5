// Charts of sweeps: the time against n, with logarithmic axes and one line per version; and next to it the fraction of the
// bound. The dashed line is the time that the bound alone would take. To the left of the point where it crosses the other
// lines, fixed costs dominate.
import * as chart from "./chart.mjs";

const colors = ["#3d6b99", "#a9812f", "#4f8544", "#b4412f", "#7f6a9c", "#3f8a8c", chart.ink];
const symbols = {
    circle: "M-3.7,0a3.7,3.7 0 1,0 7.4,0a3.7,3.7 0 1,0 -7.4,0Z",
    square: "M-3.3,-3.3h6.6v6.6h-6.6Z",
    "triangle-up": "M-3.7,3.2L0,-3.2L3.7,3.2Z",
    diamond: "M0,-4.2L4.2,0L0,4.2L-4.2,0Z",
    "triangle-down": "M-3.7,-3.2L0,3.2L3.7,-3.2Z",
    cross: "M-4,-1.4h2.6v-2.6h2.8v2.6h2.6v2.8h-2.6v2.6h-2.8v-2.6h-2.6Z",
    stroke: "M-4,-1.4h8v2.8h-8Z",
};
const shapes = Object.keys(symbols);
const dashedRed = { stroke: chart.red, strokeDash: [5, 4], strokeWidth: 1.4 };
const height = 220;
const legendTop = 78;
const legendRow = 22;
const left = 62;
const between = 66;

/// Returns the SVG of a sweep; null if it has only one n.
export async function sweepChart({ run }, table, prefix) {
    const { rows, bound } = chart.usable(table.rows.filter((row) => row.n > 0));
    if (new Set(rows.map((row) => row.n)).size < 2) return null;
    const versions = [...new Set(chart.libraryLast(rows).map((row) => row.version))];
    const libraries = rows.filter((row) => row.library).map((row) => row.version);
    const look = new Map(versions.map((version, i) => [version, lookOf(i, libraries.includes(version))]));
    const values = rows.map((row) => ({ ...row, share: row.of_bound, ...look.get(row.version) }));
    const legend = legendOf(versions, look);
    const top = legendTop + legend.rows * legendRow + 20;
    const width = bound ? (chart.cardWidth - left - between - 30) / 2 : chart.cardWidth - left - 40;
    const panel = (name, left, layers) => chart.drawn({ left, top, width, height, layers }, `${prefix}${name}_`);

    const x = sizeAxis(rows);
    const times = rows.map((row) => row.us);
    const domain = [Math.min(...times) / 1.5, Math.max(...times) * 1.3];
    const title = { title: "us", titleAngle: 0, titleAlign: "right", titleX: -8, titleY: -8 };
    const ticks = { values: powersOfTen(domain), format: "~r", tickCount: 4 };
    const time = chart.number("us", { type: "log", domain }, { ...title, ...ticks });
    const ideal = bound && idealTimes(rows, domain[0]);
    const idealLine = ideal ? [chart.layer({ type: "line", ...dashedRed }, { x, y: time }, ideal)] : [];
    const body = [legend.body, await panel("time", left, [...idealLine, ...linesOf(values, x, time)])];
    if (bound) {
        const largest = Math.max(1, ...rows.map((row) => row.of_bound));
        const percent = { title: null, format: ".0%", values: [0, 0.25, 0.5, 0.75, 1] };
        const share = chart.number("share", { domain: [0, largest * 1.04] }, percent);
        const limit = chart.layer({ type: "rule", ...dashedRed }, { y: share }, [{ share: 1 }]);
        const begin = left + width + between;
        body.push(await panel("share", begin, [limit, ...linesOf(values, x, share)]));
        body.push(chart.text(begin, top - 10, `fraction of what ${bound} reaches`, chart.smallText(chart.soft)));
    }
    return chart.card({
        ...{ table, body, height: top + height + 50, shown: "time against n" },
        heading: bound ? "where the fixed cost ends" : "time against n",
        below: chart.measured(run, rows) + (bound ? `; dashed: what ${bound} alone would take` : ""),
        description: versions.map((version) => {
            const own = rows.filter((row) => row.version === version);
            const said = ({ us, n }) => `${us} us at n = ${n}`;
            return `${version}: ${said(own[0])}, ${said(own.at(-1))}`;
        }),
    });
}

function lookOf(i, library) {
    const shape = shapes[i % shapes.length];
    return library
        ? { color: chart.soft, shape, dash: [6, 3] }
        : { color: colors[i % colors.length], shape, dash: [1, 0] };
}

function linesOf(values, x, y) {
    const color = chart.given("color");
    const detail = { field: "version", type: "nominal" };
    const series = [...new Set(values.map(({ version }) => version))]; // draws the markers of one series after the other, so
                                                                       // that each series becomes one path
    const markers = series.flatMap((version) => values.filter((value) => value.version === version));
    const line = { type: "line", strokeWidth: 1.8, clip: true };
    const point = { type: "point", filled: true, size: 42, opacity: 1 };
    return [
        chart.layer(line, { x, y, color, detail, strokeDash: chart.given("dash") }, values),
        chart.layer(point, { x, y, color, shape: chart.given("shape") }, markers),
    ];
}

/// Returns the axis for n, with powers of two or of ten, depending on which of them most sizes are.
function sizeAxis(rows) {
    const sizes = rows.map((row) => row.n);
    const [smallest, largest] = [Math.min(...sizes), Math.max(...sizes)];
    const margin = (largest / smallest) ** 0.025;
    const binary = sizes.filter((n) => Number.isInteger(Math.log2(n))).length > sizes.length / 2;
    const scale = { type: "log", base: 2, domain: [smallest / margin, largest * margin] };
    return chart.number("n", scale, {
        title: "n",
        values: binary ? powersOfTwo(smallest, largest) : powersOfTen([smallest, largest]),
        grid: true,
        labelExpr: binary ? "'2^' + round(log(datum.value) / LN2)" : "format(datum.value, '~s')",
        labelOverlap: false,
        labelFlush: false,
    });
}

/// Returns the time that the bound alone takes for each n, which is time * fraction; null if it differs between versions.
function idealTimes(rows, lowest) {
    const ideal = new Map(rows.map((row) => [row.n, row.us * row.of_bound]));
    const same = (row) => Math.abs(row.us * row.of_bound - ideal.get(row.n)) < 0.02 * ideal.get(row.n);
    if (!rows.filter((row) => row.of_bound > 0.01).every(same)) return null;
    return [...ideal].map(([n, us]) => ({ n, us })).filter((value) => value.us >= lowest);
}

/// Returns powers of two in the range, at most seven, with equal distances.
function powersOfTwo(smallest, largest) {
    const first = Math.ceil(Math.log2(smallest) - 1e-9);
    const last = Math.floor(Math.log2(largest) + 1e-9);
    const step = Math.max(1, Math.ceil((last - first) / 6));
    const powers = [];
    for (let power = last; power >= first; power -= step) powers.unshift(2 ** power);
    return powers;
}

function powersOfTen([lowest, highest]) {
    const steps = highest / lowest < 100 ? [1, 2, 5] : [1];
    const powers = [];
    for (let power = Math.floor(Math.log10(lowest)); 10 ** power <= highest; ++power)
        powers.push(...steps.map((step) => step * 10 ** power));
    return powers.filter((n) => n >= lowest && n <= highest).map((n) => Number(n.toPrecision(3)));
}

/// Returns a legend whose columns are wide enough for the longest name.
function legendOf(versions, look) {
    const longest = Math.max(...versions.map((version) => version.length));
    const room = chart.cardWidth - 48;
    const columns = Math.max(1, Math.min(versions.length, Math.floor(room / (40 + longest * 7.2))));
    const body = versions.map((version, i) => {
        const x = 24 + ((i % columns) * room) / columns;
        const y = legendTop + Math.floor(i / columns) * legendRow;
        const { color, shape, dash } = look.get(version);
        const dashed = dash[1] > 0 ? ` stroke-dasharray="${dash}"` : "";
        return (
            `  <g transform="translate(${x.toFixed(1)},${y})"><line x1="0" y1="0" x2="26" y2="0" stroke="${color}" stroke-width="1.8"${dashed}/>` +
            `<path d="${symbols[shape]}" transform="translate(13,0)" fill="${color}" stroke="none"/>` +
            `${chart.text(34, 4.5, version, 'font-size="13"').trim()}</g>`
        );
    });
    return { body: body.join("\n"), rows: Math.ceil(versions.length / columns) };
}
