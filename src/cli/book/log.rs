//! The log of an opening table in the making: what has been solved so far, safe from being ended at any moment.
//!
//! ```text
//!  0  8  "inarowlg"
//!  8  8  version 1, columns, rows, how many in a row win, ply, plies of a line, zeros
//! 16     records: rank in four bytes, lowest first; what was found, which is a score, or a line if these have plies; a check
//! ```

use anyhow::{Context, bail, ensure};
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{Duration, Instant};

const HEAD: usize = 16;
/// The rank and the check of a record.
const FRAME: usize = 5;
/// What is written is made safe after so many records or so long.
const BATCH: usize = 256;
const PAUSE: Duration = Duration::from_secs(10);

/// What was found of a position.
pub type Found = Vec<u8>;

/// A log, open for more.
pub struct Log {
    file: File,
    unsafe_records: usize,
    made_safe: Instant,
}

impl Log {
    /// Opens or begins the log of a table of `count` positions: what it has, by rank, of all that `can_be`. What was cut short when
    /// the last run was ended is dropped.
    ///
    /// # Errors
    /// The file cannot be read or written, is damaged, or is the log of something else.
    pub fn open(
        path: &Path,
        table: [u8; 5],
        count: usize,
        can_be: &dyn Fn(&[u8]) -> bool,
    ) -> anyhow::Result<(Log, Vec<Option<Found>>)> {
        let read = |record: &&[u8]| read(record).filter(|(rank, found)| *rank < count && can_be(found));
        let mut head = *b"inarowlg\x01.......";
        head[9..14].copy_from_slice(&table);
        head[14..].fill(0);
        let width = usize::from(table[4]).max(1);
        let mut found = vec![None; count];
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
            let [columns, rows, line, plies, follow] = table;
            ensure!(
                bytes.starts_with(&head),
                "{} is not the log of this table: {columns}x{rows}, {line} in a row, ply {plies}, lines of {follow} plies",
                path.display()
            );
            let records: Vec<&[u8]> = bytes[HEAD..].chunks_exact(FRAME + width).collect();
            let sound = records.iter().rposition(|record| read(record).is_some()).map_or(0, |last| last + 1);
            for (number, record) in (1..).zip(&records[..sound]) {
                let Some((rank, what)) = read(record) else {
                    bail!("the log {} is damaged: record {number} of {}", path.display(), records.len());
                };
                found[rank] = Some(what);
            }
            good += sound * (FRAME + width);
        }
        file.set_len(good as u64).with_context(|| cannot("write"))?;
        file.seek(SeekFrom::End(0)).with_context(|| cannot("write"))?;
        let file = file.try_clone().with_context(|| cannot("write"))?;
        Ok((Log { file, unsafe_records: 0, made_safe: Instant::now() }, found))
    }

    /// Notes what was found of a position.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn note(&mut self, rank: usize, found: &[u8]) -> std::io::Result<()> {
        self.file.write_all(&record(rank, found))?;
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

fn record(rank: usize, found: &[u8]) -> Vec<u8> {
    let mut record = [&(rank as u32).to_le_bytes(), found].concat();
    record.push(check(&record));
    record
}

fn read(record: &[u8]) -> Option<(usize, Found)> {
    let (&sum, told) = record.split_last()?;
    let (rank, found) = told.split_first_chunk()?;
    let rank = u32::from_le_bytes(*rank) as usize;
    (sum == check(told)).then(|| (rank, found.to_vec()))
}

/// Each byte counts, and where it stands.
fn check(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0x5A, |sum: u8, &byte| sum.rotate_left(3) ^ byte)
}
