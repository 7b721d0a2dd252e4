//! Fits the weights of the shapes to games: the worth of cells by logistic regression on results, the worth of moves by
//! softmax regression on the moves that the search chose.
//!
//! A weight is the sum of a share for each of the cell's four shapes and a share of its own; the latter is drawn towards
//! zero, so that rare cells borrow from their parts. The optimiser is Adam (Kingma and Ba 2014) on small batches of games.

use super::games::Record;
use crate::eval::shapes::{
    CODES, CellWorth, FRACTION, MASKS, MoveWorth, OFFSETS, Shape, Weights, multisets, offset_kind,
};
use crate::eval::{Evaluator, Shapes, Trait};
use crate::rules::{Board, Color, Game, Square, Variant};
use crate::search::{Situation, situation};

/// Hundredths to a logit: a value of 200 stands for winning 73 of 100 games.
const VALUE_SCALE: f32 = 200.0;
/// Units of a move's worth to a logit.
const MOVE_SCALE: f32 = 100.0;
/// Games in a batch.
const BATCH: usize = 32;
/// How far a step goes at first. Hundreds of cells make up a value, only two numbers a move's worth.
const VALUE_RATE: f32 = 0.003;
const MOVE_RATE: f32 = 0.01;
/// How strongly a code's own share is drawn to zero, per batch.
const PULL: f32 = 2e-5;
const SHAPES: usize = Shape::COUNT;

/// How a fit goes.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Passes over the games so far.
    pub pass: usize,
    /// Mean loss of the last pass on the games that are fitted, in nats.
    pub fitted: f32,
    /// Mean loss on games kept aside.
    pub aside: f32,
}

/// Parameters with what Adam keeps about them.
struct Parameters {
    values: Vec<f32>,
    gradient: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
}

impl Parameters {
    fn new(values: Vec<f32>) -> Parameters {
        let zeros = vec![0.0; values.len()];
        Parameters { gradient: zeros.clone(), mean: zeros.clone(), square: zeros, values, steps: 0 }
    }

    fn step(&mut self, rate: f32, pull: f32) {
        self.steps += 1;
        let correct = |decay: f32| 1.0 - decay.powi(self.steps);
        let (first, second) = (correct(0.9), correct(0.999));
        for (at, value) in self.values.iter_mut().enumerate() {
            let gradient = self.gradient[at] + pull * *value;
            self.mean[at] = 0.9 * self.mean[at] + 0.1 * gradient;
            self.square[at] = 0.999 * self.square[at] + 0.001 * gradient * gradient;
            *value -= rate * (self.mean[at] / first) / ((self.square[at] / second).sqrt() + 1e-8);
            self.gradient[at] = 0.0;
        }
    }
}

/// A weight for each code, made of shares by shape and a share of its own.
struct ByCode {
    shares: Parameters,
    own: Parameters,
    /// The sums, by code.
    weights: Vec<f32>,
    gradient: Vec<f32>,
}

impl ByCode {
    /// Begins with weights of which the shares by shape are known.
    fn new(shares: [f32; SHAPES], weights: impl Iterator<Item = f32>) -> ByCode {
        let own: Vec<f32> = multisets()
            .zip(weights)
            .map(|(shapes, weight)| weight - shapes.iter().map(|&shape| shares[shape as usize]).sum::<f32>())
            .collect();
        let mut by_code = ByCode {
            shares: Parameters::new(shares.to_vec()),
            own: Parameters::new(own),
            weights: vec![0.0; CODES],
            gradient: vec![0.0; CODES],
        };
        by_code.sum();
        by_code
    }

    fn sum(&mut self) {
        for ((weight, own), shapes) in self.weights.iter_mut().zip(&self.own.values).zip(multisets()) {
            *weight = own + shapes.iter().map(|&shape| self.shares.values[shape as usize]).sum::<f32>();
        }
    }

    fn step(&mut self, rate: f32, count: f32) {
        for ((gradient, own), shapes) in self.gradient.iter_mut().zip(&mut self.own.gradient).zip(multisets()) {
            let mean = *gradient / count;
            *own = mean;
            shapes.iter().for_each(|&shape| self.shares.gradient[shape as usize] += mean);
            *gradient = 0.0;
        }
        self.own.step(rate, PULL);
        self.shares.step(rate, 0.0);
        self.sum();
    }
}

/// A position of a game, with what is to be learnt from it.
struct Sample<'a> {
    shapes: &'a Shapes,
    board: &'a Board,
    /// What the side to move made of it: 1 won, 0 lost.
    result: f32,
    score: f32,
    best: Square,
    /// Something must be answered: the candidates are few.
    defend: bool,
}

/// Goes through those of a game's positions that the search estimates.
fn replay(record: &Record, start: &Shapes, game: &Game, visit: &mut dyn FnMut(Sample<'_>)) {
    let mut board = Board::new(*game);
    let mut shapes = start.clone();
    for (number, &(mv, score)) in record.moves.iter().enumerate() {
        let side = board.side();
        let situation = situation(&board, &shapes);
        if number >= record.opening && matches!(situation, Situation::Defend | Situation::Free) {
            let result = match record.result {
                0 => 0.5,
                winner => f32::from(u8::from(usize::from(winner) == side.index() + 1)),
            };
            visit(Sample {
                shapes: &shapes,
                board: &board,
                result,
                score: score.raw() as f32,
                best: mv.square(),
                defend: situation == Situation::Defend,
            });
        }
        if !board.is_empty(mv.square()) {
            return;
        }
        shapes.place(mv.square(), side);
        board.make(mv);
    }
}

/// Something that learns from positions; it says how wrong it was, in nats.
trait Model {
    fn learn(&mut self, sample: &Sample<'_>, keep: bool) -> f32;
    fn step(&mut self, rate: f32, count: f32);
}

/// Where a colour's weights are: with rules that treat both alike, there is one set.
fn set(game: &Game, color: Color) -> usize {
    if game.variant() == Variant::Renju { color.index() } else { 0 }
}

struct Values {
    game: Game,
    mover: [ByCode; 2],
    waiter: [ByCode; 2],
    threats: [Parameters; 2],
    /// How much of the target is the game's result; the rest is what the search said.
    share_of_result: f32,
}

impl Model for Values {
    fn learn(&mut self, sample: &Sample<'_>, keep: bool) -> f32 {
        let side = sample.board.side();
        let (own, other) = (set(&self.game, side), set(&self.game, !side));
        let codes = || sample.board.empty().iter().map(|square| sample.shapes.codes(square));
        let (mine, theirs) = (side.index(), (!side).index());
        let mask = sample.shapes.mask(side);
        let (mover, waiter) = (&self.mover[own].weights, &self.waiter[other].weights);
        let cells: f32 =
            codes().map(|codes| mover[usize::from(codes[mine])] - waiter[usize::from(codes[theirs])]).sum();
        let value = logistic(cells + self.threats[own].values[mask]);
        let said = logistic(sample.score / VALUE_SCALE);
        let target = self.share_of_result * sample.result + (1.0 - self.share_of_result) * said;
        if keep {
            let error = value - target;
            for codes in codes() {
                self.mover[own].gradient[usize::from(codes[mine])] += error;
                self.waiter[other].gradient[usize::from(codes[theirs])] -= error;
            }
            self.threats[own].gradient[mask] += error;
        }
        let log = |p: f32| p.max(1e-6).ln();
        -(target * log(value) + (1.0 - target) * log(1.0 - value))
    }

    fn step(&mut self, rate: f32, count: f32) {
        self.mover.iter_mut().chain(&mut self.waiter).for_each(|weights| weights.step(rate, count));
        for threats in &mut self.threats {
            threats.gradient.iter_mut().for_each(|gradient| *gradient /= count);
            threats.step(rate, PULL);
        }
    }
}

/// What a move's worth is made of: its codes for both colours, and its offsets from the last two moves.
#[derive(Clone, Copy)]
struct MoveFeatures {
    codes: [u16; 2],
    near: [Option<usize>; 2],
}

struct Moves {
    game: Game,
    attack: [ByCode; 2],
    defend: [ByCode; 2],
    near: [Parameters; 2],
    odds: Vec<(MoveFeatures, f32)>,
}

impl Moves {
    fn worth(&self, own: usize, other: usize, features: &MoveFeatures) -> f32 {
        let near: f32 = features.near.iter().flatten().map(|&at| self.near[own].values[at]).sum();
        let [mine, theirs] = features.codes.map(usize::from);
        self.attack[own].weights[mine] + self.defend[other].weights[theirs] + near
    }

    fn push(&mut self, own: usize, other: usize, features: &MoveFeatures, gradient: f32) {
        let [mine, theirs] = features.codes.map(usize::from);
        self.attack[own].gradient[mine] += gradient;
        self.defend[other].gradient[theirs] += gradient;
        features.near.iter().flatten().for_each(|&at| self.near[own].gradient[at] += gradient);
    }
}

impl Model for Moves {
    fn learn(&mut self, sample: &Sample<'_>, keep: bool) -> f32 {
        let side = sample.board.side();
        let (own, other) = (set(&self.game, side), set(&self.game, !side));
        let listed = |square: &Square| {
            let four = |color| sample.shapes.has(*square, color, Trait::Four);
            !sample.defend || four(side) || four(!side)
        };
        if !listed(&sample.best) {
            return 0.0;
        }
        let mut last = sample.board.moves().iter().rev();
        let last = [last.next(), last.next()];
        let features = |square: Square| {
            let codes = sample.shapes.codes(square);
            let near = [0, 1].map(|at| last[at].map(|mv| at * OFFSETS + offset_kind(square, mv.square())));
            MoveFeatures { codes: [codes[side.index()], codes[(!side).index()]], near }
        };
        let best = features(sample.best);
        let mut odds = std::mem::take(&mut self.odds);
        odds.clear();
        odds.extend(sample.board.empty().iter().filter(listed).map(|square| {
            let features = features(square);
            (features, self.worth(own, other, &features))
        }));
        let most = odds.iter().map(|odds| odds.1).fold(f32::MIN, f32::max);
        let sum: f32 = odds.iter().map(|odds| (odds.1 - most).exp()).sum();
        let loss = sum.ln() + most - self.worth(own, other, &best);
        if keep {
            for (features, worth) in &odds {
                self.push(own, other, features, (worth - most).exp() / sum);
            }
            self.push(own, other, &best, -1.0);
        }
        self.odds = odds;
        loss
    }

    fn step(&mut self, rate: f32, count: f32) {
        self.attack.iter_mut().chain(&mut self.defend).for_each(|weights| weights.step(rate, count));
        for near in &mut self.near {
            near.gradient.iter_mut().for_each(|gradient| *gradient /= count);
            near.step(rate, PULL);
        }
    }
}

fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

fn train(
    model: &mut impl Model,
    game: &Game,
    records: &[Record],
    passes: usize,
    rate: f32,
    report: &(dyn Fn(Progress) + Sync),
) {
    let start = Shapes::new(&Board::new(*game));
    let mut random = fastrand::Rng::with_seed(1);
    let mut order: Vec<usize> = (0..records.len()).collect();
    let aside: Vec<usize> = order.extract_if(.., |number| number.is_multiple_of(20)).collect();
    let batches = passes * order.len().div_ceil(BATCH);
    let mut done = 0;
    for pass in 1..=passes {
        random.shuffle(&mut order);
        let (mut loss, mut total) = (0.0, 0);
        for batch in order.chunks(BATCH) {
            let mut count = 0;
            for &number in batch {
                replay(&records[number], &start, game, &mut |sample| {
                    loss += f64::from(model.learn(&sample, true));
                    count += 1;
                });
            }
            // The rate falls to nothing along a line.
            model.step(rate * (1.0 - done as f32 / batches as f32), (count as f32).max(1.0));
            total += count;
            done += 1;
        }
        let (mut kept_loss, mut kept) = (0.0, 0);
        for &number in &aside {
            replay(&records[number], &start, game, &mut |sample| {
                kept_loss += f64::from(model.learn(&sample, false));
                kept += 1;
            });
        }
        let mean = |loss: f64, count: usize| (loss / count.max(1) as f64) as f32;
        report(Progress { pass, fitted: mean(loss, total), aside: mean(kept_loss, kept) });
    }
}

/// Fits the weights of a game to records of it. `share_of_result` (0 to 1) is how much of what is learnt is who won;
/// the rest is what the search said. `report` is told of each pass with "values" or "moves".
pub fn fit(
    game: &Game,
    records: &[Record],
    share_of_result: f32,
    passes: usize,
    report: &(dyn Fn(&str, Progress) + Sync),
) -> Weights {
    let old = Weights::guess();
    let by_code = |of: &dyn Fn(usize) -> f32| {
        // What four equal shapes are worth, a quarter of it, is a shape's share.
        let mut shares = [0.0; SHAPES];
        for (code, shapes) in multisets().enumerate().filter(|(_, shapes)| shapes[0] == shapes[3]) {
            shares[shapes[0] as usize] = of(code) / 4.0;
        }
        ByCode::new(shares, (0..CODES).map(of))
    };
    let worth = |code: usize| old.worth[0][code];
    let moves = |code: usize| old.moves[0][code];
    let cell = VALUE_SCALE * FRACTION as f32;
    let mut values = Values {
        game: *game,
        mover: [0, 1].map(|_| by_code(&|code| f32::from(worth(code).mover) / cell)),
        waiter: [0, 1].map(|_| by_code(&|code| f32::from(worth(code).waiter) / cell)),
        threats: [0, 1].map(|_| Parameters::new(vec![0.0; MASKS])),
        share_of_result,
    };
    let mut policy = Moves {
        game: *game,
        attack: [0, 1].map(|_| by_code(&|code| f32::from(moves(code).attack) / MOVE_SCALE)),
        defend: [0, 1].map(|_| by_code(&|code| f32::from(moves(code).defend) / MOVE_SCALE)),
        near: [0, 1].map(|_| Parameters::new(vec![0.0; 2 * OFFSETS])),
        odds: Vec::new(),
    };
    std::thread::scope(|scope| {
        scope.spawn(|| train(&mut values, game, records, passes, VALUE_RATE, &|progress| report("values", progress)));
        train(&mut policy, game, records, passes, MOVE_RATE, &|progress| report("moves", progress));
    });
    let round = |x: f32| x.round().clamp(f32::from(i16::MIN), f32::from(i16::MAX)) as i16;
    let sets = Color::ALL.map(|color| set(game, color));
    Weights {
        worth: sets.map(|set| {
            let pairs = values.mover[set].weights.iter().zip(&values.waiter[set].weights);
            pairs
                .map(|(mover, waiter)| CellWorth { mover: round(mover * cell), waiter: round(waiter * cell) })
                .collect()
        }),
        moves: sets.map(|set| {
            let pairs = policy.attack[set].weights.iter().zip(&policy.defend[set].weights);
            let worth = |x: f32| round(x * MOVE_SCALE);
            pairs.map(|(&attack, &defend)| MoveWorth { attack: worth(attack), defend: worth(defend) }).collect()
        }),
        threats: sets.map(|set| values.threats[set].values.iter().map(|x| round(x * VALUE_SCALE)).collect()),
        near: sets.map(|set| policy.near[set].values.iter().map(|x| round(x * MOVE_SCALE)).collect()),
    }
}
