//! Coerce: sharpen a structure by its integrity constraints, or find that it describes nothing.
//!
//! Where a constraint's body is definitely true, its head is made true: an indefinite value becomes
//! definite, a contradicting one means that no concrete structure is described (survey §4.3.7, "Sharpening
//! Structures via Coercing"). Repeated until nothing changes; a constraint is evaluated again only when a
//! predicate it reads has changed. Values only ever become definite, so the number of rounds is bounded by
//! the number of indefinite values.
//!
//! Facts about an optional summary hold for whatever it stands for, possibly nothing. Hence nothing is
//! refuted by them, no edge at an optional summary is changed (it also stands for connections through
//! it), and such a summary stays one.

use crate::constraint::{Constraint, Head};
use crate::eval::{Evaluator, MatrixCache};
use crate::formula::{Formula, MAX_VARS, Var};
use crate::kleene::{Kleene, Lanes};
use crate::structure::Structure;
use crate::vocabulary::{PredId, Vocabulary};
use crate::wide::{bind, row_count};
use std::cell::RefCell;

/// Constraints prepared for repeated use: which predicates each one reads.
#[derive(Clone, Debug, Default)]
pub struct Coercion {
    constraints: Vec<Constraint>,
    /// For every predicate, and last for equality, the constraints that mention it.
    readers: Vec<Vec<u32>>,
}

enum Change {
    None,
    Pred(usize),
    Equality,
    Contradiction,
}

impl Coercion {
    /// Prepares constraints over a vocabulary.
    pub fn new(voc: &Vocabulary, constraints: Vec<Constraint>) -> Coercion {
        let mut readers = vec![Vec::new(); voc.len() + 1];
        for (i, c) in constraints.iter().enumerate() {
            let mut reads = vec![false; voc.len() + 1];
            c.body.visit(&mut |f| match f {
                Formula::Pred(p, _) => reads[p.0 as usize] = true,
                Formula::Eq(..) | Formula::Exists(..) | Formula::Forall(..) => reads[voc.len()] = true,
                Formula::Closure(_) => reads[voc.len()] = true,
                _ => {}
            });
            match &c.head {
                Head::Pred(p, ..) => reads[p.0 as usize] = true,
                Head::Eq(..) => reads[voc.len()] = true,
                Head::Never => {}
            }
            for (p, read) in reads.into_iter().enumerate() {
                if read {
                    readers[p].push(i as u32);
                }
            }
        }
        Coercion { constraints, readers }
    }

    /// The constraints.
    pub fn constraints(&self) -> &[Constraint] {
        &self.constraints
    }

    /// Sharpens `s`; false if it violates a constraint.
    pub fn apply(&self, voc: &Vocabulary, s: &mut Structure) -> bool {
        self.check(voc, s).is_ok()
    }

    /// Sharpens `s`, or finds a constraint that it violates; `s` is then left as far as it was sharpened.
    pub fn check(&self, voc: &Vocabulary, s: &mut Structure) -> Result<(), &Constraint> {
        self.run(voc, s, vec![true; self.constraints.len()])
    }

    /// Sharpens a structure that differs from a sharpened one in these predicates only, and in equality if
    /// `individuals` is set (a summary was split in two parts that are otherwise alike).
    pub fn reapply(
        &self,
        voc: &Vocabulary,
        s: &mut Structure,
        changed: impl IntoIterator<Item = PredId>,
        individuals: bool,
    ) -> Result<(), &Constraint> {
        let mut pending = vec![false; self.constraints.len()];
        let equality = individuals.then_some(voc.len());
        for p in changed.into_iter().map(|p| p.0 as usize).chain(equality) {
            for &r in &self.readers[p] {
                pending[r as usize] = true;
            }
        }
        self.run(voc, s, pending)
    }

    fn run(&self, voc: &Vocabulary, s: &mut Structure, mut pending: Vec<bool>) -> Result<(), &Constraint> {
        let cache = RefCell::new(MatrixCache::default());
        loop {
            let mut progress = false;
            for i in 0..self.constraints.len() {
                if !std::mem::replace(&mut pending[i], false) {
                    continue;
                }
                let changed = match enforce(voc, &self.constraints[i], s, &cache) {
                    Change::None => continue,
                    Change::Contradiction => return Err(&self.constraints[i]),
                    Change::Pred(p) => p,
                    Change::Equality => voc.len(),
                };
                progress = true;
                let predicate = (changed < voc.len()).then(|| voc.get(PredId(changed as u32)));
                match predicate {
                    Some(p) if p.arity == 2 => cache.borrow_mut().forget(p.slot),
                    Some(_) => {}
                    None => cache.borrow_mut().clear(),
                }
                for &r in &self.readers[changed] {
                    pending[r as usize] = true;
                }
            }
            if !progress {
                return Ok(());
            }
        }
    }
}

/// Outcome of making `lanes` true (or false) where `wanted` demands it.
fn sharpen(lanes: &mut Lanes, wanted: u64, positive: bool, certain: u64) -> Result<bool, ()> {
    if wanted & certain & (if positive { !lanes.may } else { lanes.must }) != 0 {
        return Err(());
    }
    let changed = wanted & lanes.unknown();
    if positive {
        lanes.must |= changed;
    } else {
        lanes.may &= !changed;
    }
    Ok(changed != 0)
}

fn enforce(voc: &Vocabulary, c: &Constraint, s: &mut Structure, cache: &RefCell<MatrixCache>) -> Change {
    let mut env = [0u8; MAX_VARS];
    let certain = s.universe() & !s.optional();
    let outcome = |result: Result<bool, ()>, change: Change| match result {
        Err(()) => Change::Contradiction,
        Ok(true) => change,
        Ok(false) => Change::None,
    };
    match &c.head {
        Head::Never => match Evaluator::with_cache(voc, s, cache).value(&c.body, &mut env) {
            Kleene::True => Change::Contradiction,
            _ => Change::None,
        },
        Head::Pred(p, args, positive) => {
            let slot = voc.get(*p).slot;
            let change = Change::Pred(p.0 as usize);
            match args[..] {
                [] => {
                    if Evaluator::with_cache(voc, s, cache).value(&c.body, &mut env) != Kleene::True {
                        return Change::None;
                    }
                    let now = s.nullary(slot);
                    if now == Kleene::from(!*positive) {
                        return Change::Contradiction;
                    }
                    s.set_nullary(slot, Kleene::from(*positive));
                    outcome(Ok(now == Kleene::Unknown), change)
                }
                [v] => {
                    let body = Evaluator::with_cache(voc, s, cache).lanes(&c.body, &mut env, v);
                    if body.must == 0 {
                        return Change::None;
                    }
                    let mut lanes = s.unary(slot);
                    let result = sharpen(&mut lanes, body.must, *positive, certain);
                    s.set_unary(slot, lanes);
                    outcome(result, change)
                }
                [u, v] => {
                    let eval = Evaluator::with_cache(voc, s, cache);
                    let mut rows: Vec<(usize, u64)> = Vec::new();
                    if u == v {
                        let body = eval.lanes(&c.body, &mut env, u).must & certain;
                        rows.extend(crate::kleene::lanes_of(body).map(|i| (i, 1u64 << i)));
                    } else {
                        for i in crate::kleene::lanes_of(certain) {
                            env[usize::from(u.0) % MAX_VARS] = i as u8;
                            let body = eval.lanes(&c.body, &mut env, v).must & certain;
                            if body != 0 {
                                rows.push((i, body));
                            }
                        }
                    }
                    let mut any = false;
                    for (i, wanted) in rows {
                        let mut lanes = s.row(slot, i);
                        match sharpen(&mut lanes, wanted, *positive, certain) {
                            Err(()) => return Change::Contradiction,
                            Ok(changed) => any |= changed,
                        }
                        s.set_row(slot, i, lanes);
                    }
                    outcome(Ok(any), change)
                }
                _ => outcome(enforce_wide(voc, c, (*p, args, *positive), s, cache), change),
            }
        }
        Head::Eq(u, v, positive) => enforce_equality(voc, c, (*u, *v, *positive), s, certain, cache),
    }
}

/// Enforces a constraint about a predicate of three and more arguments, some of which may be the same variable.
fn enforce_wide(
    voc: &Vocabulary,
    c: &Constraint,
    (pred, args, positive): (PredId, &[Var], bool),
    s: &mut Structure,
    cache: &RefCell<MatrixCache>,
) -> Result<bool, ()> {
    let mut vars = args.to_vec();
    vars.sort_unstable();
    vars.dedup();
    let Some((&last, first)) = vars.split_last() else { return Ok(false) };
    let mut wanted: Vec<Vec<usize>> = Vec::new();
    {
        let eval = Evaluator::with_cache(voc, s, cache);
        let mut env = [0u8; MAX_VARS];
        for row in 0..row_count(s.size(), vars.len()) {
            bind(&vars, row, s.size(), &mut env);
            if first.iter().any(|v| s.optional() >> env[usize::from(v.0) % MAX_VARS] & 1 == 1) {
                continue;
            }
            let body = eval.lanes(&c.body, &mut env, last).must & !s.optional();
            for lane in crate::kleene::lanes_of(body) {
                let node =
                    |v: &Var| if *v == last { lane } else { usize::from(env[usize::from(v.0) % MAX_VARS]) };
                wanted.push(args.iter().map(node).collect());
            }
        }
    }
    let mut any = false;
    for tuple in wanted {
        match s.value(voc, pred, &tuple) {
            Kleene::Unknown => {
                s.set_value(voc, pred, &tuple, Kleene::from(positive));
                any = true;
            }
            now if now == Kleene::from(positive) => {}
            _ => return Err(()),
        }
    }
    Ok(any)
}

fn enforce_equality(
    voc: &Vocabulary,
    c: &Constraint,
    (u, v, positive): (Var, Var, bool),
    s: &mut Structure,
    certain: u64,
    cache: &RefCell<MatrixCache>,
) -> Change {
    let mut env = [0u8; MAX_VARS];
    let eval = Evaluator::with_cache(voc, s, cache);
    let mut single = 0u64;
    for i in crate::kleene::lanes_of(certain) {
        env[usize::from(u.0) % MAX_VARS] = i as u8;
        let body = eval.lanes(&c.body, &mut env, v).must & certain;
        let own = body & (1 << i);
        if positive {
            if body != own {
                return Change::Contradiction;
            }
            single |= own & s.summaries();
        } else if own != 0 {
            return Change::Contradiction;
        }
    }
    for i in crate::kleene::lanes_of(single) {
        s.set_summary(i, false);
    }
    if single == 0 { Change::None } else { Change::Equality }
}
