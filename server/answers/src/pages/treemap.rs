//! The layout of a treemap: rows of tiles that are as square as possible, the largest first.

/// A rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tile {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Tile {
    /// The tiles with these areas along the shorter side of the rectangle, and the rest of the rectangle.
    fn without(self, areas: &[f64]) -> (Vec<Self>, Self) {
        let area: f64 = areas.iter().sum();
        let is_wide = self.width >= self.height;
        let side = if is_wide { self.height } else { self.width };
        let depth = if side > 0.0 { area / side } else { 0.0 };
        let mut along = 0.0;
        let tiles = areas.iter().map(|own| {
            let length = if depth > 0.0 { own / depth } else { 0.0 };
            let tile = if is_wide {
                Self { x: self.x, y: self.y + along, width: depth, height: length }
            } else {
                Self { x: self.x + along, y: self.y, width: length, height: depth }
            };
            along += length;
            tile
        });
        let tiles = tiles.collect();
        let rest = if is_wide {
            Self { x: self.x + depth, width: (self.width - depth).max(0.0), ..self }
        } else {
            Self { y: self.y + depth, height: (self.height - depth).max(0.0), ..self }
        };
        (tiles, rest)
    }
}

/// The largest ratio of the sides of tiles with these areas along a side.
fn worst(areas: &[f64], side: f64) -> f64 {
    let area: f64 = areas.iter().sum();
    let ratio = |own: &f64| {
        let (depth, length) = (area / side, own * side / area);
        (depth / length).max(length / depth)
    };
    areas.iter().map(ratio).fold(0.0, f64::max)
}

/// A tile for each weight, in the order of the weights, which are sorted from large to small.
pub(super) fn tiles(weights: &[f64], width: f64, height: f64) -> Vec<Tile> {
    let sum: f64 = weights.iter().sum();
    let scale = if sum > 0.0 { width * height / sum } else { 0.0 };
    let areas: Vec<f64> = weights.iter().map(|weight| weight * scale).collect();
    let mut tiles = Vec::with_capacity(areas.len());
    let mut left = Tile { x: 0.0, y: 0.0, width, height };
    let mut rest = areas.as_slice();
    while !rest.is_empty() {
        let side = left.width.min(left.height);
        let mut count = 1;
        let of = |count: usize| worst(rest.get(..count).unwrap_or(rest), side);
        while count < rest.len() && of(count + 1) <= of(count) {
            count += 1;
        }
        let (row, remaining_areas) = rest.split_at(count);
        let (placed, remaining) = left.without(row);
        tiles.extend(placed);
        (left, rest) = (remaining, remaining_areas);
    }
    tiles
}
