//! The solver against oracles: plain minimax, known scores and optimal moves, known values of boards.

use inarow::rules::{Color, Game, Move, Outcome, Overline, Position, Square, Symmetry, Variant, parse_move};
use inarow::solver::{Solution, Solver};
use inarow::units::{Ply, Score};
use std::collections::{HashMap, HashSet};

fn solver(game: &Game, megabytes: usize) -> Solver {
    Solver::new(game, megabytes << 20).unwrap().expect("a solver")
}

fn solve(solver: &Solver, position: &Position) -> Solution {
    solver.solve(position, &mut |_| false).result.unwrap()
}

fn gravity(columns: u8, rows: u8, line: u8) -> Game {
    Game::mnk(columns, rows, line).unwrap().with_gravity(true)
}

fn free(columns: u8, rows: u8, line: u8) -> Game {
    Game::mnk(columns, rows, line).unwrap()
}

fn play(game: Game, columns: &str) -> Position {
    let mut position = Position::new(game);
    for text in columns.split_inclusive(|_: char| true) {
        let (mv, _) = parse_move(text, &position).unwrap();
        position.play(mv).unwrap();
    }
    position
}

/// Values by plain full-width search with a memory, distances counted from each position.
#[derive(Default)]
struct Oracle(HashMap<(u64, Color), Score>);

impl Oracle {
    fn value(&mut self, position: &mut Position) -> Score {
        match position.outcome() {
            Outcome::Win(_) => return Score::loss_in(Ply(0)),
            Outcome::Draw => return Score::DRAW,
            Outcome::Ongoing => {}
        }
        let key = (position.board().key(), position.board().side());
        if let Some(&known) = self.0.get(&key) {
            return known;
        }
        let mut best = -Score::INFINITE;
        for mv in position.legal_moves() {
            position.play(mv).unwrap();
            best = best.max(-self.value(position).from_table(Ply(1)));
            position.undo();
        }
        self.0.insert(key, best);
        best
    }
}

fn check(solver: &Solver, oracle: &mut Oracle, position: &mut Position) {
    let value = oracle.value(position);
    let solution = solve(solver, position);
    let game = *position.game();
    assert_eq!(solution.score, value, "{game}\n{position}");
    let mut best = Vec::new();
    for mv in position.legal_moves() {
        position.play(mv).unwrap();
        if -oracle.value(position).from_table(Ply(1)) == value {
            best.push(mv);
        }
        position.undo();
    }
    best.sort_by_key(|mv| (mv.square().column(), mv.square().row()));
    assert_eq!(solution.best, best, "{game}\n{position}");
}

/// A random position with so many empty cells in which the game goes on.
fn random(game: Game, empties: usize, random: &mut fastrand::Rng) -> Option<Position> {
    let mut position = Position::new(game);
    while !position.is_over() && position.board().empties() > empties {
        let moves = position.legal_moves();
        position.play(moves[random.usize(..moves.len())]).unwrap();
    }
    (!position.is_over()).then_some(position)
}

/// Stones of both colours anywhere, in whatever numbers.
fn scattered(game: Game, empties: usize, random: &mut fastrand::Rng) -> Option<Position> {
    let mut squares: Vec<Square> = game.squares().collect();
    random.shuffle(&mut squares);
    let color = |random: &mut fastrand::Rng| if random.bool() { Color::First } else { Color::Second };
    let stones: Vec<_> = squares.into_iter().skip(empties).map(|square| (square, color(random))).collect();
    let side = color(random);
    Position::with_stones(game, &stones, side).ok().filter(|position| !position.is_over())
}

#[test]
fn positions_of_small_boards_have_the_values_and_best_moves_of_plain_search() {
    let mut seed = fastrand::Rng::with_seed(11);
    for (columns, rows, line) in [
        (4, 4, 4),
        (5, 4, 4),
        (4, 5, 4),
        (4, 4, 3),
        (5, 4, 3),
        (4, 5, 3),
        (3, 3, 3),
        (3, 6, 3),
        (6, 3, 3),
        (6, 3, 4),
        (5, 4, 5),
        (8, 2, 3),
        (1, 7, 3),
        (7, 1, 3),
        (3, 4, 8),
        (12, 1, 5),
    ] {
        let game = gravity(columns, rows, line);
        let (solver, mut oracle) = (solver(&game, 1), Oracle::default());
        for _ in 0..400 {
            let empties = seed.usize(1..=game.cells());
            let Some(mut position) = random(game, empties, &mut seed) else { continue };
            check(&solver, &mut oracle, &mut position);
        }
        check(&solver, &mut oracle, &mut Position::new(game));
    }
}

#[test]
fn endings_of_large_boards_have_the_values_and_best_moves_of_plain_search() {
    let mut seed = fastrand::Rng::with_seed(12);
    let mut decided = 0;
    for game in [
        Game::new(Variant::ConnectFour),
        Game::new(Variant::ConnectFour7x7),
        gravity(7, 6, 5),
        gravity(8, 7, 4),
        gravity(9, 6, 4),
        gravity(8, 8, 4),
        gravity(9, 7, 5),
        gravity(12, 9, 6),
        gravity(6, 20, 4),
        gravity(26, 3, 5),
        gravity(10, 10, 7),
        gravity(8, 15, 8),
    ] {
        let solver = solver(&game, 1);
        for _ in 0..150 {
            let Some(mut position) = random(game, 12, &mut seed) else { continue };
            decided += usize::from(solve(&solver, &position).score.is_decided());
            check(&solver, &mut Oracle::default(), &mut position);
        }
    }
    assert!(decided > 100, "{decided} decided positions say little");
}

#[test]
fn every_position_of_small_boards_without_gravity_has_the_value_of_plain_search() {
    fn walk(solver: &Solver, oracle: &mut Oracle, seen: &mut HashSet<u64>, position: &mut Position) {
        if !seen.insert(position.board().key()) {
            return;
        }
        let value = solver.value(position, &mut |_| false).result;
        assert_eq!(value, Some(oracle.value(position)), "{}\n{position}", position.game());
        for mv in position.legal_moves() {
            position.play(mv).unwrap();
            walk(solver, oracle, seen, position);
            position.undo();
        }
    }
    for (columns, rows, line, positions) in [(3, 3, 3, 5478), (4, 3, 3, 0), (3, 4, 4, 0), (2, 5, 5, 0), (2, 5, 3, 0)] {
        let game = free(columns, rows, line);
        let mut seen = HashSet::new();
        walk(&solver(&game, 1), &mut Oracle::default(), &mut seen, &mut Position::new(game));
        assert!(positions == 0 || seen.len() == positions, "{game}: {} positions", seen.len());
    }
}

#[test]
fn positions_without_gravity_have_the_values_and_best_moves_of_plain_search() {
    let mut seed = fastrand::Rng::with_seed(13);
    let mut kinds = HashMap::new();
    for (columns, rows, line) in [
        (3, 3, 3),
        (4, 3, 3),
        (4, 4, 3),
        (4, 4, 4),
        (5, 3, 3),
        (3, 6, 3),
        (5, 4, 4),
        (4, 5, 4),
        (5, 4, 5),
        (5, 5, 4),
        (6, 4, 4),
        (5, 5, 5),
        (7, 5, 4),
        (7, 7, 5),
        (8, 7, 4),
        (8, 8, 5),
        (13, 4, 4),
        (21, 3, 3),
        (1, 9, 3),
        (9, 1, 4),
        (2, 2, 3),
    ] {
        let game = free(columns, rows, line);
        let solver = solver(&game, 1);
        let mut oracle = Oracle::default();
        for number in 0..500 {
            let empties = seed.usize(1..=if number % 20 == 0 { 12 } else { 9 }.min(game.cells()));
            let stones =
                if number % 2 == 0 { random(game, empties, &mut seed) } else { scattered(game, empties, &mut seed) };
            let Some(mut position) = stones else { continue };
            check(&solver, &mut oracle, &mut position);
            let score = oracle.value(&mut position);
            *kinds.entry((score.is_win(), score.is_loss())).or_insert(0) += 1;
        }
    }
    assert!(kinds.len() == 3 && kinds.values().all(|&count| count > 300), "{kinds:?} say little");
}

/// The lines of a file: moves, stones left, optimal columns.
fn data(name: &str) -> Vec<(String, Vec<u8>)> {
    let text = std::fs::read_to_string(format!("tests/data/connect4/{name}.opt.txt")).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let fields = lines.map(|line| line.split(' ').collect::<Vec<_>>());
    fields.map(|fields| (fields[0].to_owned(), fields[2].bytes().map(|digit| digit - b'1').collect())).collect()
}

#[test]
fn the_best_moves_are_the_optimal_columns() {
    for (variant, sets) in [
        (Variant::ConnectFour, &["c4_7x6_end", "c4_7x6_mid", "c4_7x6_early"][..]),
        (Variant::ConnectFour7x7, &["c4_7x7_end", "c4_7x7_mid"][..]),
    ] {
        let game = Game::new(variant);
        let solver = solver(&game, 16);
        for set in sets {
            for (moves, columns) in data(set) {
                let solution = solve(&solver, &play(game, &moves));
                let best: Vec<u8> = solution.best.iter().map(|mv| mv.square().column()).collect();
                assert_eq!(best, columns, "{set} {moves}");
            }
        }
    }
}

#[test]
fn any_size_of_table_and_any_number_of_threads_give_the_same_values() {
    let game = Game::new(Variant::ConnectFour);
    let (mid, early) = (data("c4_7x6_mid"), data("c4_7x6_early"));
    let positions = mid.iter().take(40).chain(&early[..4]).map(|(moves, _)| play(game, moves));
    let positions: Vec<Position> = positions.collect();
    let values = |megabytes, threads| {
        let mut solver = solver(&game, megabytes);
        solver.use_threads(threads);
        positions.iter().map(|position| solve(&solver, position)).collect::<Vec<_>>()
    };
    let reference = values(64, 1);
    for (megabytes, threads) in [(0, 1), (3, 1), (64, 2), (1, 4)] {
        assert_eq!(values(megabytes, threads), reference, "{megabytes} MB, {threads} threads");
    }
}

#[test]
fn boards_have_their_known_values() {
    let text = std::fs::read_to_string("tests/data/connect4/boards.csv").unwrap();
    let mut known = 0;
    for line in text.lines().filter(|line| line.starts_with(|first: char| first.is_ascii_digit())) {
        let fields: Vec<&str> = line.split(',').collect();
        let (columns, rows): (u8, u8) = (fields[0].parse().unwrap(), fields[1].parse().unwrap());
        // The larger ones take minutes: scripts/boards_check.py.
        if fields[6] != "yes" || u32::from(columns) * u32::from(rows) > 30 {
            continue;
        }
        let game = gravity(columns, rows, 4);
        let value = solver(&game, 16).value(&Position::new(game), &mut |_| false).result.unwrap();
        let last = Ply(fields[4].parse().unwrap());
        let expected = match fields[2] {
            "first" => Score::win_in(last),
            "second" => Score::loss_in(last),
            _ => Score::DRAW,
        };
        assert_eq!(value, expected, "{columns}x{rows}");
        known += 1;
    }
    assert!(known >= 9, "{known} boards");
}

#[test]
fn boards_without_gravity_have_their_known_values() {
    let text = std::fs::read_to_string("tests/data/mnk/values.csv").unwrap();
    let mut known = 0;
    for line in text.lines().filter(|line| line.starts_with(|first: char| first.is_ascii_digit())) {
        let fields: Vec<&str> = line.split(',').collect();
        let sides: Vec<u8> = fields[..3].iter().map(|field| field.parse().unwrap()).collect();
        // These take long: scripts/boards_check.py.
        if sides[0] * sides[1] > 49 || sides[0] > 7 && sides[2] == 4 {
            continue;
        }
        let game = free(sides[0], sides[1], sides[2]);
        let value = solver(&game, 64).value(&Position::new(game), &mut |_| false).result.unwrap();
        let expected = match fields[3] {
            "win" => value.is_win(),
            _ => value == Score::DRAW,
        };
        assert!(expected, "{game}: {value}");
        known += 1;
    }
    assert!(known >= 22, "{known} boards");
}

#[test]
fn the_second_player_holds_a_draw_against_every_move() {
    fn hold(solver: &Solver, seen: &mut HashSet<u64>, position: &mut Position) {
        for mv in position.legal_moves() {
            position.play(mv).unwrap();
            assert_ne!(position.outcome(), Outcome::Win(Color::First), "{position}");
            if !position.is_over() && seen.insert(position.board().key()) {
                let (score, best) = solver.best_move(position, &mut |_| false).result.unwrap();
                assert_eq!(score, Score::DRAW.max(score), "{position}");
                position.play(best.unwrap()).unwrap();
                hold(solver, seen, position);
                position.undo();
            }
            position.undo();
        }
    }
    for (columns, rows, line) in [(3, 3, 3), (4, 4, 4), (5, 4, 5)] {
        let game = free(columns, rows, line);
        let mut seen = HashSet::new();
        hold(&solver(&game, 16), &mut seen, &mut Position::new(game));
        assert!(seen.len() > 20, "{game}: {} positions", seen.len());
    }
}

#[test]
fn symmetric_positions_have_symmetric_solutions() {
    let mut seed = fastrand::Rng::with_seed(14);
    for game in [free(5, 5, 4), free(6, 4, 4), free(6, 6, 5)] {
        let solver = solver(&game, 8);
        for _ in 0..4 {
            let empties = game.cells() - seed.usize(4..10);
            let Some(position) = random(game, empties, &mut seed) else { continue };
            let solution = solve(&solver, &position);
            for symmetry in Symmetry::of(&game) {
                let mut image = Position::new(game);
                let moves = position.board().moves().iter().map(|mv| Move::to(symmetry.apply(mv.square(), &game)));
                moves.for_each(|mv| image.play(mv).unwrap());
                let mut best: Vec<Move> =
                    solution.best.iter().map(|mv| Move::to(symmetry.apply(mv.square(), &game))).collect();
                best.sort_by_key(|mv| (mv.square().column(), mv.square().row()));
                assert_eq!(solve(&solver, &image), Solution { score: solution.score, best }, "{image}");
            }
        }
    }
}

#[test]
fn mirror_images_have_mirrored_solutions() {
    let game = Game::new(Variant::ConnectFour);
    let solver = solver(&game, 1);
    for (moves, _) in data("c4_7x6_mid").iter().take(30) {
        let mirrored: String = moves.bytes().map(|digit| char::from(b'1' + b'7' - digit)).collect();
        let (one, other) = (solve(&solver, &play(game, moves)), solve(&solver, &play(game, &mirrored)));
        let mut columns: Vec<u8> = other.best.iter().map(|mv| 6 - mv.square().column()).collect();
        columns.reverse();
        assert_eq!(one.score, other.score);
        assert_eq!(one.best.iter().map(|mv| mv.square().column()).collect::<Vec<_>>(), columns);
    }
}

#[test]
fn a_line_of_best_play_ends_where_the_value_says() {
    let game = Game::new(Variant::ConnectFour);
    let solver = solver(&game, 4);
    for (moves, _) in data("c4_7x6_end").iter().chain(&data("c4_7x6_mid")[..20]) {
        let start = play(game, moves);
        let solution = solve(&solver, &start);
        let (line, _) = solver.line(&start, solution.best[0], &mut |_| false);
        let mut position = start.clone();
        line.iter().for_each(|&mv| position.play(mv).unwrap());
        assert!(position.is_over(), "{moves}");
        let winner = match position.outcome() {
            Outcome::Win(color) => Some(color),
            _ => None,
        };
        let side = start.board().side();
        let expected: Option<Color> = match solution.score {
            score if score.is_win() => Some(side),
            score if score.is_loss() => Some(!side),
            _ => None,
        };
        assert_eq!(winner, expected, "{moves}");
        let plies = solution.score.plies_to_end().map_or(start.board().empties(), Ply::index);
        assert_eq!(line.len(), plies, "{moves}");
    }
}

#[test]
fn finished_and_full_boards_have_values_and_no_moves() {
    let game = Game::new(Variant::ConnectFour);
    let won = solve(&solver(&game, 1), &play(game, "1213141"));
    assert_eq!(won, Solution { score: Score::loss_in(Ply(0)), best: vec![] });
    let small = gravity(2, 2, 3);
    let full = solve(&solver(&small, 1), &play(small, "1122"));
    assert_eq!(full, Solution { score: Score::DRAW, best: vec![] });
}

#[test]
fn games_with_other_rules_have_no_solver() {
    let cfour = Game::new(Variant::ConnectFour);
    for (game, served) in [
        (cfour, true),
        (cfour.with_gravity(false), true),
        (Game::new(Variant::TicTacToe), true),
        (free(8, 8, 5), true),
        (free(8, 8, 4), false),
        (free(9, 8, 5), false),
        (Game::new(Variant::Renju).with_columns(5).unwrap().with_rows(5).unwrap(), false),
        (free(5, 5, 4).with_overline(Overline::Nothing), false),
        (cfour.with_overline(Overline::Nothing), false),
        (gravity(26, 3, 4), true),
        (gravity(10, 12, 4), false),
        (Game::new(Variant::Renju).with_gravity(true), false),
        (Game::new(Variant::Caro).with_columns(5).unwrap().with_rows(5).unwrap().with_gravity(true), false),
    ] {
        assert_eq!(Solver::serves(&game), served, "{game}");
        assert_eq!(Solver::new(&game, 0).unwrap().is_some(), served, "{game}");
    }
}

#[test]
fn a_solver_at_work_can_be_asked_how_full_its_memory_is() {
    for game in [free(7, 7, 5), gravity(7, 6, 4)] {
        let solver = solver(&game, 1);
        let mut asked = 0;
        let answer = solver.value(&Position::new(game), &mut |nodes| {
            asked += u32::from(solver.permille_full() <= 1000 && solver.occupied_bytes() <= 1 << 20);
            nodes > 10_000
        });
        assert!(answer.result.is_none() && asked > 10, "{game}: {answer:?}");
    }
}

#[test]
fn an_ended_search_says_nothing_and_harms_nothing() {
    let game = Game::new(Variant::ConnectFour);
    let solver = solver(&game, 4);
    let start = play(game, "44444");
    let mut ended = 0;
    // Each time it gets a bit further.
    for most in (1000..).step_by(150_000) {
        match solver.solve(&start, &mut |nodes| nodes >= most).result {
            None => ended += 1,
            Some(solution) => {
                assert_eq!(solution, solve(&solver, &start));
                break;
            }
        }
    }
    assert!(ended > 0);
}
