//! One client's session: what each command does. The order of things is the controller's business.

use super::command::{Command, Point, Stone};
use super::reply::{self, Axes};
use super::settings::{Effect, Settings, hash_within};
use super::thinking::{Choice, Purpose, Thinking, choose};
use crate::engine::{Ended, Engine, EngineEvent, JobOutcome};
use crate::protocol::writer::{Closed, Log, Writer};
use crate::rules::{Color, Game, IllegalMove, Move, Outcome, Position, Square};
use crate::search::{Bound, Event, Finding, Report};
use std::time::{Duration, Instant};

/// Boards that are played.
const SIDES: std::ops::RangeInclusive<i64> = 5..=26;
/// No more messages than one in this time, apart from the last one.
const MESSAGE_EVERY: Duration = Duration::from_millis(50);
/// Lines that are compared to find a balanced move.
const BALANCE_LINES: usize = 24;

/// The state of a session.
pub(super) struct Session {
    pub engine: Engine,
    writer: Writer,
    log: Log,
    settings: Settings,
    /// The size of the board, once a game has been started.
    size: Option<(u8, u8)>,
    /// Points that are not to be played.
    blocked: Vec<Square>,
    /// The limit of all memory in bytes.
    memory: Option<u64>,
    /// The hash size was asked for in so many words.
    hash_chosen: bool,
    last_message: Option<Instant>,
    pub thinking: Option<Thinking>,
}

impl Session {
    pub fn new(engine: Engine, writer: Writer, log: Log) -> Session {
        Session {
            engine,
            writer,
            log,
            settings: Settings::default(),
            size: None,
            blocked: Vec::new(),
            memory: None,
            hash_chosen: false,
            last_message: None,
            thinking: None,
        }
    }

    pub fn finish(self) {
        self.writer.finish();
    }

    pub fn record_input(&self, line: &str) {
        self.log.record('>', line);
    }

    pub fn say(&self, line: impl Into<String>) -> Result<(), Closed> {
        self.writer.line(line)
    }

    fn error(&self, what: impl std::fmt::Display) -> Result<(), Closed> {
        self.say(format!("ERROR {what}"))
    }

    fn axes(&self) -> Axes {
        if self.settings.yixin { Axes::RowColumn } else { Axes::ColumnRow }
    }

    /// Carries out a command while no search is running. `at` is when it was read.
    pub fn execute(&mut self, command: Command, at: Instant) -> Result<(), Closed> {
        let started = self.size.is_some();
        match command {
            Command::Start { columns, rows } => self.start(columns, rows),
            Command::About => self.say(reply::about()),
            Command::Info { key, value } => self.info(&key, &value),
            Command::ShowInfo => self.show_info(),
            Command::UnknownExtension(name) if !self.settings.yixin => self.say(format!("UNKNOWN command '{name}'")),
            Command::Stop | Command::End | Command::Ignored | Command::UnknownExtension(_) => Ok(()),
            _ if !started => self.error("no game has been started; expected START and a size"),
            Command::Restart => {
                self.engine.new_game();
                self.blocked.clear();
                self.say("OK")
            }
            Command::Begin => self.think(Purpose::Play, 1, at),
            Command::Turn(_) if self.engine.position().is_some_and(Position::is_over) => self.no_move(),
            Command::Turn(point) => match self.play_at(point) {
                Ok(()) => self.think(Purpose::Play, 1, at),
                Err(why) => self.error(why),
            },
            Command::Play(point) => match self.play_at(point) {
                Ok(()) => self.say(format!("{},{}", point.first, point.second)),
                Err(why) => self.error(why),
            },
            Command::TakeBack(point) => match self.take_back(point) {
                Ok(()) => self.say("OK"),
                Err(why) => self.error(why),
            },
            Command::Board(stones) => match self.set_board(&stones) {
                Ok(()) => self.think(Purpose::Play, 1, at),
                Err(why) => self.error(why),
            },
            Command::SetBoard(stones) => match self.set_board(&stones) {
                Ok(()) => Ok(()),
                Err(why) => self.error(why),
            },
            Command::ShowForbidden => {
                let points = self.engine.position().map(Position::forbidden).unwrap_or_default();
                self.say(reply::forbidden(&points, self.engine.game()))
            }
            Command::BestLines(count) => self.think(Purpose::Play, usize::try_from(count).unwrap_or(1), at),
            Command::SearchDefence => self.think(Purpose::Play, usize::MAX, at),
            Command::Balance { moves, bias } => {
                self.think(Purpose::Balance { moves, bias, found: Vec::new() }, BALANCE_LINES, at)
            }
            Command::Block(points) => self.block(&points, true),
            Command::Unblock(points) => self.block(&points, false),
            Command::UnblockAll => {
                self.blocked.clear();
                Ok(())
            }
            Command::HashClear => {
                let _ = self.engine.set_option("Clear Hash", None);
                self.say("MESSAGE hash cleared")
            }
            Command::HashUsage => self.say(format!("MESSAGE hash of {} MB", self.engine.options().hash)),
            Command::Swap2Open => self.open(true, at),
            Command::Swap2Three => self.think(Purpose::Choose { yixin: true, stones: 3 }, 1, at),
            Command::Swap2Five => self.think(Purpose::Choose { yixin: true, stones: 5 }, 1, at),
            Command::Swap2Board(points) => self.swap2(&points, at),
        }
    }

    fn start(&mut self, columns: i64, rows: i64) -> Result<(), Closed> {
        if !SIDES.contains(&columns) || !SIDES.contains(&rows) {
            let (least, most) = (SIDES.start(), SIDES.end());
            return self.error(format_args!("a board of {columns}x{rows}; expected sides of {least} to {most}"));
        }
        self.size = Some((columns as u8, rows as u8));
        self.blocked.clear();
        self.apply_rule();
        let game = *self.engine.game();
        self.engine.take_position(Position::new(game));
        self.say("OK")
    }

    /// Puts the rule in force, with the stones that are on the board, as far as they fit.
    fn apply_rule(&mut self) {
        let Some(game) = self.size.and_then(|(columns, rows)| self.settings.game(columns, rows)) else { return };
        let stones = self.engine.position().map(stones_of).unwrap_or_default();
        let side = self.engine.position().map_or(Color::First, |position| position.board().side());
        if game == *self.engine.game() {
            return;
        }
        self.engine.set_game(game);
        if let Some(position) = position_of(game, &stones, side) {
            self.engine.take_position(position);
        }
    }

    /// Takes in an `INFO` that changes the engine, or is only noted.
    fn info(&mut self, key: &str, value: &str) -> Result<(), Closed> {
        match self.settings.info(key, value) {
            Effect::Noted | Effect::Hurry => {}
            Effect::Refused => return self.say(format!("MESSAGE INFO {key}: the old value stays")),
            Effect::Rule => self.apply_rule(),
            Effect::Threads(threads) => {
                let threads = threads.min(256).to_string();
                let _ = self.engine.set_option("Threads", Some(&threads));
                self.fit_memory()?;
            }
            Effect::Hash(kibibytes) => {
                self.hash_chosen = true;
                self.set_hash((kibibytes >> 10).clamp(1, 1 << 20))?;
                self.fit_memory()?;
            }
            Effect::Memory(bytes) => {
                self.memory = Some(bytes);
                self.fit_memory()?;
            }
        }
        Ok(())
    }

    /// Chooses the hash size by the limit of all memory, if there is one.
    fn fit_memory(&mut self) -> Result<(), Closed> {
        let Some(bytes) = self.memory else { return Ok(()) };
        let most = hash_within(bytes, self.engine.options().threads);
        let too_large = self.engine.options().hash as u64 > most;
        if too_large || !self.hash_chosen { self.set_hash(most) } else { Ok(()) }
    }

    fn set_hash(&mut self, megabytes: u64) -> Result<(), Closed> {
        match self.engine.set_option("Hash", Some(&megabytes.to_string())) {
            Ok(_) => Ok(()),
            Err(why) => self.say(format!("MESSAGE {why}")),
        }
    }

    /// Notes an `INFO` that only concerns time and limits, at once, whatever is running. `true` if a move is wanted now.
    pub fn info_at_once(&mut self, key: &str, value: &str) -> bool {
        self.settings.info(key, value) == Effect::Hurry
    }

    fn show_info(&mut self) -> Result<(), Closed> {
        self.settings.yixin = true;
        self.apply_rule();
        self.say(format!("MESSAGE inarow {}", env!("CARGO_PKG_VERSION")))?;
        self.say("MESSAGE INFO MAX_THREAD_NUM 256")?;
        self.say("MESSAGE INFO MAX_HASH_SIZE 30")
    }

    fn square(&self, point: Point) -> Result<Square, String> {
        let square = self.axes().square(point.first, point.second, self.engine.game());
        square.ok_or_else(|| format!("{},{} is off the board", point.first, point.second))
    }

    fn play_at(&mut self, point: Point) -> Result<(), String> {
        let square = self.square(point)?;
        let mut position = self.engine.position().cloned().ok_or("there is no position")?;
        position.play(Move::to(square)).map_err(|why| match why {
            IllegalMove::Foul(_, foul) => format!("foul {},{}: {foul}", point.first, point.second),
            IllegalMove::Occupied(_) => format!("{},{} is occupied", point.first, point.second),
            other => other.to_string(),
        })?;
        self.engine.take_position(position);
        Ok(())
    }

    fn take_back(&mut self, point: Point) -> Result<(), String> {
        let square = self.square(point)?;
        let position = self.engine.position().ok_or("there is no position")?;
        let moves = position.board().moves();
        if moves.last() == Some(&Move::to(square)) {
            return self.engine.undo(1).map_err(|_| "there is no move to take back".into());
        }
        let mut stones = stones_of(position);
        let before = stones.len();
        stones.retain(|&(there, _)| there != square);
        if stones.len() == before {
            return Err(format!("{},{} has no stone to take back", point.first, point.second));
        }
        let side = !position.board().side();
        let position = position_of(*position.game(), &stones, side).ok_or("the rest is no position")?;
        self.engine.take_position(position);
        Ok(())
    }

    fn set_board(&mut self, list: &[Stone]) -> Result<(), String> {
        let game = *self.engine.game();
        let own = list.iter().filter(|stone| stone.field == 1).count();
        let opponents = list.iter().filter(|stone| stone.field == 2).count();
        // In continuous games no owner is named: the last stone is the opponent's, the others alternate.
        let unnamed = list.iter().all(|stone| stone.field == 3);
        let even = if unnamed { list.len().is_multiple_of(2) } else { own == opponents };
        if !(unnamed || even || opponents == own + 1) {
            return Err(format!(
                "a board of {own} own and {opponents} other stones; expected as many, or one more other"
            ));
        }
        // The engine is to move: with as many stones as the opponent it is the first player.
        let side = if even { Color::First } else { Color::Second };
        let mut stones = Vec::with_capacity(list.len());
        for (number, stone) in list.iter().enumerate() {
            let square = self.square(stone.point)?;
            if stones.iter().any(|&(there, _)| there == square) {
                return Err(format!("{},{} is occupied", stone.point.first, stone.point.second));
            }
            let is_own = if unnamed { (list.len() - number).is_multiple_of(2) } else { stone.field == 1 };
            stones.push((square, if is_own { side } else { !side }));
        }
        let position = position_of(game, &stones, side).ok_or("the stones are no position of this game")?;
        self.engine.take_position(position);
        Ok(())
    }

    fn block(&mut self, points: &[Point], block: bool) -> Result<(), Closed> {
        for &point in points {
            match self.square(point) {
                Ok(square) if block => self.blocked.push(square),
                Ok(square) => self.blocked.retain(|&blocked| blocked != square),
                Err(why) => return self.say(format!("MESSAGE {why}")),
            }
        }
        Ok(())
    }

    /// Starts a search, or answers at once if there is nothing to search.
    fn think(&mut self, purpose: Purpose, lines: usize, at: Instant) -> Result<(), Closed> {
        let Some(position) = self.engine.position() else { return self.error("there is no position") };
        if position.is_over() {
            return self.no_move();
        }
        let mut limits = self.settings.limits();
        if !self.blocked.is_empty() {
            limits.search_moves = position.legal_moves();
            limits.search_moves.retain(|mv| !self.blocked.contains(&mv.square()));
            if limits.search_moves.is_empty() {
                return self.no_move();
            }
        }
        limits.move_time = limits.move_time.map(|time| time / purpose.searches());
        let lines = lines.clamp(1, 256);
        for (name, value) in [("MultiPV", lines as u64), ("Move Overhead", self.settings.overhead())] {
            let _ = self.engine.set_option(name, Some(&value.to_string()));
        }
        self.thinking = Some(Thinking::new(purpose, lines, self.settings.is_unlimited()));
        self.last_message = None;
        self.engine.search(limits, false, at);
        Ok(())
    }

    /// A move line all the same, since clients wait for one.
    fn no_move(&self) -> Result<(), Closed> {
        let board = self.engine.position().map(Position::board);
        let free = board.and_then(|board| board.empty().iter().next());
        let game = self.engine.game();
        self.say("MESSAGE no legal move")?;
        let any = free.or_else(|| game.squares().next());
        any.map_or(Ok(()), |square| self.say(self.axes().text(square, game)))
    }

    /// Puts two stones near the centre, and searches for a third that leaves neither colour better off.
    fn open(&mut self, yixin: bool, at: Instant) -> Result<(), Closed> {
        let game = *self.engine.game();
        let (column, row) = (game.columns() / 2, game.rows() / 2);
        let around = |columns: i8, rows: i8| {
            Square::new(column.checked_add_signed(columns)?, row.checked_add_signed(rows)?)
                .filter(|s| game.contains(*s))
        };
        let (columns, rows) = fastrand::choice([(1, 2), (2, 2), (-2, 1), (2, -1), (-1, -2)]).unwrap_or((1, 2));
        let stones = [around(0, 0), around(columns, rows)];
        let [Some(first), Some(second)] = stones else { return self.error("the board is too small for an opening") };
        let list = [(first, Color::First), (second, Color::Second)];
        let Some(position) = position_of(game, &list, Color::First) else { return self.error("there is no position") };
        self.engine.take_position(position);
        self.think(Purpose::Open { yixin, stones: [first, second] }, BALANCE_LINES, at)
    }

    fn swap2(&mut self, points: &[Point], at: Instant) -> Result<(), Closed> {
        if ![0, 3, 5].contains(&points.len()) {
            return self.error(format_args!("SWAP2BOARD with {} stones; expected 0, 3 or 5", points.len()));
        }
        // All stones alternate from the first player's on.
        let owner = |number: usize| if (points.len() - number).is_multiple_of(2) { 1 } else { 2 };
        let stones: Vec<Stone> =
            points.iter().enumerate().map(|(number, &point)| Stone { point, field: owner(number) }).collect();
        match self.set_board(&stones) {
            Ok(()) if points.is_empty() => self.open(false, at),
            Ok(()) => self.think(Purpose::Choose { yixin: false, stones: points.len() as u8 }, 1, at),
            Err(why) => self.error(why),
        }
    }

    /// Ends the running search, and what was to follow it.
    pub fn stop(&mut self) {
        if let Some(thinking) = &mut self.thinking {
            thinking.stopped = true;
        }
        self.engine.stop();
    }

    /// Passes on what a search tells: one iteration in so much time, with all its lines.
    pub fn pass_on(&mut self, event: &EngineEvent) -> Result<(), Closed> {
        let EngineEvent::Search(Event::Line(report)) = event else { return Ok(()) };
        let Some(thinking) = self.thinking.as_mut().filter(|_| report.bound == Bound::Exact) else { return Ok(()) };
        thinking.note(report.clone());
        if report.rank == 1 {
            thinking.told = self.last_message.is_none_or(|last| last.elapsed() >= MESSAGE_EVERY);
        }
        if !thinking.told || thinking.purpose != Purpose::Play {
            return Ok(());
        }
        self.last_message = Some(Instant::now());
        let lines = thinking.lines;
        self.tell(report, lines)
    }

    fn tell(&self, report: &Report, lines: usize) -> Result<(), Closed> {
        if self.settings.yixin {
            let block = reply::yixin_lines(report, lines, self.engine.game());
            block.into_iter().try_for_each(|line| self.say(line))?;
        }
        self.say(reply::message(report, lines))
    }

    /// Says how a search ended, and does what it was for.
    pub fn conclude(&mut self, ended: &Ended) -> Result<(), Closed> {
        let Some(thinking) = self.thinking.take() else { return Ok(()) };
        let JobOutcome::Search(finding, failure) = &ended.outcome else { return self.no_move() };
        if let Some(why) = failure {
            self.say(format!("MESSAGE the search has failed ({why}); any legal move follows"))?;
        }
        let Some(best) = finding.best.map(|mv| mv.square()) else { return self.no_move() };
        if !thinking.told && thinking.purpose == Purpose::Play {
            thinking.reports.iter().try_for_each(|report| self.tell(report, thinking.lines))?;
        }
        match thinking.purpose.clone() {
            Purpose::Play => self.answer(&[best]),
            Purpose::Balance { moves, bias, mut found } => {
                found.push(thinking.balanced(bias, finding).unwrap_or(best));
                if found.len() == usize::from(moves) {
                    return self.answer(&found);
                }
                // The next one is the opponent's: the same balance, seen from the other side.
                self.make(found.last().copied());
                self.think(Purpose::Balance { moves, bias: -bias, found }, BALANCE_LINES, Instant::now())?;
                if thinking.stopped {
                    self.stop();
                }
                Ok(())
            }
            Purpose::Open { yixin, stones: [first, second] } => {
                let third = thinking.balanced(0, finding).unwrap_or(best);
                self.opened(yixin, [first, second, third])
            }
            Purpose::Choose { yixin, stones } => self.chosen(yixin, stones, finding, best),
        }
    }

    /// Prints moves, and plays those that are not on the board yet.
    fn answer(&mut self, squares: &[Square]) -> Result<(), Closed> {
        let game = *self.engine.game();
        for &square in squares {
            self.make(Some(square));
        }
        let texts: Vec<String> = squares.iter().map(|&square| self.axes().text(square, &game)).collect();
        self.say(texts.join(" "))
    }

    fn make(&mut self, square: Option<Square>) {
        if let (Some(square), Some(mut position)) = (square, self.engine.position().cloned())
            && position.play(Move::to(square)).is_ok()
        {
            self.engine.take_position(position);
        }
    }

    fn opened(&mut self, yixin: bool, stones: [Square; 3]) -> Result<(), Closed> {
        let game = *self.engine.game();
        let axes = self.axes();
        if !yixin {
            return self.say(stones.map(|square| axes.text(square, &game)).join(" "));
        }
        for (number, square) in (1..).zip(stones) {
            let (row, column) = axes.numbers(square, &game);
            self.say(format!("MESSAGE SWAP2 MOVE{number} {row} {column}"))?;
        }
        Ok(())
    }

    fn chosen(&mut self, yixin: bool, stones: u8, finding: &Finding, best: Square) -> Result<(), Closed> {
        let side = self.engine.position().map_or(Color::Second, |position| position.board().side());
        let takes_first = choose(side, finding.score) == Choice::First;
        match (yixin, takes_first) {
            (true, true) => self.say(format!("MESSAGE SWAP2 SWAP{} YES", if stones == 3 { 1 } else { 2 })),
            (true, false) => self.say(format!("MESSAGE SWAP2 SWAP{} NO", if stones == 3 { 1 } else { 2 })),
            (false, true) => self.say("SWAP"),
            (false, false) => self.answer(&[best]),
        }
    }
}

/// The stones of a position, in the order in which they came where that is known.
fn stones_of(position: &Position) -> Vec<(Square, Color)> {
    use crate::rules::Cell;
    let board = position.board();
    let moves: Vec<Square> = board.moves().iter().map(|mv| mv.square()).collect();
    let earlier = position.game().squares().filter(|square| !moves.contains(square));
    let color = |square: Square| match board.cell(square) {
        Cell::Stone(color) => Some((square, color)),
        _ => None,
    };
    let earlier: Vec<Square> = earlier.collect();
    earlier.into_iter().chain(moves.iter().copied()).filter_map(color).collect()
}

/// The position with these stones: by playing them where they alternate, by setting them up otherwise.
fn position_of(game: Game, stones: &[(Square, Color)], side: Color) -> Option<Position> {
    let mut position = Position::new(game);
    let played = stones
        .iter()
        .all(|&(square, color)| position.board().side() == color && position.play(Move::to(square)).is_ok());
    if played && (position.board().side() == side || position.outcome() != Outcome::Ongoing) {
        return Some(position);
    }
    Position::with_stones(game, stones, side).ok()
}
