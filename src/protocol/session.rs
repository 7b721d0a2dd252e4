//! One client's session: what each command does, and which lines answer it. When commands run is the controller's business.

use super::command::{Command, Query};
use super::go::Go;
use super::help::HELP;
use super::reply::{self, Style, solution_text};
use super::writer::{Closed, Log, Writer};
use crate::engine::{Ended, Engine, EngineEvent, JobOutcome, MoveFormat, OptionEffect, OptionError};
use crate::record::{self, Note, NoteBook};
use crate::rules::{Color, MoveForm, Outcome, Position, shown};
use crate::search::{Event, Finding};
use crate::solver::Answer;
use crate::units::{Ply, Score};
use std::path::Path;
use std::time::Instant;

/// What has become of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// It is done.
    Done,
    /// It has started a job that ends by itself.
    Job,
    /// It has started a search: is it pondering, and is it one that only the client ends (once it ponders no more)?
    Searching(bool, bool),
    /// It was a `go` that cannot be searched; its answer, no move, is due when that of a search would be.
    Answered(bool, bool),
}

/// The state that belongs to the client, not to the engine.
pub(super) struct Session {
    pub engine: Engine,
    writer: Writer,
    log: Log,
    debug: bool,
    ugi: bool,
    variant_chosen: bool,
    last_form: Option<MoveForm>,
    mate: Option<u64>,
    /// What the searches have found out about the moves of the game.
    notes: NoteBook,
}

impl Session {
    pub fn new(engine: Engine, writer: Writer, log: Log) -> Session {
        Session {
            engine,
            writer,
            log,
            debug: false,
            ugi: false,
            variant_chosen: false,
            last_form: None,
            mate: None,
            notes: NoteBook::default(),
        }
    }

    /// Waits until everything is written.
    pub fn finish(self) {
        self.writer.finish();
    }

    pub fn record_input(&self, line: &str) {
        self.log.record('>', line);
    }

    pub fn say(&self, line: impl Into<String>) -> Result<(), Closed> {
        self.writer.line(line)
    }

    pub fn say_all(&self, lines: impl IntoIterator<Item = String>) -> Result<(), Closed> {
        lines.into_iter().try_for_each(|line| self.say(line))
    }

    pub fn error(&self, what: impl std::fmt::Display) -> Result<(), Closed> {
        self.say(reply::error(what))
    }

    /// Carries out a command while no job is running. `at` is when it was read.
    pub fn execute(&mut self, command: Command, at: Instant) -> Result<Step, Closed> {
        match command {
            Command::Uci => {
                self.ugi = false;
                self.say_all(reply::identity(self.engine.game()))?;
                self.say("uciok")?;
            }
            Command::Ugi => {
                self.ugi = true;
                self.say_all(reply::identity(self.engine.game()))?;
                self.say("ugiok")?;
            }
            Command::IsReady => {
                self.engine.get_ready();
                self.say("readyok")?;
            }
            Command::Debug(on) => self.set_debug(on),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref())?,
            Command::NewGame => {
                self.engine.new_game();
                self.last_form = None;
                self.notes = NoteBook::default();
            }
            Command::Position { fen, moves } => self.set_position(fen.as_deref(), &moves)?,
            Command::Go(go) => return self.go(&go, at),
            Command::Perft(plies) => return self.perft(plies),
            Command::Bench => {
                self.engine.bench();
                return Ok(Step::Job);
            }
            Command::Solve => return self.solve(),
            Command::Query(query) => self.answer(query)?,
            Command::Display => self.with_position(reply::display)?,
            Command::Moves => self.list("moves", |position, style| style.list(&position.legal_moves()))?,
            Command::Forbidden => self.list("forbidden", |position, _| {
                position.forbidden().iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
            })?,
            Command::Threats => match self.engine.threats() {
                Some(threats) => self.say_all(reply::threats(&threats))?,
                None => self.no_position()?,
            },
            Command::Eval => match self.engine.evaluate() {
                Some(score) => self.say(format!("eval {score}"))?,
                None => self.no_position()?,
            },
            Command::Undo(count) => self.undo(count)?,
            Command::Save(name) => self.save(&name)?,
            Command::Load(name) => self.load(&name)?,
            Command::Help => self.say_all(HELP.lines().map(Into::into))?,
            // Nothing to register, and nothing running that these could act on.
            Command::Register | Command::Stop | Command::PonderHit | Command::Quit => {}
        }
        Ok(Step::Done)
    }

    pub fn set_debug(&mut self, on: bool) {
        self.debug = on;
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), Closed> {
        match self.engine.set_option(name, value) {
            Ok(OptionEffect::Set) => {}
            Ok(OptionEffect::Ignored) if self.debug => self.say(reply::info_string(format_args!("{name} ignored")))?,
            Ok(OptionEffect::Ignored) => {}
            Ok(OptionEffect::VariantChosen) => {
                self.variant_chosen = true;
                self.say(reply::variant(self.engine.game()))?;
            }
            Ok(OptionEffect::LogFile(path)) => {
                if let Err(why) = self.log.open(&path) {
                    self.error(OptionError::Log(path, why.to_string()))?;
                }
            }
            Err(error) => self.error(error)?,
        }
        if self.debug {
            self.say(reply::info_string(format_args!("game: {}", self.engine.game())))?;
        }
        Ok(())
    }

    fn set_position(&mut self, fen: Option<&str>, moves: &str) -> Result<(), Closed> {
        match self.engine.set_position(fen, moves.split_ascii_whitespace()) {
            Ok(form) => self.last_form = form.or(self.last_form),
            Err(error) => self.error(error)?,
        }
        Ok(())
    }

    fn go(&mut self, go: &Go, at: Instant) -> Result<Step, Closed> {
        self.mate = None;
        let Some(position) = self.engine.position() else {
            self.no_position()?;
            return Ok(Step::Answered(go.ponder, go.is_unbounded(Color::First)));
        };
        let side = position.board().side();
        let (pondering, unbounded) = (go.ponder, go.is_unbounded(side));
        let mut limits = go.limits(side);
        if position.is_over() {
            let score = if position.outcome() == Outcome::Draw { Score::DRAW } else { Score::loss_in(Ply(0)) };
            self.say(reply::no_move(score))?;
        } else {
            for text in &go.search_moves {
                match self.engine.read_move(text) {
                    Ok(mv) => limits.search_moves.push(mv),
                    Err(why) => {
                        self.error(format_args!("searchmoves: {why}"))?;
                        return Ok(Step::Answered(pondering, unbounded));
                    }
                }
            }
        }
        if self.debug {
            self.say(reply::info_string(format_args!("limits: {limits:?}")))?;
        }
        self.mate = go.mate;
        self.engine.search(limits, pondering, at);
        Ok(Step::Searching(pondering, unbounded))
    }

    fn perft(&mut self, plies: u32) -> Result<Step, Closed> {
        if self.engine.position().is_none() {
            self.no_position()?;
            return Ok(Step::Done);
        }
        self.engine.perft(plies);
        Ok(Step::Job)
    }

    fn solve(&mut self) -> Result<Step, Closed> {
        if self.engine.position().is_none() {
            self.no_position()?;
            return Ok(Step::Done);
        }
        match self.engine.solve() {
            Ok(()) => return Ok(Step::Job),
            Err(error) => self.error(error)?,
        }
        Ok(Step::Done)
    }

    fn undo(&mut self, count: usize) -> Result<(), Closed> {
        if self.engine.position().is_none() {
            return self.no_position();
        }
        match self.engine.undo(count) {
            Ok(()) => Ok(()),
            Err(made) => self.error(format_args!("cannot take back {count} moves; there are {made}")),
        }
    }

    /// Writes the game to a file.
    pub fn save(&self, name: &str) -> Result<(), Closed> {
        let Some(position) = self.engine.position() else { return self.no_position() };
        match record::save(Path::new(name), &self.notes.record(position)) {
            Ok(()) => self.say(reply::info_string(format_args!("saved {}", reply::stage(position)))),
            Err(error) => self.error(format_args!("cannot save '{}': {error}", shown(name))),
        }
    }

    /// Goes on with the game in a file; with the present one if there is anything wrong with it.
    fn load(&mut self, name: &str) -> Result<(), Closed> {
        match record::load(Path::new(name), self.engine.game()) {
            Ok(record) => {
                self.say(reply::info_string(format_args!("loaded {}", reply::stage(&record.position))))?;
                self.notes = NoteBook::of(&record);
                self.engine.set_game(*record.position.game());
                self.engine.take_position(record.position);
                Ok(())
            }
            Err(error) => self.error(format_args!("cannot load '{}': {error}; the game is as it was", shown(name))),
        }
    }

    fn answer(&self, query: Query) -> Result<(), Closed> {
        let position = self.engine.position();
        let yes_no = |yes: bool| if yes { "true" } else { "false" };
        let response = match query {
            Query::GameOver => yes_no(position.is_none_or(|position| position.is_over())),
            Query::FirstToMove => yes_no(position.is_none_or(|position| position.board().side() == Color::First)),
            Query::Result => match position.map_or(Outcome::Ongoing, |position| position.outcome()) {
                Outcome::Ongoing => "none",
                Outcome::Draw => "draw",
                Outcome::Win(Color::First) => "p1win",
                Outcome::Win(Color::Second) => "p2win",
            },
        };
        self.say(format!("response {response}"))
    }

    /// Prints a word and a list after it.
    fn list(&self, word: &str, list: impl FnOnce(&Position, Style<'_>) -> String) -> Result<(), Closed> {
        let Some(position) = self.engine.position() else { return self.no_position() };
        self.say(format!("{word} {}", list(position, self.style())).trim_end())
    }

    fn with_position(&self, text: impl FnOnce(&Position, MoveForm) -> Vec<String>) -> Result<(), Closed> {
        match self.engine.position() {
            Some(position) => self.say_all(text(position, self.form())),
            None => self.no_position(),
        }
    }

    fn no_position(&self) -> Result<(), Closed> {
        self.error("there is no position, the last one was refused; expected 'position ...' first")
    }

    /// The form in which the engine writes moves to this client.
    fn form(&self) -> MoveForm {
        match self.engine.options().move_format {
            _ if self.ugi => MoveForm::Plain,
            MoveFormat::Plain => MoveForm::Plain,
            MoveFormat::Drop => MoveForm::Drop,
            MoveFormat::Column => MoveForm::ColumnLetter,
            MoveFormat::Auto => match self.last_form {
                Some(form) => form,
                None if self.variant_chosen => MoveForm::Drop,
                None => MoveForm::Plain,
            },
        }
    }

    fn style(&self) -> Style<'_> {
        Style { game: self.engine.game(), form: self.form(), chances: self.engine.options().show_wdl }
    }

    /// Passes on what a running job tells; the end of a job is the controller's business.
    pub fn pass_on(&self, event: &EngineEvent) -> Result<(), Closed> {
        match event {
            EngineEvent::Search(Event::Line(report)) => self.say(self.style().report(report)),
            EngineEvent::Search(Event::Work(work)) => self.say(reply::work(work)),
            EngineEvent::Search(Event::Trying(depth, mv, number)) => {
                self.say(self.style().trying(depth.0, *mv, *number))
            }
            EngineEvent::Perft(mv, count) => self.say(format!("{}: {count}", self.style().text(*mv))),
            EngineEvent::Bench(line) => self.say(reply::info_string(format_args!(
                "bench {}: depth {} score {} nodes {} time {}",
                line.name,
                line.depth.0,
                line.score,
                line.nodes,
                line.time.as_millis()
            ))),
            EngineEvent::Ended(_) => Ok(()),
        }
    }

    /// Says that the engine is still there, though it has nothing left to find out.
    pub fn sign_of_life(&self) -> Result<(), Closed> {
        self.say(reply::info_string("waiting for stop"))
    }

    /// Says how a job ended.
    pub fn conclude(&mut self, ended: &Ended) -> Result<(), Closed> {
        match &ended.outcome {
            JobOutcome::Search(finding, failure) => {
                if let (Some(position), Some(best), None) = (self.engine.position(), finding.best, failure) {
                    let note = Note { time: Some(ended.time), score: Some(finding.score) };
                    self.notes.remember(position, best, note);
                }
                self.conclude_search(finding, failure.as_deref())
            }
            JobOutcome::Perft(Some(total)) => {
                self.say("")?;
                self.say(format!("Nodes searched: {total}"))
            }
            JobOutcome::Bench(Some(summary)) => {
                let micros = summary.time.as_micros().max(1);
                let speed = u128::from(summary.nodes) * 1_000_000 / micros;
                self.say(reply::info_string(format_args!(
                    "bench {} nodes {speed} nps signature {:08x}",
                    summary.nodes, summary.signature
                )))
            }
            JobOutcome::Solve(Answer { result: Some(solution), nodes }) => self.say(format!(
                "solved {}",
                solution_text(solution, *nodes, ended.time, self.form(), self.engine.game())
            )),
            JobOutcome::Perft(None) | JobOutcome::Bench(None) | JobOutcome::Solve(_) => {
                self.say(reply::info_string("stopped"))
            }
            JobOutcome::Failed(why) => self.error(format_args!("the job has failed: {why}")),
        }
    }

    fn conclude_search(&self, finding: &Finding, failure: Option<&str>) -> Result<(), Closed> {
        if let Some(why) = failure {
            self.error(format_args!("the search has failed ({why}); any legal move follows"))?;
        }
        if finding.proven_draw {
            self.say(reply::info_string("proven draw"))?;
        }
        if let Some(moves) = self.mate.filter(|_| finding.best.is_some()) {
            let plies = moves.saturating_mul(2).saturating_sub(1);
            let found = finding.score >= Score::win_in(Ply(u16::try_from(plies).unwrap_or(700).min(700)));
            if !found {
                self.say(reply::info_string(format_args!("no mate in {moves} found")))?;
            }
        }
        let ponder = finding.ponder.filter(|_| self.engine.options().ponder && !self.ugi);
        self.say(self.style().best_move(finding.best, ponder))
    }
}
