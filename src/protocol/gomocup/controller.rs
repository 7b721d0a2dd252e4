//! The order of things: what acts at once, what waits for the search, and what ends it.

use super::command::{Assembler, Command};
use super::session::Session;
use crate::engine::EngineEvent;
use crate::protocol::pump::{FrontEnd, pump};
use crate::protocol::reader::Input;
use crate::protocol::writer::Closed;
use crossbeam_channel::Receiver;
use std::collections::VecDeque;
use std::time::Instant;

/// When a command runs that comes while a search is running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Urgency {
    /// At once.
    Now,
    /// When the search has ended by itself.
    Later,
    /// It ends the search, whose move is printed, and then runs.
    Interrupts,
}

pub(super) struct Controller {
    session: Session,
    assembler: Assembler,
    waiting: VecDeque<(Command, Instant)>,
    input_open: bool,
    ended: bool,
}

impl Controller {
    pub fn new(session: Session) -> Controller {
        Controller {
            session,
            assembler: Assembler::default(),
            waiting: VecDeque::new(),
            input_open: true,
            ended: false,
        }
    }

    /// Serves the client until it says `END`, its input has ended and all is done, or its output is closed.
    pub fn serve(mut self, first: Option<Input>, lines: &Receiver<Input>, events: &Receiver<EngineEvent>) {
        let _ = pump(&mut self, first, lines, events);
        self.session.engine.stop();
        self.session.finish();
    }

    fn order(&mut self, command: Command, at: Instant) -> Result<(), Closed> {
        if let Command::Info { key, value } = &command
            && self.session.thinking.is_some()
            && self.session.info_at_once(key, value)
        {
            self.session.stop();
        }
        if self.session.thinking.is_none() {
            return self.session.execute(command, at);
        }
        match urgency(&command) {
            Urgency::Now if command == Command::Stop => {
                self.session.stop();
                Ok(())
            }
            Urgency::Now => self.session.execute(command, at),
            Urgency::Later => {
                self.waiting.push_back((command, at));
                Ok(())
            }
            Urgency::Interrupts => {
                self.waiting.push_back((command, at));
                self.session.stop();
                Ok(())
            }
        }
    }
}

impl FrontEnd for Controller {
    fn take(&mut self, input: Input) -> Result<(), Closed> {
        let line = match input.text {
            Ok(line) => line,
            Err(error) => return self.session.say(format!("ERROR {error}")),
        };
        self.session.record_input(&line);
        for command in self.assembler.take(&line) {
            match command {
                Err(fault) => self.session.say(fault.to_string())?,
                Ok(Command::End) => self.ended = true,
                Ok(command) => self.order(command, input.at)?,
            }
        }
        Ok(())
    }

    fn end_of_input(&mut self) -> Result<(), Closed> {
        self.input_open = false;
        if let Some(fault) = self.assembler.end() {
            self.session.say(fault.to_string())?;
        }
        // What nobody can stop any more must end by itself.
        if self.session.thinking.as_ref().is_some_and(|thinking| thinking.unlimited) {
            self.session.stop();
        }
        Ok(())
    }

    fn notice(&mut self, event: EngineEvent) -> Result<(), Closed> {
        let EngineEvent::Ended(mut ended) = event else { return self.session.pass_on(&event) };
        self.session.engine.job_ended(&mut ended);
        self.session.conclude(&ended)?;
        let free_since = Instant::now();
        while self.session.thinking.is_none() {
            let Some((command, at)) = self.waiting.pop_front() else { return Ok(()) };
            self.session.execute(command, at.max(free_since))?;
        }
        // What waits behind this search interrupts it, as it would have done had it come later.
        let interrupted = self.waiting.iter().any(|(command, _)| urgency(command) == Urgency::Interrupts);
        let endless = self.session.thinking.as_ref().is_some_and(|thinking| thinking.unlimited);
        if interrupted || endless && !self.input_open {
            self.session.stop();
        }
        Ok(())
    }

    fn is_over(&self, input_open: bool) -> bool {
        self.ended || !input_open && self.session.thinking.is_none()
    }
}

fn urgency(command: &Command) -> Urgency {
    match command {
        Command::Stop | Command::About | Command::Ignored | Command::UnknownExtension(_) | Command::ShowInfo => {
            Urgency::Now
        }
        Command::Info { key, .. } if ["rule", "thread_num", "hash_size", "max_memory"].contains(&key.as_str()) => {
            Urgency::Later
        }
        Command::Info { .. } => Urgency::Now,
        Command::ShowForbidden
        | Command::Block(_)
        | Command::Unblock(_)
        | Command::UnblockAll
        | Command::HashClear
        | Command::HashUsage => Urgency::Later,
        _ => Urgency::Interrupts,
    }
}
