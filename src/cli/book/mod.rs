//! `inarow book`: makes an opening table with the solver, over as many runs as it takes.

mod log;

use super::solve::Board;
use crate::rules::Game;
use anyhow::{Context, anyhow, bail, ensure};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use log::{Found, Log};
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// What `inarow book` is told.
#[derive(Args)]
pub struct Book {
    /// The table to make, or to which lines are to be added; what is solved goes to the file beside it that ends with .log, and
    /// is not solved again after an end
    file: PathBuf,
    /// Stones on the board in the positions of the table
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u8).range(0..=16))]
    plies: u8,
    /// Plies of best play from each position that the table has, too
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=16))]
    follow: u8,
    /// Positions that are solved at a time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    #[command(flatten)]
    board: Board,
    /// MiB for the solver's table
    #[arg(long, default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    hash: u32,
}

/// Makes the table.
///
/// # Errors
/// The game has no solver, a file cannot be read or written, or the log is damaged or of another table.
pub fn book(task: &Book, output: &mut impl Write) -> anyhow::Result<()> {
    let game = task.board.game(crate::rules::Variant::ConnectFour)?;
    let mut solver = super::solve::solver(&game, task.hash)?;
    let file = task.file.display();
    let openings = solver.openings(task.plies.into());
    let scores: Vec<i8> = if task.file.exists() {
        let bytes = fs::read(&task.file).with_context(|| format!("cannot read {file}"))?;
        let (scores, followed) = openings.read(&bytes).with_context(|| file.to_string())?;
        ensure!(followed < task.follow, "{file} is there already");
        scores
    } else {
        let found = find(task, &game, 0, openings.count(), &|rank, ends| {
            openings.score(rank, ends).map(|score| vec![score as u8])
        })?;
        let scores: Vec<i8> = found.iter().flatten().map(|&score| score as i8).collect();
        write(&task.file, &openings.write(&scores, 0, &[]))?;
        remove_log(task)?;
        scores
    };
    let mut lines = Vec::new();
    if task.follow > 0 {
        lines = find(task, &game, task.follow, openings.count(), &|rank, ends| {
            openings.line(rank, scores[rank], task.follow, ends)
        })?;
        let wrong = lines.iter().position(|line| line.first() == Some(&game.columns()));
        ensure!(wrong.is_none(), "{file}: no move is worth the score of position {}", wrong.unwrap_or(0));
    }
    let (bytes, positions) = (openings.write(&scores, task.follow, &lines), openings.count());
    solver.read_book(&bytes).context("what was made does not read well")?;
    write(&task.file, &bytes)?;
    remove_log(task)?;
    writeln!(output, "{file}: {positions} positions of {game} from ply {} on, {} bytes", task.plies, bytes.len())?;
    Ok(())
}

impl Book {
    fn log(&self) -> PathBuf {
        self.file.with_extension("log")
    }
}

fn remove_log(task: &Book) -> anyhow::Result<()> {
    let log = task.log();
    match fs::remove_file(&log) {
        Err(error) if error.kind() != ErrorKind::NotFound => bail!("cannot remove the log {}: {error}", log.display()),
        _ => Ok(()),
    }
}

/// How one position is worked on; `None` if that was ended before.
type Work<'a> = &'a (dyn Fn(usize, &mut dyn FnMut(u64) -> bool) -> Option<Found> + Sync);

/// Finds what the log does not have yet, in order: neighbours have much in common. All there is, by rank.
fn find(task: &Book, game: &Game, follow: u8, count: usize, work: Work<'_>) -> anyhow::Result<Vec<Found>> {
    let path = task.log();
    ensure!(path != task.file, "{} is the name of the log; expected another one", path.display());
    let table = [game.columns(), game.rows(), game.line(), task.plies, follow];
    let (mut log, mut found) = Log::open(&path, table, count)?;
    let missing: Vec<usize> = (0..count).filter(|&rank| found[rank].is_none()).collect();
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} positions, {per_sec}, {eta} left")?;
    // Nothing is drawn if nobody looks at it.
    let bar = ProgressBar::new(count as u64).with_style(style).with_position((count - missing.len()) as u64);
    bar.reset_eta();
    bar.enable_steady_tick(Duration::from_secs(1));
    let (next, ended) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, receiver) = crossbeam_channel::unbounded();
    let written = std::thread::scope(|scope| {
        for _ in 0..task.threads {
            let (sender, missing, next, ended) = (sender.clone(), &missing, &next, &ended);
            scope.spawn(move || {
                while let Some(&rank) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let Some(found) = work(rank, &mut |_| ended.load(Ordering::Relaxed)) else { break };
                    if sender.send((rank, found)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let written = receiver.iter().try_for_each(|(rank, what)| {
            let noted = log.note(rank, &what);
            found[rank] = Some(what);
            bar.inc(1);
            noted
        });
        ended.store(true, Ordering::Relaxed);
        written.and_then(|()| log.make_safe())
    });
    bar.finish_and_clear();
    written.context("cannot write the log")?;
    found.into_iter().collect::<Option<_>>().context("not every position was worked on")
}

/// Writes a file that is there as a whole or not at all.
fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let part = path.with_extension("part");
    let written = fs::File::create(&part).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&part, path)
    });
    written.map_err(|error| anyhow!("cannot write {}: {error}", path.display()))
}
