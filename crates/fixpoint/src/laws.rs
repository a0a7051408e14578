//! A test suite for every domain: the laws of [`crate::domain`] that speak of states alone, on given samples; and with a
//! judge that knows γ, on given memories as well.
//!
//! Good samples are the states that analyses of programs met. The suite returns the first law that is broken. Cost: quadratic
//! in the number of samples. Transitivity is no law: an order that misses some pairs is sound all the same.

use crate::domain::Domain;

/// What was looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Pairs in order.
    pub ordered: usize,
    /// Pairs that were put together.
    pub joined: usize,
    /// Memories that were looked up in states.
    pub memories: usize,
}

/// Checks the laws of order, join, widening and generalisation on all pairs of samples.
pub fn domain_laws<D: Domain>(domain: &mut D, samples: &[D::State]) -> Result<Tally, String> {
    let mut tally = Tally::default();
    for a in samples {
        domain.leq(a, a).map_err(|why| format!("a state is not included in itself ({why}): {a:?}"))?;
        let general = domain.generalise(a.clone());
        if let [part] = general.as_slice() {
            domain
                .leq(a, part)
                .map_err(|why| format!("generalise lost something ({why}): {a:?} to {part:?}"))?;
        }
        for part in &general {
            for again in domain.generalise(part.clone()) {
                let stable = general.iter().any(|p| domain.leq(&again, p).is_ok());
                if !stable {
                    return Err(format!("generalise is not stable: {part:?} to {again:?}"));
                }
            }
        }
        for b in samples {
            tally.ordered += usize::from(domain.leq(a, b).is_ok());
            for (name, both) in [("join", domain.join(a, b)), ("widen", domain.widen(a, b))] {
                let Ok(both) = both else { continue };
                tally.joined += 1;
                for side in [a, b] {
                    domain.leq(side, &both).map_err(|why| {
                        format!("{name} lost something ({why}): {side:?} is not included in {both:?}")
                    })?;
                }
            }
        }
    }
    chains_end(domain, samples)?;
    Ok(tally)
}

/// Widening with all samples again and again must come to rest.
fn chains_end<D: Domain>(domain: &mut D, samples: &[D::State]) -> Result<(), String> {
    const ROUNDS: usize = 50;
    for start in samples {
        let mut state = start.clone();
        let mut rounds = 0;
        loop {
            let before = state.clone();
            for s in samples {
                if domain.leq(s, &state).is_err()
                    && let Ok(wider) = domain.widen(&state, s)
                {
                    state = wider;
                }
            }
            if state == before {
                break;
            }
            rounds += 1;
            if rounds > ROUNDS {
                return Err(format!("widening from {start:?} does not end"));
            }
        }
    }
    Ok(())
}

/// Checks the same operations against γ: a memory of a state must be one of every state above it, of every join with
/// another, and of its generalisation. `member` says whether a memory belongs to a state, if it can tell.
pub fn meaning_laws<D: Domain, M>(
    domain: &mut D,
    samples: &[D::State],
    memories: &[M],
    member: impl Fn(&D::State, &M) -> Option<bool>,
) -> Result<Tally, String> {
    let mut tally = Tally::default();
    for a in samples {
        let inside: Vec<&M> = memories.iter().filter(|m| member(a, m) == Some(true)).collect();
        tally.memories += inside.len();
        let outside = |s: &[D::State]| {
            inside.iter().any(|m| !s.is_empty() && s.iter().all(|s| member(s, m) == Some(false)))
        };
        let general = domain.generalise(a.clone());
        if outside(&general) {
            return Err(format!("a memory of {a:?} is not one of its generalisation {general:?}"));
        }
        for b in samples {
            if domain.leq(a, b).is_ok() {
                tally.ordered += 1;
                if outside(std::slice::from_ref(b)) {
                    return Err(format!("{a:?} counts as included in {b:?}, but a memory is not"));
                }
            }
            for both in [domain.join(a, b), domain.join(b, a), domain.widen(a, b), domain.widen(b, a)] {
                let Ok(both) = both else { continue };
                tally.joined += 1;
                if outside(std::slice::from_ref(&both)) {
                    return Err(format!(
                        "a memory of {a:?} is lost when it is put together with {b:?}: {both:?}"
                    ));
                }
            }
        }
    }
    Ok(tally)
}
