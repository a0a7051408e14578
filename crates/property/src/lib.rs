//! The words that all parts share: what can go wrong, what is asked for, and why an answer is open.
//!
//! [`ErrorKind`] names what an execution can do wrong; the interpreter meets such errors, analyses fear them.
//! [`Property`] names what can be asked for; its table says which errors violate it, and is the only one of its kind.
//! [`Spec`] names the properties of the software-verification competition, as sets of these. [`Reason`] names what
//! keeps an analysis from an answer although nothing may be wrong. An [`Alarm`] is one or the other, with a place.
//!
//! **Invariant:** names are stable and described in `docs/diagnostics.md`.

mod alarm;
mod error;
mod property;
mod spec;

pub use alarm::{Alarm, Kind, Reason};
pub use error::ErrorKind;
pub use property::{ASSUMED, Properties, Property};
pub use spec::Spec;

/// An enumeration whose variants have names: the type, the list of all, the names, and what they mean.
macro_rules! named {
    ($(#[$meta:meta])* $type:ident { $($variant:ident $name:literal $about:literal;)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum $type { $(#[doc = $about] $variant,)+ }

        impl $type {
            /// All of them.
            pub const ALL: &'static [$type] = &[$($type::$variant,)+];

            /// The stable name, as printed.
            pub fn name(self) -> &'static str {
                match self { $($type::$variant => $name,)+ }
            }

            /// What it means.
            pub fn about(self) -> &'static str {
                match self { $($type::$variant => $about,)+ }
            }

            /// The one with that name.
            pub fn named(name: &str) -> Option<$type> {
                Self::ALL.iter().copied().find(|x| x.name() == name)
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}
use named;
