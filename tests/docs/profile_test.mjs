// Tests the page that --profile=FILE.html writes, in Chromium: its contents for tests/kit/programs/profiled.cu are correct, it
// can be used with the keyboard, fits a phone, is complete on paper, and axe-core reports nothing. The environment variable
// PROFILE_PAGE is its path.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { openBrowser, openPage, show } from "../../common/docs/browser.mjs";

const file = process.env.PROFILE_PAGE;
const html = readFileSync(file, "utf8");
const data = JSON.parse(html.match(/<script type="application\/json" id="profile">(.*?)<\/script>/s)[1]);
const part = data.kernels[1].source[0];
const storeIntoTile = part.first + part.text.findIndex((line) => line.includes("tile[threadIdx.y][threadIdx.x] = in"));
const kernels = ["transpose_naive", "transpose_tile", "sum_tree", "wide_lanes", "exchanges"];

let browser, page, refused, session;
const failures = [];
before(async () => {
    browser = await openBrowser();
    ({ page, refused } = await openPage(browser, "the page"));
    session = await page.createCDPSession();
    page.on("pageerror", (error) => failures.push(error.message));
    page.on("console", (message) => failures.push(message.text()));
});
after(() => browser.close());

/// Sets the medium and the colour scheme at the same time, because puppeteer's own calls for one of them reset the other.
const emulate = (media, scheme) =>
    session.send("Emulation.setEmulatedMedia", { media, features: [{ name: "prefers-color-scheme", value: scheme }] });

/// Opens the page again, and selects a kernel.
async function open(kernel, { width = 1440, height = 900, scheme = "light", media = "screen" } = {}) {
    await page.setViewport({ width, height });
    await emulate(media, scheme);
    await show(page, file);
    await page.evaluate((k) => document.querySelectorAll("#kernels button")[k].click(), kernels.indexOf(kernel));
}
const text = (selector) => page.$eval(selector, (element) => element.innerText);
const texts = (selector) => page.$$eval(selector, (all) => all.map((element) => element.innerText.trim()));
const count = (selector) => page.$$eval(selector, (all) => all.length);
const choose = (selector, label) =>
    page.$$eval(selector, (all, label) => all.find((element) => element.innerText.includes(label)).click(), label);
const has = (whole, part) => assert.ok(whole.includes(part), `no ${JSON.stringify(part)} in:\n${whole}`);

test("what is in the file: counts of each line, requests lane by lane, steps, launches", () => {
    assert.deepEqual(data.kernels.map(({ name }) => name), kernels);
    const [naive, tile, tree] = data.kernels;
    const of = (kernel, wanted) => kernel.lines.flatMap(({ kinds }) => kinds).filter(({ kind }) => kind === wanted);
    assert.deepEqual(of(naive, "store").map(({ requests, units, ideal }) => [requests, units, ideal]), [[128, 4096, 512]]);
    assert.deepEqual(of(tile, "shared_load").map(({ requests, units, ideal }) => [requests, units, ideal]), [[128, 4096, 128]]);
    const column = tile.samples.find(({ kind, warp }) => kind === "shared_load" && warp === 1);
    assert.deepEqual(column.at, [...Array(32).keys()].map((lane) => 128 * lane + 4)); // row `lane` of column 1
    assert.deepEqual(column.elements, [...Array(32).keys()].map((lane) => `tile[${lane}][1]`));
    const columnOf = naive.samples.find(({ kind, warp }) => kind === "store" && warp === 2);
    assert.deepEqual(columnOf.at, [...Array(32).keys()].map((lane) => 256 * lane + 8));
    assert.equal(columnOf.elements[3], "out[194]");
    assert.equal(tree.shapes.length, 1);
    assert.equal(tree.shapes[0].launches, 2);
    assert.deepEqual(tree.warps.map(({ warp }) => warp), [0, 1, 2, 3]);
    // In round k of the tree, every 2^(k+1)-th lane makes two loads and a store, as long as the warp has such lanes.
    const lanes = tree.warps[0].steps.filter(({ kind }) => kind === "shared_store").map((step) => step.lanes);
    assert.deepEqual(lanes, [0xffffffff, 0x55555555, 0x11111111, 0x01010101, 0x00010001, 1, 1, 1]);
    for (const { samples } of data.kernels)
        for (const line of new Set(samples.map((sample) => sample.line)))
            assert.ok(samples.filter((sample) => sample.line === line).length <= 3 * 13, "what is kept is bounded");
});

test("no text of the source gets out of the place where the data is", async () => {
    assert.equal(html.match(/<\/script>/g).length, 2);
    await open("transpose_tile");
    has(await text("#source"), `// </script><b> "x" & 'y' é`);
    assert.equal(await count("#source b"), 0);
});

test("the line that wastes most is chosen, and its worst request is drawn", async () => {
    await open("transpose_naive");
    has(await text("#chosen-body"), "32 sectors per request, 4 are enough: neighbours are 256 bytes apart.");
    assert.equal(await count("#request > figure .moved"), 32);
    assert.equal(await count("#request > figure .cell.used"), 32);
    has(await text("#request"), "1,024 bytes are moved, and 13 % of them are used");
    await choose("#what button", "global load");
    assert.equal(await count("#request > figure .moved"), 4);
    assert.equal(await count("#request > figure .cell.used"), 32);

    await open("transpose_tile");
    has(await text("#request"), "Conflict: bank 0 has 32 different words to give (lanes 0–31)");
    assert.equal(await count("#request > figure .bank:nth-child(1) .cell.used, #request > figure .bank:nth-child(1) .extra"), 32);
    await choose("#who button", "warp 1");
    has(await text("#request"), "Conflict: bank 1 has 32 different words to give");
    has((await texts("#request > figure .lanes li")).join("\n"), "tile[31][1]");

    await open("sum_tree");
    has(await text("#request"), "8 lanes update 1 address: on the busiest, 8 lanes go one after another.");
});

test("every request that is kept is drawn with as many sectors and wavefronts as the executor counted", async () => {
    let drawn = 0;
    for (const name of kernels) {
        await open(name);
        drawn += await page.evaluate(() => {
            const wrong = [];
            for (const sample of kernel().samples) {
                const figure = requestPicture(sample);
                const found = isShared(sample.kind)
                    ? partsOf(sample).reduce((sum, { wavefronts }) => sum + wavefronts, 0)
                    : sample.kind === "atomic"
                      ? new Set(activeLanes(sample.lanes).map((lane) => sample.at[lane])).size
                      : figure.querySelectorAll(".moved").length;
                if (found !== sample.units) wrong.push(`${sample.kind} of line ${sample.line}: ${found}, not ${sample.units}`);
            }
            if (wrong.length) throw new Error(wrong.join("\n"));
            return kernel().samples.length;
        });
    }
    assert.ok(drawn > 30, `${drawn} requests`);
});

test("wide lanes: each group that goes together has its own picture of the banks", async () => {
    await open("wide_lanes");
    await choose("#source button", "doubles[threadIdx.x * 16]");
    await choose("#what button", "shared load");
    assert.equal(await count("#request > figure .banks"), 2, "half warps");
    has(await text("#request"), "Conflict: bank 0 has 16 different words to give (lanes 0–15), as has 1 other bank.");
    await choose("#source button", "fours[31 - threadIdx.x]");
    await choose("#what button", "shared load");
    assert.equal(await count("#request > figure .banks"), 4, "quarter warps");
    has(await text("#request"), "Lanes 8–15 find each bank with at most one word to give: no conflict, 1 wavefront.");
    await choose("#source button", "fours[5]");
    await choose("#what button", "shared load");
    assert.equal(await count("#request > figure .banks"), 2, "what neighbours want is given to half a warp");
    has(await text("#request"), "Lanes 0–15 find each bank with at most one word to give");
});

test("by keyboard: lines, requests, steps, kernels", async () => {
    await open("transpose_tile");
    await page.focus('#source button[tabindex="0"]');
    assert.equal(await count('#source button[tabindex="0"]'), 1);
    const title = () => text("#chosen-title");
    const focused = () => page.evaluate(() => document.activeElement.innerText);
    const last = await title();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    assert.notEqual(await title(), last);
    has(await focused(), "tile[threadIdx.y][threadIdx.x] = in[y * n + x]");
    has(await text("#chosen-body"), "1 wavefront per request: no more than needed.");
    has((await texts("#request > figure .lanes li")).join("\n"), "in[31]");
    await page.keyboard.press("End");
    assert.equal(await title(), last);
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
    assert.equal(outline, "solid", "the focus is visible");

    await page.keyboard.press("Tab"); // to the requests of the line
    has(await focused(), "shared load of tile");
    await page.keyboard.press("ArrowLeft");
    has(await focused(), "global store of out");
    has((await texts("#request > figure .lanes li")).join("\n"), "out[31]");
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowRight");
    has(await focused(), "warp 1");
    has((await texts("#request > figure .lanes li")).join("\n"), "out[95]");

    await page.keyboard.press("Tab"); // to the warps whose steps are shown
    await page.keyboard.press("End");
    has(await focused(), "warp 3");
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowDown"); // to its second step, the store into the tile
    has(await title(), `Line ${storeIntoTile} `);
    has((await texts("#request > figure .lanes li")).join("\n"), "tile[3][31]");

    await page.focus('#kernels button[aria-checked="true"]');
    await page.keyboard.press("ArrowRight");
    has(await text("#source"), "sum_tree");
    assert.equal(await focused(), "sum_tree");
});

test("on a phone a tap on a line shows what it is about, and there is a way back", async () => {
    await open("transpose_tile", { width: 360, height: 740 });
    const top = (selector) => page.$eval(selector, (element) => element.getBoundingClientRect().top);
    await page.click("#source button");
    assert.ok(Math.abs(await top("#chosen")) < 10);
    has(await text("#chosen-title"), `Line ${storeIntoTile} `);
    await page.click(".back a");
    assert.ok(Math.abs(await top("#source-part")) < 10);
    await page.click("#steps li:nth-child(3) button");
    assert.ok(Math.abs(await top("#chosen")) < 10);
    await page.click(".back a:nth-child(2)");
    assert.ok(Math.abs(await top("#steps-part")) < 10);
});

test("streams: a box for each piece, a line for each wait, and in words what waited for what", async () => {
    await open("sum_tree");
    assert.equal(await page.$eval("#streams-part", (part) => part.hidden), true, "this program uses no streams");
    await page.evaluate(() => {
        const piece = (name, kind, stream, step, line, after = []) =>
            ({ name, kind, row: stream, stream: `stream ${stream}`, step, bytes: 0, pageable: 0, file: "x.cu", line, after });
        profile.timeline = [piece("copy in", "copy_in", 1, 1, 10), piece("square", "kernel", 2, 2, 12, [{ piece: 0, because: "an event, line 11" }])];
        profile.unshown = 0;
        showStreams();
    });
    assert.equal(await count("#streams rect"), 2);
    assert.equal(await count("#streams .stream-wait"), 1);
    assert.deepEqual(await texts("#waits li"), ["square, line 12 (stream 2) waited for copy in, line 10 (stream 1): an event, line 11"]);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the picture scrolls, the page does not");
});

test("steps: which lanes take part", async () => {
    await open("sum_tree");
    const rows = await page.$$eval("#steps .strip", (all) => all.map((strip) => strip.getAttribute("aria-label")));
    assert.equal(rows[0], "lanes 0–31");
    assert.equal(rows[11], "lanes 0, 8, 16, 24");
    await choose("#warps button", "warp 3");
    const far = await page.$$eval("#steps .strip", (all) => all.map((strip) => strip.getAttribute("aria-label")));
    assert.equal(far.at(-1), "lanes 0–31", "its last step is the barrier");
    assert.equal(far.length, 25); // a load and a store, 8 barriers, and two loads and a store in each of the rounds 1 to 5
});

test("shuffles and votes: which lane reads from which lane, and which lanes vote yes", async () => {
    const lanes = [...Array(32).keys()];
    const mask = (is) => lanes.filter(is).reduce((sum, lane) => sum + 2 ** lane, 0);
    const { steps } = data.kernels[4].warps[0];
    const wanted = [
        ["shuffle", lanes.map((lane) => (lane + 8 < 32 ? lane + 8 : lane))],
        ["shuffle", lanes.map((lane) => Math.max(lane - 1, 0))],
        ["shuffle", lanes.map((lane) => lane ^ 4)],
        ["shuffle", lanes.map(() => 5)],
        ["vote", mask((lane) => lane % 2 === 0)],
        ["vote", mask((lane) => lane !== 3)], // __all_sync()
        ["vote", mask((lane) => lane === 7)], // of the lanes 0 to 15
        ["warp_barrier", undefined],
        ["exchange", undefined],
        ["store", undefined],
    ];
    assert.deepEqual(steps.map(({ kind, from, yes }) => [kind, from ?? yes]), wanted);
    assert.deepEqual(steps.map((step) => step.lanes === 0xffffffff), wanted.map((step, i) => i !== 6));
    assert.equal(steps[6].lanes, 0xffff);

    await open("exchanges");
    assert.deepEqual(await page.$$eval("#steps .step > :last-child", (all) => all.map((part) => part.innerText)), [
        "from lane + 8", "from lane − 1", "from lane ^ 4", "from lane 5", "16 of 32 yes", "31 of 32 yes", "1 of 16 yes", "32 lanes", "32 lanes",
        "4 sectors",
    ]);
    const step = async (i) => {
        await page.evaluate((k) => document.querySelectorAll("#steps button")[k].click(), i);
        return text("#chosen-body");
    };
    has(await step(0), "Lanes 0–23 read from the lane that is 8 higher. Lanes 24–31 read their own values.");
    has((await texts("#chosen .lanes li")).join("|"), "23\nreads lane 31|24\nreads its own value");
    assert.equal(await count("#chosen .reads:not(.own)"), 24);
    has(await step(1), "Lanes 1–31 read from the lane that is 1 lower. Lane 0 reads its own value.");
    has(await step(2), "Lane i reads from lane i ^ 4");
    has(await step(3), "All lanes read the value of lane 5.");
    has(await step(5), "Yes (filled): lanes 0–2, 4–31.");
    assert.equal(await count("#chosen .lane-box.votes-no"), 1);
    has(await step(6), "Lanes 0–15 vote. Yes (filled): lane 7.");
    assert.equal(await page.$eval("#steps button:nth-child(1) .strip", (strip) => strip.getAttribute("aria-label")), "lanes 0–31, from lane + 8");
});

test("the lines of an exercise are covered until the reader uncovers them", async () => {
    await open("transpose_naive");
    assert.equal(await page.$eval("#uncover", (button) => button.hidden), true);
    await page.evaluate(() => {
        const [part] = kernel().source;
        part.covered = [kernel().lines[0].line];
        chooseKernel(0);
    });
    const line = "out[x * n + y] = in[y * n + x]";
    assert.ok(!(await text("main")).includes(line));
    has(await text("#source"), "(a line of the exercise)");
    await page.focus("#uncover");
    await page.keyboard.press("Enter");
    has(await text("#source"), line);
    has(await text("#chosen-body"), line);
    await page.keyboard.press("Enter");
    assert.ok(!(await text("main")).includes(line));
});

test("without JavaScript, the page has a text", async () => {
    await page.setJavaScriptEnabled(false);
    await page.goto(pathToFileURL(file).href);
    await page.setJavaScriptEnabled(true);
    has(await page.evaluate(() => document.body.innerText), "The figures need JavaScript.");
});

test("blocks over multiprocessors", async () => {
    await open("transpose_tile");
    const { device, kernels: of } = data;
    const [shape] = of[1].shapes;
    assert.equal(shape.resident, Math.min(...Object.values(shape.limits)));
    has(await text("#blocks"), `holds ${shape.resident} block`);
    const tiles = (await texts("#blocks .processors li")).map(Number);
    assert.equal(tiles.length, device.multiprocessors);
    assert.equal(tiles.reduce((sum, blocks) => sum + blocks), 4);
    // A launch with two full waves and a partial one.
    const waves = await page.evaluate((device) => {
        const shape = { grid: [50, 10, 1], block: [256, 1, 1], static_shared: 0, dynamic_shared: 0, registers: 32, resident: 2, launches: 1 };
        const picture = blocksPicture({ ...shape, limits: { threads: 8, blocks: 32, registers: 8, shared: 2 } }, { ...device, multiprocessors: 100 });
        return [...picture.querySelectorAll(".wave")].map((wave) => [wave.querySelector("p").textContent, [...wave.querySelectorAll("li")].map((li) => +li.textContent)]);
    }, device);
    assert.equal(waves.length, 2);
    has(waves[0][0], "Wave 1 to 2 of 3: all 200 places");
    has(waves[1][0], "100 of 200 places are taken");
    assert.deepEqual([...new Set(waves[0][1])], [2]);
    assert.deepEqual([...new Set(waves[1][1])], [1]);
});

for (const [name, view] of Object.entries({
    "a wide screen": {},
    "a wide screen, dark": { scheme: "dark" },
    "a projector": { width: 1920, height: 1080 },
    "a phone": { width: 360, height: 740 },
    "a small phone, dark": { width: 320, height: 640, scheme: "dark" },
}))
    test(`nothing reaches beyond ${name}, and axe-core finds nothing`, async () => {
        for (const kernel of kernels) {
            await open(kernel, view);
            for (const i of (await page.$$("#source button")).keys()) {
                await page.evaluate((i) => document.querySelectorAll("#source button")[i].click(), i);
                assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, kernel);
            }
            const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
            const found = violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes[0].html.slice(0, 120)}`);
            assert.deepEqual(found, [], kernel);
        }
    });

test("on paper: everything of the chosen line, all steps, and dark ink", async () => {
    await open("sum_tree", { width: 718, scheme: "dark", media: "print" });
    const shown = (selector) => page.$$eval(selector, (all) => all.filter((one) => one.checkVisibility()).length);
    assert.equal(await shown("#request figure"), 2, "the load of the line and its atomic");
    assert.equal(await shown("#kernels button"), 1);
    assert.equal(await page.$eval("#steps", (list) => list.scrollHeight - list.clientHeight), 0, "no step is cut");
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
    assert.equal(await page.$eval("body", (body) => getComputedStyle(body).color), "rgb(0, 0, 0)");
    assert.ok((await page.pdf({ format: "A4" })).length > 10000);
    await emulate("screen", "light");
    assert.equal(await shown("#request figure"), 1);
});

test("a program that ran nothing", async () => {
    const empty = file.replace(".html", "_empty.html");
    writeFileSync(empty, html.replace(/("kernels":)\[.*?(\]\}<\/script>)/s, "$1[$2"));
    await show(page, empty);
    has(await text("main"), "Nothing was counted");
});

test("it asks nothing from the network, and no script has complained", () => {
    assert.deepEqual([...refused], []);
    assert.deepEqual(failures, []);
});
