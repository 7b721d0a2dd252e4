//! What is started from the shell: the daemon, or a benchmark beside it.

mod bench;

use anyhow::Context;
use clap::{Parser, Subcommand};
use std::io::{self, BufReader};

/// One engine for the whole family of k-in-a-row games.
///
/// Without a command it is a daemon that speaks UCI and UGI on standard input and output; type `help` to it.
#[derive(Parser)]
#[command(version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Task>,
}

#[derive(Subcommand)]
enum Task {
    /// Search fixed positions and print nodes, speed and a signature of what was searched
    Bench {
        /// Climb the textbook ladder instead: minimax, alpha-beta, ordering, PVS, history, hash, iterative deepening
        #[arg(long)]
        ablate: bool,
    },
}

/// Reads the command line and does what it says.
///
/// # Errors
/// The task could not be done.
pub fn run() -> anyhow::Result<()> {
    match Arguments::parse().command {
        None => {
            // A panic in a search is reported by the protocol, on one line.
            std::panic::set_hook(Box::new(|_| {}));
            crate::protocol::run(BufReader::new(io::stdin()), io::stdout()).context("the daemon cannot start")
        }
        Some(Task::Bench { ablate }) => {
            let written = if ablate { bench::ablation(&mut io::stdout()) } else { bench::bench(&mut io::stdout()) };
            match written {
                // Whoever was reading has left; that is no fault.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
                other => other.context("cannot write the results"),
            }
        }
    }
}
