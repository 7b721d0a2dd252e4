//! What the skill levels are worth, per variant: the scale of `UCI_Elo`.

use crate::rules::{Game, Variant};
use crate::search::Skill;

/// The levels that were measured; in between, strength goes in a straight line.
const LEVELS: [f64; 6] = [0.0, 4.0, 8.0, 12.0, 16.0, 20.0];

/// Elo of [`LEVELS`], on a scale where a player of uniformly random moves has 0, rounded to tens.
///
/// Measured with `scripts/skill_elo.py`, 60 games a step in five in a row, 100 elsewhere. The errors add up along the ladder:
/// they are about 50 for tic-tac-toe, 100 for Connect Four and 200 for five in a row at the top.
fn ratings(variant: Variant) -> [i64; 6] {
    match variant {
        Variant::GomokuFreestyle | Variant::Mnk => [1700, 1920, 2130, 2350, 2650, 2890],
        Variant::Gomoku => [1370, 1610, 1790, 1960, 2200, 2430],
        Variant::Renju => [1400, 1520, 1640, 1750, 2080, 2250],
        Variant::Caro => [1550, 1780, 1940, 2240, 2700, 2920],
        Variant::TicTacToe => [210, 300, 370, 430, 450, 455],
        Variant::ConnectFour => [400, 540, 670, 830, 1070, 1230],
        Variant::ConnectFour7x7 => [460, 620, 790, 910, 1100, 1240],
    }
}

/// The weakest and the strongest rating that can be asked for.
pub fn range(game: &Game) -> (i64, i64) {
    let ratings = ratings(game.variant());
    (ratings[0], ratings[LEVELS.len() - 1])
}

/// The skill that plays at a rating; `None` for full strength.
pub fn skill(elo: i64, game: &Game) -> Option<Skill> {
    let ratings = ratings(game.variant());
    let above = ratings.iter().position(|&rating| rating >= elo)?;
    let below = above.saturating_sub(1);
    let span = (ratings[above] - ratings[below]).max(1) as f64;
    let share = ((elo - ratings[below]) as f64 / span).clamp(0.0, 1.0);
    Skill::of_level(LEVELS[below] + share * (LEVELS[above] - LEVELS[below]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_rise_with_the_levels_and_the_ends_are_the_extremes() {
        for variant in Variant::ALL {
            let game = Game::new(variant);
            assert!(ratings(variant).is_sorted());
            let (least, most) = range(&game);
            assert_eq!(skill(least, &game), Skill::of_level(0.0));
            assert_eq!(skill(most, &game), None);
            assert_eq!(skill(most + 500, &game), None);
            let middle = skill((least + most) / 2, &game).unwrap();
            assert!(middle.nodes > Skill::of_level(0.0).unwrap().nodes);
        }
    }
}
