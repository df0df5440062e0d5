// Draws queued work: a row for each stream, a box for each piece, and a line from each piece to the pieces in other rows that
// waited for it.

const streamBox = { width: 104, height: 30, gapX: 22, gapY: 16, head: 118, top: 22 };

function shape(name, attributes, ...children) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
}

/// Returns the name of a piece in sentences, such as "copy in, line 12".
const pieceName = ({ name, line }) => `${name}${line > 0 ? `, line ${line}` : ""}`;

function streamsPicture(pieces) {
    const rows = [...new Map(pieces.map(({ row, stream }) => [row, stream])).entries()];
    rows.sort(([a], [b]) => a - b);
    const { width, height, gapX, gapY, head, top } = streamBox;
    const last = Math.max(...pieces.map(({ step }) => step));
    const x = (piece) => head + (piece.step - 1) * (width + gapX);
    const y = (piece) => top + rows.findIndex(([row]) => row === piece.row) * (height + gapY);
    const sizes = { width: head + last * (width + gapX), height: top + rows.length * (height + gapY) };
    const svg = shape("svg", { class: "streams", viewBox: `0 0 ${sizes.width} ${sizes.height}`, width: sizes.width, height: sizes.height, role: "img" });
    svg.setAttribute("aria-label", `${counted(pieces.length, "piece")} of work in ${counted(rows.length, "row")} and ${counted(last, "step")}`);
    for (let step = 1; step <= last; ++step)
        svg.append(shape("text", { class: "stream-step", x: x({ step }) + width / 2, y: 14 }, `${step}`));
    rows.forEach(([row, stream]) => svg.append(shape("text", { class: "stream-name", x: 0, y: y({ row }) + height / 2 + 5 }, stream)));
    for (const piece of pieces)
        for (const { piece: index, because } of piece.after) {
            const from = pieces[index];
            if (!from) continue;
            const begin = [x(from) + width, y(from) + height / 2], end = [x(piece), y(piece) + height / 2];
            const line = shape("path", { class: `stream-wait${because.startsWith("the host") ? " by-host" : ""}`, d: `M${begin}L${end}` });
            line.append(shape("title", {}, `${pieceName(piece)} waited for ${pieceName(from)}: ${because}`));
            svg.append(line);
        }
    for (const piece of pieces) {
        const box = shape("rect", { class: `piece ${piece.kind}${piece.pageable ? " pageable" : ""}`, x: x(piece), y: y(piece), width, height, rx: 4 });
        box.append(shape("title", {}, `${piece.stream}: ${pieceName(piece)}${piece.bytes ? `, ${counted(piece.bytes, "byte")}` : ""}`));
        const name = piece.name.length > 13 ? `${piece.name.slice(0, 12)}…` : piece.name;
        svg.append(box, shape("text", { class: `piece-name ${piece.kind}`, x: x(piece) + width / 2, y: y(piece) + height / 2 + 5 }, name));
    }
    return svg;
}

function showStreams() {
    const pieces = profile.timeline;
    by("streams-part").hidden = !pieces.length;
    if (!pieces.length) return;
    const waits = pieces.flatMap((piece) =>
        piece.after.filter(({ piece: index }) => pieces[index]).map(({ piece: index, because }) =>
            make("li", {}, `${pieceName(piece)} (${piece.stream}) waited for ${pieceName(pieces[index])} (${pieces[index].stream}): ${because}`),
        ),
    );
    by("streams").replaceChildren(streamsPicture(pieces));
    by("waits").replaceChildren(...waits);
    const pageable = pieces.filter((piece) => piece.pageable);
    by("pageable").textContent = pageable.length
        ? `Dashed: from or to memory of the host that is not pinned (${[...new Set(pageable.map(pieceName))].join("; ")}). A device does not overlap it.`
        : "";
    by("more-pieces").textContent = profile.unshown ? `${counted(profile.unshown, "piece")} more are not shown.` : "";
}
