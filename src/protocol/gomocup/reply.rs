//! What this protocol's clients show: moves, messages, and Yixin-Board's lines.

use crate::rules::{Game, Square};
use crate::search::{Bound, Report, chances};
use crate::units::ScoreKind;

/// How a client counts coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Axes {
    /// Column first, then row, from the top left.
    ColumnRow,
    /// Row first: Yixin-Board.
    RowColumn,
}

impl Axes {
    /// The square of two numbers, if it is on the board.
    pub fn square(self, first: i64, second: i64, game: &Game) -> Option<Square> {
        let (column, row) = match self {
            Axes::ColumnRow => (first, second),
            Axes::RowColumn => (second, first),
        };
        let (column, row) = (u8::try_from(column).ok()?, u8::try_from(row).ok()?);
        Square::new(column, game.rows().checked_sub(row.checked_add(1)?)?).filter(|&square| game.contains(square))
    }

    /// The two numbers of a square.
    pub fn numbers(self, square: Square, game: &Game) -> (u8, u8) {
        let (column, row) = (square.column(), game.rows() - 1 - square.row());
        match self {
            Axes::ColumnRow => (column, row),
            Axes::RowColumn => (row, column),
        }
    }

    /// `7,7`
    pub fn text(self, square: Square, game: &Game) -> String {
        let (first, second) = self.numbers(square, game);
        format!("{first},{second}")
    }
}

/// `MESSAGE depth 5-8 ev 31 n 12K n/ms 800 tm 15 pv H8 I9`, the line that most managers show; `multipv 2`
/// stands before the value where several lines are searched.
pub(super) fn message(report: &Report, lines: usize) -> String {
    let nodes = match report.work.nodes {
        nodes @ 0..10_000 => nodes.to_string(),
        nodes @ 10_000..10_000_000 => format!("{}K", nodes / 1000),
        nodes => format!("{}M", nodes / 1_000_000),
    };
    let speed = report.work.nodes_per_second() / 1000;
    let line: Vec<String> = report.line.iter().map(|mv| mv.square().to_string().to_uppercase()).collect();
    let bound = match report.bound {
        Bound::Exact => "",
        Bound::Lower => "+",
        Bound::Upper => "-",
    };
    let rank = if lines > 1 { format!(" multipv {}", report.rank) } else { String::new() };
    format!(
        "MESSAGE depth {}-{}{rank} ev {}{bound} n {nodes} n/ms {speed} tm {} pv {}",
        report.depth.0,
        report.selective_depth.0,
        value(report),
        report.work.time.as_millis(),
        line.join(" ")
    )
}

/// The block of `INFO` lines by which Yixin-Board draws a line of play.
pub(super) fn yixin_lines(report: &Report, lines: usize, game: &Game) -> Vec<String> {
    let chances = chances(report.score, report.proven);
    let line: Vec<String> = report.line.iter().map(|mv| Axes::RowColumn.text(mv.square(), game)).collect();
    let permille = u32::from(chances.win) + u32::from(chances.draw) / 2;
    vec![
        format!("INFO PV {}", report.rank - 1),
        format!("INFO NUMPV {lines}"),
        format!("INFO DEPTH {}", report.depth.0),
        format!("INFO SELDEPTH {}", report.selective_depth.0),
        format!("INFO NODES {}", report.work.nodes),
        format!("INFO TOTALNODES {}", report.work.nodes),
        format!("INFO TOTALTIME {}", report.work.time.as_millis()),
        format!("INFO SPEED {}", report.work.nodes_per_second()),
        format!("INFO EVAL {}", value(report)),
        format!("INFO WINRATE {:.3}", f64::from(permille) / 1000.0),
        format!("INFO BESTLINE {}", line.join(" ")),
        "INFO PV DONE".into(),
    ]
}

/// `31`, `+M5` or `-M4`: mates in plies, as these clients count them.
fn value(report: &Report) -> String {
    let plies = report.score.plies_to_end().map_or(0, |ply| ply.0);
    match report.score.kind() {
        ScoreKind::Win(_) => format!("+M{plies}"),
        ScoreKind::Loss(_) => format!("-M{plies}"),
        ScoreKind::Eval(hundredths) => hundredths.to_string(),
    }
}

/// `FORBID 0807.0708.`: four digits a point, and always a dot.
pub(super) fn forbidden(points: &[Square], game: &Game) -> String {
    let four_digits = |&square: &Square| {
        let (row, column) = Axes::RowColumn.numbers(square, game);
        format!("{row:02}{column:02}")
    };
    format!("FORBID {}.", points.iter().map(four_digits).collect::<Vec<_>>().join(""))
}

/// The answer to `ABOUT`.
pub(super) fn about() -> String {
    format!("name=\"inarow\", version=\"{}\", author=\"the inarow developers\"", env!("CARGO_PKG_VERSION"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    #[test]
    fn rows_are_counted_from_the_top_and_yixin_board_names_them_first() {
        let game = Game::new(Variant::GomokuFreestyle).with_columns(20).unwrap();
        let top_left = Square::new(0, 14).unwrap();
        for axes in [Axes::ColumnRow, Axes::RowColumn] {
            assert_eq!(axes.square(0, 0, &game), Some(top_left));
            for square in game.squares() {
                let (first, second) = axes.numbers(square, &game);
                assert_eq!(axes.square(first.into(), second.into(), &game), Some(square));
            }
        }
        assert_eq!(Axes::ColumnRow.text(Square::new(19, 0).unwrap(), &game), "19,14");
        assert_eq!(Axes::RowColumn.text(Square::new(19, 0).unwrap(), &game), "14,19");
        for (first, second) in [(20, 0), (0, 15), (-1, 0), (0, -1), (i64::MAX, 0), (0, 255), (255, 255)] {
            assert_eq!(Axes::ColumnRow.square(first, second, &game), None);
        }
    }
}
