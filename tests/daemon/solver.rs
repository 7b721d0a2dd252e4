//! Games that the engine solves: exact values whatever the limits and options.

use crate::client::{Client, after};

const CFOUR: &str = "setoption name UCI_Variant value cfour";
/// The side to move loses to the next stone but one.
const LOST: &str = "position startpos moves 2 2 2 4 2 4 3 3 7 7 3 2 5 1";
const NO_BOOK: &str = "setoption name OwnBook value false";
/// Drawn with exact play.
const DRAWN: &str = "position startpos moves 3 3 1 7 3 3 6 2 1 7 7 7 7 4 6 5 6 2 7 4 1 4 5 1 3 1 2 6";

/// The lines of an answer to `go`, after some commands.
fn go(commands: &[&str], go: &str) -> Vec<String> {
    let mut client = Client::start();
    commands.iter().for_each(|command| client.send(command));
    let lines = client.ask(go, "bestmove");
    assert!(client.close().is_empty());
    lines
}

fn exact(lines: &[String]) -> Vec<&String> {
    lines.iter().filter(|line| line.contains(" score mate ") || line.contains(" score cp 0 ")).collect()
}

#[test]
fn the_value_is_exact_with_any_hash_and_threads() {
    for option in ["Hash value 1", "Hash value 64", "Threads value 2", "Threads value 4"] {
        let option = format!("setoption name {option}");
        let lines = go(&[&option, CFOUR, LOST], "go movetime 20000");
        assert!(lines.iter().any(|line| line.contains("multipv 1 score mate -1 ")), "{lines:?}");
        let lines = go(&[&option, CFOUR, DRAWN], "go movetime 20000");
        assert!(lines.contains(&"info string proven draw".to_owned()), "{lines:?}");
        assert_eq!(exact(&lines).len(), 1, "{lines:?}");
    }
}

#[test]
fn wanted_moves_and_several_lines_are_exact() {
    let start = "position startpos moves 4 4 5 5";
    let commands = [CFOUR, start, "setoption name MultiPV value 3"];
    let lines = go(&commands, "go movetime 30000");
    for (rank, score) in [(1, "mate 2"), (2, "mate 2"), (3, "")] {
        let shown = lines.iter().rfind(|line| line.contains(&format!("multipv {rank} "))).unwrap();
        assert!(shown.contains(&format!("score {score}")), "{lines:?}");
    }
    // Neither of the two quick wins.
    let lines = go(&[CFOUR, start], "go movetime 30000 searchmoves 1 7");
    let best = after(&lines[lines.len() - 1], "bestmove");
    assert!(["1", "7"].contains(&best), "{lines:?}");
    assert!(!lines.iter().any(|line| line.contains("proven draw")), "{lines:?}");
}

#[test]
fn the_empty_board_is_searched_until_a_limit() {
    for limit in ["depth 6", "nodes 300000", "movetime 700"] {
        let lines = go(&[CFOUR, NO_BOOK, "position startpos"], &format!("go {limit}"));
        assert!(lines.iter().any(|line| line.starts_with("info depth 6 ")), "{limit}: {lines:?}");
        assert_eq!(exact(&lines).iter().filter(|line| line.contains("mate")).count(), 0, "{lines:?}");
        if limit.starts_with("nodes") {
            let last = lines.iter().rfind(|line| line.contains(" nodes ")).unwrap();
            assert!(after(last, "nodes").parse::<u64>().unwrap() <= 300_001, "{last}");
        }
    }
    let mut client = Client::start();
    client.send(CFOUR);
    client.send(NO_BOOK);
    client.send("go infinite");
    std::thread::sleep(std::time::Duration::from_millis(300));
    let lines = client.ask("stop", "bestmove");
    assert!(lines.iter().any(|line| line.starts_with("info depth")), "{lines:?}");
    assert!(client.close().is_empty());
}

#[test]
fn the_empty_board_is_answered_from_the_opening_table() {
    let many = "setoption name MultiPV value 7";
    for (limit, option) in
        [("nodes 0", ""), ("nodes 1", ""), ("nodes 1000", ""), ("depth 1", ""), ("movetime 60000", many)]
    {
        let lines = go(&[CFOUR, option, "isready"], &format!("go {limit}"));
        // Not even the line of best play is searched for.
        assert!(lines.iter().any(|line| line.contains("multipv 1 score mate 21 nodes 0 ")), "{limit}: {lines:?}");
        assert_eq!(after(&lines[lines.len() - 1], "bestmove"), "P@d1", "{lines:?}");
    }
}

#[test]
fn without_a_proof_the_move_keeps_what_the_opening_table_promises() {
    let mut client = Client::start();
    client.send(CFOUR);
    // The last move is not that of the table: it lost more quickly than was needed.
    client.send("position startpos moves 1 5 6 6 7 4 4 4 1");
    let lines = client.ask("go nodes 200000", "bestmove");
    assert!(lines.iter().any(|line| line.contains(" score mate 16 lowerbound ")), "{lines:?}");
    let best = after(&lines[lines.len() - 1], "bestmove").to_owned();
    let solved = client.ask("solve", "solved");
    let (value, rest) = solved[solved.len() - 1].split_once(" best ").unwrap();
    assert_eq!(value, "solved win mate 14");
    assert!(rest.split(" nodes ").next().unwrap().split(' ').any(|mv| mv == best), "{best}: {rest}");
    assert!(client.close().is_empty());
}

#[test]
fn a_limit_of_nodes_holds_for_all_threads_together() {
    for (threads, nodes) in [(1, 2), (1, 10), (3, 10), (3, 1000), (8, 100)] {
        let options =
            [CFOUR, NO_BOOK, &format!("setoption name Threads value {threads}"), "position startpos moves 4 4"];
        for line in go(&options, &format!("go nodes {nodes}")).iter().filter(|line| line.contains(" nodes ")) {
            let found: u64 = after(line, "nodes").parse().unwrap();
            assert!(found <= nodes + 2 * threads, "{threads} threads, {nodes} nodes: {line}");
        }
    }
}

#[test]
fn a_question_for_a_mate_is_answered_with_the_truth() {
    let start = "position startpos moves 4 4 5 5";
    let lines = go(&[CFOUR, start], "go mate 2");
    assert!(lines.iter().any(|line| line.contains("score mate 2 ")), "{lines:?}");
    let lines = go(&[CFOUR, start], "go mate 1");
    assert!(lines.contains(&"info string no mate in 1 found".to_owned()), "{lines:?}");
}

/// Commands for a board of five columns and rows without gravity, which needs four in a row.
const FREE: [&str; 4] = [
    "setoption name UCI_Variant value mnk",
    "setoption name Columns value 5",
    "setoption name Rows value 5",
    "setoption name Line Length value 4",
];

#[test]
fn boards_without_gravity_are_solved_within_the_limits() {
    for option in ["Hash value 1", "Threads value 2"] {
        let option = format!("setoption name {option}");
        let lines = go(&[&[option.as_str()], &FREE[..]].concat(), "go movetime 30000");
        assert!(lines.contains(&"info string proven draw".to_owned()), "{lines:?}");
        assert_eq!(exact(&lines).iter().filter(|line| line.contains(" depth 25 ")).count(), 1, "{lines:?}");
    }
    let lines = go(&[&FREE[..], &["setoption name Rows value 6"]].concat(), "go movetime 30000");
    assert!(lines.iter().any(|line| line.contains(" score mate 6 ")), "{lines:?}");
    // Nothing is known of the other moves.
    let lines = go(&FREE, "go movetime 30000 searchmoves a1 e5");
    assert!(["P@a1", "P@e5"].contains(&after(&lines[lines.len() - 1], "bestmove")), "{lines:?}");
    assert!(!lines.iter().any(|line| line.contains("proven draw")), "{lines:?}");
    let lines = go(&[&FREE[..], &["setoption name MultiPV value 25"]].concat(), "go movetime 60000");
    assert_eq!(exact(&lines).iter().filter(|line| line.contains(" depth 25 ")).count(), 25, "{lines:?}");
}

#[test]
fn a_board_without_gravity_that_is_too_hard_is_searched_until_a_limit() {
    let hard = [FREE[0], "setoption name Columns value 8", "setoption name Rows value 8"];
    for limit in ["depth 6", "nodes 40000", "movetime 700"] {
        let lines = go(&hard, &format!("go {limit}"));
        assert!(lines.iter().any(|line| line.starts_with("info depth 6 ")), "{limit}: {lines:?}");
        assert!(!lines.iter().any(|line| line.contains("proven draw") || line.contains(" mate ")), "{lines:?}");
        if limit.starts_with("nodes") {
            let last = lines.iter().rfind(|line| line.contains(" nodes ")).unwrap();
            assert!(after(last, "nodes").parse::<u64>().unwrap() <= 40_001, "{last}");
        }
    }
}

#[test]
fn solve_needs_a_game_that_can_be_solved_and_can_be_stopped() {
    let mut client = Client::start();
    client.send("solve");
    let line = client.line().unwrap();
    assert!(line.starts_with("info string error: only small boards are solved"), "{line}");
    client.send("setoption name UCI_Variant value connect4-7x7");
    client.line();
    client.send("solve");
    client.send("stop");
    assert_eq!(client.line().unwrap(), "info string stopped");
    client.send("position startpos moves 9");
    client.line();
    client.send("solve");
    assert!(client.line().unwrap().starts_with("info string error: there is no position"));
    assert!(client.close().is_empty());
}
