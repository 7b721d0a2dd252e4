//! `inarow book`: makes an opening table with the solver, over as many runs as it takes.

mod log;

use super::solve::Board;
use crate::rules::Game;
use anyhow::{Context, anyhow, ensure};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use log::{Found, Log};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// What `inarow book` is told.
#[derive(Args)]
pub struct Book {
    /// The table to make, or to which lines are to be added; what is solved goes to a file beside it that ends with .log, and is
    /// not solved again after an end
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

/// Makes the table, or adds lines to it.
///
/// # Errors
/// The game has no solver, a file cannot be read or written, the table has such lines already or a false score, or the log is
/// damaged or of another table.
pub fn book(task: &Book, output: &mut impl Write) -> anyhow::Result<()> {
    let game = task.board.game(crate::rules::Variant::ConnectFour)?;
    let solver = super::solve::solver(&game, task.hash)?;
    let file = task.file.display();
    let openings = solver.openings(task.plies.into());
    let score_log = task.file.with_extension("log");
    let scores: Vec<i8> = if task.file.exists() {
        let bytes = fs::read(&task.file).with_context(|| format!("cannot read {file}"))?;
        let (scores, followed) = openings.read(&bytes).with_context(|| file.to_string())?;
        // Left behind by a run that was ended just when it had written the table.
        let _ = fs::remove_file(score_log);
        ensure!(
            followed < task.follow,
            "{file} is there already, with lines of {followed} plies; expected a new file, or more plies to follow"
        );
        scores
    } else {
        let most = game.cells().div_ceil(2);
        let job = Job {
            log: score_log,
            table: [game.columns(), game.rows(), game.line(), task.plies, 0],
            count: openings.count(),
            can_be: &|found| usize::from((found[0] as i8).unsigned_abs()) <= most,
            work: &|rank, ends| Ok(openings.score(rank, ends).map(|score| vec![score as u8])),
        };
        let found = job.find(task)?;
        let scores: Vec<i8> = found.iter().flatten().map(|&score| score as i8).collect();
        finish(task, &game, &openings.write(&scores, 0, &[]), &job.log)?;
        scores
    };
    if task.follow > 0 {
        let job = Job {
            log: task.file.with_extension("lines.log"),
            table: [game.columns(), game.rows(), game.line(), task.plies, task.follow],
            count: openings.count(),
            can_be: &|found| found.iter().all(|&column| column <= game.columns()),
            work: &|rank, ends| Ok(openings.line(rank, scores[rank], task.follow, ends)?),
        };
        let lines = job.find(task).with_context(|| file.to_string())?;
        finish(task, &game, &openings.write(&scores, task.follow, &lines), &job.log)?;
    }
    let (positions, bytes) = (openings.count(), fs::metadata(&task.file).map_or(0, |data| data.len()));
    writeln!(output, "{file}: {positions} positions of {game} from ply {} on, {bytes} bytes", task.plies)?;
    Ok(())
}

/// Writes the table if it reads well, and then removes the log.
fn finish(task: &Book, game: &Game, bytes: &[u8], log: &Path) -> anyhow::Result<()> {
    let mut reader = super::solve::solver(game, 1)?;
    reader.read_book(bytes).with_context(|| format!("what was made does not read well; see {}", log.display()))?;
    write(&task.file, bytes)?;
    fs::remove_file(log).with_context(|| format!("cannot remove the log {}", log.display()))
}

/// Something to be found of every position of a table.
struct Job<'a> {
    log: PathBuf,
    /// Columns, rows, how many in a row win, ply, plies of a line.
    table: [u8; 5],
    count: usize,
    /// Whether the log may have this.
    can_be: &'a dyn Fn(&[u8]) -> bool,
    work: Work<'a>,
}

/// How one position is worked on; `None` if that was ended before.
type Work<'a> = &'a (dyn Fn(usize, &mut dyn FnMut(u64) -> bool) -> anyhow::Result<Option<Found>> + Sync);

impl Job<'_> {
    /// Finds what the log does not have yet, in order: neighbours have much in common. All there is, by rank.
    fn find(&self, task: &Book) -> anyhow::Result<Vec<Found>> {
        ensure!(self.log != task.file, "{} is the name of the log; expected another one", self.log.display());
        let (mut log, mut found) = Log::open(&self.log, self.table, self.count, self.can_be)?;
        let missing: Vec<usize> = (0..self.count).filter(|&rank| found[rank].is_none()).collect();
        let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} positions, {per_sec}, {eta} left")?;
        // Nothing is drawn if nobody looks at it.
        let bar =
            ProgressBar::new(self.count as u64).with_style(style).with_position((self.count - missing.len()) as u64);
        bar.reset_eta();
        bar.enable_steady_tick(Duration::from_secs(1));
        let (next, ended, work) = (AtomicUsize::new(0), AtomicBool::new(false), self.work);
        let (sender, receiver) = crossbeam_channel::unbounded();
        let done = std::thread::scope(|scope| {
            for _ in 0..task.threads {
                let (sender, missing, next, ended) = (sender.clone(), &missing, &next, &ended);
                scope.spawn(move || {
                    while let Some(&rank) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let found = work(rank, &mut |_| ended.load(Ordering::Relaxed)).transpose();
                        let Some(found) = found else { break };
                        if sender.send((rank, found)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let done = receiver.iter().try_for_each(|(rank, what)| {
                let what = what?;
                log.note(rank, &what).context("cannot write the log")?;
                found[rank] = Some(what);
                bar.inc(1);
                Ok(())
            });
            ended.store(true, Ordering::Relaxed);
            done.and_then(|()| log.make_safe().context("cannot write the log"))
        });
        bar.finish_and_clear();
        done?;
        found.into_iter().collect::<Option<_>>().context("not every position was worked on")
    }
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
