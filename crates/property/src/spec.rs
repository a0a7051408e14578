//! The properties of the software-verification competition, as its rules define them.
//!
//! | property | violated by |
//! |---|---|
//! | `valid-memsafety` | an invalid free (`valid-free`), an invalid access (`valid-deref`), a block to which no pointer is left (`valid-memtrack`); a block still reachable at exit is fine |
//! | `valid-memcleanup` | a block that is still allocated when the program ends normally |
//! | `unreach-call` | a call of the error function |
//! | `no-overflow` | a signed operation whose result does not fit |
//!
//! In these properties uninitialised memory holds an arbitrary value: reading it is no violation, and the analysis
//! takes the value for unknown. Allocations succeed. A failing `assert` ends the program like `abort`, and blocks that
//! are left then do not count.
//!
//! **What a proof of one property assumes:** the competition promises that a program has no undefined behaviour other
//! than what is asked for. So after an access that may be invalid the analysis goes on with the executions in which
//! it was valid, also when accesses do not count; if the hunt meets such behaviour all the same, the answer is
//! *unknown*. Where it cannot go on soundly (an unknown pointer, an unknown
//! call, a budget) there is an alarm under every property, and the answer is never *proved*.

use crate::{ErrorKind, Properties, Property, named};

named! {
/// A property of the competition.
Spec {
    ValidMemsafety "valid-memsafety" "Valid frees, valid accesses, no lost blocks";
    ValidMemcleanup "valid-memcleanup" "Nothing is allocated when the program ends";
    UnreachCall "unreach-call" "The error function is never called";
    NoOverflow "no-overflow" "Signed arithmetic does not overflow";
}
}

impl Spec {
    /// The property that the text of a property file asks for; `None` for those that are not supported.
    pub fn parse(text: &str) -> Option<Spec> {
        let says = |what: &str| text.split(|c: char| !(c.is_alphanumeric() || c == '-')).any(|w| w == what);
        if !text.contains("CHECK") {
            return None;
        }
        if says("valid-memcleanup") {
            Some(Spec::ValidMemcleanup)
        } else if says("valid-deref") && says("valid-free") && says("valid-memtrack") {
            Some(Spec::ValidMemsafety)
        } else if text.contains("call(reach_error())") || text.contains("call(__VERIFIER_error())") {
            Some(Spec::UnreachCall)
        } else if says("overflow") {
            Some(Spec::NoOverflow)
        } else {
            None
        }
    }

    /// The property in the competition's notation.
    pub fn formula(self) -> &'static str {
        match self {
            Spec::ValidMemsafety => {
                "CHECK( init(main()), LTL(G valid-free) ) CHECK( init(main()), LTL(G valid-deref) ) \
                 CHECK( init(main()), LTL(G valid-memtrack) )"
            }
            Spec::ValidMemcleanup => "CHECK( init(main()), LTL(G valid-memcleanup) )",
            Spec::UnreachCall => "CHECK( init(main()), LTL(G ! call(reach_error())) )",
            Spec::NoOverflow => "CHECK( init(main()), LTL(G ! overflow) )",
        }
    }

    /// What counts as an error.
    pub fn properties(self) -> Properties {
        match self {
            Spec::ValidMemsafety => [Property::Deref, Property::Free, Property::Leak, Property::Held].into(),
            Spec::ValidMemcleanup => [Property::Cleanup].into(),
            Spec::UnreachCall => [Property::ReachError].into(),
            Spec::NoOverflow => [Property::Overflow].into(),
        }
    }

    /// The part of the property that an error violates, if it violates it.
    pub fn subproperty(self, kind: ErrorKind) -> Option<&'static str> {
        if !self.properties().are_violated_by(kind) {
            return None;
        }
        Some(match kind {
            ErrorKind::DoubleFree | ErrorKind::InvalidFree => "valid-free",
            ErrorKind::LostBlock | ErrorKind::HeldAtReturn if self == Spec::ValidMemsafety => {
                "valid-memtrack"
            }
            ErrorKind::Leak | ErrorKind::LostBlock | ErrorKind::HeldAtReturn => "valid-memcleanup",
            ErrorKind::ReachError => "unreach-call",
            ErrorKind::Overflow | ErrorKind::Shift => "no-overflow",
            _ => "valid-deref",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn property_files_are_told_by_their_text() {
        for spec in Spec::ALL.iter().copied() {
            assert_eq!(Spec::parse(spec.formula()), Some(spec));
            assert_eq!(Spec::named(spec.name()), Some(spec));
        }
        let old = "CHECK( init(main()), LTL(G ! call(__VERIFIER_error())) )";
        assert_eq!(Spec::parse(old), Some(Spec::UnreachCall));
        assert_eq!(Spec::parse("CHECK( init(main()), LTL(F end) )"), None);
        assert_eq!(Spec::parse("COVER( init(main()), FQL(COVER EDGES(@CALL(reach_error))) )"), None);
    }

    #[test]
    fn subproperties_are_those_of_the_property() {
        assert_eq!(Spec::ValidMemsafety.subproperty(ErrorKind::DoubleFree), Some("valid-free"));
        assert_eq!(Spec::ValidMemsafety.subproperty(ErrorKind::NullDeref), Some("valid-deref"));
        assert_eq!(Spec::ValidMemsafety.subproperty(ErrorKind::LostBlock), Some("valid-memtrack"));
        assert_eq!(Spec::ValidMemsafety.subproperty(ErrorKind::Assertion), None);
        assert_eq!(Spec::UnreachCall.subproperty(ErrorKind::NullDeref), None);
        assert_eq!(Spec::ValidMemcleanup.subproperty(ErrorKind::LostBlock), Some("valid-memcleanup"));
    }
}
