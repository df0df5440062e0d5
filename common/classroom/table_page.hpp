// Style, script and controls of the class's HTML page, for html_of (table.cpp).
#pragma once

namespace classroom {

constexpr char table_style[] = R"(
.tiles { display: flex; flex-wrap: wrap; gap: 0.7rem; margin-top: 0.9rem; }
.tile { flex: 1 1 9rem; padding: 0.6rem 0.9rem; background: var(--panel); border-radius: 8px; }
.tile b { display: block; font-size: 2rem; line-height: 1.2; font-weight: 650; }
.tile span { color: var(--soft); }
.list { width: 100%; }
.list th, .list td { padding: 0.45rem 0.9rem 0.45rem 0; border-bottom: 1px solid var(--rule); text-align: left; vertical-align: top; font-weight: 400; }
.list code { white-space: nowrap; }
.list .wide { width: 100%; overflow-wrap: anywhere; }
.list thead th { color: var(--soft); font-size: 0.9rem; }
.list tbody th { font-weight: 600; }
@media (min-width: 60rem) { .list tbody th { min-width: 14rem; } }
.list td.big { font-size: 1.4rem; line-height: 1.1; font-weight: 650; }
.list ul { margin: 0; padding-left: 1.1rem; }
.names { color: var(--soft); font-size: 0.9rem; }
.names summary { cursor: pointer; width: fit-content; }
.bar { display: flex; height: 0.8rem; margin: 0.25rem 0; overflow: hidden; gap: 2px; min-width: 8rem; }
.bar span { flex-basis: 0; border-radius: 2px; }
.bar .missing, .bar .ungraded { border: 1px solid var(--rule); }
.legend { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; }
.key { white-space: nowrap; }
.controls { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; margin: 0.6rem 0; }
.controls input, .controls select, .controls button { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--soft); border-radius: 6px; padding: 0.2rem 0.6rem; }
.controls button[aria-pressed="true"] { background: var(--ink); color: var(--paper); }
.scroll { overflow: auto; max-height: 90vh; max-width: 100%; border: 1px solid var(--rule); border-radius: 8px; }
#matrix { border-collapse: separate; border-spacing: 2px; }
#matrix th { font-weight: 500; text-align: left; }
#matrix thead th { position: sticky; background: var(--paper); z-index: 2; vertical-align: bottom; color: var(--soft); font-size: 0.85rem; }
#matrix thead th { top: 0; white-space: nowrap; }
#matrix thead span { text-align: left; writing-mode: vertical-rl; transform: rotate(180deg); line-height: 1.2; }
#matrix thead th[title] { text-align: center; padding: 0.3rem 0; }
#matrix thead b { color: var(--ink); font-weight: 650; }
#matrix .name { position: sticky; left: 0; z-index: 1; background: var(--paper); max-width: 15rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; padding: 0 0.6rem; }
#matrix thead .name { z-index: 3; }
#matrix td { min-width: 1.75rem; height: 1.75rem; padding: 0 0.2rem; text-align: center; border-radius: 4px; }
#matrix td.total { text-align: right; padding-right: 0.6rem; font-variant-numeric: tabular-nums; white-space: nowrap; }
#matrix tfoot td, #matrix tfoot th { color: var(--soft); font-size: 0.9rem; }
/* A cell is a sign; its word is there for those who listen, search or copy. */
#matrix tbody td:not(.total) { font-size: 0; }
#matrix tbody td:not(.total)::before, .mark::before { font-size: 1.05rem; font-weight: 700; }
.passed::before { content: "\2713"; } .other::before { content: "\2248"; } .wrong::before { content: "\2717"; } .broken::before { content: "!"; }
.open::before { content: "\25CB"; } .untouched::before { content: "\00B7"; } .missing::before { content: "\2013"; }
.ungraded::before { content: "?"; }
.bar span::before { content: none; }
#matrix td.part::before, .mark.part::before { text-decoration: underline 3px; text-underline-offset: 3px; }
#matrix td:focus { outline: 3px solid var(--focus); outline-offset: 0; }
#matrix .missing, #matrix .ungraded { border: 1px dashed var(--rule); }
#detail { position: sticky; bottom: 0; display: block; margin-top: 0.4rem; padding: 0.5rem 0.8rem; background: var(--ink); color: var(--paper); border-radius: 8px; z-index: 4; overflow-wrap: anywhere; }
body.nameless .names, body.nameless .remarks, body.nameless #matrix tbody th bdi { display: none; }
body.nameless #matrix tbody th::before { content: "student " attr(data-number); }
@media (max-width: 40rem) {
  #matrix .name { max-width: 7.5rem; padding: 0 0.3rem; }
  .list, .list tbody, .list tr, .list td, .list th { display: block; width: 100%; border: 0; padding: 0.1rem 0; }
  .list thead { display: none; }
  .list code { white-space: normal; }
  .list tr { padding: 0.6rem 0; border-bottom: 1px solid var(--rule); }
  .list td[data-of]::after { content: " " attr(data-of); font-size: 0.9rem; font-weight: 400; }
  .list th { white-space: normal; }
}
@media print {
  @page { size: A4 landscape; margin: 10mm; }
  .scroll { overflow: visible; max-height: none; border: 0; }
  #matrix { width: 100%; border-spacing: 1px; table-layout: fixed; }
  #matrix thead .name { width: 9.5rem; }
  #matrix .name { padding: 0; }
  #matrix thead .name + th { width: 5rem; }
  #matrix td.total { padding: 0 0.3rem 0 0; }
  #matrix tfoot td { font-size: 0.6rem; }
  #matrix thead th, #matrix .name { position: static; }
  #matrix td { min-width: 0; height: 1.3rem; padding: 0; }
  #matrix tbody td:not(.total)::before { font-size: 0.85rem; }
  #matrix tr, .list tr { break-inside: avoid; }
}
)";

constexpr char table_controls[] = R"(<div class="controls screen">
<label>Find <input id="find" type="search" size="16" autocomplete="off"></label>
<label>Order <select id="order"><option value="id">as handed in</option><option value="name">by name</option><option value="most">most points first</option><option value="fewest">fewest points first</option></select></label>
<button id="names" type="button" aria-pressed="false">Hide names</button>
<span class="soft"><kbd>n</kbd> hides names, arrow keys go from cell to cell</span>
</div>
)";

constexpr char table_script[] = R"(
'use strict';
const matrix = document.getElementById('matrix');
if (matrix) {
  const body = matrix.tBodies[0], rows = [...body.rows], detail = document.getElementById('detail');
  const find = document.getElementById('find'), order = document.getElementById('order'), names = document.getElementById('names');
  const heads = [...matrix.tHead.rows[0].cells].slice(2).map(head => head.title);
  const nameOf = row => row.cells[0].textContent;
  rows.forEach((row, i) => { row.cells[0].dataset.number = i + 1; });
  const place = () => {
    const by = { id: () => 0, name: (a, b) => nameOf(a).localeCompare(nameOf(b)),
      most: (a, b) => b.dataset.points - a.dataset.points, fewest: (a, b) => a.dataset.points - b.dataset.points }[order.value];
    body.append(...[...rows].sort(by));
    const wanted = find.value.trim().toLowerCase();
    for (const row of rows)
      row.hidden = wanted !== '' && !(nameOf(row) + ' ' + row.cells[0].title).toLowerCase().includes(wanted);
  };
  find.addEventListener('input', place);
  order.addEventListener('change', place);
  const hide = () => {
    const nameless = document.body.classList.toggle('nameless');
    names.setAttribute('aria-pressed', nameless);
    find.disabled = nameless;
    for (const row of rows) {
      if (nameless) { row.cells[0].dataset.id = row.cells[0].title; row.cells[0].title = ''; }
      else row.cells[0].title = row.cells[0].dataset.id;
    }
    detail.hidden = true;
  };
  names.addEventListener('click', hide);
  document.addEventListener('keydown', event => {
    if (event.key === 'n' && !event.ctrlKey && !event.metaKey && !event.altKey && !/INPUT|SELECT/.test(event.target.tagName)) hide();
  });
  const show = cell => {
    const row = cell.parentNode, at = cell.cellIndex - 2;
    const who = document.body.classList.contains('nameless') ? 'student ' + row.cells[0].dataset.number : nameOf(row);
    detail.textContent = who + ', ' + heads[at] + ': ' + cell.textContent + ', ' + cell.title;
    detail.hidden = false;
  };
  const isCell = node => node instanceof HTMLTableCellElement && node.parentNode.parentNode === body && node.cellIndex >= 2;
  let current = rows[0] && rows[0].cells[2];
  if (current) current.tabIndex = 0;
  const go = cell => {
    current.tabIndex = -1;
    current = cell;
    current.tabIndex = 0;
    current.focus();
  };
  body.addEventListener('focusin', event => { if (isCell(event.target)) show(event.target); });
  body.addEventListener('click', event => { if (isCell(event.target)) { event.target.tabIndex = -1; go(event.target); } });
  body.addEventListener('keydown', event => {
    if (!isCell(event.target)) return;
    const shown = [...body.rows].filter(row => !row.hidden), row = shown.indexOf(event.target.parentNode), column = event.target.cellIndex;
    const to = { ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1], ArrowUp: [row - 1, column], ArrowDown: [row + 1, column],
      Home: [row, 2], End: [row, heads.length + 1] }[event.key];
    if (event.key === 'Escape') { detail.hidden = true; return; }
    if (!to) return;
    event.preventDefault();
    const cell = shown[to[0]] && shown[to[0]].cells[to[1]];
    if (isCell(cell)) go(cell);
  });
}
)";

}  // namespace classroom
