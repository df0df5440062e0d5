// The picture of a profile for readers without JavaScript, on a phone and on paper: the first steps of the first warp of each kernel,
// as SVG.
import { escaped } from "../shared.mjs";

const width = 960, gap = 18, edge = 16, rowHeight = 18, mostRows = 22;
const names = {
    load: "load", store: "store", shared_load: "shared load", shared_store: "shared store", atomic: "atomic", barrier: "barrier",
    warp_barrier: "warp barrier", shuffle: "shuffle", vote: "vote", exchange: "exchange",
};
const units = { load: "sector", store: "sector", shared_load: "wavefront", shared_store: "wavefront", atomic: "address" };

const bits = (mask) => [...Array(32).keys()].filter((lane) => (mask >>> lane) & 1);

/// Returns from which lane the lanes of a shuffle read, if that is one lane or one distance.
function sources({ lanes, from }) {
    const readers = bits(lanes);
    const all = new Set(readers.map((lane) => from[lane]));
    const distances = new Set(readers.filter((lane) => from[lane] !== lane).map((lane) => from[lane] - lane));
    if (all.size === 1) return `from lane ${[...all][0]}`;
    if (distances.size !== 1) return `${readers.length} lanes`;
    const [distance] = distances;
    return `from lane ${distance > 0 ? "+" : "−"} ${Math.abs(distance)}`;
}

/// Returns what a step costs or exchanges, as { text, wasted }.
function result(step) {
    const unit = units[step.kind];
    if (step.kind === "vote") return { text: `${bits(step.yes).length} of ${bits(step.lanes).length} yes` };
    if (step.kind === "shuffle") return { text: sources(step) };
    if (!unit) return { text: `${bits(step.lanes).length} lanes` };
    const text = `${step.units} ${unit}${step.units === 1 ? "" : unit === "address" ? "es" : "s"}`;
    return { text, wasted: step.kind === "atomic" ? step.units < step.ideal : step.units > step.ideal };
}

const text = (x, y, content, more = "") => `<text x="${x}" y="${y}"${more}>${escaped(content)}</text>\n`;

function row(step, y, panel) {
    const x = [0, 38, 122];
    const lane = (panel - 122 - 92) / 32;
    const filled = new Set(bits(step.yes ?? step.lanes));
    const cells = (is) =>
        [...Array(32).keys()]
            .filter(is)
            .map((each) => `M${(x[2] + each * lane).toFixed(1)} ${y - 10}h${(lane - 0.8).toFixed(1)}v12h-${(lane - 0.8).toFixed(1)}z`)
            .join("");
    const { text: said, wasted } = result(step);
    return (
        text(x[0], y, `${step.line}`, ` fill="#5b6975"`) +
        text(x[1], y, names[step.kind]) +
        `<path fill="#dddad0" d="${cells((each) => !filled.has(each))}"/>\n<path fill="#17657f" d="${cells((each) => filled.has(each))}"/>\n` +
        text(panel - 86, y, said, wasted ? ` fill="#b23f05" font-weight="bold"` : "")
    );
}

/// Returns the picture of these kernels, next to each other.
export function pictureOf(kernels) {
    const panel = (width - 2 * edge - (kernels.length - 1) * gap) / kernels.length;
    const steps = kernels.map(({ warps }) => warps[0]?.steps ?? []);
    const rows = Math.min(mostRows, Math.max(...steps.map((all) => all.length)));
    const height = 74 + rows * rowHeight + 30;
    const panels = kernels.map(({ name }, i) => {
        const shown = steps[i].slice(0, mostRows);
        const left = steps[i].length - shown.length;
        return (
            `<g transform="translate(${edge + i * (panel + gap)} 0)">\n` +
            text(0, 28, name, ` font-size="14" font-weight="bold" font-family="monospace"`) +
            text(0, 50, "line", ` fill="#5b6975"`) +
            text(38, 50, "step", ` fill="#5b6975"`) +
            text(122, 50, "lanes 0 to 31", ` fill="#5b6975"`) +
            shown.map((step, k) => row(step, 72 + k * rowHeight, panel)).join("") +
            (left > 0 ? text(38, 72 + shown.length * rowHeight, `and ${left} more`, ` fill="#5b6975"`) : "") +
            `</g>\n`
        );
    });
    return (
        `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" ` +
        `font-family="Helvetica, Arial, sans-serif" font-size="12" fill="#26323d">\n<title>Steps of a warp</title>\n` +
        `<rect x="1" y="1" width="${width - 2}" height="${height - 2}" rx="10" stroke="#c9c5ba" stroke-width="1.2" fill="#f7f6f2"/>\n` +
        `${panels.join("")}</svg>\n`
    );
}
