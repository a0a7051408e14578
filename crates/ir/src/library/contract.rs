//! Functions that are known by a contract: what their arguments must be, what is written, what is returned.
//!
//! A row of the table is all that the analysis and the interpreter need: both check the arguments as the row says and make
//! up the result as it says. The analysis takes everything that a row allows; a run takes one such way, as its inputs say. So
//! a new function is one line here.
//!
//! A contract may say too much of what can happen, never too little: it is what proofs rest on.

mod rows;

use std::fmt::Write as _;

/// How many bytes an argument leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bytes {
    /// As many as its type says: one object of the type that the parameter points to.
    Pointee,
    /// As many as another argument says.
    Argument(u8),
    /// So many objects of the type that the parameter points to as another argument says.
    Elements(u8),
    /// So many objects of the type that the parameter points to.
    Several(u64),
    /// The product of two arguments.
    Product(u8, u8),
    /// A number.
    Fixed(u64),
    /// As many as the number says to which another argument leads.
    Behind(u8),
    /// As many as addresses of the family that another argument is have: 4 for the internet's old ones, else 16.
    Family(u8),
}

/// Names of members.
pub type Members = &'static [&'static str];

/// Seconds for which there is a date: one whose year fits an `int`. Clocks do not show others.
pub const DATES: i128 = 1 << 55;

/// What an argument must be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Argument {
    /// A number, or a null pointer; other pointers are not supported.
    Plain,
    /// A number that is no address: a constant, or of a type that addresses do not fit into. Others are not supported.
    Number,
    /// A number that has none of these bits; others are not supported.
    Without(i128),
    /// A number; with other values than these the function may always fail, so runs are not sure of its success.
    Usual(&'static [i128]),
    /// A text.
    Text,
    /// Null or a text.
    TextOrNull,
    /// A pointer to bytes that are read and initialised, but for these members and for holes. Whether bytes that are not are
    /// an error depends on what else is asked for: runs do not know it.
    In(Bytes, Members),
    /// The same, or null.
    InOrNull(Bytes, Members),
    /// A pointer to bytes that are initialised and at most so many of which are read; runs do not know how many.
    InUpToOrNull(Bytes),
    /// A pointer to initialised bytes that are read.
    Data(Bytes),
    /// A pointer to a number of seconds; the function succeeds if there is a date for it ([`DATES`]).
    Date,
    /// A pointer to bytes that are written; all of them if the function succeeds.
    Write(Bytes),
    /// The same, or null.
    WriteOrNull(Bytes),
    /// A pointer to bytes some of which may be written: the first ones, as many as the result says if it is a number.
    Fill(Bytes),
    /// Null or a pointer to bytes at most so many of which are written; runs do not know how many.
    FillUpToOrNull(Bytes),
    /// A pointer to bytes with a text in them if the function succeeds.
    FillText(Bytes),
    /// The same, or null.
    FillTextOrNull(Bytes),
    /// A pointer to a structure that is read and written, initialised as for [`Argument::In`].
    Change(Bytes, Members),
    /// The same, or null.
    ChangeOrNull(Bytes, Members),
    /// A pointer to a structure that is read, initialised, and may not be used any more.
    End(Bytes),
    /// A pointer to a structure that is written in part, and stays initialised if it was.
    Update(Bytes),
    /// The same, or null.
    UpdateOrNull(Bytes),
    /// What another function of the library gave, and is taken to be valid; it is not looked behind.
    Handle,
    /// The arguments of a program, or other arrays of texts of the environment.
    Texts,
    /// Texts, up to a null pointer that is the last argument.
    TextsToNull,
    /// A text whose characters may be replaced by others.
    UpdateText,
}

/// What is returned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Given {
    /// Nothing, or nothing that is known.
    Any,
    /// A number in this range.
    Number(i128, i128),
    /// A number that is not negative.
    Count,
    /// A number in this range that depends on the arguments alone; runs do not compute it unless they say so.
    Computed(i128, i128),
    /// Any value that depends on the arguments, or the system, alone; runs do not know it.
    ComputedAny,
    /// 0: the function succeeds.
    Zero,
    /// 0 if the function succeeds, else -1.
    Status,
    /// 0 if the function succeeds, else another number.
    Code,
    /// The same, or, where it is declared to give a pointer, this argument with a text or a text of the library.
    CodeOrText(u8),
    /// 1 if the function succeeds, else 0.
    Flag,
    /// 1 if the function succeeds, else 0 or -1.
    Parsed,
    /// A positive number if the function succeeds, else 0 or -1.
    Child,
    /// Not negative if the function succeeds, else -1.
    Descriptor,
    /// -1, or at most what this argument says.
    AtMost(u8),
    /// The same, or any size if the argument is 0: the size that is needed.
    AtMostOrSize(u8),
    /// -1, or at most what the first argument says; any number that is not negative if the second one has one of these bits.
    AtMostUnless(u8, u8, i128),
    /// Any number that is not negative; what is written is complete unless this argument is 0.
    Needed(u8),
    /// 0 if the function fails, else at most what this argument says.
    UpTo(u8),
    /// This argument.
    Same(u8),
    /// This argument, or null if the function fails.
    SameOrNull(u8),
    /// One of two arguments.
    OneOf(u8, u8),
    /// A place in the text that this argument is.
    Into(u8),
    /// Null or a place in the text that this argument is.
    IntoOrNull(u8),
    /// Null or a new heap block with a text.
    NewTextOrNull,
    /// A text of the library, which later calls may change.
    Text,
    /// Null or such a text.
    TextOrNull,
    /// Storage of the library of the type that the result points to.
    Storage,
    /// Null or storage of the library of the type that the result points to.
    StorageOrNull,
    /// A text that lasts, or null: a variable of the environment.
    Variable,
    /// It does not return.
    Never,
}

/// Which ways of a function are possible whatever the program did before. A run that takes another way goes on, but an error that
/// it meets is not known to be one: perhaps the function cannot do that here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sure {
    /// None.
    Nothing,
    /// It may always fail.
    Failure,
    /// It may always fail, and succeeds for texts that are not empty, numbers that are not negative, and [`Argument::Usual`] ones;
    /// whatever it writes may be anything.
    Both,
}

/// A function, or several that have the same contract.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contract {
    /// Its names.
    pub names: &'static [&'static str],
    /// What its arguments must be; further ones are plain.
    pub arguments: &'static [Argument],
    /// What it returns.
    pub given: Given,
    /// Which of its ways a run can be sure of.
    pub sure: Sure,
    /// What it takes for granted beyond that, in one sentence, or nothing.
    pub assumes: &'static str,
}

/// A contract of the table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ContractId(u16);

impl ContractId {
    /// All contracts.
    pub fn all() -> impl Iterator<Item = ContractId> {
        (0..rows::TABLE.len() as u16).map(ContractId)
    }

    /// The contract of a function.
    pub fn by_name(name: &str) -> Option<ContractId> {
        Self::all().find(|id| id.get().names.contains(&name))
    }

    /// The contract.
    pub fn get(self) -> &'static Contract {
        rows::TABLE.get(self.0 as usize).unwrap_or(&NOTHING)
    }
}

impl Contract {
    /// What an argument must be.
    pub fn argument(&self, i: usize) -> Argument {
        match (self.arguments.get(i), self.arguments.last()) {
            (Some(argument), _) => *argument,
            (None, Some(last @ (Argument::TextsToNull | Argument::Number))) => *last,
            (None, _) => Argument::Plain,
        }
    }

    /// The contract in words.
    pub fn in_words(&self) -> String {
        let mut text = String::new();
        for (i, argument) in self.arguments.iter().enumerate() {
            let what = match argument {
                Argument::Plain | Argument::Usual(_) => continue,
                Argument::Number => "is no address".into(),
                Argument::Without(bits) => format!("has none of the bits {bits:#x}"),
                Argument::Text => "is a text".into(),
                Argument::TextOrNull => "is null or a text".into(),
                Argument::In(b, but) => format!("leads to {}, initialised{}", amount(*b), except(but)),
                Argument::InOrNull(b, but) => {
                    format!("is null or leads to {}, initialised{}", amount(*b), except(but))
                }
                Argument::InUpToOrNull(b) => format!("is null or leads to {}, initialised", amount(*b)),
                Argument::Date => {
                    "leads to a number, initialised, and it succeeds if the number is up to 2^55 or down to -2^55".into()
                }
                Argument::Data(b) => format!("leads to {}, initialised", amount(*b)),
                Argument::Write(b) => format!("leads to {}, which it writes if it succeeds", amount(*b)),
                Argument::WriteOrNull(b) => {
                    format!("is null or leads to {}, which it writes if it succeeds", amount(*b))
                }
                Argument::Fill(b) => format!("leads to {}, some of which it writes", amount(*b)),
                Argument::FillUpToOrNull(b) => {
                    format!("is null or leads to {}, some of which it writes", amount(*b))
                }
                Argument::FillText(b) => format!("leads to {}, into which it writes a text", amount(*b)),
                Argument::FillTextOrNull(b) => {
                    format!("is null or leads to {}, into which it writes a text", amount(*b))
                }
                Argument::Change(b, but) => {
                    format!("leads to {}, initialised{}, which it changes", amount(*b), except(but))
                }
                Argument::ChangeOrNull(b, but) => {
                    format!(
                        "is null or leads to {}, initialised{}, which it changes",
                        amount(*b),
                        except(but)
                    )
                }
                Argument::End(b) => format!("leads to {}, initialised, which ends", amount(*b)),
                Argument::Update(b) => format!("leads to {}, which it changes", amount(*b)),
                Argument::UpdateOrNull(b) => format!("is null or leads to {}, which it changes", amount(*b)),
                Argument::Handle => "is taken to be valid".into(),
                Argument::Texts => "is the array of the program's arguments, or of its environment".into(),
                Argument::TextsToNull => "and the further ones are texts; the last one is null".into(),
                Argument::UpdateText => "is a text whose characters it changes".into(),
            };
            let _ = write!(text, "Argument {} {what}. ", i + 1);
        }
        let given = match self.given {
            Given::Any => String::new(),
            Given::Number(low, high) => format!("Gives a number from {low} to {high}."),
            Given::Computed(low, high) => {
                format!("Gives a number from {low} to {high} that follows from its arguments.")
            }
            Given::ComputedAny => "Gives a value that follows from its arguments or the system.".into(),
            Given::Zero => "Succeeds and gives 0.".into(),
            Given::Storage => {
                "Gives storage of the library, which later calls may change; its members that point to \
                               characters are texts."
                    .into()
            }
            Given::Count => "Gives any number that is not negative.".into(),
            Given::Status => "Gives 0, or -1 if it fails.".into(),
            Given::Code => "Gives 0, or another number if it fails.".into(),
            Given::CodeOrText(k) => format!(
                "Gives 0, or another number if it fails; declared to give a pointer, argument {} with a text or a text of the \
                 library.",
                k + 1
            ),
            Given::Flag => "Gives 1, or 0 if it fails.".into(),
            Given::Parsed => "Gives 1, or 0 or -1 if it fails.".into(),
            Given::Child => "Gives a positive number, or 0 or -1 if there is none.".into(),
            Given::AtMostOrSize(k) => {
                format!("Gives -1 or a number up to argument {0}, any number if argument {0} is 0.", k + 1)
            }
            Given::AtMostUnless(k, flags, bits) => format!(
                "Gives -1 or a number up to argument {}, any number if argument {} has one of the bits {bits:#x}.",
                k + 1,
                flags + 1
            ),
            Given::Needed(k) => {
                format!("Gives any number that is not negative; writes nothing if argument {} is 0.", k + 1)
            }
            Given::Descriptor => "Gives a number that is not negative, or -1 if it fails.".into(),
            Given::AtMost(k) => format!("Gives -1 or a number up to argument {}.", k + 1),
            Given::UpTo(k) => format!("Gives a number up to argument {}, or 0 if it fails.", k + 1),
            Given::Same(k) => format!("Gives argument {}.", k + 1),
            Given::SameOrNull(k) => format!("Gives argument {}, or null if it fails.", k + 1),
            Given::OneOf(a, b) => format!("Gives argument {} or {}.", a + 1, b + 1),
            Given::Into(k) => format!("Gives a place in argument {}.", k + 1),
            Given::IntoOrNull(k) => format!("Gives null or a place in argument {}.", k + 1),
            Given::NewTextOrNull => "Gives null or a new heap block with a text.".into(),
            Given::Text => "Gives a text of the library, which later calls may change.".into(),
            Given::TextOrNull => "Gives null or a text of the library, which later calls may change.".into(),
            Given::StorageOrNull => {
                "Gives null or storage of the library, which later calls may change; its members \
                                     that point to characters are texts."
                    .into()
            }
            Given::Variable => "Gives null or a text of the environment.".into(),
            Given::Never => "Does not return.".into(),
        };
        text.push_str(&given);
        if !self.assumes.is_empty() {
            if !text.is_empty() && !text.ends_with(' ') {
                text.push(' ');
            }
            text.push_str(self.assumes);
        }
        if text.is_empty() {
            text.push_str("Gives any value and changes nothing.");
        }
        text.trim_end().to_owned()
    }
}

fn amount(bytes: Bytes) -> String {
    match bytes {
        Bytes::Pointee => "an object of its type".into(),
        Bytes::Argument(k) => format!("as many bytes as argument {} says", k + 1),
        Bytes::Elements(k) => format!("as many objects of its type as argument {} says", k + 1),
        Bytes::Several(n) => format!("{n} objects of its type"),
        Bytes::Product(a, b) => format!("as many bytes as arguments {} and {} multiplied", a + 1, b + 1),
        Bytes::Behind(k) => format!("as many bytes as the number behind argument {} says", k + 1),
        Bytes::Family(k) => format!("an address of the family that argument {} says", k + 1),
        Bytes::Fixed(1) => "a byte".into(),
        Bytes::Fixed(n) => format!("{n} bytes"),
    }
}

fn except(members: Members) -> String {
    match members {
        [] => String::new(),
        names => format!(" but for {}", names.join(", ")),
    }
}

const NOTHING: Contract =
    Contract { names: &[], arguments: &[], given: Given::Any, sure: Sure::Nothing, assumes: "" };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_speak_of_arguments_that_there_are_and_end_with_a_full_stop() {
        let mut names = std::collections::BTreeSet::new();
        for id in ContractId::all() {
            let contract = id.get();
            assert!(contract.in_words().ends_with('.'), "{:?}", contract.names);
            for name in contract.names {
                assert!(names.insert(*name), "{name} is there twice");
                assert_eq!(ContractId::by_name(name), Some(id));
            }
            for argument in contract.arguments {
                use Argument::{Data, Fill, FillText, In, Write};
                let bytes = match argument {
                    In(b, _) | Write(b) | Fill(b) | Data(b) | FillText(b) => *b,
                    _ => Bytes::Pointee,
                };
                if let Bytes::Argument(k) | Bytes::Elements(k) | Bytes::Family(k) = bytes {
                    assert!(usize::from(k) < 6, "{:?}", contract.names);
                }
            }
        }
    }
}
