"use strict";
const D = JSON.parse(document.getElementById("data").textContent), $ = id => document.getElementById(id);
const S = { file: 0, line: 0, tab: "states", case: 0, step: -1 };
const esc = t => String(t).replace(/[&<>"]/g, c => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
const code = t => esc(t).replace(/`([^`]*)`/g, "<code>$1</code>");
const at = (f, l) => D.lines[f + ":" + l];
const word = n => n === 1 ? "" : "s";
function place(p) { return p ? `<span class="go" data-f="${p.file}" data-l="${p.line}">${esc(D.files[p.file] ? D.files[p.file].name : "?")}:${p.line}</span>` : ""; }
function picture(k) {
  const s = D.states[k];
  return (s.svg ? `<div class="draw">${s.svg}</div>` : "") + `<p>${code(s.words)}.</p>`;
}
const KEY = /(\/\/.*|\/\*.*?\*\/)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|\b(if|else|for|while|do|switch|case|default|return|break|continue|goto|struct|union|enum|typedef|static|extern|const|volatile|inline|sizeof|int|char|long|short|unsigned|signed|void|float|double|_Bool|bool)\b/g;
function paint(text) {
  let out = "", from = 0;
  for (const m of text.matchAll(KEY)) {
    out += esc(text.slice(from, m.index)) + `<span class="${m[1] ? "c" : m[2] ? "s" : "k"}">${esc(m[0])}</span>`;
    from = m.index + m[0].length;
  }
  return out + esc(text.slice(from));
}
function source() {
  const rows = D.files[S.file].text.split("\n").map((t, i) => {
    const x = at(S.file, i + 1), n = x ? x.states.length : 0, mark = x ? x.mark : "";
    const sign = { error: "✗", unknown: "?", proved: "✓" }[mark] || "";
    return `<div class="l${x ? " has" : ""}" data-n="${i + 1}"><i class="${mark}" title="${mark}${n ? `, ${n} description${word(n)}` : ""}">${sign}${n > 1 ? " " + n : ""}</i><u>${i + 1}</u><span>${paint(t)}</span></div>`;
  });
  $("source").innerHTML = rows.join("");
}
const row = n => $("source").querySelector(`.l[data-n="${n}"]`);
function mark() {
  for (const e of $("source").querySelectorAll(".sel,.step")) e.classList.remove("sel", "step");
  const sel = row(S.line);
  if (sel) { sel.classList.add("sel"); sel.scrollIntoView({ block: "nearest" }); }
  const p = S.tab === "path" && D.path[S.step];
  if (p && p.file === S.file) { const e = row(p.line); if (e) { e.classList.add("step"); e.scrollIntoView({ block: "nearest" }); } }
}
const LEGEND = `<p class="note legend">A purple label is a variable, a box an object. Stacked boxes are a structure of any length; a thick arrow leads to where it ends, dashed arrows to what all its elements point to. ∅ is null, ? may be anything.</p>`;
const TABS = {
  states: ["states", () => {
    const x = at(S.file, S.line);
    if (!x) return `<p class="note">No state here: choose a line with a mark.</p>`;
    const found = D.findings.filter(f => f.place && f.place.file === S.file && f.place.line === S.line).map(finding).join("");
    if (!x.states.length) return found + `<p class="note">The analysis knows nothing of this line.</p>`;
    S.case = Math.min(S.case, x.states.length - 1);
    const tabs = x.states.map((_, i) => `<button data-case="${i}" aria-selected="${i === S.case}">case ${i + 1}</button>`).join("");
    return found + `<p><b>Line ${S.line}</b>, before it is executed: ${x.states.length} description${word(x.states.length)}${x.more ? `, ${x.more} more not shown` : ""}</p>` +
      (x.states.length > 1 ? `<div class="cases">${tabs}</div>` : "") + picture(x.states[S.case]) + LEGEND;
  }],
  path: ["path to the error", () => {
    if (!D.path.length) return `<p class="note">There is no run with an error.</p>`;
    const p = D.path[Math.max(S.step, 0)];
    return `<div class="cases"><button data-step="-1" ${S.step <= 0 ? "disabled" : ""}>◀ back</button><button data-step="1" ${S.step >= D.path.length - 1 ? "disabled" : ""}>forward ▶</button>` +
      `<span>step ${S.step + 1} of ${D.path.length}, in <code>${esc(p.function)}</code>, ${place(p)}</span></div>` +
      (p.events.length ? `<p>${p.events.map(code).join("; ")}</p>` : "") + (S.step === D.path.length - 1 ? D.findings.filter(f => f.severity === "error").map(finding).join("") : "") +
      `<div class="draw">${D.pictures[p.picture] || ""}</div>`;
  }],
  findings: ["findings", () => D.findings.map(finding).join("") || `<p class="proved">Nothing was found.</p>`],
  loops: ["loops", () => D.loops.map((l, i) => `<div class="card"><h3>loop in <code>${esc(l.function)}</code> at ${place(l)}</h3><p>At each iteration: ${code(l.words)}</p>` +
    l.iterations.map((it, k) => `<details ${k === l.iterations.length - 1 ? "open" : ""}><summary>after round ${k + 1}: ${it.length} description${word(it.length)}${k === l.iterations.length - 1 ? " (stable: what widening kept)" : ""}</summary>${it.map(picture).join("<hr>")}</details>`).join("") + `</div>`).join("") || `<p class="note">No loop was analysed.</p>`],
  apart: ["not joined", () => D.apart.map(a => `<div class="card"><h3>in <code>${esc(a.function)}</code> at ${place(a)}</h3><p>These two descriptions have none in common: ${code(a.why)}</p><div class="two">${a.states.map(k => `<div>${picture(k)}</div>`).join("")}</div></div>`).join("") || `<p class="note">All descriptions at loops could be put together.</p>`],
  contracts: ["contracts", () => D.contracts.map(c => `<div class="card"><h3><code>${esc(c.function)}</code> ${place(c)}</h3>${c.declared ? `<p>declared:</p><pre>${esc(c.declared)}</pre>` : ""}${c.found ? `<p>found and verified:</p><pre>${esc(c.found)}</pre>` : ""}<p>called when: ${code(c.entry)}</p><p>returns when: ${code(c.exit)}</p></div>`).join("") || `<p class="note">No function was analysed.</p>`],
  predicates: ["predicates", () => `<table><tr><th>name</th><th>what it describes</th><th>origin</th></tr>${D.predicates.map(p => `<tr><td><code>${esc(p.name)}</code></td><td>${code(p.words)}</td><td>${esc(p.origin)}</td></tr>`).join("")}</table>`],
  figures: ["figures", () => `<table>${D.figures.map(([k, v]) => `<tr><td>${esc(k)}</td><td>${esc(v)}</td></tr>`).join("")}</table>`],
};
function finding(f) {
  const notes = f.notes.map(n => `<li>${code(n.message)} ${place(n.place)}</li>`).join("");
  return `<div class="card"><h3 class="${f.severity}">${f.severity}[${esc(f.code)}] ${place(f.place)}</h3><p>${code(f.message)}</p>${notes ? `<ul>${notes}</ul>` : ""}${f.certainty ? `<p class="note">${code(f.certainty)}</p>` : ""}${f.hint ? `<p>hint: ${code(f.hint)}</p>` : ""}</div>`;
}
// Drawings that are a little too wide are made smaller; very wide ones scroll.
function fit() {
  for (const svg of $("view").querySelectorAll(".draw svg")) {
    const room = svg.parentElement.clientWidth, wide = +svg.getAttribute("width");
    svg.style.width = room && wide > room ? Math.max(room, wide * 0.6) + "px" : "";
  }
}
function show() {
  const size = { path: D.path.length, findings: D.findings.length, loops: D.loops.length, apart: D.apart.length, contracts: D.contracts.length, predicates: D.predicates.length };
  $("tabs").innerHTML = Object.entries(TABS).map(([k, [name]]) => `<button role="tab" data-tab="${k}" aria-selected="${k === S.tab}">${name}${k in size ? ` (${size[k]})` : ""}</button>`).join("");
  $("view").innerHTML = TABS[S.tab][1]();
  fit();
  mark();
}
function choose(file, line, tab) {
  if (file !== S.file) { S.file = file; $("file").value = file; source(); }
  S.line = line; S.case = 0; if (tab) S.tab = tab;
  show();
}
function step(by) {
  if (!D.path.length) return;
  S.tab = "path"; S.step = Math.max(0, Math.min(D.path.length - 1, S.step + by));
  const p = D.path[S.step];
  choose(p.file, p.line);
}
function next(by) {
  const all = Object.keys(D.lines).map(k => k.split(":").map(Number)).filter(([f]) => f === S.file).map(([, l]) => l).sort((a, b) => a - b);
  const to = by > 0 ? all.find(l => l > S.line) : all.filter(l => l < S.line).pop();
  if (to) choose(S.file, to, "states");
}
let turn = -1;
function nextFinding() {
  const all = D.findings.filter(f => f.place);
  if (all.length) { turn = (turn + 1) % all.length; choose(all[turn].place.file, all[turn].place.line, "states"); }
}
const theme = t => { document.documentElement.dataset.theme = t; };
function flip() { theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"); }
function help() { $("view").innerHTML = `<h3>Keys</h3><p><kbd>j</kbd> <kbd>k</kbd> or arrows: next, previous line with a mark<br><kbd>[</kbd> <kbd>]</kbd>: previous, next case<br><kbd>n</kbd> <kbd>p</kbd>: next, previous step of the path to the error<br><kbd>e</kbd>: next finding<br><kbd>d</kbd>: dark or light</p><p>✓ nothing can go wrong on this line, ✗ an error, ? something that could not be excluded; a number is that of the descriptions. A stack of boxes with a thick arrow is a structure of any length; ∅ is null.</p>`; }
addEventListener("click", e => {
  const t = e.target.closest("[data-tab],[data-case],[data-step],[data-f],.l.has");
  if (!t) return;
  const d = t.dataset;
  if (d.tab) { S.tab = d.tab; if (S.tab === "path") return step(S.step < 0 ? 1 : 0); show(); }
  else if (d.case) { S.case = +d.case; show(); }
  else if (d.step) step(+d.step);
  else if (d.f) choose(+d.f, +d.l, "states");
  else choose(S.file, +d.n, "states");
});
addEventListener("resize", fit);
addEventListener("toggle", fit, true);
addEventListener("keydown", e => {
  if (e.ctrlKey || e.metaKey || e.altKey || e.target.tagName === "SELECT") return;
  const x = at(S.file, S.line), turnCase = by => { if (x) { S.case = Math.max(0, Math.min(x.states.length - 1, S.case + by)); S.tab = "states"; show(); } };
  const keys = { j: () => next(1), ArrowDown: () => next(1), k: () => next(-1), ArrowUp: () => next(-1), n: () => step(1), p: () => step(-1), "]": () => turnCase(1), "[": () => turnCase(-1), e: nextFinding, d: flip, "?": help };
  if (keys[e.key]) { e.preventDefault(); keys[e.key](); }
});
$("theme").onclick = flip; $("help").onclick = help;
$("file").innerHTML = D.files.map((f, i) => `<option value="${i}">${esc(f.name)}</option>`).join("");
$("file").onchange = e => choose(+e.target.value, 1);
theme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
$("verdict").innerHTML = `<b class="${D.verdict}">${D.verdict}</b>`;
$("count").textContent = `${D.files.length} file${word(D.files.length)}, ${D.states.length} drawings`;
source();
// `#L24` opens the page at a line, `#step=3` at a step of the path, `#loops` at a tab.
const hash = location.hash.slice(1), asked = /^L(\d+)$/.exec(hash), stepped = /^step=(\d+)$/.exec(hash);
if (asked) choose(0, +asked[1]);
else if (stepped) { S.step = +stepped[1] - 1; step(0); }
else if (TABS[hash]) { S.tab = hash; show(); }
else if (D.findings.some(f => f.place)) nextFinding(); else { const first = Object.keys(D.lines)[0]; if (first) { const [f, l] = first.split(":").map(Number); choose(f, l); } else show(); }
