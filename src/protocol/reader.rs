//! Standard input to lines: of any bytes, of any length, until it ends.

use super::command::{CommandError, MAX_LINE};
use super::writer::Log;
use crossbeam_channel::Sender;
use std::io::{self, BufRead};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

/// A line and when it was read; lines too long are only counted.
pub(super) struct Input {
    pub text: Result<String, CommandError>,
    pub at: Instant,
}

/// Answers `isready` on the spot while a search is running: the way through the controller would cost another switch of
/// threads on a machine whose cores are busy searching.
pub(super) struct Shortcut {
    pub traffic: Arc<Traffic>,
    pub replies: Sender<String>,
    pub log: Log,
}

/// What reader and controller know of each other.
#[derive(Default)]
pub(super) struct Traffic {
    /// A search, or another job, is running.
    pub searching: AtomicBool,
    /// Lines that were read, but not looked at yet: their replies go first.
    pub unseen: AtomicUsize,
}

impl Shortcut {
    fn takes(&self, line: &str) -> bool {
        let free = self.traffic.searching.load(Ordering::Acquire) && self.traffic.unseen.load(Ordering::Acquire) == 0;
        let taken = free && line.trim_ascii().eq_ignore_ascii_case("isready");
        if taken {
            self.log.record('>', line);
            // A closed output is noticed by everyone who writes to it.
            let _ = self.replies.send("readyok".into());
        }
        taken
    }
}

/// Sends every line of `input` that is not empty until it ends or nobody listens. Bytes that are no UTF-8 become replacement characters.
pub(super) fn read_lines(mut input: impl BufRead, lines: &Sender<Input>, shortcut: &Shortcut) {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let length = match read_line(&mut input, &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(length) => length,
        };
        let text = match length {
            length if length > MAX_LINE => Err(CommandError::TooLong(length)),
            _ => Ok(String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_owned()),
        };
        if text.as_ref().is_ok_and(|line| line.trim_ascii().is_empty() || shortcut.takes(line)) {
            continue;
        }
        shortcut.traffic.unseen.fetch_add(1, Ordering::AcqRel);
        if lines.send(Input { text, at: Instant::now() }).is_err() {
            return;
        }
    }
}

/// Reads up to and with the next newline, keeping no more than [`MAX_LINE`] bytes and one. Returns how many there were.
fn read_line(input: &mut impl BufRead, bytes: &mut Vec<u8>) -> io::Result<usize> {
    let mut length = 0;
    loop {
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if chunk.is_empty() {
            return Ok(length);
        }
        let end = chunk.iter().position(|&byte| byte == b'\n').map(|at| at + 1);
        let taken = end.unwrap_or(chunk.len());
        let room = (MAX_LINE + 1).saturating_sub(bytes.len());
        bytes.extend(chunk.iter().take(taken.min(room)));
        input.consume(taken);
        length += taken;
        if end.is_some() {
            return Ok(length);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines that are passed on, and the replies given at once.
    fn read(input: &[u8], searching: bool) -> (Vec<Result<String, CommandError>>, Vec<String>) {
        let (sender, receiver) = crossbeam_channel::unbounded();
        let (replies, replied) = crossbeam_channel::unbounded();
        let traffic = Arc::new(Traffic { searching: AtomicBool::new(searching), ..Traffic::default() });
        let shortcut = Shortcut { traffic, replies, log: Log::new() };
        read_lines(io::BufReader::with_capacity(7, input), &sender, &shortcut);
        drop((sender, shortcut));
        (receiver.iter().map(|input| input.text).collect(), replied.iter().collect())
    }

    fn lines(input: &[u8]) -> Vec<Result<String, CommandError>> {
        read(input, false).0
    }

    #[test]
    fn isready_is_answered_on_the_spot_during_a_search_only() {
        let passed = |lines: &[&str]| lines.iter().map(|line| Ok((*line).to_owned())).collect::<Vec<_>>();
        assert_eq!(read(b"IsReady \nstop\n", true), (passed(&["stop"]), vec!["readyok".to_owned()]));
        assert_eq!(read(b"quit\nisready\n", true), (passed(&["quit", "isready"]), vec![]));
        // A line that has not been looked at yet may have a reply of its own, which goes first.
        assert_eq!(read(b"foo\nisready\n", true), (passed(&["foo", "isready"]), vec![]));
        assert_eq!(read(b"isready\nstop\n", false), (passed(&["isready", "stop"]), vec![]));
    }

    #[test]
    fn lines_end_with_newline_carriage_return_or_the_input() {
        let expected: Vec<_> = ["uci", "isready"].into_iter().map(|line| Ok(line.to_owned())).collect();
        assert_eq!(lines(b"uci\r\n\nisready"), expected);
        assert_eq!(lines(b""), []);
        assert_eq!(lines(b"\xff\n"), [Ok("\u{fffd}".to_owned())]);
    }

    #[test]
    fn a_line_too_long_is_counted_and_the_next_one_is_read() {
        let mut input = vec![b'x'; 1_000_000];
        input.extend_from_slice(b"\nuci\n");
        assert_eq!(lines(&input), [Err(CommandError::TooLong(1_000_001)), Ok("uci".to_owned())]);
    }
}
