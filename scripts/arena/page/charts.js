"use strict";
// Drawing: small helpers for elements and SVG, and the charts of the page. All text goes in as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

function element(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

function shape(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined) node.setAttribute(key, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

function titled(node, text) {
  node.append(shape("title", {}, text));
  return node;
}

function label(x, y, text, attributes = {}) {
  return shape("text", { x, y, ...attributes }, text);
}

// About `count` round numbers between two.
function ticks(low, high, count) {
  const raw = (high - low) / count || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= raw) * power;
  const list = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step * 1e-9; at += step) list.push(Math.round(at * 1e6) / 1e6);
  return list;
}

function shorten(text, length) {
  return text.length > length ? text.slice(0, length - 1) + "…" : text;
}

function signed(value) {
  const whole = Math.round(value);
  return (whole > 0 ? "+" : whole < 0 ? "−" : "") + Math.abs(whole);
}

// Charts are drawn as wide as they are shown, so that their text is readable on a phone.
function chartWidth() {
  return Math.max(320, Math.min(560, window.innerWidth - 50));
}

function eloChart(rows) {
  const shown = rows.filter((row) => row.games > 0);
  const width = chartWidth(), left = width < 450 ? 84 : 120, right = 96, line = 26, height = shown.length * line + 34;
  const reach = (row) => (row.error === null ? 0 : Math.min(row.error, 1500));
  let low = Math.min(...shown.map((row) => row.elo - reach(row)), 0);
  let high = Math.max(...shown.map((row) => row.elo + reach(row)), 0);
  const margin = (high - low) * 0.04 || 10;
  [low, high] = [low - margin, high + margin];
  const x = (elo) => left + ((elo - low) / (high - low)) * (width - left - right);
  const svg = shape("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "Elo of the engines" });
  for (const tick of ticks(low, high, width < 450 ? 3 : 5)) {
    svg.append(shape("line", { class: "axis", x1: x(tick), x2: x(tick), y1: 4, y2: height - 24, "stroke-width": tick === 0 ? 2 : 1 }));
    svg.append(label(x(tick), height - 8, signed(tick), { "text-anchor": "middle", class: "faint" }));
  }
  shown.forEach((row, index) => {
    const y = index * line + 17;
    const color = "var(--accent)";
    svg.append(label(left - 10, y + 4, shorten(row.name, left < 100 ? 11 : 16), { "text-anchor": "end" }));
    svg.append(shape("line", { x1: x(row.elo - reach(row)), x2: x(row.elo + reach(row)), y1: y, y2: y, stroke: color, "stroke-width": 2 }));
    for (const end of [row.elo - reach(row), row.elo + reach(row)]) {
      svg.append(shape("line", { x1: x(end), x2: x(end), y1: y - 5, y2: y + 5, stroke: color, "stroke-width": 2 }));
    }
    svg.append(titled(shape("circle", { cx: x(row.elo), cy: y, r: 5, fill: color }), `${row.name}: ${signed(row.elo)} ± ${Math.round(reach(row))}`));
    svg.append(label(width - right + 10, y + 4, `${signed(row.elo)} ± ${row.error === null ? "?" : Math.round(row.error)}`, { class: "faint" }));
  });
  return svg;
}

const RESULTS = [["x", "first player won", "var(--first)"], ["draw", "draw", "var(--draw)"], ["o", "second player won", "var(--second)"]];

function lengthChart(games) {
  const width = chartWidth(), height = 230, left = 40, bottom = 36;
  const lengths = games.map((game) => game.plies);
  const longest = Math.max(...lengths, 1);
  const size = [1, 2, 5, 10, 20, 50].find((step) => longest / step <= 36) || 100;
  const bins = Array.from({ length: Math.floor(longest / size) + 1 }, () => ({ x: 0, draw: 0, o: 0 }));
  games.forEach((game) => { bins[Math.floor(game.plies / size)][game.r] += 1; });
  const most = Math.max(...bins.map((bin) => bin.x + bin.draw + bin.o), 1);
  const step = (width - left - 8) / bins.length;
  const y = (count) => height - bottom - (count / most) * (height - bottom - 10);
  const svg = shape("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "how long games were" });
  for (const tick of ticks(0, most, 4)) {
    if (tick !== Math.floor(tick)) continue;
    svg.append(shape("line", { class: "axis", x1: left, x2: width, y1: y(tick), y2: y(tick) }));
    svg.append(label(left - 6, y(tick) + 4, String(tick), { "text-anchor": "end", class: "faint" }));
  }
  bins.forEach((bin, index) => {
    let below = 0;
    for (const [key, name, color] of RESULTS) {
      if (!bin[key]) continue;
      const range = size === 1 ? `${index}` : `${index * size} to ${index * size + size - 1}`;
      svg.append(titled(shape("rect", { x: left + index * step + 1, width: Math.max(step - 2, 1), y: y(below + bin[key]), height: y(below) - y(below + bin[key]), fill: color }),
        `${range} plies, ${name}: ${bin[key]}`));
      below += bin[key];
    }
  });
  for (const tick of ticks(0, longest, 8)) {
    if (tick === Math.floor(tick)) svg.append(label(left + (tick / size) * step + (size === 1 ? step / 2 : 0), height - bottom + 16, String(tick), { "text-anchor": "middle", class: "faint" }));
  }
  svg.append(label(width, height - 4, "plies", { "text-anchor": "end", class: "faint" }));
  return [svg, legend(RESULTS.map(([key, name, color]) => [`${name}: ${games.filter((game) => game.r === key).length}`, color]))];
}

function legend(entries) {
  return element("div", { class: "legend" }, ...entries.map(([text, color]) => element("span", {}, element("i", { style: `background:${color}` }), text)));
}

const COLORS = ["#5b8def", "#e4572e", "#f2a541", "#8f5fbf", "#2a9d8f", "#d1495b", "#6c757d", "#b5838d", "#3d5a80", "#bc6c25", "#588157", "#c77dff", "#00a6a6", "#a44a3f"];

function lossChart(names, games, reasons, choose) {
  const kinds = [...new Set(games.filter((game) => game.l !== undefined).map((game) => game.w))];
  const count = (kind) => games.filter((game) => game.w === kind && game.l !== undefined).length;
  kinds.sort((one, other) => (other === "line") - (one === "line") || count(other) - count(one));
  const color = (kind) => COLORS[kinds.indexOf(kind) % COLORS.length];
  const rows = names.map((name, index) => {
    const counts = {};
    games.forEach((game) => { if (game.l === index) counts[game.w] = (counts[game.w] || 0) + 1; });
    return { name, index, counts, total: Object.values(counts).reduce((sum, value) => sum + value, 0) };
  });
  const most = Math.max(...rows.map((row) => row.total), 1);
  const width = chartWidth(), left = width < 450 ? 84 : 120, right = 44, line = 26;
  const svg = shape("svg", { viewBox: `0 0 ${width} ${rows.length * line + 6}`, role: "img", "aria-label": "how each engine lost" });
  rows.forEach((row, number) => {
    const y = number * line + 4;
    let at = left;
    svg.append(label(left - 10, y + 14, shorten(row.name, left < 100 ? 11 : 16), { "text-anchor": "end" }));
    for (const kind of kinds.filter((one) => row.counts[one])) {
      const length = (row.counts[kind] / most) * (width - left - right);
      svg.append(titled(shape("rect", { x: at, y, width: Math.max(length - 1, 1), height: 19, rx: 2, fill: color(kind), style: "cursor:pointer", onclick: () => choose(row.index, kind) }),
        `${row.name}, ${kind}: ${row.counts[kind]}`));
      at += length;
    }
    svg.append(label(at + 6, y + 14, String(row.total), { class: "faint" }));
  });
  const text = (kind) => `${kind === "line" ? "line: the other made a line" : `${kind}: ${reasons[kind] || kind}`} (${count(kind)})`;
  return [svg, legend(kinds.map((kind) => [text(kind), color(kind)]))];
}

// The scores of a game, seen by the first player; clicks choose a ply.
function scoreChart(game, ply, choose) {
  const width = chartWidth(), height = 120, left = 8, middle = height / 2;
  const squash = (score) => 1 - 2 / (1 + Math.exp(score / 250));
  const x = (at) => left + (at / Math.max(game.plies, 1)) * (width - 2 * left);
  const y = (score) => middle - squash(score) * (middle - 8);
  const svg = shape("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "scores", style: "cursor:pointer" });
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    choose(Math.round((((event.clientX - box.left) / box.width) * width - left) / (width - 2 * left) * game.plies));
  });
  svg.append(shape("rect", { x: 0, y: 0, width, height, fill: "var(--paper)", rx: 6 }));
  svg.append(shape("line", { class: "axis", x1: 0, x2: width, y1: middle, y2: middle }));
  for (const side of [0, 1]) {
    const points = [];
    game.s.forEach((score, index) => {
      const at = game.o + index;
      if (at % 2 === side && score !== null) points.push(`${x(at + 1)},${y(side ? -score : score)}`);
    });
    const color = side ? "var(--second)" : "var(--first)";
    svg.append(shape("polyline", { points: points.join(" "), fill: "none", stroke: color, "stroke-width": 2 }));
  }
  svg.append(shape("line", { x1: x(ply), x2: x(ply), y1: 0, y2: height, stroke: "var(--accent)", "stroke-width": 1.5 }));
  svg.append(label(12, 16, "good for the first", { class: "faint" }), label(12, height - 8, "good for the second", { class: "faint" }));
  return svg;
}

function ratioChart(sprt) {
  const width = window.innerWidth < 800 ? chartWidth() : 900, height = 180, left = 40, history = sprt.history;
  if (history.length < 2) return null;
  const low = Math.min(sprt.low * 1.1, ...history.map((point) => point[1]));
  const high = Math.max(sprt.high * 1.1, ...history.map((point) => point[1]));
  const x = (pairs) => left + (pairs / history[history.length - 1][0]) * (width - left - 8);
  const y = (ratio) => 8 + ((high - ratio) / (high - low)) * (height - 30);
  const svg = shape("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "log likelihood ratio over pairs" });
  for (const [value, color, name] of [[sprt.high, "var(--good)", "H1"], [sprt.low, "var(--bad)", "H0"], [0, "var(--line)", "0"]]) {
    svg.append(shape("line", { x1: left, x2: width, y1: y(value), y2: y(value), stroke: color, "stroke-dasharray": value ? "5 4" : "none" }));
    svg.append(label(left - 8, y(value) + 4, name, { "text-anchor": "end", class: "faint" }));
  }
  svg.append(shape("polyline", { points: history.map(([pairs, ratio]) => `${x(pairs)},${y(ratio)}`).join(" "), fill: "none", stroke: "var(--accent)", "stroke-width": 2 }));
  svg.append(label(width - 8, height - 4, `${history[history.length - 1][0]} pairs`, { "text-anchor": "end", class: "faint" }));
  return svg;
}
