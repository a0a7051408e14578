//! Something for each parameter of a predicate, the root among them.
//!
//! Parameter 0 is the root, so that argument `k` of an instance, counted without the root, is parameter `k + 1`. That is said here
//! and nowhere else.

use std::ops::Deref;

/// Something for each parameter: by parameter as a slice, by argument with [`PerParam::arg`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PerParam<T>(Vec<T>);

impl<T> PerParam<T> {
    /// What there is for the arguments, in their order.
    pub fn args(&self) -> impl Iterator<Item = &T> {
        self.0.iter().skip(1)
    }
}

impl<T: Copy + Default> PerParam<T> {
    /// What there is for an argument, counted without the root; nothing, as its type has it, if there is no such argument.
    pub fn arg(&self, k: usize) -> T {
        self.0.get(param_of(k)).copied().unwrap_or_default()
    }
}

/// The parameter that an argument is given for.
pub fn param_of(k: usize) -> usize {
    k + 1
}

impl<T> Default for PerParam<T> {
    fn default() -> Self {
        PerParam(Vec::new())
    }
}

impl<T> Deref for PerParam<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> FromIterator<T> for PerParam<T> {
    fn from_iter<I: IntoIterator<Item = T>>(all: I) -> Self {
        PerParam(all.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_come_after_the_root() {
        let all: PerParam<i32> = [7, 8, 9].into_iter().collect();
        assert_eq!((all[0], all.arg(0), all.arg(1), all.arg(2)), (7, 8, 9, 0));
        assert!(all.args().eq(&[8, 9]));
    }
}
