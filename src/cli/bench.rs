//! `inarow bench`: the benchmark and the textbook ladder as tables.

use crate::engine::{ablation, bench, solving};
use crate::search::Control;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// How often a long `position` is taken in to find the median time.
const INTAKES: usize = 2001;

/// Runs the benchmark. The last line is `NODES nodes SPEED nps signature HEX`.
pub fn bench(output: &mut impl Write) -> io::Result<()> {
    writeln!(output, "{:<24} {:>5} {:>10} {:>12} {:>9} {:>10}", "position", "depth", "score", "nodes", "ms", "nps")?;
    let control = Control::new(Instant::now(), false);
    let mut written = Ok(());
    let mut report = |line: bench::Line| {
        let (ms, speed) = (millis(line.time), speed(line.nodes, line.time));
        let score = line.score.to_string();
        let row = writeln!(
            output,
            "{:<24} {:>5} {score:>10} {:>12} {ms:>9} {speed:>10}",
            line.name, line.depth.0, line.nodes
        );
        if row.is_err() {
            control.stop(); // nobody is reading any more
            written = row;
        }
    };
    let summary = bench::run(bench::DEPTH_SHARE, &control, &mut report);
    written?;
    if let Some(median) = bench::intake(INTAKES) {
        writeln!(output, "\na position of 225 moves is taken in within {:.1} us (median)", median.as_secs_f64() * 1e6)?;
    }
    match summary {
        Some(sum) => {
            let speed = speed(sum.nodes, sum.time);
            writeln!(output, "{} nodes {speed} nps signature {:08x}", sum.nodes, sum.signature)
        }
        None => Ok(()),
    }
}

/// Climbs the textbook ladder on each of its positions.
pub fn ablation(output: &mut impl Write) -> io::Result<()> {
    for test in ablation::tests() {
        writeln!(output, "{}, depth {}", test.name, test.depth.0)?;
        writeln!(output, "  {:<24} {:>12} {:>9} {:>10} {:>9}", "search", "nodes", "ms", "value", "of above")?;
        let mut before = None;
        let mut written = Ok(());
        test.climb(&mut |rung| {
            let share =
                before.map_or(String::new(), |nodes: u64| format!("{:.1} %", rung.nodes as f64 * 100.0 / nodes as f64));
            before = Some(rung.nodes);
            if written.is_ok() {
                let (ms, score) = (millis(rung.time), rung.score.to_string());
                written = writeln!(output, "  {:<24} {:>12} {ms:>9} {score:>10} {share:>9}", rung.name, rung.nodes);
            }
        });
        written?;
        writeln!(output)?;
    }
    Ok(())
}

/// Solves the sets of positions with known scores, with one table for each board.
pub fn solver(output: &mut impl Write) -> io::Result<()> {
    writeln!(
        output,
        "{:<14} {:>9} {:>12} {:>14} {:>9} {:>6}",
        "set", "positions", "us each", "nodes each", "Mnodes/s", "wrong"
    )?;
    for set in solving::sets() {
        let sum = set.run();
        let (count, seconds) = (sum.positions as f64, sum.time.as_secs_f64().max(1e-9));
        writeln!(
            output,
            "{:<14} {:>9} {:>12.2} {:>14.1} {:>9.2} {:>6}",
            set.name,
            sum.positions,
            seconds * 1e6 / count,
            sum.nodes as f64 / count,
            sum.nodes as f64 / seconds / 1e6,
            sum.wrong
        )?;
    }
    Ok(())
}

fn millis(time: Duration) -> String {
    format!("{:.1}", time.as_secs_f64() * 1e3)
}

fn speed(nodes: u64, time: Duration) -> u64 {
    (nodes as f64 / time.as_secs_f64().max(1e-9)) as u64
}
