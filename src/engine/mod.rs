//! The engine as a whole: a position, options, and one job at a time in a thread of its own.
//!
//! Front ends call its verbs and receive [`EngineEvent`]s through a channel. It knows no protocol: events are values.

mod aided;
mod job;
mod memory;
mod options;
mod searcher;
mod strength;
mod threats;

pub mod ablation;
pub mod bench;
pub mod solving;

pub use job::{Ended, EngineEvent, Outcome as JobOutcome};
pub use options::{MoveFormat, OptionError, OptionId, OptionKind, OptionValue, Options};
pub use threats::{Threat, Threats};

use crate::memory::OutOfMemory;
use crate::rules::{FenError, Game, IllegalMove, Move, MoveError, MoveForm, Position, Variant, parse_fen, parse_move};
use crate::search::{Control, Limits, Settings};
use crate::solver::Solver;
use crate::units::Score;
use crossbeam_channel::Sender;
use searcher::Searcher;
use std::fmt;
use std::sync::Arc;
use std::time::Instant;

/// Why a position was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PositionError {
    /// The FEN is bad.
    Fen(FenError),
    /// This move of the list (from 1) cannot be played.
    Move(usize, MoveError),
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PositionError::Fen(error) => write!(f, "{error}"),
            PositionError::Move(number, error) => write!(f, "move {number}: {error}"),
        }
    }
}

impl std::error::Error for PositionError {}

/// What setting an option has led to, for the front end to act on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionEffect {
    /// Nothing to be done.
    Set,
    /// It means nothing here.
    Ignored,
    /// A variant was chosen, be it the present one.
    VariantChosen,
    /// The session is to be recorded in this file, or no more if it is empty.
    LogFile(String),
}

/// The game has no solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSolver;

impl fmt::Display for NoSolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "only small boards are solved, where longer lines win too: {}", Solver::BOARDS)
    }
}

impl std::error::Error for NoSolver {}

/// The job in progress.
struct Running {
    control: Arc<Control>,
}

/// The engine.
pub struct Engine {
    options: Options,
    game: Game,
    /// `None` after a refused position: the engine does not know what the client's board looks like.
    position: Option<Position>,
    /// Away while a job runs.
    search: Option<Searcher>,
    running: Option<Running>,
    events: Sender<EngineEvent>,
}

impl Engine {
    /// An engine with the default game's empty board. Events of its jobs go to `events`.
    ///
    /// # Errors
    /// There is not even memory for the smallest hash table.
    pub fn new(events: Sender<EngineEvent>) -> Result<Engine, OutOfMemory> {
        let mut options = Options::default();
        let game = Game::new(Variant::GomokuFreestyle);
        let search = Searcher::new(options.hash, &game).or_else(|OutOfMemory| {
            options.hash = 1;
            Searcher::new(options.hash, &game)
        })?;
        let position = Some(Position::new(game));
        Ok(Engine { options, game, position, search: Some(search), running: None, events })
    }

    /// The option values.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The rules in force.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The position, unless the last one was refused.
    pub fn position(&self) -> Option<&Position> {
        self.position.as_ref()
    }

    /// Whether a job is in progress.
    pub fn is_busy(&self) -> bool {
        self.running.is_some()
    }

    /// Sets an option.
    ///
    /// # Errors
    /// The name is unknown or the value does not fit; nothing has changed.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<OptionEffect, OptionError> {
        let Some((id, value)) = options::read(name, value, &self.game)? else { return Ok(OptionEffect::Ignored) };
        if self.options.set(id, &value) {
            return Ok(OptionEffect::Set);
        }
        if let Some(game) = options::change_game(self.game, id, &value) {
            self.set_game(game);
            return Ok(if id == OptionId::Variant { OptionEffect::VariantChosen } else { OptionEffect::Set });
        }
        match (id, value) {
            (OptionId::Hash, OptionValue::Number(megabytes)) => self.set_hash(megabytes)?,
            (OptionId::ClearHash, _) => self.forget(),
            (OptionId::DebugLogFile, OptionValue::Text(path)) => return Ok(OptionEffect::LogFile(path)),
            _ => {}
        }
        Ok(OptionEffect::Set)
    }

    /// Plays by other rules from now on: on their empty board, with nothing remembered. The present rules change nothing.
    pub fn set_game(&mut self, game: Game) {
        if game == self.game {
            // After a refused position this, too, is a known beginning.
            self.position.get_or_insert_with(|| Position::new(game));
        } else {
            self.game = game;
            self.position = Some(Position::new(game));
            let megabytes = self.options.hash;
            self.search = self.search.take().and_then(|search| search.for_game(megabytes, &game).ok());
            self.forget();
        }
    }

    fn set_hash(&mut self, megabytes: i64) -> Result<(), OptionError> {
        let wanted = megabytes as usize;
        if wanted == self.options.hash {
            return Ok(());
        }
        // What the present table occupies makes room.
        let occupied = self.search.as_ref().map_or(0, Searcher::occupied_bytes);
        let available = memory::available().saturating_add(occupied) >> 20;
        if megabytes as u64 > available {
            return Err(OptionError::Memory(megabytes, Some(available)));
        }
        self.search = None;
        let search = Searcher::new(wanted, &self.game);
        let refused = search.is_err();
        self.options.hash = if refused { self.options.hash } else { wanted };
        self.search = search.or_else(|OutOfMemory| Searcher::new(self.options.hash, &self.game)).ok();
        if refused { Err(OptionError::Memory(megabytes, None)) } else { Ok(()) }
    }

    /// Does beforehand what the first search would have to do.
    pub fn get_ready(&mut self) {
        if let Some(search) = &mut self.search {
            search.use_book(self.options.own_book);
            search.get_ready();
        }
    }

    /// A new game begins: what was learnt is forgotten, the board is empty.
    pub fn new_game(&mut self) {
        self.position = Some(Position::new(self.game));
        self.forget();
    }

    fn forget(&mut self) {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        if let Some(search) = &mut self.search {
            search.clear(self.options.threads.min(cores));
        }
    }

    /// Takes in a position: the empty board or a FEN, and moves from there. Returns the form of the last move.
    ///
    /// # Errors
    /// The FEN or a move is bad. The engine then holds no position.
    pub fn set_position<'m>(
        &mut self,
        fen: Option<&str>,
        moves: impl Iterator<Item = &'m str>,
    ) -> Result<Option<MoveForm>, PositionError> {
        self.position = None;
        let mut position = match fen {
            Some(fen) => parse_fen(fen, self.game).map_err(PositionError::Fen)?,
            None => Position::new(self.game),
        };
        let mut last = None;
        for (number, text) in (1..).zip(moves) {
            let illegal = |error| PositionError::Move(number, error);
            let (mv, form) = parse_move(text, &position).map_err(illegal)?;
            position.play(mv).map_err(|why| illegal(MoveError::Illegal(text.into(), why)))?;
            last = Some(form);
        }
        self.position = Some(position);
        Ok(last)
    }

    /// Takes in a position of the present game.
    pub fn take_position(&mut self, position: Position) {
        debug_assert_eq!(*position.game(), self.game);
        self.position = Some(position);
    }

    /// Takes back `count` moves.
    ///
    /// # Errors
    /// There are only so many.
    pub fn undo(&mut self, count: usize) -> Result<(), usize> {
        let Some(position) = &mut self.position else { return Err(0) };
        let made = position.board().moves().len();
        if count > made {
            return Err(made);
        }
        (0..count).for_each(|_| {
            position.undo();
        });
        Ok(())
    }

    /// Reads a move that is legal now.
    ///
    /// # Errors
    /// It is no move, or not a legal one.
    pub fn read_move(&self, text: &str) -> Result<Move, MoveError> {
        let Some(position) = &self.position else {
            return Err(MoveError::Illegal(text.into(), IllegalMove::GameOver));
        };
        parse_move(text, position).map(|(mv, _)| mv)
    }

    /// The static value of the position for the side to move, if there is a position.
    pub fn evaluate(&self) -> Option<Score> {
        let position = self.position.as_ref()?;
        Some(searcher::evaluate(position))
    }

    /// What stones on the empty cells would make, if there is a position.
    pub fn threats(&self) -> Option<Threats> {
        self.position.as_ref().map(Threats::of)
    }

    /// Starts a search whose command was read at `start`. It ends with [`EngineEvent::Ended`].
    pub fn search(&mut self, limits: Limits, pondering: bool, start: Instant) {
        let Some(position) = self.position.clone() else { return };
        let settings = Settings {
            threads: self.options.threads,
            lines: self.options.lines,
            overhead: self.options.overhead,
            skill: self.options.skill(&self.game),
            ..Settings::default()
        };
        self.start(job::Job::Search { position, limits, settings }, Control::new(start, pondering));
    }

    /// Starts counting the move sequences of `plies` moves.
    pub fn perft(&mut self, plies: u32) {
        let Some(position) = self.position.clone() else { return };
        self.start(job::Job::Perft { position, plies }, Control::new(Instant::now(), false));
    }

    /// Starts solving the position. It ends with [`JobOutcome::Solve`].
    ///
    /// # Errors
    /// There is no solver for the game.
    pub fn solve(&mut self) -> Result<(), NoSolver> {
        if !Solver::serves(&self.game) {
            return Err(NoSolver);
        }
        let Some(position) = self.position.clone() else { return Ok(()) };
        self.start(job::Job::Solve { position }, Control::new(Instant::now(), false));
        Ok(())
    }

    /// Starts the benchmark.
    pub fn bench(&mut self) {
        self.start(job::Job::Bench, Control::new(Instant::now(), false));
    }

    fn start(&mut self, job: job::Job, control: Control) {
        let control = Arc::new(control);
        self.running = Some(Running { control: control.clone() });
        let mut search = self.search.take();
        if let Some(search) = &mut search {
            search.use_book(self.options.own_book);
        }
        job::spawn(job, search, control, self.events.clone());
    }

    /// Ends the job in progress, if there is one, as soon as it looks.
    pub fn stop(&self) {
        if let Some(running) = &self.running {
            running.control.stop();
        }
    }

    /// The expected move was played: the search's clock begins to run.
    pub fn ponder_hit(&self) {
        if let Some(running) = &self.running {
            running.control.ponder_hit();
        }
    }

    /// Takes back what the job had borrowed. To be called for each [`EngineEvent::Ended`].
    pub fn job_ended(&mut self, ended: &mut Ended) {
        self.running = None;
        self.search = ended.search.take();
        if self.search.is_none() {
            // The job has died with its memory, or never started.
            let search = Searcher::new(self.options.hash, &self.game);
            self.search = search.or_else(|OutOfMemory| Searcher::new(1, &self.game)).ok();
        }
    }
}
