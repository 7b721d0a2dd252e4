"use strict";
// The page: reads the data, fills the tables, and ties them to the board.

const data = JSON.parse(document.getElementById("data").textContent);
data.names = data.standings.map((row) => row.name);
data.forfeitSet = new Set(data.forfeits);
data.games.forEach((game, index) => {
  game.number = index + 1;
  game.plies = game.m ? game.m.split(" ").length : 0;
});
const PAGE = 50;
const list = { games: data.games, page: 0 };
const viewer = new Viewer(data);
const byId = (id) => document.getElementById(id);

function head(cells) {
  return element("thead", {}, element("tr", {}, ...cells.map(([text, kind]) => element("th", { class: kind, scope: "col" }, text))));
}

function fillHeader() {
  byId("title").textContent = data.title;
  const played = data.games_planned && data.mode !== "sprt" ? `${data.games.length} of ${data.games_planned} games` : `${data.games.length} games`;
  const state = data.finished ? "finished" : "not finished";
  byId("subtitle").textContent = [data.game, `${played}, ${state}`, `times are held with a tolerance of ${data.tolerance_ms} ms`].join(" · ");
}

function fillStandings() {
  const body = data.standings.map((row, index) => element("tr", {},
    element("td", {}, String(index + 1)),
    element("td", { class: "left" }, element("strong", {}, row.name)),
    element("td", {}, row.games ? `${signed(row.elo)} ± ${row.error === null ? "?" : Math.round(row.error)}` : "-"),
    element("td", {}, row.games ? `${((100 * row.points) / row.games).toFixed(1)} %` : "-"),
    element("td", {}, String(row.games)), element("td", {}, String(row.wins)), element("td", {}, String(row.draws)), element("td", {}, String(row.losses)),
    element("td", { class: "left fault" }, Object.entries(row.forfeits).map(([kind, count]) => `${count} ${kind}`).join(", ")),
    element("td", { class: "left minor" }, `${data.engines[row.name].protocol}, ${data.engines[row.name].limits}`)));
  byId("standings").append(head([["#"], ["engine", "left"], ["Elo"], ["score"], ["games"], ["won"], ["drawn"], ["lost"], ["forfeits", "left"], ["plays", "left minor"]]), element("tbody", {}, ...body));
}

function fillCross() {
  const body = data.names.map((name, row) => element("tr", {}, element("th", { class: "left", scope: "row" }, shorten(name, 18)), ...data.names.map((other, column) => {
    const cell = (data.cross_table[name] || {})[other];
    if (row === column) return element("td", { class: "self" });
    if (!cell) return element("td");
    const [wins, draws, losses] = cell, score = (wins + draws / 2) / (wins + draws + losses);
    const strength = Math.round(Math.abs(score - 0.5) * 130), color = score >= 0.5 ? "var(--good)" : "var(--bad)";
    return element("td", { class: "cell", tabindex: 0, title: `${name} against ${other}: ${wins} won, ${draws} drawn, ${losses} lost`, style: `background:color-mix(in srgb, ${color} ${strength}%, transparent)`,
      onclick: () => choose({ engine: row, other: column }), onkeydown: (event) => { if (event.key === "Enter") choose({ engine: row, other: column }); } },
    `${Math.round(100 * score)} %`, element("span", { class: "sub" }, `${wins} · ${draws} · ${losses}`));
  })));
  byId("cross").append(head([["", "left"], ...data.names.map((name) => [shorten(name, 12)])]), element("tbody", {}, ...body));
}

function fillTest() {
  const sprt = data.sprt;
  if (!sprt) return;
  byId("sprt").hidden = false;
  const share = Math.max(0, Math.min(1, (sprt.llr - sprt.low) / (sprt.high - sprt.low)));
  const verdict = { H1: `H1 accepted: ${sprt.engine} is stronger by ${sprt.elo1} rather than ${sprt.elo0} Elo`, H0: `H0 accepted: ${sprt.engine} is stronger by ${sprt.elo0} rather than ${sprt.elo1} Elo` }[sprt.verdict] || "No verdict yet";
  const elo = sprt.elo === null ? "beyond measure" : `${signed(sprt.elo)} ± ${sprt.error === null ? "?" : Math.round(sprt.error)}`;
  byId("sprt-body").append(
    element("strong", { class: sprt.verdict === "H1" ? "win" : sprt.verdict === "H0" ? "loss" : null }, verdict),
    element("p", {}, `Elo of ${sprt.engine}: ${elo}. Log likelihood ratio ${sprt.llr.toFixed(2)}, bounds ${sprt.low.toFixed(2)} and ${sprt.high.toFixed(2)} (alpha ${sprt.alpha}, beta ${sprt.beta}). Pairs that scored 0, ½, 1, 1½, 2: ${sprt.counts.join(", ")}.`),
    element("div", { class: "gauge" }, element("b", { style: `left:${100 * share}%` })),
    element("div", { class: "ends" }, element("span", {}, `H0: ${sprt.elo0} Elo`), element("span", {}, `H1: ${sprt.elo1} Elo`)),
    ratioChart(sprt));
}

function options(select, entries) {
  select.replaceChildren(...entries.map(([value, text]) => element("option", { value }, text)));
}

function fillFilters() {
  const names = [["", "any"], ...data.names.map((name, index) => [index, name])];
  options(byId("f-engine"), names);
  options(byId("f-other"), names);
  options(byId("f-reason"), [["", "any"], ...[...new Set(data.games.map((game) => game.w))].sort().map((kind) => [kind, kind])]);
  for (const id of ["f-engine", "f-other", "f-result", "f-reason"]) byId(id).addEventListener("change", filter);
  byId("f-clear").addEventListener("click", () => choose({}, false));
  byId("page-back").addEventListener("click", () => turnPage(-1));
  byId("page-on").addEventListener("click", () => turnPage(1));
  byId("previous-game").addEventListener("click", () => neighbour(-1));
  byId("next-game").addEventListener("click", () => neighbour(1));
  document.addEventListener("keydown", (event) => {
    if (event.target.tagName === "SELECT" || event.ctrlKey || event.metaKey) return;
    if (event.key === "n") neighbour(1);
    if (event.key === "p") neighbour(-1);
  });
}

// Set the filters; what is not given is anything.
function choose({ engine = "", other = "", result = "", reason = "" }, scroll = true) {
  byId("f-engine").value = engine;
  byId("f-other").value = other;
  byId("f-result").value = result;
  byId("f-reason").value = reason;
  filter();
  if (scroll) {
    byId("games-card").scrollIntoView({ behavior: "smooth" });
    if (list.games.length) viewer.show(list.games[0]);
    fillGames();
  }
}

function filter() {
  const value = (id) => byId(id).value;
  const engine = value("f-engine") === "" ? null : Number(value("f-engine"));
  const other = value("f-other") === "" ? null : Number(value("f-other"));
  const fits = (game) => {
    const sides = [game.a, game.b];
    if (engine !== null && !sides.includes(engine) || other !== null && !sides.includes(other)) return false;
    if (value("f-reason") && game.w !== value("f-reason")) return false;
    if (value("f-result") === "draw") return game.r === "draw";
    if (value("f-result") && engine !== null) return game.r !== "draw" && (game.l === engine) === (value("f-result") === "loss");
    return value("f-result") === "" || game.r !== "draw";
  };
  list.games = data.games.filter(fits);
  list.page = 0;
  fillGames();
}

function turnPage(by) {
  list.page += by;
  fillGames();
}

function neighbour(by) {
  const at = list.games.indexOf(viewer.game) + by;
  if (list.games[at]) {
    viewer.show(list.games[at]);
    list.page = Math.floor(at / PAGE);
    fillGames();
  }
}

function fillGames() {
  const from = list.page * PAGE, shown = list.games.slice(from, from + PAGE);
  const side = (game, index, won) => element("td", { class: won ? "left win" : game.r === "draw" ? "left" : "left loss" }, data.names[index]);
  const rows = shown.map((game) => element("tr", { class: game === viewer.game ? "chosen" : null, tabindex: 0,
    onclick: () => open(game), onkeydown: (event) => { if (event.key === "Enter") open(game); } },
  element("td", {}, String(game.number)), side(game, game.a, game.r === "x"), side(game, game.b, game.r === "o"),
  element("td", {}, { x: "1–0", o: "0–1", draw: "½–½" }[game.r]), element("td", { class: "minor" }, String(game.plies)),
  element("td", { class: data.forfeitSet.has(game.w) ? "left fault" : "left" }, game.w),
  element("td", { class: "left minor" }, game.d ? shorten(game.d, 70) : "")));
  byId("games").replaceChildren(head([["#"], ["first", "left"], ["second", "left"], ["result"], ["plies", "minor"], ["end", "left"], ["", "left minor"]]), element("tbody", {}, ...rows));
  byId("count").textContent = `${list.games.length} games`;
  const pages = Math.max(1, Math.ceil(list.games.length / PAGE));
  byId("page").textContent = `page ${list.page + 1} of ${pages}`;
  byId("page-back").disabled = list.page === 0;
  byId("page-on").disabled = list.page >= pages - 1;
}

function open(game) {
  viewer.show(game);
  fillGames();
  byId("viewer-card").scrollIntoView({ behavior: "smooth" });
}

fillHeader();
fillStandings();
fillFilters();
if (data.games.length) {
  fillTest();
  fillCross();
  byId("elo").append(eloChart(data.standings));
  byId("lengths").append(...lengthChart(data.games));
  byId("losses").append(...lossChart(data.names, data.games, data.reasons, (engine, reason) => choose({ engine, reason, result: "loss" })));
  const link = new URLSearchParams(location.hash.slice(1));
  const game = data.games[Number(link.get("game")) - 1] || data.games[data.games.length - 1];
  viewer.show(game, link.has("ply") ? Number(link.get("ply")) : undefined);
} else {
  byId("viewer-card").hidden = true;
}
fillGames();
