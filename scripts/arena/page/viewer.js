"use strict";
// The board: one game, stepped through.

class Viewer {
  constructor(data) {
    this.data = data;
    this.game = null;
    this.ply = 0;
    this.timer = null;
    const on = (id, act) => document.getElementById(id).addEventListener("click", act);
    on("first", () => this.step(-Infinity));
    on("back", () => this.step(-1));
    on("forward", () => this.step(1));
    on("last", () => this.step(Infinity));
    on("play", () => this.toggle());
    document.getElementById("slider").addEventListener("input", (event) => this.goTo(Number(event.target.value)));
    document.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    if (["INPUT", "SELECT"].includes(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
    const keys = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
    if (event.key in keys) this.step(keys[event.key]);
    else if (event.key === " " && event.target.tagName !== "BUTTON") this.toggle();
    else return;
    event.preventDefault();
  }

  // Show a game, at its end unless told otherwise.
  show(game, ply = game.plies) {
    this.pause();
    this.game = game;
    this.squares = game.m ? game.m.split(" ").map((name) => [name.charCodeAt(0) - 97, Number(name.slice(1)) - 1]) : [];
    const { names, reasons } = this.data;
    document.getElementById("slider").max = game.plies;
    document.getElementById("game-name").textContent = game.id;
    const end = document.getElementById("game-end");
    const winner = game.r === "draw" ? "Draw" : `${names[game.r === "x" ? game.a : game.b]} won`;
    const why = this.data.forfeitSet.has(game.w) ? `${names[game.l]} ${reasons[game.w]}` : reasons[game.w] || game.w;
    end.replaceChildren(element("strong", {}, winner), `: ${why}${game.d ? `: ${game.d}` : ""}. `);
    const file = this.data.files[game.number - 1];
    if (file) end.append(element("a", { href: `sgf/${file}` }, "SGF"));
    if (game.n) end.append(element("div", { class: "fault" }, game.n.join("; ")));
    const log = document.getElementById("log");
    log.hidden = !game.log;
    document.getElementById("log-text").textContent = (game.log || []).join("\n");
    this.buttons = this.squares.map((_, index) => {
      const name = game.m.split(" ")[index], ms = game.t[index - game.o], score = game.s[index - game.o];
      const tip = index < game.o ? "opening" : `${ms} ms${score === null ? "" : `, score ${scoreText(score)}`}`;
      return element("button", { title: tip, class: index < game.o ? "book" : null, onclick: () => this.goTo(index + 1) }, element("small", {}, String(index + 1)), name);
    });
    document.getElementById("moves").replaceChildren(...this.buttons);
    this.drawBoard();
    this.goTo(ply);
  }

  drawBoard() {
    const { columns, rows, five } = this.data.rules;
    const svg = shape("svg", { viewBox: `0 0 ${columns + 1} ${rows + 1}`, role: "img", "aria-label": "board", style: "border-radius:8px;max-height:80vh" });
    svg.append(shape("rect", { x: 0, y: 0, width: columns + 1, height: rows + 1, fill: "var(--wood)" }));
    const grid = { stroke: "var(--grid)", "stroke-width": 0.03 };
    // Stones are put on crossings in five in a row, into cells elsewhere.
    const inset = five ? 0.5 : 0;
    for (let column = 0; column < columns + (five ? 0 : 1); column += 1) {
      const x = 0.5 + column + inset;
      svg.append(shape("line", { x1: x, x2: x, y1: 0.5 + inset, y2: rows + 0.5 - inset, ...grid }));
    }
    for (let row = 0; row < rows + (five ? 0 : 1); row += 1) {
      const y = 0.5 + row + inset;
      svg.append(shape("line", { x1: 0.5 + inset, x2: columns + 0.5 - inset, y1: y, y2: y, ...grid }));
    }
    const size = Math.max(0.32, Math.min(0.58, columns / 45));
    const names = { style: `font-size:${size}px;fill:#4b3714`, "text-anchor": "middle" };
    for (let column = 0; column < columns; column += 1) svg.append(label(column + 1, rows + 0.85, String.fromCharCode(97 + column), names));
    for (let row = 0; row < rows; row += 1) svg.append(label(0.25, rows - row + 0.11, String(row + 1), names));
    this.stones = shape("g");
    svg.append(this.stones);
    document.getElementById("board").replaceChildren(svg);
  }

  goTo(ply) {
    const { game, squares } = this;
    this.ply = Math.max(0, Math.min(game.plies, ply));
    this.stones.replaceChildren(...squares.slice(0, this.ply).map((square, index) => this.stone(square, index)));
    for (const square of this.ply === game.plies && game.w === "line" ? this.line() : []) {
      this.stones.append(shape("circle", { cx: square[0] + 1, cy: this.data.rules.rows - square[1], r: 0.44, fill: "none", stroke: "var(--red)", "stroke-width": 0.09 }));
    }
    this.buttons.forEach((button, index) => button.classList.toggle("now", index === this.ply - 1));
    const now = this.buttons[this.ply - 1], list = document.getElementById("moves");
    if (now) list.scrollTop = now.offsetTop - list.offsetTop - 60;
    document.getElementById("slider").value = this.ply;
    const ms = game.t[this.ply - 1 - game.o], score = game.s[this.ply - 1 - game.o];
    document.getElementById("ply").textContent = `${this.ply} / ${game.plies}${ms === undefined ? "" : ` · ${Math.round(ms)} ms`}${score === null || score === undefined ? "" : ` · ${scoreText(score)}`}`;
    document.getElementById("scores").replaceChildren(scoreChart(game, this.ply, (chosen) => this.goTo(chosen)));
    this.showPlayers();
    for (const id of ["first", "back"]) document.getElementById(id).disabled = this.ply === 0;
    for (const id of ["last", "forward"]) document.getElementById(id).disabled = this.ply === game.plies;
    history.replaceState(null, "", `#game=${game.number}&ply=${this.ply}`);
  }

  showPlayers() {
    const players = [[this.game.a, "#111"], [this.game.b, "#fff"]].map(([index, color], side) => element("span",
      { class: this.ply < this.game.plies && this.ply % 2 === side ? "to-move" : null },
      element("i", { style: `background:${color}` }), this.data.names[index]));
    document.getElementById("players").replaceChildren(...players);
  }

  stone([column, row], index) {
    const x = column + 1, y = this.data.rules.rows - row, last = index === this.ply - 1, dark = index % 2 === 0;
    const size = index < 99 ? 0.36 : 0.29;
    return shape("g", {},
      shape("circle", { cx: x, cy: y, r: 0.44, fill: dark ? "#16191d" : "#fbfbf8", stroke: last ? "var(--red)" : "#0008", "stroke-width": last ? 0.08 : 0.025 }),
      label(x, y + size * 0.36, String(index + 1), { "text-anchor": "middle", style: `font-size:${size}px;fill:${dark ? "#fff" : "#111"};opacity:${index < this.game.o ? 0.6 : 1}` }));
  }

  // The stones of the winning line.
  line() {
    const own = new Set(this.squares.filter((_, index) => (index - this.squares.length) % 2).map(String));
    const last = this.squares[this.squares.length - 1];
    for (const [dx, dy] of [[1, 0], [0, 1], [1, 1], [1, -1]]) {
      const run = [last];
      for (const sign of [1, -1]) {
        for (let step = 1; own.has(String([last[0] + sign * step * dx, last[1] + sign * step * dy])); step += 1) run.push([last[0] + sign * step * dx, last[1] + sign * step * dy]);
      }
      if (run.length >= this.data.rules.line) return run;
    }
    return [];
  }

  step(by) {
    this.pause();
    this.goTo(by === Infinity ? this.game.plies : by === -Infinity ? 0 : this.ply + by);
  }

  toggle() {
    if (this.timer) { this.pause(); return; }
    if (this.ply === this.game.plies) this.goTo(0);
    this.timer = setInterval(() => { if (this.ply === this.game.plies) this.pause(); else this.goTo(this.ply + 1); }, 500);
    document.getElementById("play").textContent = "❚❚";
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    document.getElementById("play").textContent = "▶▶";
  }
}

function scoreText(score) {
  const distance = 100000 - Math.abs(score);
  if (distance < 2000) return `${score > 0 ? "wins" : "loses"} in ${distance}`;
  return (score > 0 ? "+" : "") + (score / 100).toFixed(2);
}
