//! The search of five in a row against oracles: minimax on boards that are nearly full, and positions with right answers.

use inarow::eval::Shapes;
use inarow::rules::{Color, Game, Outcome, Position, Variant, parse_move};
use inarow::search::{Control, Finding, Limits, Search, Settings, Table};
use inarow::units::{Ply, Score};
use serde_json::Value;
use std::sync::Arc;
use std::time::Instant;

const RULES: [Variant; 4] = [Variant::GomokuFreestyle, Variant::Gomoku, Variant::Renju, Variant::Caro];

fn run(position: &Position, limits: &Limits) -> Finding {
    let mut search: Search<Shapes> = Search::new(Arc::new(Table::new(4).unwrap()));
    let control = Control::new(Instant::now(), false);
    search.run(position, limits, &Settings::default(), &control, &mut |_| {})
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
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

#[test]
fn nearly_full_boards_have_the_winner_that_minimax_gives() {
    let mut random = fastrand::Rng::with_seed(11);
    for variant in RULES {
        let game = Game::new(variant).with_columns(7).unwrap().with_rows(7).unwrap();
        let (mut won, mut lost, mut drawn) = (0, 0, 0);
        while won.min(drawn) < 6 || lost < 2 {
            let mut position = Position::new(game);
            while !position.is_over() && position.board().empties() > 6 {
                let moves = position.legal_moves();
                position.play(moves[random.usize(..moves.len())]).unwrap();
            }
            if position.is_over() {
                continue;
            }
            let exact = minimax(&mut position.clone(), 0);
            let finding = run(&position, &Limits::default());
            let told = format!("{game}\n{position}\n{exact} {finding:?}");
            // Threats prove a win without looking for the quickest; nothing is quicker than the truth.
            if exact.is_win() {
                won += 1;
                assert!(finding.score.is_win() && finding.score <= exact, "{told}");
            } else if exact.is_loss() {
                lost += 1;
                assert!(finding.score.is_loss(), "{told}");
            } else {
                drawn += 1;
                assert!(finding.score == Score::DRAW && finding.proven_draw, "{told}");
            }
            let mut after = position.clone();
            after.play(finding.best.unwrap()).unwrap();
            assert_eq!((-minimax(&mut after, 1)).is_win(), exact.is_win(), "{told}");
        }
    }
}

/// The cases of a file, each with its position.
fn cases(name: &str) -> Vec<(Value, Position)> {
    let text = std::fs::read_to_string(format!("tests/data/gomoku/{name}.jsonl")).unwrap();
    let read = |line: &str| {
        let case: Value = serde_json::from_str(line).unwrap();
        let variant = Variant::from_name(case["rule"].as_str().unwrap()).unwrap();
        let side = case["size"].as_u64().unwrap() as u8;
        let game = Game::new(variant).with_columns(side).unwrap().with_rows(side).unwrap();
        let stones = |list: &str, color: Color| {
            let square = |text: &Value| parse_move(text.as_str().unwrap(), &Position::new(game)).unwrap().0.square();
            case[list].as_array().unwrap().iter().map(|text| (square(text), color)).collect::<Vec<_>>()
        };
        let stones = [stones("black", Color::First), stones("white", Color::Second)].concat();
        let side = if case["side"] == "black" { Color::First } else { Color::Second };
        let position = Position::with_stones(game, &stones, side).unwrap();
        (case, position)
    };
    text.lines().map(read).collect()
}

fn lists(case: &Value, name: &str, finding: &Finding) -> bool {
    let best = finding.best.unwrap().square().to_string();
    case[name].as_array().is_some_and(|moves| moves.iter().any(|mv| mv == best.as_str()))
}

#[test]
fn wins_by_fours_are_found_and_stay_wins_once_begun() {
    for (case, position) in cases("vcf") {
        let finding = run(&position, &nodes(50_000));
        let told = format!("{} {finding:?}", case["id"]);
        assert!(finding.score.is_win(), "{told}");
        let mut after = position.clone();
        after.play(finding.best.unwrap()).unwrap();
        let won = after.outcome() == Outcome::Win(position.board().side());
        assert!(won || run(&after, &nodes(50_000)).score.is_loss(), "{told}");
    }
}

#[test]
fn lost_positions_are_known_to_be_lost() {
    for (case, position) in cases("lost") {
        let finding = run(&position, &nodes(100_000));
        assert!(finding.score.is_loss(), "{} {finding:?}", case["id"]);
    }
}

#[test]
fn defences_are_found() {
    let all = cases("defence");
    let good = all.iter().filter(|(case, position)| {
        let finding = run(position, &nodes(100_000));
        let name = if case["non_losing_moves"].is_array() { "non_losing_moves" } else { "vcf_safe_moves" };
        // What is listed may lose as well, though by more than fours.
        lists(case, name, &finding) || finding.score.is_loss() && all_lose(case, name, position)
    });
    assert!(good.count() + 1 >= all.len());
}

/// Whether a search of its own finds the loss after each of the listed moves.
fn all_lose(case: &Value, name: &str, position: &Position) -> bool {
    case[name].as_array().unwrap().iter().all(|mv| {
        let mut after = position.clone();
        after.play(parse_move(mv.as_str().unwrap(), position).unwrap().0).unwrap();
        run(&after, &nodes(300_000)).score.is_win()
    })
}
