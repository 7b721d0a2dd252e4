//! Engine values to lines of text. What is the same for every game, `vampirc-uci` writes.

use crate::engine::{OptionId, OptionKind, Threat, Threats};
use crate::record::standing;
use crate::rules::{Color, Game, Move, MoveForm, Outcome, Position, format_fairy_fen, format_fen, format_move};
use crate::search::{Bound, Report, Work, chances};
use crate::solver::Solution;
use crate::units::Score;
use std::fmt::Display;
use std::time::Duration;
use vampirc_uci::{Serializable, UciInfoAttribute, UciMessage, UciOptionConfig};

/// `id` and `option` lines.
pub(super) fn identity(game: &Game) -> Vec<String> {
    let id = |name: Option<String>, author: Option<String>| UciMessage::Id { name, author }.serialize();
    let mut lines = vec![
        id(Some(format!("inarow {}", env!("CARGO_PKG_VERSION"))), None),
        id(None, Some("the inarow developers".into())),
    ];
    lines.extend(OptionId::all().map(|option| UciMessage::Option(config(option, game)).serialize()));
    lines
}

fn config(option: OptionId, game: &Game) -> UciOptionConfig {
    let name = option.name().to_owned();
    match option.kind(game) {
        OptionKind::Spin { default, min, max } => {
            UciOptionConfig::Spin { name, default: Some(default), min: Some(min), max: Some(max) }
        }
        OptionKind::Check { default } => UciOptionConfig::Check { name, default: Some(default) },
        OptionKind::Combo { default, values } => UciOptionConfig::Combo {
            name,
            default: Some(default.into()),
            var: values.into_iter().map(Into::into).collect(),
        },
        OptionKind::Button => UciOptionConfig::Button { name },
        OptionKind::Text => UciOptionConfig::String { name, default: Some("<empty>".into()) },
    }
}

/// `info string error: ...`
pub(super) fn error(what: impl Display) -> String {
    info_string(format_args!("error: {what}"))
}

/// `info string ...`
pub(super) fn info_string(what: impl Display) -> String {
    // One line stays one line, whatever it quotes.
    let text = what.to_string().replace(|c: char| c.is_control(), " ");
    UciMessage::Info(vec![any("string", text)]).serialize()
}

/// The line by which a client learns the size of the board, in Fairy-Stockfish's words.
pub(super) fn variant(game: &Game) -> String {
    info_string(format_args!(
        "variant {} files {} ranks {} pocket 1 template fairy startpos {}",
        game.variant().name(),
        game.columns(),
        game.rows(),
        format_fairy_fen(&Position::new(*game)),
    ))
}

/// How scores and moves are to be written.
#[derive(Clone, Copy)]
pub(super) struct Style<'a> {
    pub game: &'a Game,
    pub form: MoveForm,
    pub chances: bool,
}

impl Style<'_> {
    /// One move.
    pub fn text(&self, mv: Move) -> String {
        format_move(mv, self.form, self.game)
    }

    /// Moves with blanks between.
    pub fn list(&self, moves: &[Move]) -> String {
        moves.iter().map(|&mv| self.text(mv)).collect::<Vec<_>>().join(" ")
    }

    /// A line of the search.
    pub fn report(&self, report: &Report) -> String {
        let mut score = report.score.to_string();
        match report.bound {
            Bound::Exact => {}
            Bound::Lower => score.push_str(" lowerbound"),
            Bound::Upper => score.push_str(" upperbound"),
        }
        let mut attributes = vec![
            any("depth", report.depth.0),
            any("seldepth", report.selective_depth.0),
            any("multipv", report.rank),
            any("score", score),
        ];
        if self.chances {
            let chances = chances(report.score, report.proven);
            attributes.push(any("wdl", format_args!("{} {} {}", chances.win, chances.draw, chances.loss)));
        }
        attributes.extend(work_attributes(&report.work));
        attributes.push(any("pv", self.list(&report.line)));
        UciMessage::Info(attributes).serialize()
    }

    /// `bestmove X [ponder Y]`.
    pub fn best_move(&self, best: Option<Move>, ponder: Option<Move>) -> String {
        let Some(best) = best else { return "bestmove (none)".into() };
        match ponder {
            Some(ponder) => format!("bestmove {} ponder {}", self.text(best), self.text(ponder)),
            None => format!("bestmove {}", self.text(best)),
        }
    }

    /// The move that is being searched, the so-manieth.
    pub fn trying(&self, depth: i16, mv: Move, number: usize) -> String {
        let attributes = vec![any("depth", depth), any("currmove", self.text(mv)), any("currmovenumber", number)];
        UciMessage::Info(attributes).serialize()
    }
}

/// `win mate 3 best d e nodes 120 ms 0.031`: what a position is worth, and the moves that keep it.
pub fn solution_text(solution: &Solution, nodes: u64, time: Duration, form: MoveForm, game: &Game) -> String {
    let value = match solution.score {
        score if score.is_win() => "win",
        score if score.is_loss() => "loss",
        _ => "draw",
    };
    let best: String = solution.best.iter().map(|&mv| format!(" {}", format_move(mv, form, game))).collect();
    let best = if best.is_empty() { " (none)" } else { &best };
    format!("{value} {} best{best} nodes {nodes} ms {:.3}", solution.score, time.as_secs_f64() * 1e3)
}

/// A sign of life.
pub(super) fn work(work: &Work) -> String {
    UciMessage::Info(work_attributes(work)).serialize()
}

fn work_attributes(work: &Work) -> Vec<UciInfoAttribute> {
    vec![
        UciInfoAttribute::Nodes(work.nodes),
        UciInfoAttribute::Nps(work.nodes_per_second()),
        UciInfoAttribute::HashFull(work.permille_full),
        any("time", work.time.as_millis()),
    ]
}

/// An attribute in our own words: the crate's numbers are narrow and its moves are those of chess.
fn any(name: &str, value: impl Display) -> UciInfoAttribute {
    UciInfoAttribute::Any(name.into(), value.to_string())
}

/// The line before `bestmove (none)`.
pub(super) fn no_move(score: Score) -> String {
    UciMessage::Info(vec![any("depth", 0), any("score", score)]).serialize()
}

/// `threats x win h8 four g7 k7`: a line for each colour, the strongest threats first.
pub(super) fn threats(threats: &Threats) -> [String; 2] {
    Color::ALL.map(|color| {
        let words = Threat::ALL.into_iter().map(|kind| (kind, threats.cells(color, kind)));
        let text = words.filter(|(_, cells)| !cells.is_empty()).map(|(kind, cells)| {
            let cells = cells.iter().map(|square| format!(" {square}")).collect::<String>();
            format!(" {}{cells}", threat_name(kind))
        });
        format!("threats {}{}", color.letter(), text.collect::<String>())
    })
}

fn threat_name(threat: Threat) -> &'static str {
    match threat {
        Threat::Win => "win",
        Threat::OpenFour => "open-four",
        Threat::Four => "four",
        Threat::OpenThree => "open-three",
    }
}

/// `cfour 7x6, 4 in a row, stones fall; 12 moves, x to move`: a game in a few words.
pub(super) fn stage(position: &Position) -> String {
    let moves = match position.board().moves().len() {
        1 => "1 move".into(),
        several => format!("{several} moves"),
    };
    format!("{}; {moves}, {}", position.game(), standing(position))
}

/// The board, its FEN and how the game stands.
pub(super) fn display(position: &Position, form: MoveForm) -> Vec<String> {
    let game = position.game();
    let board = position.board();
    let mut lines: Vec<String> = position.to_string().lines().map(Into::into).collect();
    lines.push(format!("game: {game}"));
    lines.push(format!("fen: {}", format_fen(position)));
    lines.push(format!("key: {:016x}", board.key()));
    let line = |square| board.winning_squares(square).iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    lines.push(match position.outcome() {
        Outcome::Ongoing => format!("to move: {}", board.side().letter()),
        Outcome::Draw => "result: draw".into(),
        Outcome::Win(color) => {
            // There is no line after a foul.
            let last = board.moves().last().map(|mv| line(mv.square())).filter(|line| !line.is_empty());
            let last = last.map(|line| format!(" ({line})")).unwrap_or_default();
            format!("result: {} wins{last}", color.letter())
        }
    });
    let moves = Style { game, form, chances: false }.list(board.moves());
    lines.push(format!("moves: {moves}").trim_end().into());
    lines
}
