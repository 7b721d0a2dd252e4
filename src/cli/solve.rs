//! `inarow solve`: exact values of positions on small boards, a line each.

use crate::protocol::solution_text;
use crate::rules::{Game, MoveForm, Position, Variant, parse_move};
use crate::solver::Solver;
use anyhow::{Context, anyhow, bail};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use std::fs;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::PathBuf;
use std::time::Instant;

/// What `inarow solve` is told.
#[derive(Args)]
pub struct Solve {
    /// A variant (cfour unless named), then the moves: 4455, or d1 d2 ...; without moves they are read from
    /// the standard input, one position a line
    words: Vec<String>,
    #[command(flatten)]
    board: Board,
    /// Stones do not fall
    #[arg(long, conflicts_with = "book")]
    free: bool,
    /// MiB for the table
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    hash: u32,
    /// Threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Solve early positions, too, without the opening table
    #[arg(long)]
    no_book: bool,
    /// An opening table made by `inarow book`, instead of the one that comes along
    #[arg(long, value_name = "FILE", conflicts_with = "no_book")]
    book: Option<PathBuf>,
}

/// The board, as far as it is not that of the variant.
#[derive(Args)]
pub struct Board {
    /// Columns of the board, if not those of the variant
    #[arg(long)]
    columns: Option<u8>,
    /// Rows of the board
    #[arg(long)]
    rows: Option<u8>,
    /// How many in a row win
    #[arg(long)]
    line: Option<u8>,
}

impl Board {
    /// The game of a variant on this board.
    ///
    /// # Errors
    /// There is no such board.
    pub fn game(&self, variant: Variant) -> anyhow::Result<Game> {
        let mut game = Game::new(variant);
        game = self.columns.map_or(Ok(game), |columns| game.with_columns(columns))?;
        game = self.rows.map_or(Ok(game), |rows| game.with_rows(rows))?;
        game = self.line.map_or(Ok(game), |line| game.with_line(line))?;
        // Boards of one's own are meant to have gravity here.
        Ok(game.with_gravity(game.gravity() || variant == Variant::Mnk))
    }
}

/// A solver with so many MiB for its table.
///
/// # Errors
/// There is none for the game, or no memory for it.
pub fn solver(game: &Game, megabytes: u32) -> anyhow::Result<Solver> {
    let solver =
        Solver::new(game, (megabytes as usize) << 20).map_err(|_| anyhow!("there is no memory for the table"))?;
    solver.with_context(|| format!("{game} has no solver; expected {}", Solver::BOARDS))
}

/// Solves what the command line names, or each line of `input`.
///
/// # Errors
/// The game has no solver, a position cannot be read, or the output is closed.
pub fn solve(task: &Solve, input: impl BufRead, output: &mut (impl Write + IsTerminal)) -> anyhow::Result<()> {
    let (variant, moves) = match task.words.split_first() {
        Some((first, rest)) => match Variant::from_name(first) {
            Some(variant) => (variant, rest),
            None => (Variant::ConnectFour, task.words.as_slice()),
        },
        None => (Variant::ConnectFour, task.words.as_slice()),
    };
    let game = task.board.game(variant)?;
    let game = game.with_gravity(game.gravity() && !task.free);
    let mut solver = solver(&game, task.hash)?;
    solver.use_threads(task.threads.into());
    match &task.book {
        Some(path) => {
            let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
            solver.read_book(&bytes).with_context(|| path.display().to_string())?;
        }
        None => solver.use_book(!task.no_book),
    }
    let mut bad = 0;
    let mut say = |text: &str, output: &mut dyn Write| -> io::Result<()> {
        let reply = one(&solver, game, text);
        bad += usize::from(reply.is_err());
        let text = if text.trim().is_empty() { "startpos" } else { text.trim() };
        match reply {
            Ok(reply) => writeln!(output, "{text}: {reply}"),
            Err(error) => writeln!(output, "{text}: error: {error}"),
        }
    };
    if !moves.is_empty() {
        say(&moves.join(" "), output)?;
    } else if io::stdin().is_terminal() || !io::stderr().is_terminal() || output.is_terminal() {
        for line in texts(input) {
            say(&line.context("cannot read the positions")?, output)?;
            output.flush()?;
        }
    } else {
        // Somebody is watching while a list goes into a file.
        let lines: Vec<String> = texts(input).collect::<io::Result<_>>().context("cannot read the positions")?;
        let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} positions, {per_sec}, {eta} left")?;
        let bar = ProgressBar::new(lines.len() as u64).with_style(style);
        for line in &lines {
            say(line, output)?;
            bar.inc(1);
        }
        bar.finish();
    }
    match bad {
        0 => Ok(()),
        1 => bail!("one position could not be read"),
        bad => bail!("{bad} positions could not be read"),
    }
}

/// The lines of the input. What is no text in one is shown as such, and does not keep the others from being read.
fn texts(input: impl BufRead) -> impl Iterator<Item = io::Result<String>> {
    input.split(b'\n').map(|line| line.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
}

/// What one position is worth.
fn one(solver: &Solver, game: Game, text: &str) -> Result<String, String> {
    let (position, form) = read(game, text)?;
    let start = Instant::now();
    let found = solver.solve(&position, &mut |_| false);
    let solution = found.result.ok_or("the work was ended")?;
    Ok(solution_text(&solution, found.nodes, start.elapsed(), form, &game))
}

/// The position after some moves, and the form of the last one. On boards of up to nine columns digits need no blanks between.
fn read(game: Game, text: &str) -> Result<(Position, MoveForm), String> {
    let mut position = Position::new(game);
    let mut last = MoveForm::ColumnDigit;
    let mut number = 0;
    for word in text.split_ascii_whitespace() {
        let digits = game.columns() <= 9 && word.bytes().all(|byte| byte.is_ascii_digit());
        let words: Vec<&str> = if digits { word.split_inclusive(|_: char| true).collect() } else { vec![word] };
        for word in words {
            number += 1;
            let (mv, form) = parse_move(word, &position).map_err(|error| format!("move {number}: {error}"))?;
            position.play(mv).map_err(|error| format!("move {number}: {error}"))?;
            last = form;
        }
    }
    Ok((position, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cfour() -> Game {
        Game::new(Variant::ConnectFour)
    }

    #[test]
    fn moves_are_read_with_blanks_and_without() {
        let stones = |text: &str| read(cfour(), text).map(|(position, _)| position.board().key());
        assert_eq!(stones("4455"), stones("d1 d2 e1 e2"));
        assert_eq!(stones("4455"), stones("44 5 e"));
        assert!(stones("").is_ok());
        for (text, why) in [("4444444", "move 7"), ("48", "no column 8"), ("4x", "not a move"), ("1122334455", "over")]
        {
            let error = stones(text).unwrap_err();
            assert!(error.contains(why) || error.contains("game is over"), "{text}: {error}");
        }
    }

    #[test]
    fn what_is_no_text_keeps_no_other_line_from_being_read() {
        let lines: Vec<String> = texts(&b"44\r\n\xff\n4455"[..]).map(Result::unwrap).collect();
        assert_eq!(lines.len(), 3);
        assert!(read(cfour(), &lines[0]).is_ok() && read(cfour(), &lines[2]).is_ok());
        assert!(read(cfour(), &lines[1]).is_err_and(|error| error.contains("move 1")));
    }

    #[test]
    fn a_finished_game_has_a_value_and_no_move() {
        let solver = Solver::new(&cfour(), 1 << 20).unwrap().unwrap();
        let text = one(&solver, cfour(), "1213141").unwrap();
        assert!(text.starts_with("loss mate 0 best (none)"), "{text}");
        let text = one(&solver, cfour(), "121314").unwrap();
        assert!(text.starts_with("win mate 1 best 1 nodes 0"), "{text}");
    }
}
