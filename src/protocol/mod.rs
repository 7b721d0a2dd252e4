//! Text in, engine calls; engine events, text out.
//!
//! Four kinds of threads: a reader (lines in), the controller (this one: order and replies), jobs (searches), a writer
//! (lines out). `protocol.md` is the contract; `tests/daemon` runs its examples.
#![deny(clippy::indexing_slicing)]
#![cfg_attr(test, allow(clippy::indexing_slicing))]

mod command;
mod controller;
mod go;
mod gomocup;
mod help;
mod pump;
mod reader;
mod reply;
mod session;
mod writer;

pub use command::{Command, CommandError, MAX_LINE, Query, parse_line};
pub use go::Go;
pub use reply::solution_text;

use crate::engine::Engine;
use anyhow::{Context, anyhow};
use controller::Controller;
use crossbeam_channel::Receiver;
use reader::{Input, Shortcut, Traffic};
use session::Session;
use std::io::{BufRead, Write};
use std::sync::Arc;
use writer::{Log, Writer};

/// Lines that may wait to be looked at before the reader pauses.
const READ_AHEAD: usize = 1024;

/// Which language the client speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// To be found out from the first line.
    #[default]
    Auto,
    /// UCI and UGI.
    Uci,
    /// Gomocup, with Yixin-Board's extension.
    Gomocup,
}

/// Serves one client: reads commands from `input` and writes replies to `output` until the client quits or leaves.
///
/// # Errors
/// There is no memory for a hash table, or no thread can be started.
pub fn run(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    language: Language,
) -> anyhow::Result<()> {
    let (line_sender, lines) = crossbeam_channel::bounded(READ_AHEAD);
    let (event_sender, events) = crossbeam_channel::unbounded();
    let engine =
        Engine::new(event_sender).map_err(|_| anyhow!("there is no memory for even the smallest hash table"))?;
    let log = Log::new();
    let writer = Writer::new(output, log.clone()).context("cannot start the writer thread")?;
    let reader = std::thread::Builder::new().name("reader".into());
    let traffic = Arc::new(Traffic::default());
    let shortcut = Shortcut { traffic: traffic.clone(), replies: writer.sender(), log: log.clone() };
    reader
        .spawn(move || reader::read_lines(input, &line_sender, &shortcut))
        .context("cannot start the reader thread")?;
    let (language, first) = match language {
        Language::Auto => recognise(&lines),
        known => (known, None),
    };
    if language == Language::Gomocup {
        gomocup::serve(engine, writer, log, first, &lines, &events);
    } else {
        Controller::new(Session::new(engine, writer, log), traffic).serve(first, &lines, &events);
    }
    Ok(())
}

/// Waits for the first line, and says which language it is in.
fn recognise(lines: &Receiver<Input>) -> (Language, Option<Input>) {
    let first = lines.recv().ok();
    let gomocup = first.as_ref().is_some_and(|input| input.text.as_deref().is_ok_and(gomocup::is_first_line));
    (if gomocup { Language::Gomocup } else { Language::Uci }, first)
}
