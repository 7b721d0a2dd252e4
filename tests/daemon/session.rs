//! The daemon from outside: its life from start to end, order and races, bad input.

use crate::client::{Client, after};
use std::time::Duration;

fn count(lines: &[String], start: &str) -> usize {
    lines.iter().filter(|line| line.starts_with(start)).count()
}

fn only_error(lines: &[String]) -> &str {
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].starts_with("info string error: "), "{lines:?}");
    &lines[0]
}

// Life

#[test]
fn piped_commands_run_to_their_end() {
    let mut client = Client::start();
    client.send_bytes(b"position startpos moves h8\r\ngo depth 4\ngo nodes 3000\nisready");
    let lines = client.close();
    assert_eq!(count(&lines, "bestmove"), 2);
    assert_eq!(count(&lines, "readyok"), 1);
    assert!(lines.iter().any(|line| line.starts_with("info depth 4 ")));
}

#[test]
fn the_end_of_input_ends_an_unbounded_search() {
    for go in ["go", "go infinite", "go ponder", "go ponder wtime 100000 btime 100000"] {
        let mut client = Client::start();
        client.send(go);
        assert_eq!(count(&client.close(), "bestmove"), 1, "{go}");
    }
    // Also one that still waits behind another search.
    let mut client = Client::start();
    client.send_bytes(b"go depth 4\ngo infinite\ngo ponder\n");
    assert_eq!(count(&client.close(), "bestmove"), 3);
}

#[test]
fn quit_answers_the_running_search_and_drops_the_rest() {
    let mut client = Client::start();
    client.send_bytes(b"go infinite\nquit\nisready\ngo depth 1\n");
    let (lines, status, stderr) = client.finish();
    assert!(status.success() && stderr.is_empty());
    assert_eq!((count(&lines, "bestmove"), count(&lines, "readyok")), (1, 0));

    let mut client = Client::start();
    client.send_bytes(b"go depth 60\ngo depth 60\nquit\n");
    assert_eq!(count(&client.finish().0, "bestmove"), 1);
}

#[test]
fn a_closed_output_ends_it_quietly() {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_inarow"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"uci\nposition startpos\ngo infinite\n").unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap(); // and the reader is gone
    let status = child.wait().unwrap(); // though its input is still open
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert!(status.success() && stderr.is_empty(), "{status} '{stderr}'");
}

#[test]
fn the_session_can_be_recorded() {
    let folder = std::env::temp_dir().join(format!("inarow test {}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("a log.txt");
    let mut client = Client::start();
    client.send(&format!("setoption name Debug Log File value {}", path.display()));
    client.ask("isready", "readyok");
    client.send("setoption name Debug Log File value <empty>");
    client.ask("isready", "readyok");
    let missing = folder.join("no such folder").join("log.txt");
    client.send(&format!("setoption name Debug Log File value {}", missing.display()));
    only_error(&client.ask("isready", "readyok"));
    assert!(client.close().is_empty());
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains(" > isready") && text.contains(" < readyok"), "{text}");
    std::fs::remove_dir_all(&folder).unwrap();
}

// Bad input

#[test]
fn each_bad_line_gets_one_error_and_the_next_good_one_works() {
    let mut client = Client::start();
    let long = "x".repeat(1_000_000);
    let long_move = format!("position startpos moves {}", "h8 ".repeat(10_000));
    for line in [
        "foo",
        "isready now",
        "debug perhaps",
        "position",
        "position fen",
        "position startpos moves h8 h8",
        "position startpos moves p1",
        "position startpos moves h8 xx",
        "position startpos moves a1 a3 b1 b3 c1 c3 d1 d3 e1 e3",
        "position fen 15/15 x",
        "position fen 15/15/15/15/15/15/15/15/15/15/15/15/15/ooooo10/xxxxx10 x",
        "go depth -1",
        "go nodes x",
        "go depth",
        "go bananas",
        "setoption name Nonsense value 1",
        "setoption name Threads value 1000",
        "setoption name Threads value",
        "setoption name Threads",
        "setoption Threads",
        "setoption name Hash value 1048576",
        "undo 7 8",
        "query what",
        "perft x",
        "\u{0}\u{1}",
        "h8\rgo depth 1",
        &long,
        &long_move,
    ] {
        client.send(line);
        let answer = client.ask("isready", "readyok");
        assert!(only_error(&answer).len() < 300);
        client.send("position startpos moves h8 i9");
        let answer = client.ask("go depth 1", "bestmove");
        assert_eq!(count(&answer, "info string error"), 0, "after {}", &line[..line.len().min(60)]);
    }
    client.send_bytes(b"\xff\xfe\xfd go\n");
    only_error(&client.ask("isready", "readyok"));
    assert!(client.close().is_empty());
}

#[test]
fn a_refused_position_is_never_played_from() {
    let mut client = Client::start();
    client.send("position startpos moves h8");
    client.send("position startpos moves h8 i9 i9");
    client.until("info string error: move 3");
    for go in ["go depth 3", "go infinite\nstop", "go ponder\nstop", "go ponder movetime 10\nponderhit"] {
        assert_eq!(
            client.ask(go, "bestmove"),
            [
                "info string error: there is no position, the last one was refused; expected 'position ...' first",
                "bestmove (none)"
            ]
        );
    }
    for line in ["d", "eval", "moves", "forbidden", "threats", "undo", "perft 2"] {
        client.send(line);
        only_error(&client.ask("isready", "readyok"));
    }
    assert_eq!(client.ask("query gameover", "response"), ["response true"]);
    // An answer to an unbounded search is held, be it that there is none.
    client.send("go infinite");
    client.until("info string error");
    client.expect_silence(Duration::from_millis(100));
    client.ask("stop", "bestmove (none)");
    client.send("setoption name UCI_Variant value gomokufreestyle");
    assert!(client.ask("go depth 1", "bestmove").len() > 1);
    assert!(client.close().is_empty());
}

#[test]
fn a_refused_option_leaves_the_old_value() {
    let mut client = Client::start();
    client.send("setoption name MultiPV value 3");
    client.send("setoption name MultiPV value 0");
    client.until("info string error");
    client.send("position startpos moves h8");
    let lines = client.ask("go depth 2", "bestmove");
    assert_eq!(count(&lines, "info depth 2 "), 3);
    assert!(client.close().is_empty());
}

#[test]
fn numbers_too_big_or_negative_are_no_fault() {
    let mut client = Client::start();
    client.send("position startpos moves h8");
    for go in [
        "go depth 300 nodes 500",
        "go movetime 99999999999999999999 nodes 500",
        "go wtime -25 btime -25 winc 10 binc 10",
        "go wtime 0 btime 1",
        "go wtime 99999999999999 btime 99999999999999 nodes 500",
        "go nodes 99999999999999999999 depth 2",
        "go mate 99999999999 depth 2",
        "go depth 0",
        "go movetime 0",
        "go nodes 0",
        "go movestogo 0 wtime 50 btime 50",
        "go wtime 1000\nstop", // not the mover's clock: an unbounded search
    ] {
        let lines = client.ask(go, "bestmove");
        assert_eq!(count(&lines, "info string error"), 0, "{go}");
        assert_ne!(after(&lines[lines.len() - 1], "bestmove"), "(none)");
    }
    assert!(client.close().is_empty());
}

// Order

#[test]
fn stop_and_ponderhit_without_a_search_are_silent_and_touch_no_later_one() {
    let mut client = Client::start();
    client.send_bytes(b"stop\nponderhit\nstop\nposition startpos moves h8\ngo infinite\n");
    client.until("info depth 3 ");
    client.send("isready");
    assert_eq!(count(&client.until("readyok"), "bestmove"), 0);
    client.ask("stop", "bestmove");
    assert!(client.close().is_empty());
}

#[test]
fn every_go_and_stop_makes_one_bestmove() {
    let mut client = Client::start();
    client.send("position startpos moves h8");
    for _ in 0..300 {
        client.send_bytes(b"go infinite\nstop\n");
    }
    let lines = client.close();
    assert_eq!(count(&lines, "bestmove"), 300);
}

#[test]
fn commands_wait_behind_a_bounded_search() {
    let mut client = Client::start();
    client.send_bytes(
        b"position startpos moves h8\ngo nodes 50000\nposition startpos moves a1 a2 a3\nd\nundo\nisready\nd\n",
    );
    let lines = client.close();
    let at = |start: &str| lines.iter().position(|line| line.starts_with(start)).unwrap();
    assert!(at("readyok") < at("bestmove") && at("bestmove") < at("moves: a1 a2 a3"));
    assert!(at("moves: a1 a2 a3") < lines.iter().position(|line| line == "moves: a1 a2").unwrap());
}

#[test]
fn a_command_ends_an_unbounded_search_and_then_runs() {
    for command in ["position startpos", "setoption name Hash value 1", "ucinewgame", "uci", "go depth 1", "d"] {
        for go in ["go infinite", "go ponder", "go"] {
            let mut client = Client::start();
            client.send("position startpos moves h8");
            client.send(go);
            client.until("info depth 2 ");
            client.send(command);
            client.until("bestmove");
            client.send("isready");
            client.until("readyok");
            let _ = client.close();
        }
    }
}

#[test]
fn a_line_that_is_no_command_disturbs_no_search() {
    let mut client = Client::start();
    client.send("position startpos moves h8");
    client.send("go infinite");
    client.until("info depth 2 ");
    client.send("foo");
    let lines = client.ask("isready", "readyok");
    assert_eq!((count(&lines, "info string error"), count(&lines, "bestmove")), (1, 0));
    client.ask("stop", "bestmove");
    assert!(client.close().is_empty());
}

#[test]
fn stop_ends_every_search_asked_for_before_it_and_none_after() {
    let mut client = Client::start();
    client.send_bytes(b"position startpos moves h8\ngo depth 90\ngo depth 90\ngo movetime 100000\nstop\ngo depth 2\n");
    let lines = client.close();
    assert_eq!(count(&lines, "bestmove"), 4);
    assert!(lines[lines.len() - 2].starts_with("info depth 2 "));
}

#[test]
fn ponderhit_lets_the_clock_run() {
    let mut client = Client::start();
    client.send("position startpos moves h8 i9 h9 h10");
    client.send("go ponder movetime 60");
    client.until("info depth 4 ");
    client.ask("isready", "readyok");
    client.ask("ponderhit", "bestmove");
    // A ponder search that has proven its value holds the answer back.
    client.send("position startpos moves h8 a1 i8 o15 j8 a15");
    client.send("go ponder wtime 100000 btime 100000");
    client.until("info depth 1 ");
    client.expect_silence(Duration::from_millis(100));
    client.ask("ponderhit", "bestmove");
    // Without any limit it goes on as an infinite search.
    client.send("position startpos moves h8");
    client.send("go ponder");
    client.until("info depth 2 ");
    client.send("ponderhit");
    client.ask("isready", "readyok");
    client.ask("stop", "bestmove");
    // One that still waits takes the hit with it.
    client.send_bytes(b"go depth 4\ngo ponder movetime 30\nponderhit\n");
    client.until("bestmove");
    client.until("bestmove");
    assert!(client.close().is_empty());
}

#[test]
fn infinite_goes_before_time_and_holds_what_is_proven() {
    let mut client = Client::start();
    client.send("setoption name UCI_Variant value tictactoe");
    client.send("go infinite movetime 1 wtime 1");
    client.until("info depth 9 ");
    client.expect_silence(Duration::from_millis(100));
    let lines = client.ask("stop", "bestmove");
    assert!(lines.iter().any(|line| line == "info string proven draw"));
    assert!(client.close().is_empty());
}

#[test]
fn bench_and_perft_can_be_stopped() {
    let mut client = Client::start();
    for command in ["bench", "perft 9", "go perft 9"] {
        client.send(command);
        client.ask("isready", "readyok");
        client.ask("stop", "info string stopped");
    }
    assert!(client.close().is_empty());
}

#[test]
fn settings_between_searches_are_safe() {
    let mut client = Client::start();
    for round in 0..30 {
        client.send(&format!("setoption name Threads value {}", 1 + round % 4));
        client.send(&format!("setoption name Hash value {}", if round % 2 == 0 { 1 } else { 32 }));
        client.send("position startpos moves h8");
        client.ask("go depth 4", "bestmove");
        client.send(if round % 3 == 0 { "ucinewgame" } else { "setoption name Clear Hash" });
    }
    assert!(client.close().is_empty());
}

#[test]
fn any_number_of_threads_in_range_works() {
    let mut client = Client::start();
    client.send("position startpos moves h8");
    for threads in [256, 2, 3] {
        client.send(&format!("setoption name Threads value {threads}"));
        let lines = client.ask("go movetime 50", "bestmove");
        assert_eq!(count(&lines, "info string error"), 0);
    }
    assert!(client.close().is_empty());
}

#[test]
fn an_illegal_search_move_is_named_and_the_go_still_answered() {
    let mut client = Client::start();
    client.send("position startpos moves h8");
    let lines = client.ask("go depth 2 searchmoves i9 h8", "bestmove");
    assert_eq!(lines, ["info string error: searchmoves: 'h8' is illegal: h8 is occupied", "bestmove (none)"]);
    assert!(client.close().is_empty());
}

#[test]
fn a_rating_outlives_the_choice_of_another_game() {
    let mut client = Client::start();
    client.send("setoption name UCI_LimitStrength value true");
    client.send("setoption name UCI_Elo value 1700");
    client.send("setoption name UCI_Variant value gomoku");
    client.send("position startpos moves h8");
    let lines = client.ask("go depth 8", "bestmove");
    assert_eq!(count(&lines, "info depth 8 "), 0, "full strength: {lines:?}");
    assert!(client.close().is_empty());
}

#[test]
fn another_game_in_the_same_process_is_searched_as_in_a_fresh_one() {
    let games = [
        ("gomokufreestyle", "position startpos moves h8", "go depth 6"),
        ("cfour", "position startpos", "go depth 10"),
        ("caro", "position startpos moves h8 i9", "go depth 5"),
        ("tictactoe", "position startpos", "go depth 9"),
        ("gomokufreestyle", "position startpos moves h8", "go depth 6"),
    ];
    let search = |client: &mut Client, (variant, position, go): (&str, &str, &str)| {
        client.send(&format!("setoption name UCI_Variant value {variant}"));
        client.send("setoption name Move Format value plain");
        client.send(position);
        let lines = client.ask(go, "bestmove");
        let shown = lines.iter().filter(|line| line.starts_with("info depth") || line.starts_with("bestmove"));
        shown.map(|line| line.split(" nps ").next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let mut old = Client::start();
    for game in games {
        let mut fresh = Client::start();
        assert_eq!(search(&mut old, game), search(&mut fresh, game), "{game:?}");
        assert!(fresh.close().is_empty());
    }
}

#[test]
fn a_long_search_is_never_silent_for_long_and_tells_what_it_tries() {
    let mut client = Client::start();
    for option in ["UCI_Variant value mnk", "Columns value 26", "Rows value 26"] {
        client.send(&format!("setoption name {option}"));
    }
    client.until("info string variant");
    client.send("position startpos moves m13 n14 m12 n11 z26");
    client.send("go movetime 4500");
    let lines = client.until("bestmove");
    assert!(lines.iter().any(|line| line.contains(" currmove ") && line.contains(" currmovenumber ")));
    // Of the eight signs of life due in this time a busy machine may swallow some.
    let signs = lines.iter().filter(|line| line.starts_with("info nodes ") || line.contains(" currmove ")).count();
    assert!(signs >= 3, "{lines:?}");
    assert!(client.close().is_empty());
}

#[test]
fn moves_are_written_in_the_form_the_client_uses() {
    let best = |lines: &[&str]| {
        let mut client = Client::start();
        lines.iter().for_each(|line| client.send(line));
        let answer = client.ask("go depth 1", "bestmove");
        let shown = answer.iter().find(|line| line.starts_with("info depth")).unwrap().clone();
        let best = after(&answer[answer.len() - 1], "bestmove").to_owned();
        assert_eq!(after(&shown, "pv"), best, "{answer:?}");
        best
    };
    let cfour = "setoption name UCI_Variant value cfour";
    assert_eq!(best(&["position startpos"]), "h8");
    assert_eq!(best(&[cfour]), "P@d1");
    assert_eq!(best(&["ugi", cfour]), "d1");
    assert_eq!(best(&[cfour, "position startpos moves d1 d2 d3 d4 d5 d6 c1"]).len(), 2);
    assert_eq!(best(&[cfour, "position startpos moves 4", "ucinewgame"]), "P@d1");
    assert_eq!(best(&[cfour, "setoption name Move Format value column"]), "d");
    assert_eq!(best(&["setoption name Move Format value column"]), "h8");
    assert_eq!(best(&["setoption name Move Format value drop"]), "P@h8");
    assert_eq!(best(&[cfour, "position startpos moves a", "position startpos"]), "d");
}

/// Random commands in random bursts; whatever their order, each `go` is answered once.
#[test]
fn random_interleavings_leave_it_alive_with_one_bestmove_a_go() {
    let mut random = fastrand::Rng::with_seed(20_261_130);
    for round in 0..6 {
        let mut client = Client::start();
        let (mut gos, mut readies) = (0, 0);
        for _ in 0..400 {
            let command = match random.usize(..20) {
                0 => "go depth 3",
                1 => "go nodes 2000",
                2 => "go movetime 5",
                3 => "go infinite",
                4 => "go ponder movetime 5",
                5 => "go wtime 20 btime 20 winc 1 binc 1",
                6 => "go",
                7 | 8 => "stop",
                9 => "ponderhit",
                10 => "isready",
                11 => "position startpos moves h8",
                12 => "position startpos moves h8 h8",
                13 => "ucinewgame",
                14 => "setoption name Hash value 2",
                15 => "setoption name UCI_Variant value tictactoe",
                16 => "setoption name UCI_Variant value gomokufreestyle",
                17 => "setoption name Threads value 2",
                18 => "debug off",
                _ => "rubbish",
            };
            gos += usize::from(command.starts_with("go"));
            readies += usize::from(command == "isready");
            client.send(command);
            if random.usize(..30) == 0 {
                std::thread::sleep(Duration::from_millis(random.u64(..4)));
            }
        }
        let lines = client.close();
        assert_eq!(count(&lines, "bestmove"), gos, "round {round}");
        assert_eq!(count(&lines, "readyok"), readies, "round {round}");
    }
}

#[test]
fn a_move_without_a_choice_does_not_wait_for_its_time() {
    let mut client = Client::start();
    client.send("position startpos moves h8 g8 i8 i9 j8 j9 k8");
    client.send("go movetime 600000");
    client.until("bestmove l8");
    assert!(client.close().is_empty());
}
