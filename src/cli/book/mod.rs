//! `inarow book`: makes an opening table with the solver, over as many runs as it takes.

mod log;

use super::solve::Board;
use crate::solver::Openings;
use anyhow::{Context, anyhow, ensure};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use log::Log;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// What `inarow book` is told.
#[derive(Args)]
pub struct Book {
    /// The table to make; what is solved goes to the file beside it that ends with .log, and is not solved again after an end
    file: PathBuf,
    /// Stones on the board in the positions of the table
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u8).range(0..=16))]
    plies: u8,
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
    let log_path = task.file.with_extension("log");
    ensure!(log_path != task.file, "{} is the name of the log; expected another one", task.file.display());
    ensure!(!task.file.exists(), "{} is there already", task.file.display());
    let openings = solver.openings(task.plies.into());
    let board = [game.columns(), game.rows(), game.line(), task.plies];
    let (mut log, mut scores) = Log::open(&log_path, board, openings.count())?;
    solve(&openings, task.threads, &mut scores, &mut log)?;
    let scores: Option<Vec<i8>> = scores.into_iter().collect();
    let bytes = openings.write(scores.context("not every position was solved")?);
    let positions = openings.count();
    solver.read_book(&bytes).context("what was made does not read well")?;
    write(&task.file, &bytes)?;
    fs::remove_file(&log_path).with_context(|| format!("cannot remove the log {}", log_path.display()))?;
    let file = task.file.display();
    writeln!(output, "{file}: {positions} positions of {game} from ply {} on, {} bytes", task.plies, bytes.len())?;
    Ok(())
}

/// Solves what has no score yet, in order: neighbours have much in common.
fn solve(openings: &Openings<'_>, threads: u16, scores: &mut [Option<i8>], log: &mut Log) -> anyhow::Result<()> {
    let missing: Vec<usize> = (0..scores.len()).filter(|&rank| scores[rank].is_none()).collect();
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} positions, {per_sec}, {eta} left")?;
    // Nothing is drawn if nobody looks at it.
    let bar =
        ProgressBar::new(scores.len() as u64).with_style(style).with_position((scores.len() - missing.len()) as u64);
    bar.reset_eta();
    bar.enable_steady_tick(Duration::from_secs(1));
    let (next, ended) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, receiver) = crossbeam_channel::unbounded();
    let written = std::thread::scope(|scope| {
        for _ in 0..threads {
            let (sender, missing, next, ended) = (sender.clone(), &missing, &next, &ended);
            scope.spawn(move || {
                while let Some(&rank) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let Some(score) = openings.score(rank, &mut |_| ended.load(Ordering::Relaxed)) else { break };
                    if sender.send((rank, score)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let written = receiver.iter().try_for_each(|(rank, score)| {
            scores[rank] = Some(score);
            bar.inc(1);
            log.note(rank, score)
        });
        ended.store(true, Ordering::Relaxed);
        written.and_then(|()| log.make_safe())
    });
    bar.finish_and_clear();
    written.context("cannot write the log")
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
