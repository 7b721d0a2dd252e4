//! `save` and `load` from outside: games that go on in another process, files that are refused, files that are kept.

use crate::client::{Client, after};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// What `d` says: the whole game.
fn display(client: &mut Client) -> Vec<String> {
    client.ask("d", "moves:")
}

/// Sends a command and returns its only line.
fn answer(client: &mut Client, line: &str) -> String {
    client.ask(line, "info string").remove(0)
}

#[track_caller]
fn saved(client: &mut Client, name: &str) {
    let line = answer(client, &format!("save {name}"));
    assert!(line.starts_with("info string saved "), "{line}");
}

#[track_caller]
fn loaded(client: &mut Client, name: &str) {
    let line = answer(client, &format!("load {name}"));
    assert!(line.starts_with("info string loaded "), "{line}");
}

#[track_caller]
fn refused(client: &mut Client, line: &str) -> String {
    let answer = answer(client, line);
    assert!(answer.starts_with("info string error: "), "{answer}");
    assert!(answer.len() < 400, "{answer}");
    answer
}

#[test]
fn a_saved_game_goes_on_in_another_process() {
    let folder = tempfile::tempdir().unwrap();
    let games: [(&[&str], &str); 6] = [
        (&[], "position startpos moves h8 i9 g9"),
        (&["UCI_Variant value renju"], "position startpos moves h8 a1 j8 a3 i9 a5 i10 a7"),
        (&["UCI_Variant value caro", "Columns value 20", "Overline value wins"], "position startpos moves t15 a1"),
        (&["UCI_Variant value cfour"], "position fen 7/7/7/7/3o3/3x3 x moves 4 4 1"),
        (&["UCI_Variant value tictactoe"], "position startpos moves a1 a2 b1 b2 c1"),
        (
            &["UCI_Variant value mnk", "Columns value 9", "Rows value 4", "Line Length value 4", "Gravity value true"],
            "position startpos moves 1 1 9",
        ),
    ];
    for (options, position) in games {
        for name in ["a game.sgf", "a  game.PSQ", "ünï (1).txt"] {
            let mut client = Client::start_in(folder.path());
            options.iter().for_each(|option| client.send(&format!("setoption name {option}")));
            client.send(position);
            client.ask("isready", "readyok");
            let before = display(&mut client);
            let line = answer(&mut client, &format!("save {name}"));
            if name.ends_with(".PSQ") && line.contains("error") {
                assert!(line.contains(".sgf"), "{line}");
                continue;
            }
            drop(client); // killed
            let mut client = Client::start_in(folder.path());
            loaded(&mut client, name);
            let after = display(&mut client);
            let state = |lines: &[String]| lines.iter().filter(|line| !line.starts_with("moves")).cloned().collect();
            let (before, after): (Vec<String>, Vec<String>) = (state(&before), state(&after));
            assert_eq!(before, after, "{name}");
            client.send("undo");
            client.ask("go depth 1", "bestmove");
            assert!(client.close().is_empty());
        }
    }
}

#[test]
fn what_was_thought_of_a_move_is_kept_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = Client::start_in(folder.path());
    client.send("position startpos moves h8");
    let best = client.ask("go depth 4", "bestmove").pop().unwrap();
    client.send(&format!("position startpos moves h8 {} a1", after(&best, "bestmove")));
    saved(&mut client, "a.sgf");
    let first = fs::read_to_string(folder.path().join("a.sgf")).unwrap();
    assert_eq!((first.matches("C[").count(), first.matches(" ms, score ").count()), (1, 1), "{first}");
    loaded(&mut client, "a.sgf");
    saved(&mut client, "b.sgf");
    assert_eq!(fs::read_to_string(folder.path().join("b.sgf")).unwrap(), first);
    client.send("ucinewgame");
    client.send("position startpos moves h8");
    saved(&mut client, "b.sgf");
    assert!(!fs::read_to_string(folder.path().join("b.sgf")).unwrap().contains("C["));
}

/// The most memory that a process has had, in KiB.
fn peak_memory(client: &Client) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", client.process_id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_ascii_whitespace().next()?.parse().ok()
}

#[test]
fn a_file_that_is_refused_changes_nothing_and_costs_little() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let huge = fs::File::create(at("huge.sgf")).unwrap();
    huge.set_len(100 << 20).unwrap();
    fs::write(at("deep.sgf"), format!("(;GM[4]{}", "(;".repeat((2 << 20) - 4))).unwrap();
    fs::write(at("junk.sgf"), (0..100_000u32).map(|n| (n.wrapping_mul(n) >> 3) as u8).collect::<Vec<_>>()).unwrap();
    fs::write(at("zeros.psq"), vec![0; 4 << 20]).unwrap();
    fs::write(at("ff.txt"), vec![0xff; 4 << 20]).unwrap();
    fs::write(at("go.sgf"), "(;GM[1]FF[4]SZ[19]\n;B[pd])").unwrap();
    fs::write(at("cut.sgf"), "(;FF[4]GM[4]SZ[15]\n;B[hh]\n;W[ig").unwrap();
    fs::write(at("occupied.sgf"), "(;FF[4]GM[4]SZ[15]\n;B[hh]\n;W[hh])").unwrap();
    fs::write(at("empty.sgf"), "").unwrap();
    fs::create_dir(at("folder.sgf")).unwrap();
    let mut names = vec![
        ("huge.sgf", "the file has 104857600 bytes; expected at most 4194304"),
        ("deep.sgf", "the file ends; expected "),
        ("junk.sgf", "line 1, column 1: "),
        ("zeros.psq", "line 1, column 1: "),
        ("ff.txt", "line 1, column 1: "),
        ("go.sgf", "line 1, column 5: GM[1] is no game of this engine; expected GM[4]"),
        ("cut.sgf", "line 3, column 3: the file ends; expected ']'"),
        ("occupied.sgf", "line 3, column 3: move 2: 'h8' is illegal: h8 is occupied"),
        ("empty.sgf", "the file ends; expected an SGF game"),
        ("folder.sgf", "it is a folder; expected a file"),
        ("missing.sgf", "there is no such file"),
        ("missing/a.sgf", "there is no such file"),
        ("occupied.sgf/a.sgf", "cannot load "),
        ("game.pgn", "does not end with .sgf, .psq or .txt"),
        ("a\u{0}b.sgf", "cannot load "),
    ];
    if cfg!(unix) {
        assert!(std::process::Command::new("mkfifo").arg(at("pipe.sgf")).status().unwrap().success());
        link(Path::new("/dev/zero"), &at("zero.sgf"));
        link(&at("loop.sgf"), &at("loop.sgf"));
        names.extend([
            ("pipe.sgf", "it is a pipe or a device; expected a file"),
            ("zero.sgf", "it is a pipe or a device; expected a file"),
            ("loop.sgf", "cannot load "),
        ]);
    }
    let mut client = Client::start_in(folder.path());
    client.send("setoption name UCI_Variant value cfour");
    client.send("position startpos moves 4 4");
    client.until("info string variant");
    let before = display(&mut client);
    let (start, memory) = (Instant::now(), peak_memory(&client));
    for (name, expected) in names {
        let error = refused(&mut client, &format!("load {name}"));
        assert!(error.contains(expected), "{error}");
        assert_eq!(display(&mut client), before, "{name}");
    }
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    if let (Some(before), Some(after)) = (memory, peak_memory(&client)) {
        assert!(after - before < 16 << 10, "{} KiB", after - before);
    }
    // Long names and names of foreign bytes, too.
    refused(&mut client, &format!("load {}.sgf", "x".repeat(60_000)));
    client.send_bytes(b"load \xff.sgf\nsave \xff.sgf\n");
    assert!(client.until("info string").remove(0).contains("UTF-8"));
    assert!(client.until("info string").remove(0).contains("UTF-8"));
    refused(&mut client, "load");
    refused(&mut client, "save");
    assert!(client.close().is_empty());
}

#[cfg(unix)]
fn link(target: &Path, name: &Path) {
    std::os::unix::fs::symlink(target, name).unwrap();
}

#[cfg(not(unix))]
fn link(_: &Path, _: &Path) {}

#[test]
fn saving_replaces_whole_files_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let mut client = Client::start_in(folder.path());
    client.send("position startpos moves h8");
    fs::create_dir(at("folder.sgf")).unwrap();
    assert!(refused(&mut client, "save folder.sgf").contains("it is a folder"));
    assert!(refused(&mut client, "save missing/a.sgf").contains("there is no such folder"));
    assert!(refused(&mut client, "save a.pgn").contains("does not end with"));
    assert!(refused(&mut client, "save .sgf").contains("does not end with"));
    refused(&mut client, &format!("save {}.sgf", "x".repeat(5_000)));
    fs::write(at("kept.sgf"), "mine").unwrap();
    let mut rights = fs::metadata(at("kept.sgf")).unwrap().permissions();
    rights.set_readonly(true);
    fs::set_permissions(at("kept.sgf"), rights).unwrap();
    assert!(refused(&mut client, "save kept.sgf").contains("read-only"));
    client.send("position fen 15/15/15/15/15/15/15/7x7/15/15/15/15/15/15/15 o");
    fs::write(at("old.psq"), "mine").unwrap();
    assert!(
        refused(&mut client, "save old.psq")
            .contains("holds no game that began from a FEN; expected a name in .sgf or .txt")
    );
    for name in ["kept.sgf", "old.psq"] {
        assert_eq!(fs::read_to_string(at(name)).unwrap(), "mine");
    }
    saved(&mut client, "new.sgf");
    saved(&mut client, "new.sgf");
    let mut expected = vec!["folder.sgf", "kept.sgf", "new.sgf", "old.psq"];
    if cfg!(unix) {
        // A link stays one, and what it leads to is written.
        link(Path::new("new.sgf"), &at("link.sgf"));
        link(Path::new("nowhere/a.sgf"), &at("broken.sgf"));
        link(Path::new("/dev/null"), &at("null.sgf"));
        client.send("position startpos moves a1");
        saved(&mut client, "link.sgf");
        assert!(fs::symlink_metadata(at("link.sgf")).unwrap().is_symlink());
        assert!(fs::read_to_string(at("new.sgf")).unwrap().contains(";B[ao]"));
        assert!(refused(&mut client, "save broken.sgf").contains("leads nowhere"));
        assert!(refused(&mut client, "save null.sgf").contains("a pipe or a device"));
        expected.extend(["broken.sgf", "link.sgf", "null.sgf"]);
    }
    expected.sort();
    let mut names: Vec<String> =
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, expected);
    assert!(client.close().is_empty());
}

#[test]
fn a_search_goes_on_while_its_game_is_saved_and_ends_before_another_is_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = Client::start_in(folder.path());
    client.send("position startpos moves h8 i9");
    client.send("go infinite");
    let lines = client.ask("save a.sgf", "info string saved");
    assert!(lines.last().unwrap().contains("; 2 moves, x to move"));
    assert!(client.ask("load a.sgf", "info string loaded").iter().any(|line| line.starts_with("bestmove ")));
    // Behind a bounded search both wait their turn.
    client.send_bytes(b"go movetime 200\nposition startpos moves h8\nsave a.sgf\nload a.sgf\n");
    let lines = client.until("info string loaded");
    let at = |start: &str| lines.iter().position(|line| line.starts_with(start)).unwrap();
    assert!(at("bestmove") < at("info string saved") && lines[at("info string saved")].contains("; 1 move, "));
    assert!(client.close().is_empty());
}

#[test]
fn a_game_can_be_loaded_where_there_is_no_position_but_not_saved() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = Client::start_in(folder.path());
    saved(&mut client, "a.txt");
    answer(&mut client, "position startpos moves a1 a1");
    assert!(refused(&mut client, "save a.txt").contains("there is no position"));
    refused(&mut client, "load b.txt");
    assert!(refused(&mut client, "go depth 1").contains("there is no position"));
    client.until("bestmove (none)");
    loaded(&mut client, "a.txt");
    client.ask("go depth 1", "bestmove");
    assert!(client.close().is_empty());
}

#[test]
fn a_game_that_a_foul_ended_is_over() {
    let folder = tempfile::tempdir().unwrap();
    let game = "(;GM[4]RU[renju];B[hh];W[ao];B[jh];W[am];B[ig];W[ak];B[if];W[ai];B[ih])";
    fs::write(folder.path().join("foul.sgf"), game).unwrap();
    let mut client = Client::start_in(folder.path());
    loaded(&mut client, "foul.sgf");
    assert!(display(&mut client).contains(&"result: o wins".to_owned()));
    assert_eq!(client.ask("go depth 3", "bestmove").pop().unwrap(), "bestmove (none)");
    assert_eq!(client.ask("query result", "response"), ["response p2win"]);
    client.send("undo");
    assert_eq!(client.ask("forbidden", "forbidden"), ["forbidden i8"]);
    assert!(client.close().is_empty());
}

/// Games of the tournament script, read as they were written.
#[test]
fn games_of_tournaments_are_loaded() {
    for (name, expected) in [
        ("renju.sgf", "renju 15x15, 5 in a row; "),
        ("renju.psq", "renju 15x15, 5 in a row; "),
        ("connect_four.sgf", "cfour 7x6, 4 in a row, stones fall; "),
        ("own_board.sgf", "mnk 9x5, 4 in a row; "),
        ("gomoku.psq", "gomoku 20x20, 5 in a row, overlines are nothing; "),
    ] {
        let mut client = Client::start_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/records"));
        let line = answer(&mut client, &format!("load {name}"));
        assert!(line.starts_with(&format!("info string loaded {expected}")), "{name}: {line}");
    }
}
