// What is measured on one slide, in the browser. `inspect` is sent into the page as text, so it uses nothing from outside.
// It returns plain problems { what, where, cure }; check.mjs adds deck and slide.

/// At 1280 x 720, in pixels.
export const limits = { text: 28, table: 24, code: 20, figure: 16, foot: 16, contrast: 4.5, tolerance: 1.5 };

/// All problems of slide `index` (from 0). `withContrast` only where the slide is on the screen: it asks what lies under a point.
export function inspect(index, limits, withContrast) {
    const section = document.querySelectorAll("section[data-marpit-pagination], section[id]")[index];
    const frame = section.getBoundingClientRect();
    const scale = frame.width / 1280;
    const style = getComputedStyle(section);
    const pad = (side) => parseFloat(style[`padding${side}`]) * scale;
    const inner = {
        left: frame.left + pad("Left"),
        right: frame.right - pad("Right"),
        top: frame.top + pad("Top"),
        bottom: frame.bottom - pad("Bottom"),
    };
    const problems = [];
    const report = (what, where, cure) =>
        problems.push({ what, where: where.trim().replace(/\s+/g, " ").slice(0, 60), cure });
    const px = (value) => `${Math.round(value / scale)} px`;

    /// By how much, and where, `box` leaves `bounds`; null if it does not.
    function beyond(box, bounds) {
        const sides = ["right", "bottom", "left", "top"];
        const by = sides.map((side) =>
            side === "right" || side === "bottom" ? box[side] - bounds[side] : bounds[side] - box[side],
        );
        const worst = by.indexOf(Math.max(...by));
        return by[worst] > limits.tolerance * scale
            ? `${px(by[worst])} beyond its ${sides[worst]} edge`
            : null;
    }

    function viewBoxOf(svg) {
        const matrix = svg.getScreenCTM();
        const box = svg.viewBox.baseVal;
        if (!matrix || !box || box.width === 0) return svg.getBoundingClientRect();
        const corner = (x, y) => new DOMPoint(x, y).matrixTransform(matrix);
        const [first, last] = [corner(box.x, box.y), corner(box.x + box.width, box.y + box.height)];
        return { left: first.x, top: first.y, right: last.x, bottom: last.y };
    }

    const texts = [];
    const walker = document.createTreeWalker(section, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const node = walker.currentNode;
        const parent = node.parentElement;
        if (node.data.trim() === "" || parent.closest("style, script, title, desc, defs")) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        const rects = [...range.getClientRects()].filter((rect) => rect.width > 0.5 && rect.height > 0.5);
        if (rects.length === 0) {
            if (getComputedStyle(parent).display !== "none")
                report("text is not visible", node.data, "give it room");
            continue;
        }
        const drawn = parent instanceof SVGElement;
        const matrix = drawn ? parent.getScreenCTM() : null;
        const zoom = drawn ? Math.hypot(matrix.b, matrix.d) : scale;
        const size = (parseFloat(getComputedStyle(parent).fontSize) * zoom) / scale;
        texts.push({ node, parent, rects, drawn, size });
    }

    for (const { node, parent, rects, drawn, size } of texts) {
        const kind = drawn
            ? "figure"
            : parent.closest("pre")
              ? "code"
              : parent.closest("footer")
                ? "foot"
                : parent.closest("table, figcaption")
                  ? "table"
                  : "text";
        if (size < limits[kind] - 0.05) {
            const cures = {
                figure: "draw the figure with larger text, or give it more of the slide (class picture)",
                code: "show fewer lines (lines=)",
                foot: "leave the foot to the theme",
                table: "leave sizes to the theme and shorten the table",
                text: "leave sizes to the theme and shorten the text",
            };
            report(
                `${kind} of ${size.toFixed(1)} px, at least ${limits[kind]} are wanted`,
                node.data,
                cures[kind],
            );
        }
        const pre = parent.closest("pre");
        const bounds = [["slide", kind === "foot" ? frame : inner]];
        if (pre) bounds.unshift(["code block", pre.getBoundingClientRect()]);
        if (drawn) bounds.unshift(["figure", viewBoxOf(parent.ownerSVGElement)]);
        const column = parent.closest(".column");
        if (column) bounds.push(["column", column.getBoundingClientRect()]);
        for (let box = parent; box && box !== section; box = box.parentElement) {
            if (/hidden|clip|auto|scroll/.test(getComputedStyle(box).overflow) && !drawn)
                bounds.push(["frame that clips it", box.getBoundingClientRect()]);
        }
        for (const [name, bound] of bounds) {
            const out = rects.map((rect) => beyond(rect, bound)).find(Boolean);
            if (!out) continue;
            const cure = {
                "code block": "show fewer columns: lines=, class small, or a shorter line in the source",
                figure: "mend the figure",
                column: "make the column wider (wide-left, wide-right) or its content shorter",
            };
            report(
                `text of its ${name} reaches ${out}`,
                node.data,
                cure[name] ?? "shorten the slide or make two of it",
            );
            break;
        }
    }

    for (const box of section.querySelectorAll("pre, table, blockquote, figure, img, figure > svg")) {
        const out = beyond(box.getBoundingClientRect(), inner);
        if (out)
            report(
                `${box.localName} reaches ${out} of the slide`,
                box.textContent,
                "shorten the slide or make two of it",
            );
    }

    // Texts that lie on each other. Line boxes are higher than letters, so a fifth is taken off above and below.
    const boxes = texts.flatMap(({ node, parent, rects }) =>
        rects.map((rect) => ({
            node,
            parent,
            left: rect.left,
            right: rect.right,
            top: rect.top + rect.height / 5,
            bottom: rect.bottom - rect.height / 5,
        })),
    );
    for (let i = 0; i < boxes.length; ++i) {
        for (let k = i + 1; k < boxes.length; ++k) {
            const [a, b] = [boxes[i], boxes[k]];
            if (a.node === b.node || Math.min(a.right, b.right) - Math.max(a.left, b.left) < 2 * scale)
                continue;
            if (Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) < 1) continue;
            report(
                "two texts lie on each other",
                `${a.node.data.trim().slice(0, 25)} | ${b.node.data.trim().slice(0, 25)}`,
                "move one of them",
            );
        }
    }

    for (const image of section.querySelectorAll("img")) {
        if (!image.complete || image.naturalWidth === 0)
            report("an image is not loaded", image.src, "is the file there?");
        if (!image.alt.trim()) report("an image has no alternative text", image.src, "![what it shows](...)");
    }
    for (const svg of section.querySelectorAll("svg")) {
        if (
            svg.parentElement.closest("svg") === section.closest("svg") &&
            !svg.getAttribute("aria-label")?.trim()
        )
            report("a figure has no alternative text", svg.textContent, "![what it shows](...)");
    }
    if (withContrast) for (const text of texts) contrastOf(text);
    return problems;

    /// Compares the colour of a text with what lies under it, at three points.
    function contrastOf({ node, parent, rects, drawn }) {
        const own = getComputedStyle(parent);
        const color = rgba(drawn ? own.fill : own.color);
        if (drawn) color[3] *= parseFloat(own.fillOpacity);
        let worst = Infinity;
        for (const rect of [rects[0], rects[rects.length - 1]]) {
            for (const share of [0.08, 0.5, 0.92]) {
                const x = rect.left + rect.width * share;
                const y = rect.top + rect.height / 2;
                const under = backgroundAt(x, y, parent);
                if (under === null) continue;
                const alpha = color[3] * opacityOf(parent);
                const seen = color.slice(0, 3).map((value, i) => value * alpha + under[i] * (1 - alpha));
                worst = Math.min(worst, ratio(seen, under));
            }
        }
        if (worst < limits.contrast)
            report(
                `contrast ${worst.toFixed(2)} : 1, at least ${limits.contrast} is wanted`,
                node.data,
                `a darker colour than ${drawn ? own.fill : own.color}`,
            );
    }

    function rgba(text) {
        const numbers = text.match(/[\d.]+/g)?.map(Number) ?? [0, 0, 0, 0];
        return text === "none" ? [0, 0, 0, 0] : [numbers[0], numbers[1], numbers[2], numbers[3] ?? 1];
    }

    function opacityOf(element) {
        let opacity = 1;
        for (let at = element; at && at !== section; at = at.parentElement)
            opacity *= parseFloat(getComputedStyle(at).opacity);
        return opacity;
    }

    function backgroundAt(x, y, textElement) {
        const stack = document.elementsFromPoint(x, y);
        const own = stack.indexOf(textElement);
        const layers = [];
        for (const element of stack.slice(own + 1)) {
            if (element === textElement || element instanceof SVGTextContentElement) continue;
            const computed = getComputedStyle(element);
            let color = null;
            if (element instanceof SVGGeometryElement) {
                const local = new DOMPoint(x, y).matrixTransform(element.getScreenCTM().inverse());
                if (!element.isPointInFill(local)) continue;
                color = rgba(computed.fill);
                color[3] *= parseFloat(computed.fillOpacity);
            } else if (element instanceof HTMLElement) {
                if (computed.backgroundImage !== "none") return null;
                color = rgba(computed.backgroundColor);
            } else continue;
            color[3] *= element instanceof SVGElement ? opacityOf(element) : 1;
            layers.push(color);
            if (color[3] >= 0.999) break;
        }
        return layers
            .reverse()
            .reduce(
                (under, layer) => under.map((value, i) => layer[i] * layer[3] + value * (1 - layer[3])),
                [255, 255, 255],
            );
    }

    function ratio(a, b) {
        const luminance = (color) => {
            const [red, green, blue] = color
                .map((value) => value / 255)
                .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
            return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
        };
        const [dark, light] = [luminance(a), luminance(b)].sort((first, second) => first - second);
        return (light + 0.05) / (dark + 0.05);
    }
}
