//! The real binary, driven over pipes. Every wait has an end; on a failure the transcript is printed.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{JoinHandle, spawn};
use std::time::{Duration, Instant};

/// Far longer than anything takes; only a hang waits this long.
pub const PATIENCE: Duration = Duration::from_secs(60);

pub struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    stderr: Option<JoinHandle<String>>,
    transcript: Vec<String>,
}

impl Client {
    pub fn start() -> Client {
        Client::start_with(&[])
    }

    pub fn start_with(arguments: &[&str]) -> Client {
        Client::start_as(Command::new(env!("CARGO_BIN_EXE_inarow")).args(arguments))
    }

    /// In a folder for the files that are saved.
    pub fn start_in(folder: &Path) -> Client {
        Client::start_as(Command::new(env!("CARGO_BIN_EXE_inarow")).current_dir(folder))
    }

    fn start_as(command: &mut Command) -> Client {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let (sender, lines) = channel();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let mut stderr = child.stderr.take().unwrap();
        let stderr = spawn(move || {
            let mut text = String::new();
            let _ = stderr.read_to_string(&mut text);
            text
        });
        let stdin = child.stdin.take();
        Client { child, stdin, lines, stderr: Some(stderr), transcript: Vec::new() }
    }

    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
        self.transcript.push(format!("> {line}"));
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("the input is open");
        stdin.write_all(bytes).and_then(|()| stdin.flush()).expect("the engine reads");
    }

    pub fn process_id(&self) -> u32 {
        self.child.id()
    }

    /// Ends the engine's input.
    pub fn close_input(&mut self) {
        self.stdin = None;
        self.transcript.push("> (end of input)".into());
    }

    /// The next line; `None` once the output has ended.
    pub fn line(&mut self) -> Option<String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => {
                self.transcript.push(format!("< {line}"));
                Some(line)
            }
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => self.fail("no line came"),
        }
    }

    /// Lines up to and with the first that begins so.
    pub fn until(&mut self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            match self.line() {
                Some(line) => {
                    let found = line.starts_with(start);
                    lines.push(line);
                    if found {
                        return lines;
                    }
                }
                None => self.fail(&format!("the output ended before '{start}'")),
            }
        }
    }

    /// Sends a line and returns what comes up to and with the first line that begins so.
    pub fn ask(&mut self, line: &str, start: &str) -> Vec<String> {
        self.send(line);
        self.until(start)
    }

    /// Nothing is said for a while.
    pub fn expect_silence(&mut self, time: Duration) {
        if let Ok(line) = self.lines.recv_timeout(time) {
            self.fail(&format!("unexpected: {line}"));
        }
    }

    /// What is still said until the output ends; then the exit status and what was on stderr.
    pub fn finish(mut self) -> (Vec<String>, ExitStatus, String) {
        let mut rest = Vec::new();
        while let Some(line) = self.line() {
            rest.push(line);
        }
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => {
                    let stderr = self.stderr.take().map_or(String::new(), |thread| thread.join().unwrap());
                    return (rest, status, stderr);
                }
                _ if Instant::now() > deadline => self.fail("the process does not end"),
                _ => std::thread::sleep(Duration::from_millis(2)),
            }
        }
    }

    /// Ends the input; the engine must say no more than `rest`, exit with 0 and leave stderr empty.
    pub fn close(mut self) -> Vec<String> {
        self.close_input();
        let transcript = self.transcript.join("\n");
        let (rest, status, stderr) = self.finish();
        assert!(status.success() && stderr.is_empty(), "{status}, stderr '{stderr}'\n{transcript}");
        rest
    }

    pub fn fail(&mut self, why: &str) -> ! {
        let _ = self.child.kill();
        panic!("{why}\n{}", self.transcript.join("\n"));
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The text after a word of a line, such as the move after `bestmove`.
pub fn after<'a>(line: &'a str, word: &str) -> &'a str {
    let mut words = line.split(' ');
    words.find(|found| *found == word).and_then(|_| words.next()).unwrap_or("")
}
