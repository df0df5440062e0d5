// Measures one slide in the browser. `inspect` is sent to the page as text, so it uses nothing else except axe-core's colours.
// It returns plain problems { what, where, cure }; check.mjs adds the deck and the slide.

const shorten = "shorten the slide or make two of it";

/// Limits in pixels, for a slide of 1280 x 720.
export const limits = {
    tolerance: 1.5,
    contrast: 4.5,
    // Kinds of text: where they are, their minimum size, and what to do.
    sizes: {
        figure: ["text, tspan", 16, "draw the figure with larger text, or give it more of the slide (class picture)"],
        code: ["pre", 20, "show fewer lines (lines=)"],
        foot: ["footer", 16, "leave the foot to the theme"],
        table: ["table, figcaption", 24, "leave sizes to the theme and shorten the table"],
        text: ["*", 28, "leave sizes to the theme and shorten the text"],
    },
    // Elements that a text must not leave.
    bounds: {
        "code block": "show fewer columns: lines=, class small, or a shorter line in the source",
        figure: "mend the figure",
        slide: shorten,
        column: "make the column wider (wide-left, wide-right) or its content shorter",
        "frame that clips it": shorten,
    },
};

/// Returns all problems of slide `index` (from 0). `withContrast` is only for a slide on the screen, because the contrast is
/// measured from what is under a point.
export function inspect(index, limits, withContrast) {
    const section = document.querySelectorAll("section[data-marpit-pagination], section[id]")[index];
    const frame = section.getBoundingClientRect();
    const scale = frame.width / 1280;
    const padding = (side) => parseFloat(getComputedStyle(section)[`padding${side}`]) * scale;
    const inner = {
        left: frame.left + padding("Left"),
        right: frame.right - padding("Right"),
        top: frame.top + padding("Top"),
        bottom: frame.bottom - padding("Bottom"),
    };
    const problems = [];
    const report = (what, where, cure) =>
        problems.push({ what, where: where.trim().replace(/\s+/g, " ").slice(0, 60), cure });

    /// Returns by how much, and on which side, `box` leaves `bounds`; null if it does not.
    function beyond(box, bounds) {
        const by = [
            ["right", box.right - bounds.right],
            ["bottom", box.bottom - bounds.bottom],
            ["left", bounds.left - box.left],
            ["top", bounds.top - box.top],
        ];
        const [side, worst] = by.sort((a, b) => b[1] - a[1])[0];
        const px = Math.round(worst / scale);
        return worst > limits.tolerance * scale ? `reaches ${px} px beyond its ${side} edge` : null;
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
        if (rects.length > 0) texts.push({ node, parent, rects, drawn: parent instanceof SVGElement });
        else if (getComputedStyle(parent).display !== "none") report("text is not visible", node.data, "give it room");
    }

    for (const { node, parent, rects, drawn } of texts) {
        const matrix = drawn ? parent.getScreenCTM() : null;
        const zoom = drawn ? Math.hypot(matrix.b, matrix.d) / scale : 1;
        const size = parseFloat(getComputedStyle(parent).fontSize) * zoom;
        const kind = Object.keys(limits.sizes).find((name) => parent.closest(limits.sizes[name][0]));
        const [, least, cure] = limits.sizes[kind];
        if (size < least - 0.05)
            report(`${kind} of ${size.toFixed(1)} px, at least ${least} are wanted`, node.data, cure);

        const bounds = [];
        const bound = (name, element) => element && bounds.push([name, element.getBoundingClientRect()]);
        if (drawn) bounds.push(["figure", viewBoxOf(parent.ownerSVGElement)]);
        bound("code block", parent.closest("pre"));
        bounds.push(["slide", kind === "foot" ? frame : inner]);
        bound("column", parent.closest(".column"));
        for (let box = parent; !drawn && box !== section; box = box.parentElement) {
            if (/hidden|clip|auto|scroll/.test(getComputedStyle(box).overflow)) bound("frame that clips it", box);
        }
        for (const [name, box] of bounds) {
            const out = rects.map((rect) => beyond(rect, box)).find(Boolean);
            if (!out) continue;
            report(`text of its ${name} ${out}`, node.data, limits.bounds[name]);
            break;
        }
    }

    for (const box of section.querySelectorAll("pre, table, blockquote, figure, img, figure > svg")) {
        const out = beyond(box.getBoundingClientRect(), inner);
        if (out) report(`${box.localName} ${out} of the slide`, box.textContent, limits.bounds.slide);
    }

    // Finds texts that overlap. Line boxes are higher than letters, so a fifth is removed at the top and at the bottom.
    const boxes = texts.flatMap(({ node, rects }) =>
        rects.map(({ left, right, top, bottom, height }) => {
            return { node, left, right, top: top + height / 5, bottom: bottom - height / 5 };
        }),
    );
    boxes.forEach((a, i) => {
        for (const b of boxes.slice(i + 1)) {
            const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
            const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
            if (a.node === b.node || wide < 2 * scale || high < 1) continue;
            const where = [a, b].map(({ node }) => node.data.trim().slice(0, 25)).join(" | ");
            report("two texts lie on each other", where, "move one of them");
        }
    });

    for (const image of section.querySelectorAll("img")) {
        if (!image.complete || image.naturalWidth === 0)
            report("an image is not loaded", image.src, "is the file there?");
        if (!image.alt.trim()) report("an image has no alternative text", image.src, "![what it shows](...)");
    }
    for (const svg of section.querySelectorAll("svg")) {
        const outermost = svg.parentElement.closest("svg") === section.closest("svg");
        if (outermost && !svg.getAttribute("aria-label")?.trim())
            report("a figure has no alternative text", svg.textContent, "![what it shows](...)");
    }
    if (withContrast) texts.forEach(contrastOf);
    return problems;

    /// Compares the colour of a text with the colour under it, at three points of its first and last line.
    function contrastOf({ node, parent, rects, drawn }) {
        const { fill, fillOpacity, color: written } = getComputedStyle(parent);
        const color = drawn ? colorOf(fill, fillOpacity * opacityOf(parent)) : colorOf(written, opacityOf(parent));
        let worst = Infinity;
        for (const rect of [rects[0], rects.at(-1)]) {
            for (const share of [0.08, 0.5, 0.92]) {
                const under = colorUnder(rect.left + rect.width * share, rect.top + rect.height / 2, parent);
                if (under) worst = Math.min(worst, axe.commons.color.getContrast(under, color));
            }
        }
        const what = `contrast ${worst.toFixed(2)} : 1, at least ${limits.contrast} is wanted`;
        if (worst < limits.contrast) report(what, node.data, `a darker colour than ${drawn ? fill : written}`);
    }

    function colorOf(text, opacity) {
        const color = new axe.commons.color.Color(0, 0, 0, 0);
        if (text !== "none") color.parseString(text);
        color.alpha *= opacity;
        return color;
    }

    function opacityOf(element) {
        let opacity = 1;
        for (let at = element; at && at !== section; at = at.parentElement)
            opacity *= parseFloat(getComputedStyle(at).opacity);
        return opacity;
    }

    /// Returns the colour under a point; null if there is a picture or a pattern.
    function colorUnder(x, y, textElement) {
        const stack = document.elementsFromPoint(x, y);
        const layers = [];
        for (const element of stack.slice(stack.indexOf(textElement) + 1)) {
            const { fill, fillOpacity, backgroundColor, backgroundImage } = getComputedStyle(element);
            if (element instanceof SVGGeometryElement) {
                const local = new DOMPoint(x, y).matrixTransform(element.getScreenCTM().inverse());
                if (!element.isPointInFill(local)) continue;
                if (fill.startsWith("url")) return null;
                layers.push(colorOf(fill, fillOpacity * opacityOf(element)));
            } else if (element instanceof HTMLElement) {
                if (backgroundImage !== "none") return null;
                layers.push(colorOf(backgroundColor, 1));
            }
            if (layers.at(-1)?.alpha >= 0.999) break;
        }
        const white = new axe.commons.color.Color(255, 255, 255, 1);
        return layers.reduceRight((under, layer) => axe.commons.color.flattenColors(layer, under), white);
    }
}
