//! The search against oracles: plain minimax, games with known values, positions whose right answer is plain.

use inarow::eval::LineCounts;
use inarow::rules::{Board, Game, Move, Outcome, Position, Square, Variant, parse_fen, parse_move};
use inarow::search::{Bound, Control, Event, Finding, Limits, Report, Search, Settings, Skill, Table};
use inarow::units::{Depth, Ply, Score};
use std::sync::Arc;
use std::time::Instant;

fn searcher() -> Search<LineCounts> {
    Search::new(Arc::new(Table::new(16).unwrap()))
}

fn position(game: Game, moves: &str) -> Position {
    let mut position = Position::new(game);
    for text in moves.split_ascii_whitespace() {
        let (mv, _) = parse_move(text, &position).unwrap();
        position.play(mv).unwrap();
    }
    position
}

fn run(position: &Position, limits: &Limits, settings: &Settings) -> (Finding, Vec<Report>) {
    let mut reports = Vec::new();
    let control = Control::new(Instant::now(), false);
    let mut sink = |event| {
        if let Event::Line(report) = event {
            reports.push(report);
        }
    };
    let finding = searcher().run(position, limits, settings, &control, &mut sink);
    (finding, reports)
}

fn depth(plies: i16) -> Limits {
    Limits { depth: Some(Depth(plies)), ..Limits::default() }
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

fn best(game: Game, moves: &str, limits: &Limits) -> (String, String) {
    let (finding, _) = run(&position(game, moves), limits, &Settings::default());
    (finding.best.unwrap().square().to_string(), finding.score.to_string())
}

fn free() -> Game {
    Game::new(Variant::GomokuFreestyle)
}

fn cfour() -> Game {
    Game::new(Variant::ConnectFour)
}

/// The exact value of a position: a win in so many plies, a draw, or a loss in so many.
fn minimax(position: &mut Position, ply: u16) -> Score {
    match position.outcome() {
        Outcome::Win(_) => return Score::loss_in(Ply(ply)),
        Outcome::Draw => return Score::DRAW,
        Outcome::Ongoing => {}
    }
    let mut best = -Score::INFINITE;
    for mv in position.legal_moves() {
        position.play(mv).unwrap();
        best = best.max(-minimax(position, ply + 1));
        position.undo();
    }
    best
}

/// All lines of a best move end where its score says.
fn check_line(start: &Position, report: &Report) {
    let mut position = start.clone();
    for &mv in &report.line {
        position.play(mv).expect("the line is legal");
    }
    if let Some(plies) = report.score.plies_to_end() {
        assert!(report.line.len() <= usize::from(plies.0));
        if report.line.len() == usize::from(plies.0) {
            assert!(matches!(position.outcome(), Outcome::Win(_)));
        }
    }
}

#[test]
fn small_positions_have_exactly_the_value_that_minimax_gives() {
    let mnk = |columns, rows, line| Game::mnk(columns, rows, line).unwrap();
    let mut random = fastrand::Rng::with_seed(7);
    let mut decided = 0;
    for (game, empties) in [
        (mnk(3, 3, 3), 9),
        (mnk(4, 3, 3), 9),
        (mnk(4, 4, 4), 9),
        (mnk(5, 3, 3), 9),
        (Game::new(Variant::Caro).with_columns(4).unwrap().with_rows(3).unwrap().with_line(3).unwrap(), 9),
        (Game::new(Variant::Gomoku).with_columns(5).unwrap().with_rows(2).unwrap().with_line(3).unwrap(), 9),
        (mnk(4, 4, 3).with_gravity(true), 12),
        (cfour(), 13),
        (Game::new(Variant::ConnectFour7x7), 13),
    ] {
        for _ in 0..12 {
            let mut position = Position::new(game);
            while !position.is_over() && position.board().empties() > empties {
                let moves = position.legal_moves();
                position.play(moves[random.usize(..moves.len())]).unwrap();
            }
            if position.is_over() {
                continue;
            }
            let exact = minimax(&mut position.clone(), 0);
            let (finding, reports) = run(&position, &Limits::default(), &Settings::default());
            assert_eq!(finding.score, exact, "{game}\n{position}");
            assert_eq!(finding.proven_draw, exact == Score::DRAW, "{game}\n{position}");
            reports.iter().for_each(|report| check_line(&position, report));
            // The best move keeps the value.
            let mut after = position.clone();
            after.play(finding.best.unwrap()).unwrap();
            assert_eq!(-minimax(&mut after, 1), exact, "{game}\n{position}\n{finding:?}");
            decided += usize::from(exact.is_decided());
        }
    }
    assert!(decided > 30, "{decided} decided positions say little");
}

#[test]
fn games_from_the_literature_have_their_known_values() {
    for (columns, rows, line, first_wins) in
        [(3, 3, 3, false), (4, 3, 3, true), (4, 4, 3, true), (4, 4, 4, false), (5, 4, 4, false), (6, 5, 4, true)]
    {
        let game = Game::mnk(columns, rows, line).unwrap();
        let (finding, _) = run(&Position::new(game), &Limits::default(), &Settings::default());
        assert_eq!((finding.score.is_win(), finding.proven_draw), (first_wins, !first_wins), "{game}");
    }
}

#[test]
fn five_five_four_is_a_draw_and_proven_on_one_thread() {
    let (finding, _) = run(&Position::new(Game::mnk(5, 5, 4).unwrap()), &Limits::default(), &Settings::default());
    assert!(finding.proven_draw);
}

#[test]
fn a_four_is_blocked_whatever_the_limit() {
    let moves = "h8 h7 i7 g9 h6 g5 g7 i6 g8 f8 f6 e5 f5 j10 i10 i11 k9 h10 j12 l10";
    let position = position(free(), moves);
    let e7 = Some(Move::to(Square::new(4, 6).unwrap()));
    for limits in [depth(1), depth(4), nodes(1), nodes(2), nodes(5000)] {
        assert_eq!(run(&position, &limits, &Settings::default()).0.best, e7, "{limits:?}");
    }
    let four = Settings { threads: 4, ..Settings::default() };
    assert_eq!(run(&position, &depth(6), &four).0.best, e7);
    // No time at all is still time enough for a look.
    let instant = Limits { move_time: Some(std::time::Duration::ZERO), ..Limits::default() };
    assert_eq!(run(&position, &instant, &Settings::default()).0.best, e7);
}

#[test]
fn a_win_in_one_is_taken_and_the_quickest_win_goes_first() {
    let won = "b1 b2 f1 f2 c1 f3 e1 d1 b3 b4 g1 g2 e2 a1 a2 b5 f4 d2 f5 c2 g3 c3 c4 d3 d4 d5 a3 b6 g4";
    assert_eq!(best(cfour(), won, &depth(10)), ("e3".into(), "mate 1".into()));
    let last = "b1 b2 a1 a2 f1 b3 d1 b4 f2 a3 e1 e2 b5 f3 e3 b6 e4 d2 a4 c1 c2 e5 c3 e6 c4 c5 f4 f5 a5 g1 c6 f6 a6 d3 g2 d4 g3 g4 g5 g6 d5";
    assert_eq!(best(cfour(), last, &depth(10)), ("d6".into(), "mate 1".into()));
    let top = "e1 g1 d1 c1 b1 d2 d3 b2 e2 c2 g2 f1 c3 c4 c5 f2 e3 g3 g4 f3 c6 d4 a1 c7 d5 d6 a2 e4 e5 d7 g5 b3 e6 e7 b4 b5 a3 b6 g6 a4 f4 f5 f6 a5";
    let seven = Game::new(Variant::ConnectFour7x7);
    assert_eq!(best(seven, top, &depth(4)), ("g7".into(), "mate 1".into()));
    let tictactoe = Game::new(Variant::TicTacToe);
    assert_eq!(best(tictactoe, "c2 b2 b1 b3 a2 c3 a1 c1", &depth(9)), ("a3".into(), "mate 1".into()));
}

#[test]
fn a_lost_game_is_lost_as_late_as_possible() {
    let lost = "g1 g2 b1 d1 e1 e2 b2 b3 e3 a1 e4 a2 d2 g3 b4 a3 a4 f1 g4 g5 e5 d3 d4 e6 b5 g6 a5";
    assert_eq!(best(cfour(), lost, &depth(20)), ("f2".into(), "mate -4".into()));
}

#[test]
fn mate_distances_count_down_with_the_table_kept() {
    let control = Control::new(Instant::now(), false);
    let mut search = searcher();
    let mut value = |moves: &str| {
        let finding = search.run(&position(cfour(), moves), &depth(12), &Settings::default(), &control, &mut |_| {});
        (finding.score.to_string(), finding.best.unwrap().square().to_string())
    };
    assert_eq!(value("d1 d2 e1 e2").0, "mate 2");
    assert_eq!(value("d1 d2 e1 e2 c1").0, "mate -1");
    assert_eq!(value("d1 d2 e1 e2 c1 b1"), ("mate 1".into(), "f1".into()));
}

#[test]
fn two_sided_threats_are_seen() {
    // An open three to be: h8 i8 and the move at g8 or j8 wins by force on an open board.
    let (_, score) = best(free(), "h8 a1 i8 o15 j8 a15", &depth(4));
    assert_eq!(score, "mate 2"); // a fourth stone with two open ends, then the fifth
    let (_, score) = best(free(), "h8 a1 i8 o15 j8", &depth(6));
    assert!(!score.starts_with("mate"), "an open three can still be stopped: {score}");
}

#[test]
fn only_the_wanted_first_moves_are_played() {
    let wanted = |texts: &[&str], position: &Position| {
        texts.iter().map(|text| parse_move(text, position).unwrap().0).collect::<Vec<_>>()
    };
    let moves = "h8 h7 i9 k7 i8 f9 g7 f6 i10 i11 g10 f10 h10 f8 f7 k11 h9 f11 f12 g11 h11 h12 e9 k6";
    let barred = position(free(), moves);
    let search_moves = wanted(&["j10", "g8", "i7", "a1", "o15"], &barred);
    let (finding, _) = run(&barred, &Limits { search_moves, ..depth(6) }, &Settings::default());
    assert!(!["a1", "o15"].contains(&finding.best.unwrap().square().to_string().as_str()));

    // The own win is not in the list; the block is.
    let sharp = position(free(), "e8 d8 f8 e10 g8 f10 h8 g10 d10 h10");
    let search_moves = wanted(&["i10", "a15", "o1"], &sharp);
    let (finding, _) = run(&sharp, &Limits { search_moves, ..depth(4) }, &Settings::default());
    assert_eq!(finding.best.unwrap().square().to_string(), "i10");
}

#[test]
fn several_lines_are_different_moves_in_order() {
    let settings = Settings { lines: 7, ..Settings::default() };
    let (_, reports) = run(&position(cfour(), "d1 d2"), &depth(8), &settings);
    let last: Vec<&Report> =
        reports.iter().filter(|report| report.depth == Depth(8) && report.bound == Bound::Exact).collect();
    assert_eq!(last.iter().map(|report| report.rank).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6, 7]);
    assert!(last.windows(2).all(|pair| pair[0].score >= pair[1].score));
    let mut firsts: Vec<Move> = last.iter().map(|report| report.line[0]).collect();
    firsts.sort();
    firsts.dedup();
    assert_eq!(firsts.len(), 7);
    // More lines than candidates: every legal move is a line.
    let all = Settings { lines: 256, ..Settings::default() };
    let (_, reports) = run(&position(free(), "h8"), &depth(1), &all);
    assert_eq!(reports.len(), 224);
}

#[test]
fn a_mate_question_is_answered_with_truth_at_any_skill() {
    let settings = Settings { skill: Skill::of_level(0.0), ..Settings::default() };
    let limits = Limits { mate: Some(2), ..Limits::default() };
    for _ in 0..10 {
        let (finding, _) = run(&position(free(), "h8 a1 i8 o15 j8 a15"), &limits, &settings);
        assert_eq!(finding.score.to_string(), "mate 2");
    }
}

#[test]
fn a_weakened_search_tells_no_more_lines_than_asked_for_and_plays_legal_moves() {
    let start = position(free(), "h8 i9");
    for level in [0.0, 5.0, 19.0] {
        let settings = Settings { skill: Skill::of_level(level), ..Settings::default() };
        for _ in 0..20 {
            let (finding, reports) = run(&start, &depth(4), &settings);
            assert_eq!(start.check(finding.best.unwrap()), Ok(()));
            assert!(reports.iter().all(|report| report.rank == 1));
        }
    }
    assert_eq!(Skill::of_level(20.0), None);
}

#[test]
fn a_search_is_a_function_of_its_input() {
    for (game, moves) in [(free(), "h8 i9 g9"), (cfour(), "d1 d2"), (Game::mnk(6, 6, 5).unwrap(), "c3")] {
        let position = position(game, moves);
        for limits in [nodes(3), nodes(100), nodes(5_000), nodes(30_000), depth(6)] {
            let look = || {
                let (finding, reports) = run(&position, &limits, &Settings::default());
                let lines: Vec<_> = reports
                    .into_iter()
                    .map(|report| (report.depth, report.score, report.line, report.work.nodes))
                    .collect();
                (finding.best, finding.score, finding.nodes, lines)
            };
            assert_eq!(look(), look(), "{game} {limits:?}");
        }
    }
}

#[test]
fn a_node_limit_is_kept_to_the_node() {
    let position = position(free(), "h8 i9 g9");
    for limit in [1000, 1001, 5555, 40_000] {
        let (finding, _) = run(&position, &nodes(limit), &Settings::default());
        assert!(finding.nodes <= limit + 1, "{} of {limit}", finding.nodes);
    }
}

#[test]
fn a_finished_game_has_no_move_and_a_full_one_no_winner() {
    let over = position(free(), "a1 a3 b1 b3 c1 c3 d1 d3 e1");
    let (finding, _) = run(&over, &depth(5), &Settings::default());
    assert_eq!((finding.best, finding.score), (None, Score::loss_in(Ply(0))));
    let full = position(Game::new(Variant::TicTacToe), "a1 b1 c1 b2 a2 c2 b3 a3 c3");
    let (finding, _) = run(&full, &depth(5), &Settings::default());
    assert_eq!((finding.best, finding.score), (None, Score::DRAW));
}

#[test]
fn a_mate_search_ends_with_the_mate_or_without() {
    let mate = |moves: &str, n| {
        let limits = Limits { mate: Some(n), ..Limits::default() };
        run(&position(free(), moves), &limits, &Settings::default()).0
    };
    assert_eq!(mate("h8 a1 i8 o15 j8 a15", 2).score.to_string(), "mate 2");
    assert!(mate("h8 a1 i8 o15 j8 a15", 1).score < Score::win_in(Ply(1)));
    assert!(!mate("h8 i9", 2).score.is_win());
}

#[test]
fn a_black_who_may_not_block_is_lost_and_still_plays_a_legal_move() {
    let text = std::fs::read_to_string("tests/data/gomoku/renju_no_legal_block.jsonl").unwrap();
    for line in text.lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let stones = |list: &str| {
            let list = case[list].as_array().unwrap().iter();
            list.map(|text| text.as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        let start = renju_position(&stones("black"), &stones("white"));
        for limits in [depth(1), nodes(1), nodes(20_000)] {
            let (finding, reports) = run(&start, &limits, &Settings::default());
            assert_eq!(start.check(finding.best.unwrap()), Ok(()), "{}", case["id"]);
            reports.iter().for_each(|report| check_line(&start, report));
        }
        assert_eq!(run(&start, &nodes(20_000), &Settings::default()).0.score.to_string(), "mate -1", "{}", case["id"]);
    }
}

/// Black to move on 15x15.
fn renju_position(black: &[String], white: &[String]) -> Position {
    let cell = |column: u8, row: u8| {
        let square = Square::new(column, row).unwrap().to_string();
        let stone = |list: &[String]| list.contains(&square);
        if stone(black) {
            "x"
        } else if stone(white) {
            "o"
        } else {
            "1"
        }
    };
    let row = |row: u8| (0..15).map(|column| cell(column, row)).collect::<String>();
    // A number has all the digits that follow each other: separate single empty cells by writing the run's length.
    let rows: Vec<String> = (0..15).rev().map(row).map(|text| runs(&text)).collect();
    parse_fen(&format!("{} x", rows.join("/")), Game::new(Variant::Renju)).unwrap()
}

fn runs(cells: &str) -> String {
    let bytes: Vec<char> = cells.chars().collect();
    let run = |run: &[char]| if run[0] == '1' { run.len().to_string() } else { run[0].to_string() };
    bytes.chunk_by(|one, next| *one == '1' && *next == '1').map(run).collect()
}

#[test]
fn black_never_plays_a_foul_in_renju() {
    let mut random = fastrand::Rng::with_seed(5);
    let mut fouls = 0;
    for _ in 0..80 {
        let mut position = Position::new(Game::new(Variant::Renju).with_columns(9).unwrap().with_rows(9).unwrap());
        while !position.is_over() {
            let mv = if random.bool() {
                let moves = position.legal_moves();
                moves[random.usize(..moves.len())]
            } else {
                run(&position, &nodes(60), &Settings::default()).0.best.unwrap()
            };
            fouls += position.forbidden().len();
            position.play(mv).expect("a legal move");
        }
    }
    assert!(fouls > 20, "{fouls} forbidden points say little");
}

#[test]
fn every_kind_of_board_yields_a_legal_move_at_once() {
    let mut random = fastrand::Rng::with_seed(11);
    for _ in 0..300 {
        let (columns, rows, line) = (random.u8(1..=26), random.u8(1..=26), random.u8(3..=8));
        let game = Game::mnk(columns, rows, line).unwrap().with_gravity(random.bool());
        let mut position = Position::new(game);
        for _ in 0..random.usize(..40) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play(moves[random.usize(..moves.len())]).unwrap();
        }
        if position.is_over() {
            continue;
        }
        let (finding, reports) = run(&position, &nodes(300), &Settings::default());
        assert_eq!(position.check(finding.best.unwrap()), Ok(()), "{game}");
        reports.iter().for_each(|report| check_line(&position, report));
        if let Some(reply) = finding.ponder {
            let mut after = position.clone();
            after.play(finding.best.unwrap()).unwrap();
            assert_eq!(after.check(reply), Ok(()));
        }
    }
}

#[test]
fn a_board_without_room_for_a_line_is_a_draw() {
    let (finding, _) = run(&Position::new(Game::mnk(4, 2, 5).unwrap()), &Limits::default(), &Settings::default());
    assert!(finding.proven_draw && finding.best.is_some());
    let board = Board::new(Game::mnk(2, 2, 3).unwrap());
    assert!(board.empties() == 4);
}
