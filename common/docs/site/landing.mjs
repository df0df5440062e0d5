// The first page of the site. Its numbers, commands and output come from the course.
import { posix } from "node:path";
import { escaped } from "../shared.mjs";
import { coloured } from "./code.mjs";
import { pageUrl } from "./course.mjs";

/// Returns the lines that install what the first command of the README installs, without its options for root and for a
/// non-interactive run, and that grade the exercises.
function commands(course, readme) {
    const [first] = readme.blocks.filter(({ language }) => language === "sh");
    const packages = /apt-get install -y ([^']+)'/.exec(first?.content ?? "");
    if (!packages)
        course.complain("README.md", "its first command has no 'apt-get install -y ...' for the landing page");
    return [`sudo apt-get install -y ${packages?.[1]}`, "cmake --workflow --preset exercises"];
}

function card(topic, { figures: [figure] }) {
    const lecture = pageUrl(topic.lecture);
    const [number, ...title] = topic.title.split(" ");
    const thumb = figure
        ? `<a class="thumb" href="${lecture}" tabindex="-1"><img loading="lazy" src="${posix.join(posix.dirname(lecture), figure.src)}" alt="${escaped(figure.alt)}"></a>`
        : "";
    return `<li class="card">${thumb}
<h3><a href="${lecture}"><span class="number">${number}</span> ${escaped(title.join(" "))}</a></h3>
<p>${escaped(topic.learn)}</p>
<p class="links"><a href="${lecture}">Lecture</a> <a href="${pageUrl(topic.tasks)}">${topic.exercises.length} exercises</a>${topic.slides ? ` <a href="../slides/${topic.name}.html">Slides</a>` : ""}</p></li>
`;
}

/// `pages`: the results of readPage for each page, by path.
export function landingHtml(course, pages) {
    const sum = (count) => course.topics.reduce((all, topic) => all + count(topic), 0);
    const report = pages.get("lectures/diagnoses/race.md")?.blocks.find(({ language }) => language === "text");
    if (!report) course.complain("lectures/diagnoses/race.md", "has no report for the landing page");
    return `<section class="hero">
<h1>CUDA C++, from the first kernel to the speed of the memory</h1>
<p class="lead">Lectures, demos and exercises. You edit one <code>.cu</code> file, run one command, and read a verdict that
says what is wrong, where, and why. With a GPU, or on any Linux machine without one.</p>
<pre class="fragment"><code>${commands(course, pages.get("README.md")).map((line) => `<span class="line">${escaped(line)}\n</span>`).join("")}</code></pre>
<p class="under">On Debian 12 or Ubuntu 24.04, in the course's folder. Then read
<a href="README.html">commands and options</a>, or begin with
<a href="${pageUrl(course.topics[0].lecture)}">the first lecture</a>.</p>
</section>
<section class="promises">
<div><h2>One source, two backends</h2><p>The same file is graded by the same test with nvcc on an NVIDIA GPU, and with a plain
C++ compiler on a CPU. The second needs no GPU, no CUDA toolkit and no Python.</p></div>
<div><h2>Luck does not pass</h2><p>A missing barrier, a missing guard, a race, a read of memory that nobody wrote: each is named
with its kernel and line, also where the numbers happen to be right. ${course.diagnoses.length} kinds of finding have
<a href="lectures/diagnoses/README.html">a page of their own</a>.</p></div>
<div><h2>Claims are measured</h2><p>Each lecture ends with a table: what textbooks say, what this code measured on a GPU, and
the verdict. Some of the claims do not hold.</p></div>
</section>
<section>
<h2>What a verdict says</h2>
<p>A shared tile is read backwards without a barrier. The result may come out right, and it is still reported:</p>
<pre class="fragment report"><code>${coloured(report?.content ?? "")}</code></pre>
</section>
<section>
<h2>${course.topics.length} topics, ${sum((topic) => topic.exercises.length)} exercises, ${sum((topic) => topic.wrong)} wrong submissions</h2>
<p>The wrong submissions make mistakes that people make. A test proves of each that the grader rejects it, and for the right
reason.${course.anySlides ? ' <a href="../slides/index.html">All slides</a>' : ""}</p>
<ul class="cards">
${course.topics.map((topic) => card(topic, pages.get(topic.lecture))).join("")}</ul>
</section>
<section>
<h2>For teachers</h2>
<p>A 14-week and a 5-day plan, what to show when, how to grade a class, and the misconceptions to expect:
<a href="lectures/instructors_guide.html">the instructor's guide</a>.</p>
</section>
`;
}
