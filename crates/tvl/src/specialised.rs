//! The specialised engine: fixpoint of [`crate::transfer`] over a [`Program`] (Arnold §3).
//!
//! The domain is the powerset of maximal bounded structures, strict or loose. Results are the structures
//! at every location and the findings at every edge.

use crate::canonical::Abstraction;
use crate::domain::{Embedding, Join, StructureSet};
use crate::program::Program;
use crate::schema::{Schema, Tracking};
use crate::solver::{Stop, priorities};
use crate::structure::Structure;
use crate::transfer::{FindingKind, Transfer};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// How to analyse.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Strict or loose.
    pub embedding: Embedding,
    /// Structures over all locations after which to stop.
    pub max_structures: usize,
    /// Time after which to stop.
    pub max_time: Option<Duration>,
    /// Statements applied to structures after which to stop, as if out of time.
    pub max_steps: Option<usize>,
    /// Which predicates to keep.
    pub tracking: Tracking,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            embedding: Embedding::Strict,
            max_structures: 200_000,
            max_time: None,
            max_steps: None,
            tracking: Tracking::Fields,
        }
    }
}

/// Something that may go wrong on an edge.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What.
    pub kind: FindingKind,
    /// Index of the edge.
    pub edge: usize,
    /// Whether some structure makes it certain.
    pub certain: bool,
    /// A structure before the edge on which it was found.
    pub structure: Structure,
}

/// The result of an analysis.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The predicates.
    pub schema: Schema,
    /// Structures by location.
    pub sets: Vec<StructureSet>,
    /// Findings by edge and kind.
    pub findings: Vec<Finding>,
    /// Why it ended.
    pub stop: Stop,
    /// Statements applied to structures.
    pub steps: usize,
    /// Time spent on refining structures.
    pub refinement: Duration,
}

impl Analysis {
    /// Whether the analysis is complete and found nothing.
    pub fn is_proved(&self) -> bool {
        self.stop == Stop::Fixpoint && self.findings.is_empty()
    }
}

/// Analyses a program from the empty heap. Fails with what is undeclared if the program is malformed.
pub fn analyse(program: &Program, options: &Options) -> Result<Analysis, String> {
    if let Some(bad) = program.undeclared() {
        return Err(bad);
    }
    let started = Instant::now();
    let schema = Schema::of(program, options.tracking);
    let abstraction = Abstraction::of(&schema.vocabulary);
    let mut sets = vec![StructureSet::new(Join::Maximal); program.locations.len()];
    let ends: Vec<(usize, usize)> =
        program.edges.iter().map(|e| (e.from.0 as usize, e.to.0 as usize)).collect();
    let entry = program.entry as usize;
    let position = priorities(program.locations.len(), entry, &ends);
    let mut outgoing = vec![Vec::new(); program.locations.len()];
    for (i, e) in program.edges.iter().enumerate() {
        outgoing[e.from.0 as usize].push(i);
    }
    let mut findings: BTreeMap<(usize, FindingKind), Finding> = BTreeMap::new();
    let mut queue: BTreeMap<usize, (usize, Vec<Structure>)> = BTreeMap::new();
    let mut refinement = Duration::ZERO;
    let (mut stop, mut steps, mut stored) = (Stop::Fixpoint, 0usize, 0usize);
    {
        let mut transfer = Transfer::new(&schema);
        let start = Structure::empty(&schema.vocabulary);
        if let Some(new) = sets[entry].insert(&abstraction, options.embedding, &start) {
            queue.insert(position[entry], (entry, vec![new]));
        }
        'work: while let Some((_, (location, batch))) = queue.pop_first() {
            for s in batch {
                if !sets[location].iter().any(|kept| *kept == s) {
                    continue;
                }
                for &e in &outgoing[location] {
                    let edge = &program.edges[e];
                    let outcome = transfer.apply(edge.statement, &s);
                    steps += 1;
                    refinement += outcome.refinement;
                    if outcome.incomplete {
                        stop = Stop::Individuals;
                    }
                    for (kind, certain) in outcome.findings {
                        let found = findings.entry((e, kind)).or_insert_with(|| Finding {
                            kind,
                            edge: e,
                            certain,
                            structure: s.clone(),
                        });
                        found.certain |= certain;
                    }
                    let to = edge.to.0 as usize;
                    for result in outcome.structures {
                        if let Some(new) = sets[to].insert(&abstraction, options.embedding, &result) {
                            stored += 1;
                            queue.entry(position[to]).or_insert((to, Vec::new())).1.push(new);
                        }
                    }
                    if stored > options.max_structures {
                        stop = Stop::Structures;
                        break 'work;
                    }
                    if options.max_steps.is_some_and(|limit| steps > limit)
                        || options.max_time.is_some_and(|limit| started.elapsed() > limit)
                    {
                        stop = Stop::Time;
                        break 'work;
                    }
                }
            }
        }
    }
    Ok(Analysis { schema, sets, findings: findings.into_values().collect(), stop, steps, refinement })
}
