//! The command line of inarow; everything happens in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    match inarow::cli::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            #[expect(clippy::print_stderr, reason = "the place where errors of the command line end")]
            {
                eprintln!("inarow: {error:#}");
            }
            ExitCode::FAILURE
        }
    }
}
