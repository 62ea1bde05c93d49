//! Sums over the heights of pieces: which row a piece begins at, and which piece holds a row, both
//! in O(log n). Must not know what a piece is.

/// A Fenwick tree beside the plain heights.
#[derive(Debug, Clone, Default)]
pub struct Sums {
    heights: Vec<u32>,
    tree: Vec<u64>,
}

impl Sums {
    /// O(n).
    pub fn of(heights: Vec<u32>) -> Self {
        let mut tree = vec![0; heights.len() + 1];
        for (at, height) in heights.iter().enumerate() {
            let node = at + 1;
            tree[node] += u64::from(*height);
            let parent = node + (node & node.wrapping_neg());
            if parent < tree.len() {
                tree[parent] += tree[node];
            }
        }
        Self { heights, tree }
    }

    /// The height of one piece.
    pub fn get(&self, at: usize) -> u32 {
        self.heights[at]
    }

    /// Changes one height. O(log n).
    pub fn set(&mut self, at: usize, height: u32) {
        let old = std::mem::replace(&mut self.heights[at], height);
        let mut node = at + 1;
        while node < self.tree.len() {
            self.tree[node] = self.tree[node] + u64::from(height) - u64::from(old);
            node += node & node.wrapping_neg();
        }
    }

    /// Rows before a piece. O(log n).
    pub fn before(&self, at: usize) -> u64 {
        let mut node = at.min(self.heights.len());
        let mut sum = 0;
        while node > 0 {
            sum += self.tree[node];
            node &= node - 1;
        }
        sum
    }

    /// Rows of everything.
    pub fn total(&self) -> u64 {
        self.before(self.heights.len())
    }

    /// The piece that holds a row, and the row within it; past the end, the last row. O(log n).
    pub fn find(&self, row: u64) -> (usize, u32) {
        let mut rest = row.min(self.total().saturating_sub(1));
        let mut at = 0;
        let mut step = self.tree.len().next_power_of_two();
        while step > 0 {
            let next = at + step;
            if next < self.tree.len() && self.tree[next] <= rest {
                rest -= self.tree[next];
                at = next;
            }
            step /= 2;
        }
        (at.min(self.heights.len().saturating_sub(1)), rest as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sums_agree_with_a_walk(
            mut heights in prop::collection::vec(0..5_u32, 1..40),
            changes in prop::collection::vec((0..40_usize, 0..5_u32), 0..20),
        ) {
            let mut sums = Sums::of(heights.clone());
            for (at, height) in changes {
                let at = at % heights.len();
                heights[at] = height;
                sums.set(at, height);
            }
            let mut row = 0;
            for (at, height) in heights.iter().enumerate() {
                prop_assert_eq!(sums.before(at), row);
                for within in 0..*height {
                    prop_assert_eq!(sums.find(row + u64::from(within)), (at, within));
                }
                row += u64::from(*height);
            }
            prop_assert_eq!(sums.total(), row);
        }
    }
}
