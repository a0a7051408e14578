//! Path expressions: which fields are followed from one node to another (Li et al. 2017, §3.2).
//!
//! The grammar is `e ::= ε | f | (f₀ + … + fₙ)* | e · e`; a field is the offset of the cell that holds the pointer. The
//! set of all fields, which bounded expressions need (Def. 8), is one more kind of star.
//!
//! Inclusion of languages is exact: an expression is an automaton whose states are the gaps between its atoms, with
//! steps to the right and loops only, so the pairs of a gap of one expression and a set of gaps of the other are
//! searched. Cost: in the worst case exponential in the length of the right expression, but sets of gaps that occur are
//! intervals with few holes; expressions of a few atoms take microseconds.

use smallvec::{SmallVec, smallvec};
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

/// A field: the byte offset of the cell in its object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Field(pub u64);

/// One factor of an expression.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Atom {
    /// One step along a field.
    Step(Field),
    /// Any number of steps along these fields (sorted, without repetition).
    Star(Arc<[Field]>),
    /// Any number of steps along any fields.
    AnyStar,
}

/// A product of atoms; the empty one is ε.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Path(pub SmallVec<[Atom; 4]>);

/// Longest expression whose language is compared; longer ones are included only in equal ones.
pub const MAX_ATOMS: usize = 63;

impl Atom {
    /// Any number of steps along these fields.
    pub fn star(fields: impl IntoIterator<Item = Field>) -> Atom {
        let set: BTreeSet<Field> = fields.into_iter().collect();
        Atom::Star(set.into_iter().collect())
    }

    fn is_star(&self) -> bool {
        !matches!(self, Atom::Step(_))
    }

    /// Whether the letter (`None` stands for a field that no expression names) is one of its steps.
    fn takes(&self, letter: Option<Field>) -> bool {
        match self {
            Atom::Step(f) => letter == Some(*f),
            Atom::Star(set) => letter.is_some_and(|l| set.contains(&l)),
            Atom::AnyStar => true,
        }
    }

    /// The fields that it names.
    pub fn fields(&self) -> &[Field] {
        match self {
            Atom::Step(f) => std::slice::from_ref(f),
            Atom::Star(set) => set,
            Atom::AnyStar => &[],
        }
    }
}

impl Path {
    /// No step.
    pub fn empty() -> Path {
        Path::default()
    }

    /// One step.
    pub fn step(field: Field) -> Path {
        Path(smallvec![Atom::Step(field)])
    }

    /// Any number of steps along these fields.
    pub fn star(fields: impl IntoIterator<Item = Field>) -> Path {
        Path(smallvec![Atom::star(fields)])
    }

    /// This path, then the other. Equal stars that meet are one.
    pub fn then(&self, other: &Path) -> Path {
        let mut atoms = self.0.clone();
        for atom in &other.0 {
            if !(atom.is_star() && atoms.last() == Some(atom)) {
                atoms.push(atom.clone());
            }
        }
        Path(atoms)
    }

    /// The gaps that can be reached without a step from those in the set: stars may be passed over.
    fn closed(&self, mut gaps: u64) -> u64 {
        for (i, atom) in self.0.iter().enumerate() {
            if gaps & (1 << i) != 0 && atom.is_star() {
                gaps |= 1 << (i + 1);
            }
        }
        gaps
    }

    /// The gaps after a step along `letter`, closed.
    fn after(&self, gaps: u64, letter: Option<Field>) -> u64 {
        let mut next = 0;
        for (i, atom) in self.0.iter().enumerate() {
            if gaps & (1 << i) != 0 && atom.takes(letter) {
                next |= if atom.is_star() { 1 << i } else { 1 << (i + 1) };
            }
        }
        self.closed(next)
    }

    fn accepts_at(&self, gaps: u64) -> bool {
        gaps & (1 << self.0.len()) != 0
    }

    /// Whether this sequence of steps is one of the language; `None` stands for a field that no expression names.
    pub fn contains(&self, word: &[Option<Field>]) -> bool {
        self.0.len() <= MAX_ATOMS
            && self.accepts_at(word.iter().fold(self.closed(1), |gaps, letter| self.after(gaps, *letter)))
    }

    /// Whether every path of this language is one of the other.
    pub fn included_in(&self, other: &Path) -> bool {
        if self == other {
            return true;
        }
        if self.0.len() > MAX_ATOMS || other.0.len() > MAX_ATOMS {
            return false;
        }
        // What both begin or end with makes no difference.
        let is_same_step = |(a, b): &(&Atom, &Atom)| a == b && !a.is_star();
        let begin = self.0.iter().zip(&other.0).take_while(is_same_step).count();
        let (mine, theirs) = (&self.0[begin..], &other.0[begin..]);
        let end = mine.iter().rev().zip(theirs.iter().rev()).take_while(is_same_step).count();
        let (mine, theirs) = (&mine[..mine.len() - end], &theirs[..theirs.len() - end]);
        let steps = |atoms: &[Atom]| atoms.iter().filter(|a| !a.is_star()).count();
        let goes_on = |a: &Atom| a.is_star() && (*a == Atom::AnyStar || !a.fields().is_empty());
        match theirs {
            [Atom::AnyStar] => true,
            // One star takes any order of its fields.
            [Atom::Star(set)] => {
                mine.iter().all(|a| *a != Atom::AnyStar && a.fields().iter().all(|f| set.contains(f)))
            }
            // The shortest path here is too short, or some are too long.
            _ if steps(mine) < steps(theirs) => false,
            _ if mine.iter().any(goes_on) && !theirs.iter().any(goes_on) => false,
            _ => self.stays_in(other),
        }
    }

    /// [`Path::counterexample`] finds none; without the words, since only the answer is wanted.
    fn stays_in(&self, other: &Path) -> bool {
        let letters = self.letters(other);
        let mut seen: SmallVec<[(u64, u64); 16]> = smallvec![(self.closed(1), other.closed(1))];
        let mut at = 0;
        while let Some((mine, theirs)) = seen.get(at).copied() {
            if self.accepts_at(mine) && !other.accepts_at(theirs) {
                return false;
            }
            for letter in &letters {
                let next = (self.after(mine, *letter), other.after(theirs, *letter));
                if next.0 != 0 && !seen.contains(&next) {
                    seen.push(next);
                }
            }
            at += 1;
        }
        true
    }

    /// The letters that matter for the question whether this language is included in the other.
    fn letters(&self, other: &Path) -> SmallVec<[Option<Field>; 8]> {
        let mut letters: SmallVec<[Option<Field>; 8]> = SmallVec::new();
        let mut add = |letter: Option<Field>| {
            if !letters.contains(&letter) {
                letters.push(letter);
            }
        };
        self.0.iter().flat_map(Atom::fields).for_each(|f| add(Some(*f)));
        if self.0.contains(&Atom::AnyStar) {
            // Fields that only the other one names behave differently there, all the rest alike.
            other.0.iter().flat_map(Atom::fields).for_each(|f| add(Some(*f)));
            add(None);
        }
        letters
    }

    /// A shortest sequence of steps in this language that is not in the other.
    pub fn counterexample(&self, other: &Path) -> Option<Vec<Option<Field>>> {
        if self.0.len() > MAX_ATOMS || other.0.len() > MAX_ATOMS {
            return (self != other).then(Vec::new);
        }
        let letters = self.letters(other);
        let start = (self.closed(1), other.closed(1));
        let mut seen = BTreeSet::from([start]);
        let mut queue = VecDeque::from([(start, Vec::new())]);
        while let Some(((mine, other_gaps), word)) = queue.pop_front() {
            if self.accepts_at(mine) && !other.accepts_at(other_gaps) {
                return Some(word);
            }
            for letter in &letters {
                let next = (self.after(mine, *letter), other.after(other_gaps, *letter));
                if next.0 != 0 && seen.insert(next) {
                    let mut longer = word.clone();
                    longer.push(*letter);
                    queue.push_back((next, longer));
                }
            }
        }
        None
    }

    /// `φ` (Def. 3): an expression around one star, whose other steps are all along fields of the star, is that star.
    pub fn generalised(&self) -> Path {
        let mut stars = self.0.iter().filter(|a| a.is_star());
        let Some(star) = stars.next() else { return self.clone() };
        let fits = |a: &Atom| match (a, star) {
            (Atom::Step(f), Atom::Star(set)) => set.contains(f),
            (Atom::Step(_), _) => true,
            _ => a == star,
        };
        if self.0.iter().all(fits) { Path(smallvec![star.clone()]) } else { self.clone() }
    }

    /// `ω` (Def. 8): the first `bound` atoms, then anything.
    pub fn bounded(&self, bound: usize) -> Path {
        let mut atoms: SmallVec<[Atom; 4]> = self.0.iter().take(bound).cloned().collect();
        if atoms.last() != Some(&Atom::AnyStar) {
            atoms.push(Atom::AnyStar);
        }
        Path(atoms)
    }

    /// The join of Def. 5: the common beginning, then any number of steps along the fields of both rests.
    pub fn joined(&self, other: &Path) -> Path {
        let common = self.0.iter().zip(&other.0).take_while(|(a, b)| a == b).count();
        let mut atoms: SmallVec<[Atom; 4]> = self.0[..common].iter().cloned().collect();
        let mine = &self.0[common..];
        let rest = || mine.iter().chain(&other.0[common..]);
        if rest().next().is_some() {
            let star = if rest().any(|a| *a == Atom::AnyStar) {
                Atom::AnyStar
            } else {
                Atom::star(rest().flat_map(Atom::fields).copied())
            };
            if atoms.last() != Some(&star) {
                atoms.push(star);
            }
        }
        Path(atoms)
    }
}

impl std::fmt::Display for Path {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0.is_empty() {
            return f.write_str("ε");
        }
        for (i, atom) in self.0.iter().enumerate() {
            let dot = if i > 0 { "·" } else { "" };
            match atom {
                Atom::Step(Field(off)) => write!(f, "{dot}+{off}")?,
                Atom::Star(set) => {
                    let names: Vec<String> = set.iter().map(|Field(off)| format!("+{off}")).collect();
                    write!(f, "{dot}({})*", names.join(" "))?;
                }
                Atom::AnyStar => write!(f, "{dot}F*")?,
            }
        }
        Ok(())
    }
}
