//! How the weights of the shapes come about: games of the engine against itself, and numbers fitted to them.
//!
//! [`games`] is the file in between, [`datagen`] plays, [`fit`] fits.

pub mod datagen;
pub mod fit;
pub mod games;
