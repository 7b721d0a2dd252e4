//! `inarow datagen` and `inarow tune`: games for the weights, and weights from the games.

use crate::eval::Shapes;
use crate::rules::{Game, Variant};
use crate::tuning::{datagen, fit, games};
use anyhow::{Context, ensure};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use parking_lot::Mutex;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

/// What `inarow datagen` is told.
#[derive(Args)]
pub struct Datagen {
    /// The file to write
    file: PathBuf,
    /// A variant of five in a row
    #[arg(long, default_value = "gomokufreestyle")]
    variant: String,
    /// The side of the board
    #[arg(long, default_value_t = 15)]
    size: u8,
    /// How many games to play
    #[arg(long, default_value_t = 10_000)]
    games: u64,
    /// Positions to search for a move, on average
    #[arg(long, default_value_t = 2_000)]
    nodes: u64,
    /// How many games are played at a time
    #[arg(long, default_value_t = 1)]
    threads: u64,
    /// Another number gives other games
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// What `inarow tune` is told.
#[derive(Args)]
pub struct Tune {
    /// Files of games, all of the same rules
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// The file of weights to write
    #[arg(long)]
    out: PathBuf,
    /// How much of what is learnt is who won, from 0 to 1; the rest is what the search said
    #[arg(long, default_value_t = 0.3)]
    result_share: f32,
    /// How often the games are gone through
    #[arg(long, default_value_t = 12)]
    passes: usize,
}

/// Plays games and writes them down.
///
/// # Errors
/// The variant is not one of five in a row, or the file cannot be written.
pub fn datagen(task: &Datagen) -> anyhow::Result<()> {
    let variant =
        Variant::from_name(&task.variant).with_context(|| format!("no variant is called {}", task.variant))?;
    let game = Game::new(variant).with_columns(task.size)?.with_rows(task.size)?;
    ensure!(Shapes::serve(&game), "{game} is not a game with shapes; expected five in a row on 7x7 or more");
    let mut file = BufWriter::new(File::create(&task.file).with_context(|| format!("cannot write {:?}", task.file))?);
    games::write_header(&game, &mut file)?;
    let file = Mutex::new(file);
    let bar = ProgressBar::new(task.games)
        .with_style(ProgressStyle::with_template("{wide_bar} {pos}/{len} games, {per_sec}, {eta} left")?);
    let next = AtomicU64::new(0);
    std::thread::scope(|scope| {
        let work = || -> anyhow::Result<()> {
            let mut player = datagen::Player::new(game, task.nodes)
                .map_err(|_| anyhow::anyhow!("there is no memory for a player"))?;
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= task.games {
                    return Ok(());
                }
                // Each game has a seed of its own, so that it does not matter who plays it.
                let seed = task.seed.wrapping_mul(1 << 32).wrapping_add(number);
                let record = player.play(seed);
                record.write(&mut *file.lock())?;
                bar.inc(1);
            }
        };
        let workers: Vec<_> = (0..task.threads.max(1)).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .try_for_each(|worker| worker.join().unwrap_or_else(|_| Err(anyhow::anyhow!("a player has broken down"))))
    })?;
    file.lock().flush().context("cannot write the games")?;
    bar.finish();
    Ok(())
}

/// Fits weights to games and writes them down. Prints the losses of each pass.
///
/// # Errors
/// A file cannot be read or written, or the games are not of one kind.
pub fn tune(task: &Tune, output: &mut (impl Write + Send)) -> anyhow::Result<()> {
    let mut game = None;
    let mut records = Vec::new();
    for path in &task.games {
        let mut file = File::open(path).with_context(|| format!("cannot read {path:?}"))?;
        let (this, more) = games::read(&mut file).with_context(|| format!("in {path:?}"))?;
        let same = game.is_none_or(|game: Game| game.variant() == this.variant());
        ensure!(same, "{path:?} has games of {this}, unlike the files before it");
        game = Some(this);
        records.extend(more);
    }
    let game = game.context("no games were given")?;
    writeln!(output, "{} games of {game}", records.len())?;
    let output = Mutex::new(output);
    let report = |what: &str, progress: fit::Progress| {
        let fit::Progress { pass, fitted, aside } = progress;
        let _ = writeln!(output.lock(), "{what:<6} pass {pass:>3}  loss {fitted:.5}  on games kept aside {aside:.5}");
    };
    let weights = fit::fit(&game, &records, task.result_share, task.passes, &report);
    std::fs::write(&task.out, weights.to_bytes(&game)).with_context(|| format!("cannot write {:?}", task.out))
}
