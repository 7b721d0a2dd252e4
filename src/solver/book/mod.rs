//! Opening tables: the score of every position of one ply, from which those of all earlier ones follow, and best play from each.
//!
//! A position of that ply is in the table once its forced replies are played out, unless that decides it; mirror images
//! are one position. The list is put up anew whenever a table is opened, in a fixed order, so that a table is
//! nothing but scores and columns in that order: `format` has the bytes. Tests: below, and `tests/book.rs`.

mod format;

pub use format::{BookError, Contents, Lines, Size};

use super::shape::Shape;
use super::state::{Settled, State};
use super::word::Word;

/// The table that comes with the program.
pub const SHIPPED: &[u8] = include_bytes!("7x6.book");

/// An open table.
pub struct Book<T> {
    /// One for each ply up to that of the table.
    layers: Vec<Layer<T>>,
    /// Those that best play leads to from there.
    beyond: Layer<T>,
}

/// The positions of a ply in which nothing is forced, and in the last layer those that its forced ones lead to.
struct Layer<T> {
    keys: Vec<T>,
    scores: Vec<i8>,
}

/// The keys of all layers up to that of ply `plies`, each in order.
fn layers<S: Shape>(shape: &S, plies: u32) -> Vec<Vec<S::Word>> {
    let mut positions = vec![State::new(shape, S::Word::ZERO, S::Word::ZERO).mirror_key(shape)];
    let mut layers = Vec::new();
    for ply in 0..=plies {
        let (mut layer, mut next) = (Vec::new(), Vec::new());
        for &key in &positions {
            let state = state_of(shape, key);
            if let Settled::Open { state: open, .. } = state.settle(shape)
                && (ply == plies || open.count == state.count)
            {
                layer.push(open.mirror_key(shape));
            }
            if ply < plies {
                let goes_on = state.moves(shape) & !state.own_wins;
                next.extend(goes_on.cells().map(|cell| state.play(shape, cell).mirror_key(shape)));
            }
        }
        for keys in [&mut layer, &mut next] {
            keys.sort_unstable();
            keys.dedup();
        }
        layers.push(layer);
        positions = next;
    }
    layers
}

/// The positions of a table of ply `plies`, in its order.
pub fn openings<S: Shape>(shape: &S, plies: u32) -> Vec<State<S::Word>> {
    let last = layers(shape, plies).pop().unwrap_or_default();
    last.into_iter().map(|key| state_of(shape, key)).collect()
}

/// The position of a key.
fn state_of<S: Shape>(shape: &S, key: S::Word) -> State<S::Word> {
    let (mut own, mut stones) = (S::Word::ZERO, S::Word::ZERO);
    for column in 0..shape.columns() {
        let shift = column * shape.stride();
        // The topmost bit lies above the stones; below it are the own ones.
        let bits = key.bits_from(shift) & u64::first(shape.stride());
        let height = bits.checked_ilog2().unwrap_or(0);
        let word = |bits: u64| S::Word::from_halves(0, bits) << shift;
        own |= word(bits & !(1 << height));
        stones |= word(u64::first(height));
    }
    State::new(shape, own, stones & !own)
}

impl<T: Word> Book<T> {
    /// Opens a table; `None` if it does not have as many scores as there are positions, a line cannot be played, or a position
    /// has two scores.
    pub fn open<S: Shape<Word = T>>(shape: &S, contents: &Contents) -> Option<Book<T>> {
        let keys = layers(shape, contents.plies);
        if keys.last().map(Vec::len) != Some(contents.scores.len()) {
            return None;
        }
        let beyond = beyond(shape, keys.last()?, contents)?;
        let layers = keys.into_iter().map(|keys| Layer { keys, scores: vec![] }).collect();
        let mut book = Book { layers, beyond };
        for ply in (0..book.layers.len()).rev() {
            book.layers[ply].scores = match ply == contents.plies as usize {
                true => contents.scores.clone(),
                false => book.layers[ply].keys.iter().map(|&key| book.best(shape, key)).collect::<Option<_>>()?,
            };
        }
        Some(book)
    }

    /// The score of an open position, if the table tells it.
    pub fn score<S: Shape<Word = T>>(&self, shape: &S, state: &State<T>) -> Option<i32> {
        let key = state.mirror_key(shape);
        let last = self.layers.len().checked_sub(1)?;
        let layer = &self.layers[last.min(state.count as usize)];
        layer.score(key).or_else(|| self.beyond.score(key))
    }

    /// The score of a position in which nothing is forced, from those one ply later.
    fn best<S: Shape<Word = T>>(&self, shape: &S, key: T) -> Option<i8> {
        let Settled::Open { state, moves, .. } = state_of(shape, key).settle(shape) else { return None };
        let mut best = -i32::MAX;
        for cell in moves.cells() {
            let score = match state.play(shape, cell).settle(shape) {
                Settled::Over(score) => -score,
                Settled::Open { state, swapped: true, .. } => self.score(shape, &state)?,
                Settled::Open { state, swapped: false, .. } => -self.score(shape, &state)?,
            };
            best = best.max(score);
        }
        i8::try_from(best).ok()
    }
}

impl<T: Word> Layer<T> {
    fn score(&self, key: T) -> Option<i32> {
        let rank = self.keys.binary_search(&key).ok()?;
        self.scores.get(rank).copied().map(i32::from)
    }
}

/// The positions that the lines of a table lead to from those of its last layer; `None` if that cannot be.
fn beyond<S: Shape>(shape: &S, openings: &[S::Word], contents: &Contents) -> Option<Layer<S::Word>> {
    let mut reached = Vec::new();
    for (rank, (&key, &score)) in openings.iter().zip(&contents.scores).enumerate() {
        let (mut state, mut score) = (state_of(shape, key), score);
        for &column in contents.lines.of(rank) {
            if u32::from(column) == shape.columns() {
                break;
            }
            let column = S::Word::first(shape.rows()) << (u32::from(column) * shape.stride());
            let cell = state.moves(shape) & column;
            if cell.is_empty() || !(cell & state.own_wins).is_empty() {
                return None; // a win at sight is in no line
            }
            (state, score) = (state.play(shape, cell), -score);
            match state.settle(shape) {
                Settled::Over(seen) if seen != i32::from(score) => return None,
                Settled::Over(_) => {}
                Settled::Open { state, swapped, .. } => {
                    reached.push((state.mirror_key(shape), if swapped { -score } else { score }));
                }
            }
        }
    }
    reached.sort_unstable();
    reached.dedup();
    let (keys, scores): (Vec<_>, Vec<_>) = reached.into_iter().unzip();
    // Whatever leads to a position, it has one score.
    keys.is_sorted_by(|a, b| a < b).then_some(Layer { keys, scores })
}

#[cfg(test)]
mod tests {
    use super::super::shape::{Any, Fixed};
    use super::*;

    #[test]
    fn the_quiet_positions_of_connect_four_are_as_many_as_they_should_be() {
        let shape = Fixed::<7, 6>;
        let layers = layers(&shape, 9);
        assert_eq!([0, 2, 4, 6, 8].map(|ply: usize| layers[ply].len()), [1, 25, 568, 7_120, 67_557]);
        // The last layer of a table has those, too, that the forced ones lead to.
        let table = openings(&shape, 8);
        let quiet = table.iter().filter(|state| state.count == 8).count();
        assert_eq!(quiet, 67_557);
        assert!(table.iter().all(|state| state.count >= 8));
    }

    #[test]
    fn keys_give_their_positions_back() {
        fn check<S: Shape>(shape: &S) {
            for state in openings(shape, 5) {
                let again = state_of(shape, state.mirror_key(shape));
                assert_eq!((again.mirror_key(shape), again.count), (state.mirror_key(shape), state.count));
            }
        }
        check(&Fixed::<7, 6>);
        check(&Any::<u64>::new(5, 4, 4).unwrap());
        check(&Any::<u128>::new(9, 8, 4).unwrap());
    }

    #[test]
    fn the_table_that_comes_along_is_sound() {
        let shape = Fixed::<7, 6>;
        let contents = Contents::from_bytes(SHIPPED, Size { columns: 7, rows: 6, line: 4 }).unwrap();
        let book = Book::open(&shape, &contents).unwrap();
        // The first player wins with his last stone but one; he has 21.
        assert_eq!(book.layers[0].scores, [1]);
        // Tromp's list of the quiet positions after eight stones (UCI data set "Connect-4") has so many wins, draws and
        // losses of the first player.
        let layer = &book.layers[8];
        let quiet = layer.keys.iter().zip(&layer.scores).filter(|(key, _)| state_of(&shape, **key).count == 8);
        let mut counts = [0; 3];
        quiet.for_each(|(_, score)| counts[(1 - score.signum()) as usize] += 1);
        assert_eq!(counts, [44_473, 6_449, 16_635]);
    }
}
