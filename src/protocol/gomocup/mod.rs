//! The Gomocup (Piskvork) protocol, with Yixin-Board's extension: what the managers and GUIs of five in a row speak.

mod command;
mod controller;
mod reply;
mod session;
mod settings;
mod thinking;

pub(super) use command::is_first_line;

use super::reader::Input;
use super::writer::{Log, Writer};
use crate::engine::{Engine, EngineEvent};
use crossbeam_channel::Receiver;

/// Serves one client, whose first line may have been read already.
pub(super) fn serve(
    engine: Engine,
    writer: Writer,
    log: Log,
    first: Option<Input>,
    lines: &Receiver<Input>,
    events: &Receiver<EngineEvent>,
) {
    controller::Controller::new(session::Session::new(engine, writer, log)).serve(first, lines, events);
}
