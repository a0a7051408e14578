//! The library functions that the tool models, in one table.
//!
//! A function without a body in the program is looked up here by name. The interpreter and the analyses both
//! dispatch on [`LibFn`]; [`LibFn::effects`] is what an analysis needs to know of a function that it does not
//! model in detail, and [`LibFn::assumes`] says in one sentence what the models take for granted. The page
//! `docs/library.md` is [`page`] written to a file; a test keeps the two equal.
//!
//! Functions of which a [`contract`] says all that is to be known are [`LibFn::Known`].
//!
//! Several names may share one model: fortified names (`__memcpy_chk`), the variants of the math functions for
//! `float` and `long double` (arguments and result have the declared types), and every
//! `__VERIFIER_nondet_X`, whose result is any value of its declared type.

pub mod contract;
mod table;

pub use contract::{Contract, ContractId};
pub use table::LibFn;

/// A set of argument positions of a library function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ArgSet(u8);

impl ArgSet {
    /// No argument.
    pub const NONE: ArgSet = ArgSet(0);
    const REST: u8 = 0x80;

    /// Whether the argument at `position`, counted from 0, belongs to the set.
    pub const fn contains(self, position: usize) -> bool {
        if position < 7 && self.0 & (1 << position) != 0 {
            return true;
        }
        // The marker for variadic arguments covers everything after the last fixed position that is named.
        self.0 & Self::REST != 0 && position >= 8 - (self.0 & !Self::REST).leading_zeros() as usize
    }
    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
    /// The positions in the set below `count`, the number of arguments of a call.
    pub fn positions(self, count: usize) -> impl Iterator<Item = usize> {
        (0..count).filter(move |&i| self.contains(i))
    }
}

/// Where a pointer that a library function returns comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum ResultSource {
    /// Not a pointer, or nothing is returned.
    #[default]
    Plain,
    /// A new heap block.
    NewBlock,
    /// The value of this argument.
    Argument(u8),
    /// Null or a pointer into what this argument points to.
    Into(u8),
    /// Null or a pointer to storage of the library that programs must not free.
    Static,
}

/// What a library function does to its caller's memory, beyond returning a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Effects {
    /// Pointer arguments whose block it frees.
    pub frees: ArgSet,
    /// Pointer arguments it reads through.
    pub reads: ArgSet,
    /// Pointer arguments it writes through.
    pub writes: ArgSet,
    /// Pointer arguments that it may remember after it returned.
    pub retains: ArgSet,
    /// Function pointers that it calls.
    pub calls: ArgSet,
    /// Where a returned pointer comes from.
    pub result: ResultSource,
    /// Whether a returned pointer may be null.
    pub may_return_null: bool,
    /// Whether it never returns.
    pub noreturn: bool,
    /// Whether the result depends on the arguments and what they point to only, and nothing else changes.
    pub pure: bool,
    /// Whether it reads the program's input or writes its output.
    pub io: bool,
    /// Whether the result, or what it writes, is any value of its type.
    pub nondet: bool,
    /// Whether no model exists: a run that calls it ends, an analysis must give up.
    pub unsupported: bool,
}

/// Builders for the table; each returns a changed copy.
impl Effects {
    pub(crate) const PLAIN: Effects = Effects {
        frees: ArgSet(0),
        reads: ArgSet(0),
        writes: ArgSet(0),
        retains: ArgSet(0),
        calls: ArgSet(0),
        result: ResultSource::Plain,
        may_return_null: false,
        noreturn: false,
        pure: false,
        io: false,
        nondet: false,
        unsupported: false,
    };
    const fn set(positions: &[u8]) -> ArgSet {
        let mut bits = 0;
        let mut i = 0;
        while i < positions.len() {
            bits |= 1 << positions[i];
            i += 1;
        }
        ArgSet(bits)
    }
    pub(crate) const fn frees(self, positions: &[u8]) -> Self {
        Effects { frees: Self::set(positions), ..self }
    }
    pub(crate) const fn reads(self, positions: &[u8]) -> Self {
        Effects { reads: Self::set(positions), ..self }
    }
    pub(crate) const fn writes(self, positions: &[u8]) -> Self {
        Effects { writes: Self::set(positions), ..self }
    }
    pub(crate) const fn retains(self, positions: &[u8]) -> Self {
        Effects { retains: Self::set(positions), ..self }
    }
    pub(crate) const fn calls(self, positions: &[u8]) -> Self {
        Effects { calls: Self::set(positions), ..self }
    }
    pub(crate) const fn returns(self, result: ResultSource) -> Self {
        let may_return_null = matches!(result, ResultSource::Into(_) | ResultSource::Static);
        Effects { result, may_return_null, ..self }
    }
    pub(crate) const fn null(self) -> Self {
        Effects { may_return_null: true, ..self }
    }
    pub(crate) const fn noreturn(self) -> Self {
        Effects { noreturn: true, ..self }
    }
    pub(crate) const fn pure(self) -> Self {
        Effects { pure: true, ..self }
    }
    pub(crate) const fn io(self) -> Self {
        Effects { io: true, ..self }
    }
    pub(crate) const fn nondet(self) -> Self {
        Effects { nondet: true, ..self }
    }
    pub(crate) const fn unsupported(self) -> Self {
        Effects { unsupported: true, ..self }
    }
}

impl LibFn {
    /// The model for an external function of that name.
    pub fn lookup(name: &str) -> Option<LibFn> {
        if let Some(found) = LibFn::by_name(name) {
            return Some(found);
        }
        let families = [
            ("__VERIFIER_nondet_", LibFn::Nondet),
            ("__heapwise_assert_acyclic_", LibFn::AssertAcyclic),
            ("__heapwise_assert_unshared_", LibFn::AssertUnshared),
        ];
        let family = families.into_iter().find(|(prefix, _)| name.starts_with(prefix)).map(|(_, f)| f);
        family.or_else(|| ContractId::by_name(name).map(LibFn::Known))
    }
    /// Whether a returned pointer is a new heap block.
    pub fn allocates(self) -> bool {
        self.effects().result == ResultSource::NewBlock
    }
    /// The position of the argument that must be an open stream, or null for `fflush`.
    pub fn stream(self) -> Option<usize> {
        use LibFn as L;
        Some(match self {
            L::Fprintf | L::FprintfChk | L::Vfprintf | L::VfprintfChk => 0,
            L::Setvbuf | L::Fgetc | L::Feof | L::Ferror | L::Clearerr | L::Fscanf => 0,
            L::Fclose | L::Fflush | L::Fseek | L::Ftell | L::Fileno | L::StreamLock => 0,
            L::Fputc | L::Fputs | L::Ungetc => 1,
            L::Readdir => 0,
            L::Fgets | L::Freopen | L::Getline => 2,
            L::Fwrite | L::Fread => 3,
            _ => return None,
        })
    }
    /// Whether its argument must be EOF or fit `unsigned char` (C11 §7.4p1).
    pub fn takes_character(self) -> bool {
        use LibFn as L;
        matches!(
            self,
            L::Isalpha
                | L::Isdigit
                | L::Isalnum
                | L::Isspace
                | L::Isblank
                | L::Isupper
                | L::Islower
                | L::Isxdigit
                | L::Ispunct
                | L::Isprint
                | L::Isgraph
                | L::Iscntrl
                | L::Toupper
                | L::Tolower
        )
    }
    /// Whether it never returns.
    pub fn is_noreturn(self) -> bool {
        self.effects().noreturn
    }
}

/// The text of `docs/library.md`.
pub fn page() -> String {
    let mut text = String::from(
        "# Library functions\n\n\
         A call of a function that the program does not define is resolved by name in this table, which the\n\
         interpreter and the analyses share. The last column says what the models assume. A call of an external\n\
         function that is not in the table stops an interpreter run and makes an analysis answer *unknown*.\n\n\
         Common to all: arguments must satisfy the function's contract in the C standard (valid pointers,\n\
         terminated strings, enough room); a violation is reported at the call.\n\n\
         | names | model assumes |\n|---|---|\n",
    );
    for &f in LibFn::ALL {
        let names: Vec<String> = f.names().iter().map(|n| format!("`{n}`")).collect();
        text.push_str(&format!("| {} | {} |\n", names.join(" "), f.assumes()));
    }
    text.push_str(
        "\n## Functions that are known by a contract\n\n\
         What is said here is all that the analysis and runs know of these functions: what arguments must be is checked,\n\
         and what they may give is taken for possible. A pointer of which nothing is said must be null; with others a call\n\
         makes an analysis answer *unknown*. In a run, what such a function writes into structures is zero.\n\n\
         | names | contract |\n|---|---|\n",
    );
    for contract in ContractId::all().map(ContractId::get) {
        let names: Vec<String> = contract.names.iter().map(|n| format!("`{n}`")).collect();
        text.push_str(&format!("| {} | {} |\n", names.join(" "), contract.in_words()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_finds_its_own_entry() {
        for &f in LibFn::ALL {
            assert!(!f.names().is_empty() && f.assumes().ends_with('.'), "{f:?}");
            for name in f.names().iter().filter(|n| !n.ends_with('*')) {
                assert_eq!(LibFn::lookup(name), Some(f), "{name}");
            }
        }
        assert_eq!(LibFn::lookup("__VERIFIER_nondet_whatever"), Some(LibFn::Nondet));
        assert_eq!(LibFn::lookup("no_such_function"), None);
    }

    #[test]
    fn argument_sets() {
        let printf = LibFn::Sprintf.effects();
        assert!(printf.writes.contains(0) && !printf.writes.contains(1));
        assert!(printf.reads.contains(1) && printf.reads.contains(2) && printf.reads.contains(9));
        assert!(!printf.reads.contains(0));
        assert_eq!(LibFn::Memcpy.effects().reads.positions(3).collect::<Vec<_>>(), [1]);
        assert!(LibFn::Malloc.allocates() && LibFn::Exit.is_noreturn());
    }
}
