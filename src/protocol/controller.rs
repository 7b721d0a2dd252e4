//! The order of things: which command runs at once, which waits, and what ends a search.
//!
//! | while a search runs | bounded | unbounded (`infinite`, `ponder`) |
//! |---|---|---|
//! | `isready`, `debug`, what is no command | at once | at once |
//! | `save`, if nothing waits before it | at once | at once |
//! | `stop` | ends it, and every `go` received so far | the same |
//! | `ponderhit` | for the latest waiting `go ponder` | its clock starts |
//! | `quit` | ends it; the rest is dropped | the same |
//! | end of input | everything received still runs | ends it |
//! | anything else | waits | ends it, then runs |

use super::command::{Command, parse_line};
use super::pump::{FrontEnd, pump};
use super::reader::{Input, Traffic};
use super::session::{Session, Step};
use super::writer::Closed;
use crate::engine::{Ended, EngineEvent};
use crossbeam_channel::Receiver;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Commands that may wait behind a search.
const MAX_WAITING: usize = 100_000;

/// A client that waits for a result held back hears this often that the engine is there, and the engine that it is.
const SIGN_OF_LIFE: Duration = Duration::from_millis(700);

struct Waiting {
    command: Command,
    at: Instant,
    /// A `stop` came after this `go`.
    stopped: bool,
    /// A `ponderhit` came after this `go ponder`.
    hit: bool,
}

/// The job that is running.
struct Job {
    /// Only the client ends it; its result is held back until then.
    unbounded: bool,
    pondering: bool,
    then_bounded: bool,
    /// It is over, but its result is held back.
    held: Option<Box<Ended>>,
}

pub(super) struct Controller {
    session: Session,
    waiting: VecDeque<Waiting>,
    job: Option<Job>,
    /// What the reader knows of this, and this of the reader.
    traffic: Arc<Traffic>,
    /// When the last job ended: a command that had to wait for it began no earlier.
    free_since: Instant,
    input_open: bool,
    quitting: bool,
}

impl Controller {
    pub fn new(session: Session, traffic: Arc<Traffic>) -> Controller {
        Controller {
            session,
            waiting: VecDeque::new(),
            job: None,
            traffic,
            free_since: Instant::now(),
            input_open: true,
            quitting: false,
        }
    }

    /// Serves the client until it quits, its input has ended and all is done, or its output is closed.
    pub fn serve(mut self, first: Option<Input>, lines: &Receiver<Input>, events: &Receiver<EngineEvent>) {
        let _ = pump(&mut self, first, lines, events);
        self.session.engine.stop();
        self.session.finish();
    }

    /// Takes in a line: some commands act at once, the others line up.
    fn look_at(&mut self, input: Input) -> Result<(), Closed> {
        if self.quitting {
            return Ok(());
        }
        let command = match input.text {
            Ok(line) => {
                self.session.record_input(&line);
                match parse_line(&line) {
                    Ok(None) => return Ok(()),
                    Ok(Some(command)) => Ok(command),
                    Err(error) => Err(error),
                }
            }
            Err(error) => Err(error),
        };
        let Some(job) = &self.job else {
            match command {
                Ok(command) => self.line_up(command, input.at),
                Err(error) => self.session.error(error)?,
            }
            return Ok(());
        };
        match command {
            Ok(Command::IsReady) => return self.session.say("readyok"),
            Err(error) => return self.session.error(error),
            Ok(Command::Debug(on)) => self.session.set_debug(on),
            // The search has a copy of the position.
            Ok(Command::Save(name)) if self.waiting.is_empty() => return self.session.save(&name),
            Ok(Command::Stop) => {
                self.waiting.iter_mut().for_each(|waiting| waiting.stopped = true);
                self.stop()?;
            }
            Ok(Command::PonderHit) => self.ponder_hit()?,
            Ok(Command::Quit) => {
                self.waiting.clear();
                self.quitting = true;
                self.stop()?;
            }
            _ if self.waiting.len() >= MAX_WAITING => {
                return self.session.error(format_args!("{MAX_WAITING} commands are waiting; this one is dropped"));
            }
            Ok(other) => {
                let unbounded = job.unbounded;
                self.line_up(other, input.at);
                if unbounded {
                    self.stop()?;
                }
            }
        }
        Ok(())
    }

    fn line_up(&mut self, command: Command, at: Instant) {
        self.waiting.push_back(Waiting { command, at, stopped: false, hit: false });
    }

    /// Ends the running job as soon as it looks, or lets go of the result that was held back.
    fn stop(&mut self) -> Result<(), Closed> {
        let Some(job) = &mut self.job else { return Ok(()) };
        job.unbounded = false;
        self.session.engine.stop();
        self.release()
    }

    fn ponder_hit(&mut self) -> Result<(), Closed> {
        let pondered = |waiting: &&mut Waiting| matches!(&waiting.command, Command::Go(go) if go.ponder);
        if let Some(waiting) = self.waiting.iter_mut().rev().find(pondered) {
            waiting.hit = true;
            return Ok(());
        }
        let Some(job) = self.job.as_mut().filter(|job| job.pondering) else { return Ok(()) };
        job.pondering = false;
        job.unbounded = !job.then_bounded;
        self.session.engine.ponder_hit();
        self.release()
    }

    /// Says how the job ended, if it has and nothing holds its result back.
    fn release(&mut self) -> Result<(), Closed> {
        let Some(ended) = self.job.as_mut().filter(|job| !job.unbounded).and_then(|job| job.held.take()) else {
            return Ok(());
        };
        self.job = None;
        // Before the client can see the answer: an `isready` that follows it must wait its turn.
        self.traffic.searching.store(false, Ordering::Release);
        self.free_since = Instant::now();
        self.session.conclude(&ended)
    }

    /// The job has ended, be it that its result is held back.
    fn ended(&mut self, mut ended: Box<Ended>) -> Result<(), Closed> {
        self.session.engine.job_ended(&mut ended);
        if let Some(job) = &mut self.job {
            job.held = Some(ended);
        }
        self.release()
    }

    /// Runs what is waiting, until a job is running.
    fn proceed(&mut self) -> Result<(), Closed> {
        self.run_waiting()?;
        self.traffic.searching.store(self.job.is_some() && !self.quitting, Ordering::Release);
        Ok(())
    }

    fn run_waiting(&mut self) -> Result<(), Closed> {
        while self.job.is_none() && !self.quitting {
            let Some(Waiting { command, at, stopped, hit }) = self.waiting.pop_front() else { return Ok(()) };
            if command == Command::Quit {
                self.quitting = true;
                return Ok(());
            }
            let step = self.session.execute(command, at.max(self.free_since))?;
            let (pondering, endless) = match step {
                Step::Done => continue,
                Step::Job => (false, false),
                Step::Searching(pondering, endless) | Step::Answered(pondering, endless) => (pondering, endless),
            };
            let held = matches!(step, Step::Answered(..)).then(|| Box::new(Ended::without_move()));
            self.job = Some(Job { unbounded: pondering || endless, pondering, then_bounded: !endless, held });
            self.release()?;
            if hit {
                self.ponder_hit()?;
            }
            // What came after an unbounded search, be it the end of input, ends it.
            let outdated = !self.input_open || !self.waiting.is_empty();
            if stopped || outdated && self.job.as_ref().is_some_and(|job| job.unbounded) {
                self.stop()?;
            }
        }
        Ok(())
    }
}

impl FrontEnd for Controller {
    fn take(&mut self, input: Input) -> Result<(), Closed> {
        let taken = self.look_at(input);
        self.traffic.unseen.fetch_sub(1, Ordering::AcqRel);
        taken.and_then(|()| self.proceed())
    }

    fn notice(&mut self, event: EngineEvent) -> Result<(), Closed> {
        match event {
            EngineEvent::Ended(ended) => self.ended(ended)?,
            other => self.session.pass_on(&other)?,
        }
        self.proceed()
    }

    fn end_of_input(&mut self) -> Result<(), Closed> {
        self.input_open = false;
        if self.job.as_ref().is_some_and(|job| job.unbounded) {
            self.stop()?;
        }
        self.proceed()
    }

    fn is_over(&self, input_open: bool) -> bool {
        self.job.is_none() && (!input_open || self.quitting)
    }

    /// Without end, but for a search that is over and whose result is held back.
    fn patience(&self) -> Duration {
        let holding = self.job.as_ref().is_some_and(|job| job.held.is_some());
        if holding { SIGN_OF_LIFE } else { Duration::MAX }
    }

    fn sign_of_life(&self) -> Result<(), Closed> {
        self.session.sign_of_life()
    }
}
