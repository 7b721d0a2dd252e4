//! The loop that all languages share: lines of the client and events of the engine, one after the other.

use super::reader::Input;
use super::writer::Closed;
use crate::engine::EngineEvent;
use crossbeam_channel::{Receiver, select};
use std::time::Duration;

/// One language's side of a session.
pub(super) trait FrontEnd {
    /// Takes in a line.
    fn take(&mut self, input: Input) -> Result<(), Closed>;

    /// Takes in what the engine tells.
    fn notice(&mut self, event: EngineEvent) -> Result<(), Closed>;

    /// The last line has come.
    fn end_of_input(&mut self) -> Result<(), Closed>;

    /// Whether the session is over; no more lines come unless `input_open`.
    fn is_over(&self, input_open: bool) -> bool;

    /// How long to wait for something to happen before [`FrontEnd::sign_of_life`].
    fn patience(&self) -> Duration {
        Duration::MAX
    }

    /// Nothing has happened for a while.
    fn sign_of_life(&self) -> Result<(), Closed> {
        Ok(())
    }
}

/// Serves a session to its end, or until the output is closed: a client's way of leaving.
pub(super) fn pump(
    front: &mut impl FrontEnd,
    first: Option<Input>,
    lines: &Receiver<Input>,
    events: &Receiver<EngineEvent>,
) -> Result<(), Closed> {
    if let Some(input) = first {
        front.take(input)?;
    }
    let never = crossbeam_channel::never();
    let mut input_open = true;
    while !front.is_over(input_open) {
        let input = if input_open { lines } else { &never };
        select! {
            default(front.patience()) => front.sign_of_life()?,
            recv(input) -> line => match line {
                Ok(input) => front.take(input)?,
                Err(_) => {
                    input_open = false;
                    front.end_of_input()?;
                }
            },
            recv(events) -> event => if let Ok(event) = event {
                front.notice(event)?;
            },
        }
    }
    Ok(())
}
