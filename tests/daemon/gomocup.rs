//! The Gomocup protocol from outside: recorded sessions of real clients, what each of them needs, and bad input.

use crate::client::Client;
use std::time::Duration;

/// `x,y`, or several of them with blanks between.
fn is_move(line: &str) -> bool {
    let is_pair = |pair: &str| {
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        pair.split_once(',').is_some_and(|(x, y)| digits(x) && digits(y))
    };
    !line.is_empty() && line.split(' ').all(is_pair)
}

fn is_talk(line: &str) -> bool {
    ["MESSAGE ", "DEBUG ", "INFO "].iter().any(|start| line.starts_with(start))
}

/// Lines up to the next that is no talk.
fn answer(client: &mut Client) -> String {
    loop {
        match client.line() {
            Some(line) if is_talk(&line) => {}
            Some(line) => return line,
            None => client.fail("the output ended"),
        }
    }
}

fn start(size: &str) -> Client {
    let mut client = Client::start();
    client.send(&format!("START {size}"));
    client.until("OK");
    client.send("INFO timeout_turn 30");
    client
}

fn end(mut client: Client) {
    client.send("END");
    let (rest, status, stderr) = client.finish();
    assert!(status.success() && stderr.is_empty(), "{status} '{stderr}'");
    assert!(rest.iter().all(|line| is_talk(line)), "{rest:?}");
}

// Recorded sessions

/// Longer times than this are cut down: the sessions are about form, not strength.
fn hurried(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    match words.as_slice() {
        [info, key, value] if info.eq_ignore_ascii_case("info") && key.eq_ignore_ascii_case("timeout_turn") => {
            let turn: u64 = value.parse().unwrap_or(0);
            // 2000000 means until it is stopped.
            let turn = if turn == 2_000_000 { turn } else { turn.min(40) };
            format!("{info} {key} {turn}")
        }
        _ => line.to_owned(),
    }
}

fn check_form(name: &str, line: &str) {
    let plain = ["OK", "SWAP"].contains(&line) || line.starts_with("name=\"inarow\"") || line.starts_with("FORBID ");
    // The recorded moves answered another engine's: some do not fit.
    let misfit = line.starts_with("ERROR ")
        && (["is occupied", "the game is over", "has no stone to take back"].iter().any(|why| line.ends_with(why)));
    assert!(is_move(line) || is_talk(line) || plain || misfit, "{name}: '{line}'");
    if let Some(forbidden) = line.strip_prefix("FORBID ") {
        assert!(forbidden.ends_with('.') && forbidden.len() % 4 == 1, "{name}: '{line}'");
    }
    if line.starts_with("INFO ") {
        assert!(line.split(' ').nth(2).is_some_and(|value| !value.is_empty()), "{name}: '{line}'");
    }
}

fn replay(name: &str, text: &str) {
    let mut client = Client::start();
    for step in text.lines() {
        match step.strip_prefix("> ") {
            Some(line) => client.send(&hurried(line)),
            None if step == "wait" => loop {
                let line = client.line().unwrap_or_else(|| panic!("{name}: the output ended"));
                check_form(name, &line);
                if is_move(&line) || line.starts_with("ERROR") || line == "SWAP" {
                    break;
                }
            },
            None => {
                // The client begins again with a new process.
                let _ = std::mem::replace(&mut client, Client::start());
            }
        }
    }
    client.send("yxstop");
    client.send("END");
    let (rest, status, stderr) = client.finish();
    rest.iter().for_each(|line| check_form(name, line));
    assert!(status.success() && stderr.is_empty(), "{name}: {status} '{stderr}'");
}

#[test]
fn recorded_sessions_of_real_clients_get_well_formed_answers() {
    let mut seen = 0;
    for entry in std::fs::read_dir("tests/data/sessions").unwrap() {
        let path = entry.unwrap().path();
        replay(&path.display().to_string(), &std::fs::read_to_string(&path).unwrap());
        seen += 1;
    }
    assert_eq!(seen, 17);
}

// The form of things

#[test]
fn the_first_line_the_option_or_the_name_chooses_the_protocol() {
    for first in ["START 15", "RECTSTART 15,15", "BEGIN", "about", "INFO rule 0", "yxshowinfo"] {
        let mut client = Client::start();
        client.send("");
        client.send(first);
        client.send("ABOUT");
        client.until("name=\"inarow\"");
        let _ = client.close();
    }
    let mut client = Client::start_with(&["--protocol", "gomocup"]);
    client.send("uci");
    client.until("UNKNOWN");
    end(client);
    let mut client = Client::start_with(&["--protocol", "uci"]);
    client.send("START 15");
    client.until("info string error: unknown command 'START'");
    assert!(client.close().is_empty());
}

#[test]
fn a_program_named_pbrain_speaks_gomocup() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    // In the folder of the program a link will do; a copy could not be started while another test forks.
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_inarow"));
    let path = program.with_file_name(format!("pbrain-inarow {}.exe", std::process::id()));
    std::fs::hard_link(program, &path).unwrap();
    let mut child = Command::new(&path).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"HELLO\r\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "UNKNOWN command 'HELLO'\n");
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn a_piped_game_is_played_and_the_process_ends() {
    let mut client = Client::start();
    client.send_bytes(b"START 15\r\nINFO timeout_turn 50\r\nBEGIN\r\n");
    let lines = client.close();
    assert_eq!(lines[0], "OK");
    assert_eq!(lines.last().map(String::as_str), Some("7,7"));
    assert!(lines.len() > 2 && lines[1..lines.len() - 1].iter().all(|line| line.starts_with("MESSAGE depth ")));
}

#[test]
fn black_and_white_board_and_turn_and_take_back() {
    let mut client = start("15");
    client.send("BOARD");
    for line in ["7,7,2", "6,6,1", "6,7,2", "7,8,1", "5,7,2", "8,7,1", "4,7,2"] {
        client.send(line);
    }
    client.send("DONE");
    assert_eq!(answer(&mut client), "3,7"); // the only point that stops five
    client.send("TAKEBACK 3,7");
    assert_eq!(answer(&mut client), "OK");
    client.send("TAKEBACK 4,7");
    assert_eq!(answer(&mut client), "OK");
    client.send("TURN 4,7");
    assert_eq!(answer(&mut client), "3,7");
    client.send("RESTART");
    assert_eq!(answer(&mut client), "OK");
    client.send("BEGIN");
    assert_eq!(answer(&mut client), "7,7");
    client.send("PLAY 0,0");
    assert_eq!(answer(&mut client), "0,0");
    end(client);
}

#[test]
fn rectangles_count_columns_first_and_rows_from_the_top() {
    let mut client = Client::start();
    client.send("RECTSTART 20,6");
    client.until("OK");
    client.send("INFO timeout_turn 20");
    client.send("TURN 19,0");
    assert!(is_move(&answer(&mut client)));
    client.send("TURN 0,6");
    assert!(answer(&mut client).starts_with("ERROR"));
    end(client);
}

#[test]
fn a_foul_of_black_is_named_and_white_may_not_commit_one() {
    let mut client = start("15");
    client.send("INFO rule 4");
    client.send("BOARD");
    // The engine is White; a double-three for Black is open at 8,7.
    for line in ["7,7,2", "0,0,1", "9,7,2", "0,2,1", "8,6,2", "0,4,1", "8,5,2", "0,6,1"] {
        client.send(line);
    }
    // As many of both: the engine would be Black. One more for the other side makes it White.
    client.send("14,14,2");
    client.send("DONE");
    let reply = answer(&mut client);
    assert!(is_move(&reply));
    client.send(&format!("TAKEBACK {reply}"));
    client.until("OK");
    client.send("PLAY 0,14");
    client.until("0,14");
    client.send("TURN 8,7");
    assert_eq!(answer(&mut client), "ERROR foul 8,7: a double-three");
    end(client);
}

#[test]
fn time_is_kept_and_zero_means_now() {
    let mut client = start("15");
    client.send("INFO timeout_turn 60000");
    client.send("BEGIN");
    client.until("MESSAGE");
    client.send("INFO timeout_turn 0"); // move now
    assert_eq!(answer(&mut client), "7,7");
    client.send("TURN 7,8");
    assert!(is_move(&answer(&mut client)));
    client.send("INFO timeout_turn 60000");
    client.send("TURN 0,0");
    client.send("STOP");
    assert!(is_move(&answer(&mut client)));
    client.send("STOP"); // nothing to stop
    client.expect_silence(Duration::from_millis(50));
    end(client);
}

#[test]
fn time_left_alone_is_a_clock() {
    let mut client = Client::start();
    client.send_bytes(b"ABOUT\nSTART 15\nINFO time_left 300\nBEGIN\n");
    client.until("name=");
    client.until("OK");
    assert_eq!(answer(&mut client), "7,7");
    client.send("INFO time_left -20");
    client.send("TURN 7,8");
    assert!(is_move(&answer(&mut client)));
    end(client);
}

#[test]
fn a_new_command_ends_the_search_whose_move_comes_first() {
    let mut client = start("15");
    client.send("INFO timeout_turn 60000");
    for command in ["START 15", "RESTART", "BEGIN", "TURN 3,3", "yxboard\ndone", "BOARD\n1,1,2\nDONE"] {
        client.send("START 15");
        client.until("OK");
        client.send("BEGIN");
        client.until("MESSAGE");
        client.send(command);
        assert!(is_move(&answer(&mut client)), "{command}");
        client.send("STOP");
        match command {
            "START 15" | "RESTART" => assert_eq!(answer(&mut client), "OK"),
            "yxboard\ndone" => {}
            _ => assert!(is_move(&answer(&mut client)), "{command}"),
        }
    }
    end(client);
}

#[test]
fn info_never_draws_an_error_whatever_it_says() {
    let mut client = start("15");
    for info in [
        "INFO",
        "INFO timeout_turn",
        "INFO timeout_turn soon",
        "INFO rule -1",
        "INFO rule 99",
        "INFO rule 0",
        "INFO max_memory 0",
        "INFO max_memory 99999999999999999999999999",
        "INFO max_memory 1",
        "INFO thread_num 0",
        "INFO thread_num 1000000",
        "INFO thread_num 1",
        "INFO hash_size 99999999999999",
        "INFO hash_size 16384",
        "INFO max_node -1",
        "INFO max_depth 99999999999",
        "INFO folder /no/such/folder",
        "INFO evaluate 3,3",
        "INFO \u{fffd}\u{0} 7",
        "INFO timeout_turn 30",
    ] {
        client.send(info);
    }
    client.send("BEGIN");
    let lines = client.until("7,7");
    assert!(lines[..lines.len() - 1].iter().all(|line| is_talk(line)), "{lines:?}");
    end(client);
}

#[test]
fn bad_input_is_told_and_the_next_command_works() {
    let mut client = Client::start();
    for (command, reply) in [
        ("BEGIN", "ERROR no game"),
        ("TURN 3,3", "ERROR no game"),
        ("RESTART", "ERROR no game"),
        ("START 0", "ERROR"),
        ("START 100", "ERROR"),
        ("START", "ERROR"),
        ("START x", "ERROR"),
        ("HELLO", "UNKNOWN"),
        ("yxwhatever", "UNKNOWN"),
        ("START 15", "OK"),
        ("TURN 15,0", "ERROR"),
        ("TURN 1", "ERROR"),
        ("TURN -1,3", "ERROR"),
        ("BOARD\n1,1,2\n2,2,2\nDONE", "ERROR"),
        ("BOARD\n1,1,1\nDONE", "ERROR"),
        ("BOARD\n1,1,2\n1,1,1\n3,3,2\nDONE", "ERROR"),
        ("BOARD\n99,1,2\nDONE", "ERROR"),
        ("BOARD\n1,1,7\nDONE", "ERROR"),
        ("BOARD\nrubbish\nDONE", "ERROR"),
        ("TAKEBACK 3,3", "ERROR"),
        ("SWAP2BOARD\n1,1\nDONE", "ERROR"),
        ("BOARD\n1,1,2\nABOUT", "ERROR BOARD was not ended"),
        ("", "name="),
        ("INFO timeout_turn 20", ""),
        ("BEGIN", "7,7"),
        ("TURN 7,7", "ERROR 7,7 is occupied"),
    ] {
        client.send(command);
        if !reply.is_empty() {
            let line = answer(&mut client);
            assert!(line.starts_with(reply), "{command}: {line}");
        }
    }
    client.send_bytes(b"\xff\xfe\n");
    assert!(answer(&mut client).starts_with("UNKNOWN"));
    client.send(&"x".repeat(1_000_000));
    assert!(answer(&mut client).starts_with("ERROR"));
    client.send("BOARD");
    client.send("1,1,2");
    let rest = client.close();
    assert_eq!(rest, ["ERROR BOARD was not ended with DONE"]);
}

#[test]
fn a_finished_game_is_answered_with_a_move_line_all_the_same() {
    let mut client = start("15");
    client.send("BOARD");
    for line in ["0,0,2", "0,2,1", "1,0,2", "1,2,1", "2,0,2", "2,2,1", "3,0,2", "3,2,1", "4,0,2"] {
        client.send(line);
    }
    client.send("DONE");
    for command in ["", "TURN 9,9"] {
        client.send(command);
        client.until("MESSAGE no legal move");
        assert!(is_move(&answer(&mut client)));
    }
    end(client);
}

#[test]
fn swap2_is_opened_answered_and_decided() {
    let mut client = start("15");
    client.send("SWAP2BOARD\nDONE");
    let opening = answer(&mut client);
    assert_eq!(opening.split(' ').count(), 3);
    assert!(is_move(&opening));
    // White has nothing against three black stones to be: it wants to be Black.
    client.send("SWAP2BOARD\n7,7\n0,0\n8,8\nDONE");
    assert_eq!(answer(&mut client), "SWAP");
    // The white stone stands well, the black ones badly.
    client.send("SWAP2BOARD\n0,0\n7,7\n14,14\nDONE");
    assert!(is_move(&answer(&mut client)));
    client.send("SWAP2BOARD\n7,7\n0,0\n8,8\n14,0\n9,9\nDONE");
    assert_eq!(answer(&mut client), "SWAP");
    end(client);
}

// Yixin-Board

#[test]
fn yixin_board_names_rows_first_and_gets_its_lines() {
    let mut client = Client::start();
    client.send("yxshowinfo");
    client.until("MESSAGE INFO MAX_HASH_SIZE");
    client.send("START 15");
    client.until("OK");
    client.send("INFO timeout_turn 30");
    client.send("INFO rule 2"); // renju here
    client.send("yxboard\n7,7,1\n14,0,2\n7,9,1\n12,0,2\n6,8,1\n10,0,2\n5,8,1\n8,0,2\ndone");
    client.send("yxshowforbid");
    assert_eq!(client.until("FORBID"), ["FORBID 0708."]);
    client.send("yxnbest 2");
    let mut shown = Vec::new();
    let reply = loop {
        let line = client.line().unwrap();
        if is_move(&line) {
            break line;
        }
        shown.push(line);
    };
    assert!(shown.iter().any(|line| line == "INFO NUMPV 2") && shown.iter().any(|line| line == "INFO PV 1"));
    assert!(shown.iter().any(|line| line.starts_with(&format!("INFO BESTLINE {reply}"))), "{reply} {shown:?}");
    client.send("yxunknown 3\n1,2\n3,4\ndone");
    client.send("yxstop");
    client.expect_silence(Duration::from_millis(50));
    end(client);
}

#[test]
fn blocked_points_are_not_played_and_balanced_moves_are_named() {
    let mut client = Client::start();
    client.send(
        "yxshowinfo\nSTART 15\nINFO timeout_turn 30\nyxboard\n7,7,2\n6,7,1\n7,8,2\n6,8,1\n7,9,2\n6,9,1\n7,10,2\ndone",
    );
    client.until("OK");
    client.send("yxblock\n7,6\ndone");
    client.send("yxnbest 1");
    let reply = answer(&mut client);
    assert_ne!(reply, "7,6");
    client.send("yxblockreset");
    client.send("yxboard\n7,7,2\n6,7,1\n7,8,2\ndone");
    client.send("yxbalanceone 0");
    assert_eq!(answer(&mut client).split(' ').count(), 1);
    client.send("yxboard\n7,7,2\ndone");
    client.send("yxbalancetwo 0");
    assert_eq!(answer(&mut client).split(' ').count(), 2);
    // One stop ends both of its searches.
    client
        .send("INFO timeout_match 100000000\nINFO timeout_turn 2000000\nyxboard\n7,7,2\ndone\nyxbalancetwo 0\nyxstop");
    assert_eq!(answer(&mut client).split(' ').count(), 2);
    client.send("INFO timeout_turn 30");
    client.send("yxswap2step1");
    assert!(client.until("MESSAGE SWAP2 MOVE3").len() >= 3);
    client.send("start 15\nyxboard\n7,7,2\n0,0,1\n8,8,2\ndone\nyxswap2step2");
    client.until("MESSAGE SWAP2 SWAP1 YES");
    end(client);
}
