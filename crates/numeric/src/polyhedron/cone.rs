//! Polyhedral cones with exact integer coordinates, and the conversion between their two descriptions.
//!
//! A cone is given either by equalities and inequalities or by lines and rays; [`dual`] computes one description
//! from the other (they are dual, so one function serves both directions) by N. Chernikova's algorithm as
//! improved by H. Le Verge (*A note on Chernikova's algorithm*, 1992): constraints are added one by one, and new
//! rays arise from adjacent pairs only, so the result has no redundant element. Exponential in the worst case;
//! beyond [`MAX_RAYS`] rays, or numbers beyond `i128`, the conversion gives up.

/// A vector with the greatest common divisor 1.
pub(super) type Row = Vec<i128>;

/// Most rays that an intermediate result may have.
const MAX_RAYS: usize = 2_000;

/// Elements of both signs, and elements of one sign.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Cone {
    /// Lines, or equalities.
    pub(super) lines: Vec<Row>,
    /// Rays, or inequalities.
    pub(super) rays: Vec<Row>,
}

fn gcd(a: u128, b: u128) -> u128 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The greatest common divisor of some coordinates, 0 if all are 0; `None` if it does not fit.
pub(super) fn content(row: &[i128]) -> Option<i128> {
    i128::try_from(row.iter().fold(0, |g, c| gcd(g, c.unsigned_abs()))).ok()
}

fn normal(mut row: Row) -> Option<Row> {
    let divisor = content(&row)?;
    if divisor > 1 {
        row.iter_mut().for_each(|c| *c /= divisor);
    }
    Some(row)
}

/// The scalar product.
pub(super) fn product(a: &[i128], b: &[i128]) -> Option<i128> {
    a.iter().zip(b).try_fold(0i128, |sum, (x, y)| sum.checked_add(x.checked_mul(*y)?))
}

/// `p · a + q · b`
fn combine(p: i128, a: &[i128], q: i128, b: &[i128]) -> Option<Row> {
    let sum = |(x, y): (&i128, &i128)| p.checked_mul(*x)?.checked_add(q.checked_mul(*y)?);
    normal(a.iter().zip(b).map(sum).collect::<Option<Row>>()?)
}

/// Which inequalities a ray satisfies with equality.
type Saturated = Vec<u64>;

fn mark(set: &mut Saturated, i: usize) {
    if set.len() <= i / 64 {
        set.resize(i / 64 + 1, 0);
    }
    if let Some(word) = set.get_mut(i / 64) {
        *word |= 1 << (i % 64);
    }
}

fn common(a: &Saturated, b: &Saturated) -> Saturated {
    a.iter().zip(b).map(|(x, y)| x & y).collect()
}

fn includes(a: &Saturated, b: &Saturated) -> bool {
    b.iter().enumerate().all(|(i, y)| a.get(i).copied().unwrap_or(0) & y == *y)
}

struct Conversion {
    lines: Vec<Row>,
    rays: Vec<(Row, Saturated)>,
    /// Number of inequalities so far.
    count: usize,
    /// Number of equalities so far.
    equalities: usize,
}

impl Conversion {
    /// Adds a constraint: the product with `row` must be at least 0, or 0 for an equality.
    fn add(&mut self, row: &[i128], equality: bool) -> Option<()> {
        let products: Vec<i128> = self.lines.iter().map(|l| product(row, l)).collect::<Option<_>>()?;
        match products.iter().position(|p| *p != 0) {
            Some(at) => self.split_line(row, at, equality)?,
            None => self.cut_rays(row, equality)?,
        }
        self.count += usize::from(!equality);
        self.equalities += usize::from(equality);
        Some(())
    }

    /// A line that leaves the hyperplane becomes a ray; all others are moved along it into the hyperplane.
    fn split_line(&mut self, row: &[i128], at: usize, equality: bool) -> Option<()> {
        let mut line = self.lines.swap_remove(at);
        let mut height = product(row, &line)?;
        if height < 0 {
            line = line.iter().map(|c| c.checked_neg()).collect::<Option<_>>()?;
            height = height.checked_neg()?;
        }
        for other in &mut self.lines {
            *other = combine(height, other, product(row, other)?.checked_neg()?, &line)?;
        }
        for (ray, saturated) in &mut self.rays {
            *ray = combine(height, ray, product(row, ray)?.checked_neg()?, &line)?;
            if !equality {
                mark(saturated, self.count);
            }
        }
        if !equality {
            let mut saturated = Saturated::new();
            (0..self.count).for_each(|i| mark(&mut saturated, i));
            self.rays.push((line, saturated));
        }
        Some(())
    }

    fn cut_rays(&mut self, row: &[i128], equality: bool) -> Option<()> {
        let heights: Vec<i128> = self.rays.iter().map(|(r, _)| product(row, r)).collect::<Option<_>>()?;
        // Adjacent rays have all but two of the dimensions of the pointed part in common; equalities may repeat
        // each other, so this is a lower bound.
        let shared = row.len().saturating_sub(self.lines.len() + self.equalities + usize::from(equality) + 2);
        let mut added = Vec::new();
        for (i, (&up, (ray, saturated))) in heights.iter().zip(&self.rays).enumerate().filter(|x| *x.1.0 > 0)
        {
            for (j, (&down, (other, also))) in
                heights.iter().zip(&self.rays).enumerate().filter(|x| *x.1.0 < 0)
            {
                let both = common(saturated, also);
                if both.iter().map(|w| w.count_ones() as usize).sum::<usize>() < shared {
                    continue;
                }
                let mut between = self.rays.iter().enumerate().filter(|(k, _)| *k != i && *k != j);
                if between.any(|(_, (_, third))| includes(third, &both)) {
                    continue;
                }
                let mut both = both;
                if !equality {
                    mark(&mut both, self.count);
                }
                added.push((combine(up, other, down.checked_neg()?, ray)?, both));
            }
        }
        let mut kept = Vec::new();
        for (height, (ray, mut saturated)) in heights.into_iter().zip(std::mem::take(&mut self.rays)) {
            if height == 0 && !equality {
                mark(&mut saturated, self.count);
            }
            if height == 0 || height > 0 && !equality {
                kept.push((ray, saturated));
            }
        }
        kept.append(&mut added);
        self.rays = kept;
        (self.rays.len() <= MAX_RAYS).then_some(())
    }
}

/// The other description of the cone in `width` dimensions given by `lines` and `rays`.
pub(super) fn dual(width: usize, lines: &[Row], rays: &[Row]) -> Option<Cone> {
    let unit = |i: usize| (0..width).map(|j| i128::from(i == j)).collect();
    let mut conversion =
        Conversion { lines: (0..width).map(unit).collect(), rays: Vec::new(), count: 0, equalities: 0 };
    for row in lines {
        conversion.add(row, true)?;
    }
    for row in rays {
        conversion.add(row, false)?;
    }
    let mut lines = conversion.lines;
    let mut rays: Vec<Row> = conversion.rays.into_iter().map(|(ray, _)| ray).collect();
    lines.sort();
    rays.sort();
    Some(Cone { lines, rays })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_has_four_corners_and_four_sides() {
        // 0 ≤ x, y ≤ 1, homogenised by the first coordinate.
        let sides = [vec![0, 1, 0], vec![0, 0, 1], vec![1, -1, 0], vec![1, 0, -1], vec![2, -1, -1]];
        let corners = dual(3, &[], &sides).unwrap();
        assert_eq!(corners.lines.len(), 0);
        assert_eq!(corners.rays, [[1, 0, 0], [1, 0, 1], [1, 1, 0], [1, 1, 1]]);
        assert_eq!(dual(3, &corners.lines, &corners.rays).unwrap().rays.len(), 4);
    }

    #[test]
    fn a_line_stays_a_line() {
        let cone = dual(3, &[vec![0, 1, -1]], &[vec![1, 0, 0]]).unwrap();
        assert_eq!((cone.lines, cone.rays), (vec![vec![0, 1, 1]], vec![vec![1, 0, 0]]));
    }

    #[test]
    fn too_large_numbers_give_up() {
        assert_eq!(dual(2, &[], &[vec![i128::MAX, 3], vec![-5, i128::MAX - 7], vec![3, -i128::MAX]]), None);
    }
}
