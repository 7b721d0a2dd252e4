//! The one owner of standard output, and the log that mirrors the session.

use crossbeam_channel::{Receiver, Sender, bounded};
use parking_lot::Mutex;
use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Instant;

/// Lines that may wait to be written before whoever sends more has to wait too.
const WAITING: usize = 100_000;

/// Ends the writer. No line is like it, since lines hold no newlines.
const END: &str = "\n";

/// Standard output is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Closed;

/// A file that records every line of a session, with the seconds since its start.
#[derive(Clone)]
pub(super) struct Log {
    file: Arc<Mutex<Option<File>>>,
    start: Instant,
}

impl Log {
    pub fn new() -> Log {
        Log { file: Arc::default(), start: Instant::now() }
    }

    /// Records in `path` from now on, after what is in it already, or no more if it is empty.
    pub fn open(&self, path: &str) -> io::Result<()> {
        // Opening anything but a file, such as a pipe that nobody reads, could wait for ever.
        if std::fs::metadata(path).is_ok_and(|known| !known.is_file()) {
            return Err(io::Error::other("it is not a file"));
        }
        let append = || File::options().create(true).append(true).open(path);
        let file = if path.is_empty() { None } else { Some(append()?) };
        *self.file.lock() = file;
        Ok(())
    }

    /// Records a line with `>` (received) or `<` (sent).
    pub fn record(&self, direction: char, line: &str) {
        if let Some(file) = self.file.lock().as_mut() {
            // A log that cannot be written must not disturb the session.
            let _ = writeln!(file, "{:9.3} {direction} {line}", self.start.elapsed().as_secs_f64());
        }
    }
}

/// Writes lines in a thread of its own.
pub(super) struct Writer {
    lines: Sender<String>,
    thread: JoinHandle<()>,
}

impl Writer {
    /// Starts the thread.
    pub fn new(output: impl Write + Send + 'static, log: Log) -> io::Result<Writer> {
        let (lines, receiver) = bounded(WAITING);
        let thread = std::thread::Builder::new().name("writer".into());
        let thread = thread.spawn(move || write_lines(output, &receiver, &log))?;
        Ok(Writer { lines, thread })
    }

    /// Where others may send lines to.
    pub fn sender(&self) -> Sender<String> {
        self.lines.clone()
    }

    /// Writes a line.
    pub fn line(&self, text: impl Into<String>) -> Result<(), Closed> {
        self.lines.send(text.into()).map_err(|_| Closed)
    }

    /// Waits until everything is written that was sent so far.
    pub fn finish(self) {
        // Others may still hold a sender: the thread must be told.
        let _ = self.lines.send(END.into());
        let _ = self.thread.join();
    }
}

/// One write and one flush a line, until nobody sends any more or the output is closed.
fn write_lines(mut output: impl Write, lines: &Receiver<String>, log: &Log) {
    for mut line in lines.iter().take_while(|line| line != END) {
        log.record('<', &line);
        line.push('\n');
        if output.write_all(line.as_bytes()).and_then(|()| output.flush()).is_err() {
            return;
        }
    }
}
