//! Which disjuncts are put together (Li, Berenger, Chang, Rival 2017, §4.4 and §5), and what that costs.
//!
//! A [`Strategy`] decides which pairs of disjuncts the join is tried on; the join itself refuses what has no common
//! description, so that a strategy changes how many disjuncts there are and what is forgotten, never soundness. Pairs are
//! found by silhouettes ([`heapwise_heap::silhouette`]): at loop heads by association or by pairing with bounded
//! expressions, elsewhere by the connected components of association, in the order in which it finds them.
//!
//! The silhouette of a disjunct is computed once and kept beside it ([`Disjunct`]), and so is what was found out about two
//! of them. They are asked before inclusion as
//! well: where weak entailment fails, inclusion need not be tried.

use crate::budget::Patience;
use crate::precision::Strategy;
use crate::report::{Statistics, Work};
use heapwise_heap::lattice::inclusion::{included, may_be_included};
use heapwise_heap::lattice::join::{JoinOptions, Refusal, join};
use heapwise_heap::silhouette::{KnownSilhouettes, Relation, Silhouette, SilhouetteId, groups};
use heapwise_heap::{PredId, PredTable, Root, State, Val};
use smallvec::SmallVec;
use std::cell::OnceCell;
use std::time::Instant;

/// A disjunct with its silhouette, once it is asked for: its number in the table of the analysis.
#[derive(Clone, Debug)]
pub(crate) struct Disjunct {
    pub(crate) state: State,
    silhouette: OnceCell<SilhouetteId>,
    /// The number of its blocks of the heap.
    blocks: OnceCell<usize>,
}

impl Disjunct {
    pub(crate) fn new(state: State) -> Disjunct {
        Disjunct { state, silhouette: OnceCell::new(), blocks: OnceCell::new() }
    }

    fn blocks(&self) -> usize {
        *self.blocks.get_or_init(|| self.state.heap_blocks())
    }
}

/// Tries to join and to include disjuncts as a strategy says; counts and measures.
pub(crate) struct Merger<'a> {
    pub(crate) strategy: Strategy,
    pub(crate) preds: &'a PredTable,
    pub(crate) statistics: &'a mut Statistics,
    pub(crate) silhouettes: &'a mut KnownSilhouettes,
    /// Whether joins that forget how cursors reach each other are counted, which costs time.
    pub(crate) count_losses: bool,
    /// When to stop comparing: afterwards nothing is included in anything, and nothing is joined.
    pub(crate) patience: Patience<'a>,
    /// Why the last join was refused.
    pub(crate) refusal: Option<Refusal>,
}

impl Merger<'_> {
    /// The silhouette of a disjunct with null as a place. Variables that are dead are no roots where disjuncts meet, so
    /// all roots count.
    fn with_null(&mut self, disjunct: &Disjunct) -> SilhouetteId {
        if disjunct.silhouette.get().is_none() {
            self.statistics.work.silhouettes += Work::of(4, disjunct.state.pieces());
        }
        *disjunct.silhouette.get_or_init(|| self.silhouettes.of(&disjunct.state, self.preds))
    }

    fn plain(&mut self, disjunct: &Disjunct) -> SilhouetteId {
        let id = self.with_null(disjunct);
        self.silhouettes.without_null(id)
    }

    fn generalised(&mut self, disjunct: &Disjunct) -> SilhouetteId {
        let id = self.plain(disjunct);
        self.silhouettes.generalised(id)
    }

    /// Whether the strategy puts two disjuncts together.
    fn together(&mut self, a: &Disjunct, b: &Disjunct, widening: bool) -> bool {
        match self.strategy {
            Strategy::None | Strategy::Any => true,
            Strategy::Included => false,
            Strategy::Canon | Strategy::CanonGuided => self.plain(a) == self.plain(b),
            Strategy::Clump | Strategy::ClumpGuided => {
                let general = (self.generalised(a), self.generalised(b));
                self.silhouettes.are(Relation::Associated, general.0, general.1)
                    || widening && {
                        let plain = (self.plain(a), self.plain(b));
                        self.silhouettes.are(Relation::TakesIn, plain.0, plain.1)
                    }
            }
        }
    }

    /// Whether a disjunct is included in one of the others.
    pub(crate) fn covered(&mut self, special: &Disjunct, general: &[Disjunct]) -> bool {
        let pairs = self.comparable(general.len(), |k| (special, &general[k]));
        pairs.into_iter().any(|k| self.included(special, &general[k]))
    }

    /// Removes the disjuncts that another one includes.
    pub(crate) fn drop_covered(&mut self, special: &mut Vec<Disjunct>, general: &Disjunct) {
        let mut pairs = self.comparable(special.len(), |k| (&special[k], general));
        pairs.retain(|k| self.included(&special[*k], general));
        let (mut covered, mut at) = (pairs.into_iter().peekable(), 0..);
        special.retain(|_| covered.next_if_eq(&at.next().unwrap_or_default()).is_none());
    }

    /// Adds a disjunct to others unless one of them includes it; those that it includes go.
    pub(crate) fn add(&mut self, kept: &mut Vec<Disjunct>, new: Disjunct) {
        if !self.covered(&new, kept) {
            self.drop_covered(kept, &new);
            kept.push(new);
        }
    }

    /// Those of the first `count` pairs of a special and a general disjunct for which inclusion has to be tried:
    /// first what can be seen at once is asked, then silhouettes.
    fn comparable<'d>(
        &mut self,
        count: usize,
        pair: impl Fn(usize) -> (&'d Disjunct, &'d Disjunct),
    ) -> SmallVec<[usize; 16]> {
        let at_first_sight = |k: &usize| {
            let (special, general) = pair(*k);
            may_be_included(&special.state, &general.state, [special.blocks(), general.blocks()])
        };
        let mut pairs: SmallVec<[usize; 16]> = (0..count).filter(at_first_sight).collect();
        // One look at the clock for all of them: it takes as long as a comparison.
        if self.strategy.by_silhouette() && !pairs.is_empty() {
            let start = Instant::now();
            pairs.retain(|k| {
                let (special, general) = pair(*k);
                self.may_entail(special, general)
            });
            self.statistics.clump_time += start.elapsed();
        }
        pairs
    }

    fn may_entail(&mut self, special: &Disjunct, general: &Disjunct) -> bool {
        let (s, g) = (self.with_null(special), self.with_null(general));
        s == g || {
            let plain = self.silhouettes.without_null(g);
            self.silhouettes.are(Relation::MayEntail, s, plain)
        }
    }

    /// Inclusion of disjuncts that are [`Merger::comparable`].
    fn included(&mut self, special: &Disjunct, general: &Disjunct) -> bool {
        self.statistics.work.inclusions += 4 + size(special, general) as u64;
        !self.patience.is_over(&self.statistics.work)
            && included(&special.state, &general.state, self.preds).is_ok()
    }

    /// The join of two disjuncts, if the strategy puts them together and they have a common description.
    pub(crate) fn join(
        &mut self,
        old: &Disjunct,
        new: &Disjunct,
        options: JoinOptions<'_>,
    ) -> Option<Disjunct> {
        if self.patience.is_over(&self.statistics.work) {
            return None;
        }
        let start = Instant::now();
        let together = self.together(old, new, options.widen.is_some());
        let grouped = Instant::now();
        self.statistics.clump_time += grouped - start;
        if !together {
            return None;
        }
        let options = JoinOptions { guided: self.strategy.guided(), ..options };
        self.statistics.work.joins += Work::of(8, size(old, new));
        let joined = join(&old.state, &new.state, self.preds, options);
        self.statistics.join_time += grouped.elapsed();
        match joined {
            Ok(state) => {
                self.statistics.joins += 1;
                if self.count_losses {
                    self.count_loss(&old.state, &new.state, &state);
                }
                Some(Disjunct::new(state))
            }
            Err(why) => {
                self.refusal = Some(why);
                self.statistics.refused_joins += 1;
                None
            }
        }
    }

    /// Counts a join that forgot how cursors reach each other. Nothing is left behind of it that would make the analysis
    /// itself quicker, and its time is no part of that of the analysis.
    fn count_loss(&mut self, old: &State, new: &State, joined: &State) {
        let start = Instant::now();
        let of = |state: &State| Silhouette::of(state, self.preds, |_| true);
        let wanted = of(old).joined(&of(new));
        let kept = Silhouette::with_null(joined, self.preds, |_| true).entails(&wanted);
        self.statistics.lossy_joins += usize::from(!kept);
        self.statistics.loss_time += start.elapsed();
    }

    /// The join of two exits that return different numbers and otherwise differ by numbers alone, such as those of a
    /// comparison: whoever asks for the number looks at it, and three disjuncts say no more than one.
    pub(crate) fn join_results(
        &mut self,
        old: &Disjunct,
        new: &Disjunct,
        options: JoinOptions<'_>,
    ) -> Option<Disjunct> {
        let number = |s: &State| s.root(Root::Result).filter(|v| !is_address(s, *v));
        let before = pieces(&old.state);
        if number(&old.state)? == number(&new.state)? || before != pieces(&new.state) {
            return None;
        }
        let options = JoinOptions { keep_constants: false, keep_flags: false, keep_null: false, ..options };
        let mut joined = self.join(old, new, options)?.state;
        joined.drop_implied(self.preds);
        (pieces(&joined) == before).then(|| Disjunct::new(joined))
    }

    /// The algorithm of Fig. 9: groups by silhouettes, and joins each group into as few disjuncts as the join allows.
    pub(crate) fn clumped(&mut self, disjuncts: Vec<Disjunct>, options: JoinOptions<'_>) -> Vec<Disjunct> {
        if disjuncts.len() < 2 || !self.strategy.by_silhouette() {
            return disjuncts;
        }
        let start = Instant::now();
        let groups = match self.strategy {
            Strategy::Clump | Strategy::ClumpGuided => {
                let all: Vec<SilhouetteId> = disjuncts.iter().map(|d| self.generalised(d)).collect();
                groups(all.len(), |i, j| self.silhouettes.are(Relation::Associated, all[i], all[j]))
            }
            _ => vec![(0..disjuncts.len()).collect()],
        };
        self.statistics.clump_time += start.elapsed();
        let mut slots: Vec<Option<Disjunct>> = disjuncts.into_iter().map(Some).collect();
        let mut out = Vec::new();
        for group in groups {
            let mut members: Vec<Disjunct> = Vec::new();
            for index in group {
                let Some(mut new) = slots.get_mut(index).and_then(Option::take) else { continue };
                let mut k = 0;
                while k < members.len() {
                    match self.join(&members[k], &new, options) {
                        Some(joined) => {
                            new = joined;
                            members.remove(k);
                        }
                        None => k += 1,
                    }
                }
                members.push(new);
            }
            out.extend(members);
        }
        out
    }
}

fn size(a: &Disjunct, b: &Disjunct) -> usize {
    a.state.pieces() + b.state.pieces()
}

/// The pieces of memory of a state: its blocks, what it says of structures, which of their addresses differ, and how many
/// cells hold constants. Two states with the same numbers of them that have a join with as many differ in nothing that a
/// shape is made of, nor by marks such as colours.
fn pieces(state: &State) -> (usize, Vec<PredId>, usize, usize) {
    let mut preds: Vec<PredId> = state.summaries().map(|s| s.pred).collect();
    preds.sort_unstable();
    let differ =
        state.numbers().disequalities().filter(|(a, b)| is_address(state, *a) || is_address(state, *b));
    let cells = state.objects().map(|(_, o)| o).flat_map(|o| o.cells());
    let marks = cells.filter(|(_, c)| c.val.as_int().is_some());
    (state.object_count(), preds, differ.count(), marks.count())
}

fn is_address(state: &State, v: Val) -> bool {
    v.as_sym().is_some_and(|s| state.owns_memory(s))
}
