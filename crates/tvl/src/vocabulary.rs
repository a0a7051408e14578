//! Predicate symbols: names, arities, properties, definitions.
//!
//! A vocabulary is fixed before the first structure is built. Each predicate gets a *slot* among those
//! of its arity, which is where structures store its values. **Invariant:** names are unique; an
//! instrumentation predicate's definition mentions only predicates declared before it (survey §4.3.2).

use crate::formula::{Formula, Var};
use rustc_hash::FxHashMap;

/// Identifies a predicate of one [`Vocabulary`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PredId(pub u32);

/// Properties a predicate may be declared with; each also yields integrity constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Property {
    /// Holds for at most one individual.
    Unique,
    /// At most one successor.
    Function,
    /// At most one predecessor.
    InvFunction,
    /// `p(a,b)` implies `p(b,a)`.
    Symmetric,
    /// `p(a,b)` and `p(b,a)` imply `a == b`.
    Antisymmetric,
    /// `p(a,a)`.
    Reflexive,
    /// Never `p(a,a)`.
    Antireflexive,
    /// `p(a,b)` and `p(b,c)` imply `p(a,c)`.
    Transitive,
    /// No path of one or more steps leads back.
    Acyclic,
}

/// How a predicate gets its values.
#[derive(Clone, Debug)]
pub enum Meaning {
    /// Set by update formulas only.
    Core,
    /// Defined by a formula over earlier predicates; `params` are the formula's free variables.
    Instrumentation {
        /// Free variables in the order of the predicate's arguments.
        params: Vec<Var>,
        /// The defining formula.
        definition: Formula,
    },
}

/// One predicate symbol.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// The name with its indices, such as `r[n,x]`.
    pub name: String,
    /// Number of arguments.
    pub arity: usize,
    /// Position among the predicates of the same arity, or among all of three and more arguments.
    pub slot: usize,
    /// Whether canonical names distinguish individuals (or structures, if nullary) by it.
    pub abstraction: bool,
    /// Whether drawings show it as a pointer variable.
    pub pointer: bool,
    /// Declared properties.
    pub properties: Vec<Property>,
    /// Core or instrumentation.
    pub meaning: Meaning,
}

/// The predicates of an analysis.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    predicates: Vec<Predicate>,
    by_name: FxHashMap<String, PredId>,
    by_arity: [Vec<PredId>; 3],
    wide: Vec<PredId>,
}

/// Why a predicate cannot be declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeclareError {
    /// The name is taken.
    Duplicate,
    /// More than [`crate::wide::MAX_ARITY`] arguments.
    Arity,
}

impl Vocabulary {
    /// An empty vocabulary.
    pub fn new() -> Vocabulary {
        Vocabulary::default()
    }

    /// Declares a predicate.
    pub fn declare(
        &mut self,
        name: impl Into<String>,
        arity: usize,
        meaning: Meaning,
    ) -> Result<PredId, DeclareError> {
        let name = name.into();
        if arity > crate::wide::MAX_ARITY {
            return Err(DeclareError::Arity);
        }
        if self.by_name.contains_key(&name) {
            return Err(DeclareError::Duplicate);
        }
        let class = self.by_arity.get_mut(arity).unwrap_or(&mut self.wide);
        let id = PredId(self.predicates.len() as u32);
        let slot = class.len();
        class.push(id);
        self.by_name.insert(name.clone(), id);
        self.predicates.push(Predicate {
            name,
            arity,
            slot,
            abstraction: arity < 2,
            pointer: false,
            properties: Vec::new(),
            meaning,
        });
        Ok(id)
    }

    /// The predicate with this id.
    ///
    /// # Panics
    /// Never for an id that this vocabulary returned.
    pub fn get(&self, id: PredId) -> &Predicate {
        &self.predicates[id.0 as usize]
    }

    /// The predicate with this id, to set its properties.
    ///
    /// # Panics
    /// Never for an id that this vocabulary returned.
    pub fn get_mut(&mut self, id: PredId) -> &mut Predicate {
        &mut self.predicates[id.0 as usize]
    }

    /// Looks a predicate up by its full name.
    pub fn lookup(&self, name: &str) -> Option<PredId> {
        self.by_name.get(name).copied()
    }

    /// The predicates of an arity, in slot order.
    pub fn of_arity(&self, arity: usize) -> &[PredId] {
        self.by_arity.get(arity).map_or(&[], |v| v)
    }

    /// The predicates of three and more arguments, in slot order.
    pub fn wide(&self) -> &[PredId] {
        &self.wide
    }

    /// All predicates in declaration order.
    pub fn ids(&self) -> impl Iterator<Item = PredId> + use<> {
        (0..self.predicates.len() as u32).map(PredId)
    }

    /// Number of predicates.
    pub fn len(&self) -> usize {
        self.predicates.len()
    }

    /// Whether nothing is declared.
    pub fn is_empty(&self) -> bool {
        self.predicates.is_empty()
    }
}
