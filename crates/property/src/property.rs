//! What can be asked for, and which errors violate it: the one table.
//!
//! A new property is a line of the enumeration and an arm in each of the functions below it; command line, analyses and
//! runs ask these.

use crate::{ErrorKind, Kind, named};

named! {
/// Something that can be asked of a program.
Property {
    Deref "deref" "Accesses through null, dangling, uninitialised or out-of-bounds pointers";
    Contract "contract" "Calls of library functions outside their contracts, and writes to constants, which touch no invalid memory";
    Free "free" "Double and invalid frees";
    Leak "leak" "Blocks to which no pointer is left";
    Held "held" "Blocks that variables of `main` still hold when it returns";
    Cleanup "cleanup" "Blocks that are still allocated when the program ends";
    Uninitialised "uninitialised" "Uses of uninitialised values";
    Assertion "assertion" "Failing assertions";
    ReachError "reach-error" "Calls of reach_error or __VERIFIER_error";
    Overflow "overflow" "Signed overflow and shifts out of range";
    Division "division" "Division by zero";
}
}

impl Property {
    /// The errors that violate it.
    pub fn violated_by(self) -> &'static [ErrorKind] {
        use ErrorKind as E;
        match self {
            Property::Deref => {
                &[E::NullDeref, E::UseAfterFree, E::UseAfterScope, E::OutOfBounds, E::InvalidDeref]
            }
            Property::Contract => &[E::WriteToConstant, E::BadArgument, E::OverlappingCopy],
            Property::Free => &[E::DoubleFree, E::InvalidFree],
            Property::Leak => &[E::Leak, E::LostBlock],
            Property::Held => &[E::HeldAtReturn],
            Property::Cleanup => &[E::Leak, E::LostBlock, E::HeldAtReturn],
            Property::Uninitialised => &[E::Uninitialised],
            Property::Assertion => &[E::Assertion],
            Property::ReachError => &[E::ReachError],
            Property::Overflow => &[E::Overflow, E::Shift],
            Property::Division => &[E::DivisionByZero],
        }
    }

    /// Whether it is asked for where nothing else is said.
    pub fn is_default(self) -> bool {
        !matches!(self, Property::Cleanup | Property::Overflow)
    }

    /// The property under whose name users ask for it: arguments of library functions belong to accesses, and what is held at the
    /// end to what is lost.
    pub fn asked_as(self) -> Property {
        match self {
            Property::Contract => Property::Deref,
            Property::Held => Property::Leak,
            other => other,
        }
    }
}

/// What a proof of anything takes for granted, also where it is not asked for: accesses and frees are valid.
pub const ASSUMED: [Property; 2] = [Property::Deref, Property::Free];

/// A set of properties: what counts as an error.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Properties(u32);

impl Properties {
    /// Nothing counts.
    pub const NONE: Properties = Properties(0);

    /// What a user who names some properties asks for.
    pub fn asked(names: &[Property]) -> Properties {
        Property::ALL.iter().copied().filter(|p| names.contains(&p.asked_as())).collect()
    }

    /// Whether a property is one of them.
    pub fn has(self, property: Property) -> bool {
        self.0 & bit(property) != 0
    }

    /// With or without a property.
    pub fn set(&mut self, property: Property, counts: bool) {
        self.0 = if counts { self.0 | bit(property) } else { self.0 & !bit(property) };
    }

    /// These and one more.
    #[must_use]
    pub fn with(self, property: Property) -> Properties {
        Properties(self.0 | bit(property))
    }

    /// All of them but one.
    #[must_use]
    pub fn without(self, property: Property) -> Properties {
        Properties(self.0 & !bit(property))
    }

    /// Whether an error of an execution violates one of them.
    pub fn are_violated_by(self, error: ErrorKind) -> bool {
        error.violates().any(|p| self.has(p))
    }

    /// Whether an alarm of a kind keeps them from being proved. Reasons not to know do so whatever is asked, and so do
    /// errors that violate no property: after them nothing more is known on the path.
    pub fn concern(self, kind: Kind) -> bool {
        match kind {
            Kind::Error(error) => self.are_violated_by(error) || error.violates().next().is_none(),
            Kind::Unknown(_) => true,
        }
    }
}

fn bit(property: Property) -> u32 {
    1 << property as u32
}

impl Default for Properties {
    fn default() -> Self {
        Property::ALL.iter().copied().filter(|p| p.is_default()).collect()
    }
}

impl FromIterator<Property> for Properties {
    fn from_iter<I: IntoIterator<Item = Property>>(all: I) -> Self {
        all.into_iter().fold(Properties::NONE, Properties::with)
    }
}

impl<const N: usize> From<[Property; N]> for Properties {
    fn from(all: [Property; N]) -> Self {
        all.into_iter().collect()
    }
}

impl std::fmt::Debug for Properties {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(Property::ALL.iter().filter(|p| self.has(**p))).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Reason;

    #[test]
    fn a_set_has_what_was_put_into_it() {
        for (i, p) in Property::ALL.iter().enumerate() {
            assert_eq!(bit(*p), 1 << i);
            assert!(Properties::NONE.with(*p).has(*p) && !Properties::default().without(*p).has(*p));
            assert_eq!(Property::named(p.name()), Some(*p));
        }
        let mut set = Properties::from([Property::Free, Property::Leak]);
        set.set(Property::Leak, false);
        assert_eq!(set, Properties::from([Property::Free]));
        assert_eq!(format!("{set:?}"), "{Free}");
    }

    #[test]
    fn errors_violate_the_properties_that_the_table_says() {
        let free = Properties::from([Property::Free]);
        assert!(free.are_violated_by(ErrorKind::DoubleFree) && !free.are_violated_by(ErrorKind::NullDeref));
        // A program that runs into the unreachable has done nothing that was asked about, but it is not proved either.
        assert!(!free.are_violated_by(ErrorKind::Unreachable));
        assert!(free.concern(ErrorKind::Unreachable.into()) && !free.concern(ErrorKind::NullDeref.into()));
        assert!(Properties::NONE.concern(Reason::Budget.into()));
    }

    #[test]
    fn who_asks_for_accesses_asks_for_arguments_of_library_functions() {
        let asked = Properties::asked(&[Property::Deref]);
        assert_eq!(asked, Properties::from([Property::Deref, Property::Contract]));
        assert!(!Properties::asked(&[Property::Free]).has(Property::Contract));
    }
}
