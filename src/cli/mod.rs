//! What is started from the shell: the daemon, or a benchmark beside it.

mod bench;
mod book;
mod solve;
mod tuning;

use crate::protocol::Language;
use anyhow::Context;
use clap::{Parser, Subcommand, ValueEnum};
use std::io::{self, BufReader};

/// One engine for the whole family of k-in-a-row games.
///
/// Without a command it is a daemon that speaks UCI and UGI on standard input and output (type `help` to it), and
/// Gomocup's protocol if the client does.
#[derive(Parser)]
#[command(version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Task>,
    /// What the client speaks; without it the first line tells, or a name of the program that begins with pbrain-
    #[arg(long, value_enum)]
    protocol: Option<Protocol>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Protocol {
    /// UCI, and UGI beside it
    Uci,
    /// Gomocup (Piskvork), with Yixin-Board's extension
    Gomocup,
}

#[derive(Clone, Copy, ValueEnum)]
enum Measured {
    /// The solver of Connect Four, on sets of positions with known scores
    Solver,
}

#[derive(Subcommand)]
enum Task {
    /// Search fixed positions and print nodes, speed and a signature of what was searched
    Bench {
        /// Climb the textbook ladder instead: minimax, alpha-beta, ordering, PVS, history, hash, iterative deepening
        #[arg(long)]
        ablate: bool,
        /// What to measure instead
        #[arg(value_enum, conflicts_with = "ablate")]
        what: Option<Measured>,
    },
    /// Print the exact values and all best moves of positions on small boards
    Solve(solve::Solve),
    /// Make an opening table: the scores of every position of an early ply, and best play from each; can be ended and started again
    Book(book::Book),
    /// Play games of five in a row against itself, for `tune`
    Datagen(tuning::Datagen),
    /// Fit the weights of the shapes to games
    Tune(tuning::Tune),
}

/// Reads the command line and does what it says.
///
/// # Errors
/// The task could not be done.
pub fn run() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    match arguments.command {
        None => {
            let language = match arguments.protocol {
                Some(Protocol::Uci) => Language::Uci,
                Some(Protocol::Gomocup) => Language::Gomocup,
                None if is_named_pbrain() => Language::Gomocup,
                None => Language::Auto,
            };
            // A panic in a search is reported by the protocol, on one line.
            std::panic::set_hook(Box::new(|_| {}));
            crate::protocol::run(BufReader::new(io::stdin()), io::stdout(), language).context("the daemon cannot start")
        }
        Some(Task::Datagen(task)) => tuning::datagen(&task),
        Some(Task::Tune(task)) => tuning::tune(&task, &mut io::stdout()),
        Some(Task::Solve(task)) => solve::solve(&task, io::stdin().lock(), &mut io::stdout()),
        Some(Task::Book(task)) => book::book(&task, &mut io::stdout()),
        Some(Task::Bench { ablate, what }) => {
            let written = match (ablate, what) {
                (_, Some(Measured::Solver)) => bench::solver(&mut io::stdout()),
                (true, None) => bench::ablation(&mut io::stdout()),
                (false, None) => bench::bench(&mut io::stdout()),
            };
            match written {
                // Whoever was reading has left; that is no fault.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
                other => other.context("cannot write the results"),
            }
        }
    }
}

/// Gomocup's managers know engines by this name.
fn is_named_pbrain() -> bool {
    let name = std::env::args_os().next().map(std::path::PathBuf::from);
    let name = name.as_deref().and_then(std::path::Path::file_name).map(|name| name.to_string_lossy().to_lowercase());
    name.is_some_and(|name| name.starts_with("pbrain-"))
}
