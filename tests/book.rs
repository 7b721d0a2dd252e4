//! Opening tables: made by the program, ended and begun again, read back, and compared with the solver alone.

use inarow::rules::{Game, Position, Variant};
use inarow::solver::{BookError, FalseScore, Solver};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn solver(game: &Game) -> Solver {
    Solver::new(game, 1 << 20).unwrap().unwrap()
}

/// A table of ply `plies` with lines of `follow` plies, made by the library.
fn table(game: &Game, plies: u32, follow: u8) -> Vec<u8> {
    let solver = solver(game);
    let openings = solver.openings(plies);
    let scores: Vec<i8> = (0..openings.count()).map(|rank| openings.score(rank, &mut |_| false).unwrap()).collect();
    let line = |(rank, &score)| openings.line(rank, score, follow, &mut |_| false).unwrap().unwrap();
    let lines: Vec<Vec<u8>> = scores.iter().enumerate().map(line).collect();
    openings.write(&scores, follow, &lines)
}

fn gravity(columns: u8, rows: u8, line: u8) -> Game {
    Game::mnk(columns, rows, line).unwrap().with_gravity(true)
}

/// An empty folder of a test's own.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn inarow(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_inarow")).args(arguments).output().unwrap()
}

/// Makes a table of 5x4 at `path`.
fn make(path: &Path) -> Output {
    let path = path.to_str().unwrap();
    inarow(&["book", path, "--columns", "5", "--rows", "4", "--plies", "4", "--hash", "1"])
}

/// The one line in which the program says what is wrong.
fn complaint(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && output.stdout.is_empty(), "{output:?}");
    text
}

#[test]
fn positions_have_the_same_solution_with_a_table() {
    let mut random = fastrand::Rng::with_seed(21);
    for (game, plies, follow) in [
        (gravity(5, 4, 4), 0, 0),
        (gravity(5, 4, 4), 5, 2),
        (gravity(4, 5, 4), 6, 1),
        (gravity(5, 4, 3), 4, 0),
        (gravity(6, 4, 4), 6, 4),
        (gravity(5, 5, 4), 7, 3),
        (gravity(3, 3, 3), 9, 2),
        (gravity(2, 2, 3), 4, 1),
        (gravity(13, 4, 3), 3, 1),
    ] {
        let plain = solver(&game);
        let mut booked = solver(&game);
        booked.read_book(&table(&game, plies, follow)).unwrap();
        let mut quick = 0;
        for _ in 0..300 {
            let mut position = Position::new(game);
            for _ in 0..random.u32(0..=plies + 2 + u32::from(follow)) {
                let moves = position.legal_moves();
                if !position.is_over() {
                    position.play(moves[random.usize(..moves.len())]).unwrap();
                }
            }
            let with = booked.solve(&position, &mut |_| false);
            assert_eq!(with.result, plain.solve(&position, &mut |_| false).result, "{game} {plies}\n{position}");
            let stones = game.cells() - position.board().empties();
            if stones < plies as usize {
                assert_eq!(with.nodes, 0, "{game} {plies}\n{position}");
                quick += 1;
            }
            if stones <= plies as usize {
                assert_eq!(booked.value(&position, &mut |_| false).nodes, 0);
            }
        }
        assert!(quick > 30 || plies == 0, "{game}: {quick}");
    }
}

#[test]
fn best_play_from_a_table_needs_no_search() {
    let mut random = fastrand::Rng::with_seed(8);
    for (game, plies, follow) in [(gravity(5, 5, 4), 5, 4), (gravity(6, 4, 4), 6, 3), (gravity(7, 4, 4), 4, 6)] {
        let plain = solver(&game);
        let mut booked = solver(&game);
        booked.read_book(&table(&game, plies, follow)).unwrap();
        let mut played = 0;
        for _ in 0..30 {
            let mut position = Position::new(game);
            while position.board().stones() < plies as usize && !position.is_over() {
                let moves = position.legal_moves();
                position.play(moves[random.usize(..moves.len())]).unwrap();
            }
            for _ in 0..follow {
                if position.is_over() {
                    break;
                }
                let found = booked.best_move(&position, &mut |_| false);
                let (score, mv) = found.result.unwrap();
                let solution = plain.solve(&position, &mut |_| false).result.unwrap();
                assert_eq!(solution.score, score, "{position}");
                assert!(solution.best.contains(&mv.unwrap()), "{position}");
                // Once the outcome can be seen the table has no more to say, but there is little to search.
                assert!(found.nodes < 50, "{} nodes: {position}", found.nodes);
                played += usize::from(found.nodes == 0);
                position.play(mv.unwrap()).unwrap();
            }
        }
        assert!(played > 40, "{game}: {played}");
    }
}

#[test]
fn a_false_score_has_no_line_and_a_false_line_no_table() {
    let game = gravity(5, 4, 4);
    let plain = solver(&game);
    let openings = plain.openings(4);
    let score = openings.score(7, &mut |_| false).unwrap();
    let line = |score: i8, plies: u8| openings.line(7, score, plies, &mut |_| false);
    assert_ne!(line(score, 2).unwrap().unwrap()[0], 5);
    assert_eq!(line(score + 1, 2), Err(FalseScore(7)));
    // Of one that is too low the moves are too good to be true only when the outcome is seen.
    assert_eq!(line(score - 1, 16), Err(FalseScore(7)));
    assert_eq!(openings.line(7, score, 2, &mut |_| true), Ok(None));
    let scores: Vec<i8> = (0..openings.count()).map(|rank| openings.score(rank, &mut |_| false).unwrap()).collect();
    let all = |column: u8| openings.write(&scores, 1, &vec![vec![column]; openings.count()]);
    let mut other = solver(&game);
    assert_eq!(other.read_book(&all(5)), Ok(()));
    // Not the best move of each, so that some position has two scores.
    assert_eq!(other.read_book(&all(0)), Err(BookError::Damaged));
}

#[test]
fn the_program_makes_the_table_of_the_library_however_often_it_is_ended() {
    let folder = folder("book_ended");
    let (path, log) = (folder.join("small.book"), folder.join("small.log"));
    let made = make(&path);
    assert!(made.status.success(), "{made:?}");
    assert!(String::from_utf8_lossy(&made.stdout).contains("positions of "), "{made:?}");
    assert!(!log.exists());
    let bytes = fs::read(&path).unwrap();
    assert_eq!(bytes, table(&gravity(5, 4, 4), 4, 0));
    assert!(complaint(&make(&path)).contains("is there already"));

    // A log as an end at any byte leaves it: with false scores, to see that they are not solved again.
    let count = bytes.len();
    let (head, record) = (16, |rank: u8, score: i8| {
        let bytes = [rank, 0, 0, 0, score as u8];
        let sum = bytes.iter().fold(0x5Au8, |sum, &byte| sum.rotate_left(3) ^ byte);
        [&bytes[..], &[sum]].concat()
    });
    let begun = [&b"inarowlg\x01\x05\x04\x04\x04\0\0\0"[..], &record(0, 7), &record(5, -7), &record(2, 3)].concat();
    for cut in [0, 3, head, head + 5, head + 6, head + 13, begun.len()] {
        fs::remove_file(&path).unwrap();
        fs::write(&log, &begun[..cut]).unwrap();
        assert!(make(&path).status.success(), "cut at {cut}");
        let again = fs::read(&path).unwrap();
        assert_eq!(again.len(), count);
        assert_eq!(again == bytes, cut < head + 6, "cut at {cut}");
    }
    // Zeros at the end, as a failing machine leaves them, are no records.
    fs::remove_file(&path).unwrap();
    fs::write(&log, [&begun[..head], &[0; 15]].concat()).unwrap();
    assert!(make(&path).status.success());
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

#[test]
fn the_program_adds_lines_to_a_table_however_often_it_is_ended() {
    let folder = folder("book_lines");
    let (path, log) = (folder.join("small.book"), folder.join("small.lines.log"));
    assert!(make(&path).status.success());
    let text = path.to_str().unwrap();
    let add = |follow: &str| {
        inarow(&["book", text, "--columns", "5", "--rows", "4", "--plies", "4", "--hash", "1", "--follow", follow])
    };
    let made = add("3");
    assert!(made.status.success() && !log.exists(), "{made:?}");
    // Of equal moves it may have another one than the library found, but as many.
    let scores = 28 + 177 * 5 / 8;
    let is_right = || {
        let (bytes, wanted) = (fs::read(&path).unwrap(), table(&gravity(5, 4, 4), 4, 3));
        assert_eq!((bytes.len(), &bytes[28..scores]), (wanted.len(), &wanted[28..scores]));
        solver(&gravity(5, 4, 4)).read_book(&bytes).unwrap();
    };
    is_right();
    for follow in ["0", "3"] {
        assert!(complaint(&add(follow)).contains("is there already"));
    }
    // Both in one go.
    fs::remove_file(&path).unwrap();
    assert!(add("3").status.success());
    is_right();

    // A log as an end at any byte leaves it, with moves that no solver finds: what it has is not worked on again.
    let record = |rank: u8, columns: [u8; 4]| {
        let bytes = [&[rank, 0, 0, 0][..], &columns].concat();
        let sum = bytes.iter().fold(0x5Au8, |sum, &byte| sum.rotate_left(3) ^ byte);
        [&bytes[..], &[sum]].concat()
    };
    let head = b"inarowlg\x01\x05\x04\x04\x04\x04\0\0";
    let begun = [&head[..], &record(0, [5; 4]), &record(9, [5; 4])].concat();
    let three = fs::read(&path).unwrap();
    let mut sizes = Vec::new();
    for cut in [0, 7, 16, 20, 25, 30, begun.len()] {
        fs::write(&path, &three).unwrap();
        fs::write(&log, &begun[..cut]).unwrap();
        assert!(add("4").status.success() && !log.exists(), "cut at {cut}");
        let bytes = fs::read(&path).unwrap();
        // The columns of the first position's line follow the scores at once.
        let first = u32::from(bytes[scores + 1]) << 8 | u32::from(bytes[scores]);
        sizes.push(first >> (177 * 5 % 8) & 0b111 == 5);
    }
    assert_eq!(sizes, [false, false, false, false, true, true, true]);
    // Not a column.
    fs::write(&path, &three).unwrap();
    fs::write(&log, [&head[..], &record(0, [0, 200, 3, 1])].concat()).unwrap();
    assert!(add("4").status.success());
    solver(&gravity(5, 4, 4)).read_book(&fs::read(&path).unwrap()).unwrap();
    let other_ply = inarow(&["book", text, "--columns", "5", "--rows", "4", "--plies", "5", "--follow", "6"]);
    assert!(complaint(&other_ply).contains("positions of another ply: 4"));
    // A score log that a run had no time to remove.
    let score_log = folder.join("small.log");
    fs::write(&score_log, b"inarowlg\x01\x05\x04\x04\x04\0\0\0").unwrap();
    assert!(add("5").status.success() && !score_log.exists());
}

#[test]
fn a_table_with_a_false_score_gets_no_lines_and_what_reads_badly_is_not_written() {
    let folder = folder("book_false");
    let (path, log) = (folder.join("a.book"), folder.join("a.log"));
    let text = path.to_str().unwrap();
    let record = |score: i8| {
        let bytes = [0, 0, 0, 0, score as u8];
        let sum = bytes.iter().fold(0x5Au8, |sum, &byte| sum.rotate_left(3) ^ byte);
        [&b"inarowlg\x01\x05\x04\x04\x04\0\0\0"[..], &bytes, &[sum]].concat()
    };
    let make =
        || inarow(&["book", text, "--columns", "5", "--rows", "4", "--plies", "4", "--hash", "1", "--follow", "2"]);
    // Such a score there can be, but not here; the table is made, but its lines are refused however often.
    fs::write(&log, record(2)).unwrap();
    for _ in 0..2 {
        assert!(complaint(&make()).contains("the score of position 0 is false"));
        assert!(path.exists() && !log.exists());
    }
    // Such a score there is not: the record counts as torn.
    fs::remove_file(&path).unwrap();
    fs::remove_file(folder.join("a.lines.log")).unwrap();
    fs::write(&log, record(100)).unwrap();
    assert!(make().status.success());
    // An early loss that another position of the table contradicts.
    let game = gravity(5, 4, 4);
    let plain = solver(&game);
    let openings = plain.openings(4);
    let scores = vec![10; openings.count()];
    let lines = vec![vec![5]; openings.count()];
    assert!(solver(&game).read_book(&openings.write(&scores, 1, &lines)).is_ok(), "no line, no contradiction");
    let lines = vec![vec![2]; openings.count()];
    assert_eq!(solver(&game).read_book(&openings.write(&scores, 1, &lines)), Err(BookError::Damaged));
}

#[test]
fn a_killed_run_is_taken_up_where_it_was() {
    let folder = folder("book_killed");
    let (path, log) = (folder.join("large.book"), folder.join("large.log"));
    let arguments = ["book", path.to_str().unwrap(), "--columns", "6", "--rows", "5", "--plies", "6", "--hash", "8"];
    let arguments = [&arguments[..], &["--threads", "2"]].concat();
    let length = || fs::metadata(&log).map_or(0, |data| data.len());
    let mut before = 0;
    for _ in 0..2 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_inarow")).args(&arguments).spawn().unwrap();
        while length() < before + 600 && child.try_wait().unwrap().is_none() {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(length() >= before || path.exists());
        before = length();
    }
    assert!(path.exists() || inarow(&arguments).status.success());
    let game = gravity(6, 5, 4);
    let mut booked = solver(&game);
    booked.read_book(&fs::read(&path).unwrap()).unwrap();
    let start = Position::new(game);
    let found = booked.value(&start, &mut |_| false);
    assert_eq!((found.result, found.nodes), (solver(&game).value(&start, &mut |_| false).result, 0));
}

#[test]
fn damaged_files_are_refused_in_one_line() {
    let folder = folder("book_damaged");
    let (path, log) = (folder.join("a.book"), folder.join("a.log"));
    let bytes = table(&gravity(5, 4, 4), 4, 0);
    let solve = |bytes: &[u8], board: &[&str]| {
        fs::write(&path, bytes).unwrap();
        let book = ["solve", "4", "--book", path.to_str().unwrap()];
        inarow(&[&book[..], board].concat())
    };
    let small = ["--columns", "5", "--rows", "4"];
    assert!(solve(&bytes, &small).status.success());
    let mut changed = bytes.clone();
    changed[40] ^= 1;
    for (bytes, board, why) in [
        (&changed[..], &small[..], "a.book: a damaged opening table"),
        (&bytes[..60], &small, "a.book: a damaged opening table"),
        (b"", &small, "a.book: not an opening table"),
        (&bytes, &[], "a.book: an opening table for another board: 5x4, 4 in a row"),
    ] {
        let text = complaint(&solve(bytes, board));
        assert!(text.contains(why) && text.lines().count() == 1, "{text}");
    }
    fs::remove_file(&path).unwrap();

    let mut broken = b"inarowlg\x01\x05\x04\x04\x04\0\0\0......".to_vec();
    broken.extend([0, 0, 0, 0, 0, [0u8; 5].iter().fold(0x5Au8, |sum, _| sum.rotate_left(3))]);
    for (bytes, why) in [
        (&broken[..], "a.log is damaged: record 1 of 2"),
        (b"something else altogether", "a.log is not the log of this table"),
        (b"inarowlg\x01\x05\x04\x04\x05\0\0\0", "a.log is not the log of this table"),
    ] {
        fs::write(&log, bytes).unwrap();
        let text = complaint(&make(&path));
        assert!(text.contains(why) && text.lines().count() == 1, "{text}");
        assert_eq!(fs::read(&log).unwrap(), bytes, "it was changed");
    }
}

#[test]
fn a_table_of_another_ply_than_it_says_is_refused() {
    let game = gravity(5, 4, 4);
    let plain = solver(&game);
    let openings = plain.openings(4);
    let mut other = solver(&game);
    assert_eq!(other.read_book(&openings.write(&vec![0; openings.count() - 1], 0, &[])), Err(BookError::Damaged));
    // Nothing of it is used.
    let start = Position::new(game);
    assert_eq!(other.value(&start, &mut |_| false), plain.value(&start, &mut |_| false));
}

#[test]
fn connect_four_begins_with_its_table_unless_told_otherwise() {
    let game = Game::new(Variant::ConnectFour);
    let start = Position::new(game);
    let mut solver = solver(&game);
    let nodes = |solver: &Solver| {
        let mut nodes = 0;
        let found = solver.solve(&start, &mut |so_far| {
            nodes = so_far;
            so_far > 10_000
        });
        (found.result.map(|solution| (solution.score.plies_to_end().unwrap().index(), solution.best.len())), nodes)
    };
    assert_eq!(nodes(&solver).0, None);
    solver.use_book(true);
    // A win with the last stone but one, by the middle.
    assert_eq!(nodes(&solver), (Some((41, 1)), 0));
    solver.use_book(false);
    assert_eq!(nodes(&solver).0, None);
}

#[test]
fn known_early_positions_have_their_best_moves_with_the_table() {
    let game = Game::new(Variant::ConnectFour);
    let mut solver = Solver::new(&game, 16 << 20).unwrap().unwrap();
    solver.use_book(true);
    let text = fs::read_to_string("tests/data/connect4/c4_7x6_early.opt.txt").unwrap();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(' ').collect();
        let mut position = Position::new(game);
        for column in fields[0].split_inclusive(|_: char| true) {
            let (mv, _) = inarow::rules::parse_move(column, &position).unwrap();
            position.play(mv).unwrap();
        }
        let solution = solver.solve(&position, &mut |_| false).result.unwrap();
        let best: String = solution.best.iter().map(|mv| char::from(b'1' + mv.square().column())).collect();
        assert_eq!(best, fields[2], "{line}");
    }
}
