// The page of a picture: shows the SVG that the extension sends, searches for words in it, and reports clicks to the
// extension.
"use strict";
const editor = acquireVsCodeApi();
const element = (id) => document.getElementById(id);
const [picture, message, search, count, legend] = ["picture", "message", "search", "count", "legend"].map(element);
const [previous, next, part] = ["previous", "next", "part"].map(element);

let nodes = new Map(); // the SVG groups of the nodes, by the names of the nodes
let shown = { part: 0, parts: 1 };
let hits = [];
let hit = -1; // the index in `hits` of the search result that is shown
let zoom; // the scale that the user has chosen; if undefined, the picture is as wide as the window

// ---- the picture

function draw(drawn) {
  shown = { ...drawn, parts: drawn.parts ?? 1, part: drawn.part ?? 0 };
  message.hidden = true;
  const svg = document.importNode(new DOMParser().parseFromString(drawn.svg, "image/svg+xml").documentElement, true);
  nodes = new Map();
  for (const group of svg.querySelectorAll("g.node, g.edge, g.cluster")) {
    const title = group.querySelector("title");
    const hint = group.querySelector("a")?.getAttribute("xlink:title");
    if (group.classList.contains("node")) nodes.set(title.textContent, group);
    title.textContent = hint ?? ""; // the text that a browser shows when the pointer rests on the node
  }
  for (const name of drawn.places) {
    const group = nodes.get(name);
    group?.classList.add("place");
    group?.setAttribute("tabindex", "0");
  }
  for (const [name, change] of Object.entries(drawn.changed ?? {})) nodes.get(name)?.classList.add(change);
  for (const line of document.querySelectorAll("#legend .difference")) line.hidden = drawn.changed === undefined;
  picture.replaceChildren(svg);
  resize();
  element("parts").hidden = shown.parts < 2;
  part.textContent = `part ${shown.part + 1} of ${shown.parts}`;
  previous.disabled = shown.part === 0;
  next.disabled = shown.part + 1 >= shown.parts;
  find(nodes.get(drawn.found));
  if (drawn.found) goTo(hits.indexOf(nodes.get(drawn.found)));
  if (drawn.found === null) count.textContent = "not found";
}

/**
 * Scales the picture as the user has chosen. Otherwise fits it to the width of the window, but never scales it to less
 * than half.
 */
function resize() {
  const svg = picture.querySelector("svg");
  if (svg === null) return;
  const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
  const natural = (width * 4) / 3; // converts points to pixels
  const factor = zoom ?? Math.min(1, Math.max(0.5, (picture.clientWidth - 16) / natural));
  svg.setAttribute("width", natural * factor);
  svg.setAttribute("height", ((height * 4) / 3) * factor);
  picture.dataset.zoom = factor;
}

function changeZoom(by) {
  zoom = Math.min(4, Math.max(0.1, Number(picture.dataset.zoom ?? 1) * by));
  resize();
}

function mark(name) {
  for (const [other, group] of nodes) group.classList.toggle("marked", other === name);
  nodes.get(name)?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

// ---- the search

/**
 * Converts ASCII letters to lower case, because the search of the server ignores only their case. The server searches
 * the other parts.
 */
function lower(text) {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/**
 * Searches the drawn nodes. `also` is a node in which the server has found the word, possibly in a subgraph that is not
 * drawn.
 */
function find(also) {
  const word = lower(search.value.trim());
  const wordsOf = (name, group) => lower(shown.words?.[name] ?? group.textContent);
  const isHit = ([name, group]) => group === also || wordsOf(name, group).includes(word);
  hits = word === "" ? [] : [...nodes].filter(isHit).map(([, group]) => group);
  hit = -1;
  for (const group of nodes.values()) group.classList.toggle("found", hits.includes(group));
  tellCount();
}

function tellCount() {
  const here = shown.parts > 1 ? " in this part" : "";
  if (search.value.trim() === "") count.textContent = "";
  else count.textContent = hit < 0 ? `${hits.length}${here}` : `${hit + 1} of ${hits.length}${here}`;
}

function goTo(index) {
  if (index < 0) return;
  hit = index;
  hits[hit].scrollIntoView({ block: "center", inline: "center" });
  for (const group of nodes.values()) group.classList.toggle("marked", group === hits[hit]);
  tellCount();
}

search.addEventListener("input", () => find());
search.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || search.value.trim() === "") return;
  if (hit + 1 < hits.length) goTo(hit + 1);
  else if (shown.parts > 1 || hits.length === 0) editor.postMessage({ find: search.value.trim() });
  else goTo(0);
});

// ---- clicks

function nameAt(target) {
  const group = target instanceof Element ? target.closest("g.node.place") : null;
  return [...nodes].find(([, each]) => each === group)?.[0];
}

picture.addEventListener("click", ({ target }) => {
  const node = nameAt(target);
  if (node !== undefined) editor.postMessage({ node });
});
picture.addEventListener("keydown", ({ key, target }) => {
  const node = nameAt(target);
  if (key === "Enter" && node !== undefined) editor.postMessage({ node });
});
picture.addEventListener(
  "wheel",
  (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    changeZoom(event.deltaY < 0 ? 1.1 : 1 / 1.1);
  },
  { passive: false },
);
element("smaller").addEventListener("click", () => changeZoom(1 / 1.25));
element("larger").addEventListener("click", () => changeZoom(1.25));
element("fit").addEventListener("click", () => {
  zoom = undefined;
  resize();
});
element("explain").addEventListener("click", (event) => {
  legend.hidden = !legend.hidden;
  event.currentTarget.setAttribute("aria-expanded", String(!legend.hidden));
});
previous.addEventListener("click", () => editor.postMessage({ part: shown.part - 1 }));
next.addEventListener("click", () => editor.postMessage({ part: shown.part + 1 }));
window.addEventListener("resize", resize);
window.addEventListener("message", ({ data }) => {
  if (data.draw !== undefined) draw(data.draw);
  if (data.mark !== undefined) mark(data.mark);
  if (data.message !== undefined) {
    message.textContent = data.message;
    message.hidden = false;
  }
});
editor.postMessage({ isReady: true });
