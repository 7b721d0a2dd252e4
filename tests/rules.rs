//! The rules against independent oracles: known counts, reference positions, and a naive scan of the whole board.

use inarow::rules::{
    Board, Cell, Color, Game, Outcome, Overline, Position, Square, Symmetry, Variant, parse_fen, parse_move, perft,
};
use serde_json::Value;

fn count(game: Game, plies: u32) -> u64 {
    perft(&mut Position::new(game), plies, &mut || false).unwrap()
}

fn mnk(columns: u8, rows: u8, line: u8) -> Game {
    Game::mnk(columns, rows, line).unwrap()
}

#[test]
fn perft_of_tic_tac_toe_agrees_with_the_literature() {
    let counts: Vec<u64> = (0..=9).map(|plies| count(Game::new(Variant::TicTacToe), plies)).collect();
    assert_eq!(counts, [1, 9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872]);
}

#[test]
fn there_are_255168_games_of_tic_tac_toe() {
    fn games(position: &mut Position) -> u64 {
        if position.is_over() {
            return 1;
        }
        let moves = position.legal_moves();
        moves
            .into_iter()
            .map(|mv| {
                position.play(mv).unwrap();
                let below = games(position);
                position.undo();
                below
            })
            .sum()
    }
    assert_eq!(games(&mut Position::new(Game::new(Variant::TicTacToe))), 255_168);
}

#[test]
fn perft_of_connect_four_agrees_with_known_counts() {
    // 7^n until a column can be full (ply 7).
    let counts: Vec<u64> = (1..=8).map(|plies| count(Game::new(Variant::ConnectFour), plies)).collect();
    assert_eq!(counts, [7, 49, 343, 2401, 16807, 117_649, 823_536, 5_673_234]);
}

#[test]
fn perft_of_wide_open_boards_is_a_falling_factorial() {
    assert_eq!(count(Game::new(Variant::GomokuFreestyle), 3), 225 * 224 * 223);
    assert_eq!(count(mnk(4, 4, 4), 5), 16 * 15 * 14 * 13 * 12);
    assert_eq!(count(mnk(26, 26, 8), 2), 676 * 675);
}

/// A perft of its own: plain arrays, no make and unmake, a scan of the whole board after every move.
fn naive_perft(game: &Game, stones: &[Option<Color>], side: Color, plies: u32) -> u64 {
    if plies == 0 {
        return 1;
    }
    let (columns, rows) = (usize::from(game.columns()), usize::from(game.rows()));
    let won = |stones: &[Option<Color>], color| naive_winner(game, stones, color);
    if won(stones, Color::First) || won(stones, Color::Second) {
        return 0;
    }
    let free = |cell: usize| {
        let support = !game.gravity() || cell < columns || stones[cell - columns].is_some();
        stones[cell].is_none() && support
    };
    (0..columns * rows)
        .filter(|&cell| free(cell))
        .map(|cell| {
            let mut next = stones.to_vec();
            next[cell] = Some(side);
            naive_perft(game, &next, !side, plies - 1)
        })
        .sum()
}

/// Whether a colour has a winning line, by looking at every maximal run of its stones.
fn naive_winner(game: &Game, stones: &[Option<Color>], color: Color) -> bool {
    let (columns, rows, line) = (i32::from(game.columns()), i32::from(game.rows()), i32::from(game.line()));
    let at = |column: i32, row: i32| {
        let inside = (0..columns).contains(&column) && (0..rows).contains(&row);
        if inside { stones[(row * columns + column) as usize] } else { None }
    };
    let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
    cells.flat_map(|cell| [(1, 0), (0, 1), (1, 1), (-1, 1)].map(|step| (cell, step))).any(
        |((column, row), (dc, dr))| {
            if at(column - dc, row - dr) == Some(color) {
                return false; // not the beginning of a run
            }
            let length = (0..).take_while(|n| at(column + n * dc, row + n * dr) == Some(color)).count() as i32;
            let closed = at(column - dc, row - dr) == Some(!color)
                && at(column + length * dc, row + length * dr) == Some(!color);
            match length.cmp(&line) {
                std::cmp::Ordering::Less => false,
                std::cmp::Ordering::Equal => game.variant() != Variant::Caro || !closed,
                std::cmp::Ordering::Greater => game.overline() == Overline::Wins,
            }
        },
    )
}

#[test]
fn perft_agrees_with_a_naive_one_on_many_boards() {
    let exact = |game: Game| game.with_overline(Overline::Nothing);
    let caro = |columns, rows| {
        let game = Game::new(Variant::Caro).with_columns(columns).unwrap().with_rows(rows).unwrap();
        game.with_line(3).unwrap()
    };
    for (game, plies) in [
        (mnk(4, 4, 3), 5),
        (mnk(5, 3, 3), 6),
        (exact(mnk(5, 2, 3)), 8),
        (mnk(4, 4, 4).with_gravity(true), 9),
        (exact(mnk(5, 3, 3)).with_gravity(true), 8),
        (caro(5, 2), 8),
        (caro(5, 2).with_overline(Overline::Wins), 8),
        (mnk(1, 7, 3), 7),
        (mnk(7, 1, 3), 7),
        (mnk(1, 1, 3), 2),
    ] {
        let naive = naive_perft(&game, &vec![None; game.cells()], Color::First, plies);
        assert_eq!(count(game, plies), naive, "{game} to {plies} plies");
    }
}

fn squares(list: &Value) -> Vec<Square> {
    let square = |text: &str| {
        let (column, row) = text.split_at(1);
        Square::new(column.bytes().next().unwrap() - b'a', row.parse::<u8>().unwrap() - 1).unwrap()
    };
    list.as_array().unwrap().iter().map(|text| square(text.as_str().unwrap())).collect()
}

#[test]
fn reference_positions_are_won_and_not_won_as_they_should_be() {
    let text = std::fs::read_to_string("tests/data/gomoku/win_detect.jsonl").unwrap();
    let mut seen = 0;
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let variant = Variant::from_name(case["rule"].as_str().unwrap()).unwrap();
        let size = case["size"].as_u64().unwrap() as u8;
        let mut game = Game::new(variant).with_columns(size).unwrap().with_rows(size).unwrap();
        match case["overline_wins"].as_bool() {
            Some(true) => game = game.with_overline(Overline::Wins),
            Some(false) => game = game.with_overline(Overline::Nothing),
            None => {}
        }
        let color = |name: &str| if name == "black" { Color::First } else { Color::Second };
        let mut stones = vec![None; game.cells()];
        for (list, color) in [("black", Color::First), ("white", Color::Second)] {
            for square in squares(&case[list]) {
                stones[usize::from(square.row()) * usize::from(size) + usize::from(square.column())] = Some(color);
            }
        }
        let last = squares(&serde_json::json!([case["last"]]))[0];
        let mover = color(case["last_color"].as_str().unwrap());
        let board = parse_fen(&fen_of(&stones, &game, !mover), game).unwrap();
        let winner = case["winner"].as_str().map(color);
        let expected = winner.map_or(Outcome::Ongoing, Outcome::Win);
        assert_eq!(board.outcome(), expected, "{}", case["id"]);
        assert_eq!(board.board().wins_at(last, mover), winner.is_some(), "{}", case["id"]);
        assert_eq!(board.board().winning_squares(last).contains(&last), winner.is_some(), "{}", case["id"]);
        seen += 1;
    }
    assert_eq!(seen, 205);
}

#[test]
fn every_line_of_connect_four_is_seen_in_both_colours() {
    for game in [Game::new(Variant::ConnectFour), Game::new(Variant::ConnectFour7x7)] {
        let table = inarow::eval::LineTable::new(&game);
        let lines = if game.rows() == 6 { 69 } else { 88 };
        assert_eq!(table.count(), lines);
        for line in 0..lines as u16 {
            for color in Color::ALL {
                let mut stones = vec![None; game.cells()];
                for square in table.squares(line) {
                    stones[usize::from(square.row()) * 7 + usize::from(square.column())] = Some(color);
                }
                let free = game.with_gravity(false); // in the air is enough
                let position = parse_fen(&fen_of(&stones, &free, !color), free).unwrap();
                assert_eq!(position.outcome(), Outcome::Win(color));
            }
        }
    }
}

fn fen_of(stones: &[Option<Color>], game: &Game, side: Color) -> String {
    let mut rows = Vec::new();
    for cells in stones.chunks(usize::from(game.columns())).rev() {
        let mut text = String::new();
        for run in cells.chunk_by(|one, next| one.is_none() && next.is_none()) {
            match run[0] {
                Some(color) => text.push(color.letter()),
                None => text.push_str(&run.len().to_string()),
            }
        }
        rows.push(text);
    }
    format!("{} {}", rows.join("/"), side.letter())
}

#[test]
fn the_last_stone_of_a_full_board_can_win() {
    let mut position = Position::new(Game::new(Variant::TicTacToe));
    for text in "c2 b2 b1 b3 a2 c3 a1 c1".split(' ') {
        let (mv, _) = parse_move(text, &position).unwrap();
        position.play(mv).unwrap();
    }
    let (mv, _) = parse_move("a3", &position).unwrap();
    position.play(mv).unwrap();
    assert_eq!(position.outcome(), Outcome::Win(Color::First));
    assert!(position.undo());
    assert_eq!(position.outcome(), Outcome::Ongoing);
}

#[test]
fn an_empty_board_is_empty_and_walled() {
    let board = Board::new(mnk(3, 2, 3));
    let inside = board.game().squares().filter(|&square| board.cell(square) == Cell::Empty).count();
    assert_eq!((inside, board.empties(), board.stones()), (6, 6, 0));
    assert_eq!(board.cell(Square::new(3, 0).unwrap()), Cell::Wall);
}

/// Positions of a file of forbidden points, with what each says.
fn forbidden_cases(path: &str) -> Vec<(Value, Vec<Option<Color>>, Game)> {
    let text = std::fs::read_to_string(path).unwrap();
    let case = |line: &str| {
        let case: Value = serde_json::from_str(line).unwrap();
        let size = case["size"].as_u64().unwrap() as u8;
        let game = Game::new(Variant::Renju).with_columns(size).unwrap().with_rows(size).unwrap();
        let mut stones = vec![None; game.cells()];
        for (list, color) in [("black", Color::First), ("white", Color::Second)] {
            for square in squares(&case[list]) {
                stones[usize::from(square.row()) * usize::from(size) + usize::from(square.column())] = Some(color);
            }
        }
        (case, stones, game)
    };
    text.lines().map(case).collect()
}

#[test]
fn renju_forbids_what_four_referees_agree_on_however_the_board_is_turned() {
    let mut points = 0;
    for (case, stones, game) in forbidden_cases("tests/data/gomoku/forbidden.jsonl") {
        for symmetry in Symmetry::of(&game) {
            let index = |square: Square| usize::from(square.row()) * 15 + usize::from(square.column());
            let mut turned = vec![None; game.cells()];
            for square in game.squares() {
                turned[index(symmetry.apply(square, &game))] = stones[index(square)];
            }
            let position = parse_fen(&fen_of(&turned, &game, Color::First), game).unwrap();
            let mut expected: Vec<Square> =
                squares(&case["forbidden"]).into_iter().map(|square| symmetry.apply(square, &game)).collect();
            expected.sort();
            assert_eq!(position.forbidden(), expected, "{}\n{position}", case["id"]);
            // White has no forbidden points.
            let white = parse_fen(&fen_of(&turned, &game, Color::Second), game).unwrap();
            assert!(white.forbidden().is_empty());
            points += expected.len();
        }
    }
    assert_eq!(points, 8 * 596);
}

#[test]
fn keys_tell_apart_who_is_to_move() {
    let game = Game::new(Variant::Gomoku);
    let stones = [(Square::new(7, 7).unwrap(), Color::First), (Square::new(8, 7).unwrap(), Color::Second)];
    for count in 0..=stones.len() {
        let key = |side| Position::with_stones(game, &stones[..count], side).unwrap().board().key();
        assert_ne!(key(Color::First), key(Color::Second), "{count} stones");
    }
}
