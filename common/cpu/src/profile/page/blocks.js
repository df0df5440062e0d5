// Shows how the blocks of a launch are distributed over the multiprocessors: in waves, each with as many blocks as are resident
// at the same time.

function wave(title, blocks, resident, multiprocessors) {
    const list = make("ol", { class: "processors", "aria-hidden": "true" });
    for (let processor = 0; processor < multiprocessors; ++processor) {
        const here = Math.floor(blocks / multiprocessors) + (processor < blocks % multiprocessors ? 1 : 0);
        list.append(make("li", { class: here === resident ? "full" : here ? "part" : "" }, `${here}`));
    }
    return make("div", { class: "wave" }, make("p", {}, title), list);
}

function blocksPicture(shape, device) {
    const { multiprocessors } = device;
    const size = ([x, y, z]) => [x, y, z].slice(0, z > 1 ? 3 : y > 1 ? 2 : 1).map(digits).join(" × ");
    const product = ([x, y, z]) => x * y * z;
    const blocks = product(shape.grid);
    const threads = product(shape.block);
    const places = shape.resident * multiprocessors;
    const shared = shape.static_shared + shape.dynamic_shared;
    const picture = make(
        "div",
        {},
        make(
            "p",
            {},
            `A grid of ${size(shape.grid)} ${product(shape.grid) === 1 ? "block" : "blocks"}, each of ${size(shape.block)} threads with ${shape.registers} registers (assumed: only nvcc knows) and ` +
                `${counted(shared, "byte")} of shared memory.`,
        ),
    );
    if (!shape.resident) {
        picture.append(make("p", { class: "says bad" }, "No block of this shape fits on a multiprocessor."));
        return picture;
    }
    const warps = Math.ceil(threads / 32) * shape.resident;
    picture.append(
        make(
            "p",
            { class: "says" },
            `A multiprocessor of the ${device.name} holds ${counted(shape.resident, "block")} at once: ${warps} of ${device.threads / 32} warps, ` +
                `${Math.round((100 * warps) / (device.threads / 32))}\u00a0% occupancy.`,
        ),
    );
    const rows = [
        ["threads", "threads"],
        ["blocks", "places for blocks"],
        ["registers", "registers"],
        ["shared", "shared memory"],
    ].map(([name, title]) =>
        make(
            "tr",
            {},
            make("th", { scope: "row" }, title),
            make(
                "td",
                { class: shape.limits[name] === shape.resident ? "least" : "" },
                `${shape.limits[name] > 1000 ? "any number" : digits(shape.limits[name])}${shape.limits[name] === shape.resident ? ": this limits" : ""}`,
            ),
        ),
    );
    const head = make("tr", {}, make("th", { scope: "col" }, "what"), make("th", { scope: "col" }, "is enough for blocks"));
    picture.append(make("table", { class: "limits" }, make("thead", {}, head), make("tbody", {}, ...rows)));
    const waves = Math.ceil(blocks / places);
    const last = blocks - (waves - 1) * places;
    const idle = Math.max(0, multiprocessors - last);
    const busy = `${digits(last)} of ${digits(places)} places ${last === 1 ? "is" : "are"} taken` + (idle ? `, ${counted(idle, "multiprocessor")} ${idle === 1 ? "has" : "have"} nothing to do` : "");
    if (waves > 1)
        picture.append(
            wave(
                `Wave ${waves > 2 ? `1 to ${waves - 1}` : "1"} of ${waves}: all ${digits(places)} places are taken. Blocks per multiprocessor:`,
                places,
                shape.resident,
                multiprocessors,
            ),
        );
    const which = waves > 1 ? `Wave ${waves}, the tail: ${busy}.` : `All blocks at once, in one wave: ${busy}.`;
    picture.append(wave(`${which} Blocks per multiprocessor:`, last, shape.resident, multiprocessors));
    return picture;
}
