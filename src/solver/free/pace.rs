//! How much work there may be.

use super::super::core::Ends;

/// Nodes between two looks at what may end the work.
const POLL_NODES: u64 = 128;

/// Counts the nodes of an answer, and ends its work.
pub struct Pace<'a> {
    /// Positions looked at.
    pub nodes: u64,
    /// Work ends at so many nodes, for a while.
    limit: u64,
    ends: Ends<'a>,
    /// It was ended for good.
    pub ended: bool,
}

impl<'a> Pace<'a> {
    /// No work yet.
    pub fn new(ends: Ends<'a>) -> Pace<'a> {
        Pace { nodes: 0, limit: u64::MAX, ends, ended: false }
    }

    /// Allows so many nodes more.
    pub fn allow(&mut self, nodes: u64) {
        self.limit = self.nodes.saturating_add(nodes);
    }

    /// Allows so many nodes more, but not more than before. Returns what is to be given back to [`Pace::restore`].
    pub fn restrict(&mut self, nodes: u64) -> u64 {
        let limit = self.limit;
        self.limit = limit.min(self.nodes.saturating_add(nodes));
        limit
    }

    /// Allows again what was allowed before a restriction.
    pub fn restore(&mut self, limit: u64) {
        self.limit = limit;
    }

    /// Counts a node.
    #[inline(always)]
    pub fn tick(&mut self) {
        self.nodes += 1;
        if self.nodes.is_multiple_of(POLL_NODES) && (self.ends)(self.nodes) {
            self.ended = true;
        }
    }

    /// Whether work is to end; what comes out of it means nothing then.
    #[inline(always)]
    pub fn is_over(&self) -> bool {
        self.ended || self.nodes >= self.limit
    }
}
