//! Exact bounds of bitwise operations on unsigned ranges (*Hacker's Delight*, §4-3).

/// Bounds of a bitwise operation on `x` in `a..=b` and `y` in `c..=d`, all with bits up to `top`.
pub(super) type BitBound = fn(u128, u128, u128, u128, u32) -> u128;

/// Smallest `x | y` for `x` in `a..=b` and `y` in `c..=d`.
pub(super) fn min_or(mut a: u128, b: u128, mut c: u128, d: u128, top: u32) -> u128 {
    for bit in (0..=top).rev() {
        let m = 1u128 << bit;
        if !a & c & m != 0 {
            let t = (a | m) & !(m - 1);
            if t <= b {
                a = t;
                break;
            }
        } else if a & !c & m != 0 {
            let t = (c | m) & !(m - 1);
            if t <= d {
                c = t;
                break;
            }
        }
    }
    a | c
}

/// Largest `x | y`.
pub(super) fn max_or(a: u128, mut b: u128, c: u128, mut d: u128, top: u32) -> u128 {
    for bit in (0..=top).rev() {
        let m = 1u128 << bit;
        if b & d & m != 0 {
            let t = (b - m) | (m - 1);
            if t >= a {
                b = t;
                break;
            }
            let t = (d - m) | (m - 1);
            if t >= c {
                d = t;
                break;
            }
        }
    }
    b | d
}

fn inverted(x: u128, top: u32) -> u128 {
    !x & ((1u128 << (top + 1)) - 1)
}

/// Smallest `x & y`: by De Morgan from [`max_or`].
pub(super) fn min_and(a: u128, b: u128, c: u128, d: u128, top: u32) -> u128 {
    let not = |x| inverted(x, top);
    not(max_or(not(b), not(a), not(d), not(c), top))
}

/// Largest `x & y`.
pub(super) fn max_and(a: u128, b: u128, c: u128, d: u128, top: u32) -> u128 {
    let not = |x| inverted(x, top);
    not(min_or(not(b), not(a), not(d), not(c), top))
}

/// Smallest `x ^ y`.
pub(super) fn min_xor(mut a: u128, b: u128, mut c: u128, d: u128, top: u32) -> u128 {
    for bit in (0..=top).rev() {
        let m = 1u128 << bit;
        if !a & c & m != 0 {
            let t = (a | m) & !(m - 1);
            if t <= b {
                a = t;
            }
        } else if a & !c & m != 0 {
            let t = (c | m) & !(m - 1);
            if t <= d {
                c = t;
            }
        }
    }
    a ^ c
}

/// Largest `x ^ y`.
pub(super) fn max_xor(a: u128, mut b: u128, c: u128, mut d: u128, top: u32) -> u128 {
    for bit in (0..=top).rev() {
        let m = 1u128 << bit;
        if b & d & m != 0 {
            let t = (b - m) | (m - 1);
            if t >= a {
                b = t;
            } else {
                let t = (d - m) | (m - 1);
                if t >= c {
                    d = t;
                }
            }
        }
    }
    b ^ d
}
