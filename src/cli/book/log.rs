//! The log of an opening table in the making: what has been solved so far, safe from being ended at any moment.
//!
//! ```text
//!  0  8  "inarowlg"
//!  8  8  version 1, columns, rows, how many in a row win, ply, zeros
//! 16     records of six bytes: rank, lowest byte first; score; a check of these five
//! ```

use anyhow::{Context, bail, ensure};
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{Duration, Instant};

const HEAD: usize = 16;
const RECORD: usize = 6;
/// What is written is made safe after so many records or so long.
const BATCH: usize = 256;
const PAUSE: Duration = Duration::from_secs(10);

/// A log, open for more.
pub struct Log {
    file: File,
    unsafe_records: usize,
    made_safe: Instant,
}

impl Log {
    /// Opens or begins the log of a table of `count` positions: the scores that it has, by rank. What was cut short when the
    /// last run was ended is dropped.
    ///
    /// # Errors
    /// The file cannot be read or written, is damaged, or is the log of something else.
    pub fn open(path: &Path, board: [u8; 4], count: usize) -> anyhow::Result<(Log, Vec<Option<i8>>)> {
        let mut head = *b"inarowlg\x01.......";
        head[9..13].copy_from_slice(&board);
        head[13..].fill(0);
        let mut scores = vec![None; count];
        let cannot = |what: &str| format!("cannot {what} the log {}", path.display());
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let file = file.as_mut().map_err(|error| anyhow::anyhow!("{}: {error}", cannot("open")))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).with_context(|| cannot("read"))?;
        let mut good = HEAD;
        if bytes.len() < HEAD && head.starts_with(&bytes) {
            file.seek(SeekFrom::Start(0)).with_context(|| cannot("write"))?;
            file.write_all(&head).with_context(|| cannot("write"))?;
        } else {
            ensure!(bytes.starts_with(&head), "{} is not the log of this table", path.display());
            let (records, _torn) = bytes[HEAD..].as_chunks::<RECORD>();
            let sound = records.iter().rposition(|record| read(record, count).is_some()).map_or(0, |last| last + 1);
            for (number, record) in (1..).zip(&records[..sound]) {
                let Some((rank, score)) = read(record, count) else {
                    bail!("the log {} is damaged: record {number} of {}", path.display(), records.len());
                };
                scores[rank] = Some(score);
            }
            good += sound * RECORD;
        }
        file.set_len(good as u64).with_context(|| cannot("write"))?;
        file.seek(SeekFrom::End(0)).with_context(|| cannot("write"))?;
        let file = file.try_clone().with_context(|| cannot("write"))?;
        Ok((Log { file, unsafe_records: 0, made_safe: Instant::now() }, scores))
    }

    /// Notes a score.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn note(&mut self, rank: usize, score: i8) -> std::io::Result<()> {
        self.file.write_all(&record(rank, score))?;
        self.unsafe_records += 1;
        if self.unsafe_records >= BATCH || self.made_safe.elapsed() >= PAUSE {
            self.make_safe()?;
        }
        Ok(())
    }

    /// Waits until everything is on the disk.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn make_safe(&mut self) -> std::io::Result<()> {
        (self.unsafe_records, self.made_safe) = (0, Instant::now());
        self.file.sync_data()
    }
}

fn record(rank: usize, score: i8) -> [u8; RECORD] {
    let [a, b, c, d] = (rank as u32).to_le_bytes();
    let score = score as u8;
    [a, b, c, d, score, check(&[a, b, c, d, score])]
}

fn read(record: &[u8; RECORD], count: usize) -> Option<(usize, i8)> {
    let &[a, b, c, d, score, sum] = record;
    let rank = u32::from_le_bytes([a, b, c, d]) as usize;
    (sum == check(&record[..RECORD - 1]) && rank < count).then_some((rank, score as i8))
}

/// Each byte counts, and where it stands.
fn check(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0x5A, |sum: u8, &byte| sum.rotate_left(3) ^ byte)
}
