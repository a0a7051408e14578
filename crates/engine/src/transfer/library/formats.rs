//! Formats of the `printf` and `scanf` families against the types of the arguments.
//!
//! A call whose format asks for more arguments than there are, or for arguments of another class or width, is
//! undefined (C23 §7.23.6.1p9). Only a format whose text is known can be shown to fit; what is not understood
//! (numbered arguments, `%n`, wide characters) never fits. Whether the memory behind a `%s` is a string is for the model
//! of the call to say.

use heapwise_ir::library::LibFn;
use heapwise_ir::{FloatTy, Program, Ty, Type};

/// Position of the format among the arguments; those that it asks for follow it. `None` if it takes no format,
/// or takes its arguments from a `va_list`.
pub(crate) fn format_position(lib: LibFn) -> Option<usize> {
    Some(match lib {
        LibFn::Printf | LibFn::Scanf | LibFn::Warn => 0,
        LibFn::Syslog | LibFn::Err => 1,
        LibFn::Error => 2,
        LibFn::Fprintf
        | LibFn::Dprintf
        | LibFn::Sprintf
        | LibFn::Asprintf
        | LibFn::PrintfChk
        | LibFn::Fscanf
        | LibFn::Sscanf => 1,
        LibFn::Snprintf | LibFn::FprintfChk => 2,
        LibFn::SprintfChk => 3,
        LibFn::SnprintfChk => 4,
        _ => return None,
    })
}

/// Position of the format if a `va_list` follows it.
pub(crate) fn list_position(lib: LibFn) -> Option<usize> {
    Some(match lib {
        LibFn::Vprintf => 0,
        LibFn::Vfprintf | LibFn::Vsprintf | LibFn::Vasprintf | LibFn::VprintfChk => 1,
        LibFn::Vsnprintf | LibFn::VfprintfChk => 2,
        LibFn::VsprintfChk => 3,
        LibFn::VsnprintfChk => 4,
        _ => return None,
    })
}

/// What a conversion asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    /// An integer of this many bytes.
    Int(u64),
    Double,
    LongDouble,
    /// A pointer to bytes.
    Text,
    /// Any pointer.
    Pointer,
}

/// Why the arguments do not fit the format, if they do not; `scans` says that it is one of the `scanf` family.
pub(crate) fn mismatch(program: &Program, format: &[u8], args: &[Option<Ty>], scans: bool) -> Option<String> {
    let wanted = match if scans { scanf(format) } else { printf(program, format) } {
        Ok(wanted) => wanted,
        Err(reason) => return Some(reason),
    };
    if wanted.len() > args.len() {
        return Some(format!("the format asks for {} arguments, there are {}", wanted.len(), args.len()));
    }
    for (i, (class, ty)) in wanted.iter().zip(args).enumerate() {
        if !ty.is_some_and(|ty| fits(program, *class, ty)) {
            return Some(format!("argument {} after the format does not have the type it asks for", i + 1));
        }
    }
    None
}

/// Which of the arguments after a format of the `printf` family are texts; none if it is not understood.
pub(crate) fn texts(program: &Program, format: &[u8]) -> Vec<usize> {
    let wanted = printf(program, format).unwrap_or_default();
    wanted.iter().enumerate().filter(|(_, class)| **class == Class::Text).map(|(i, _)| i).collect()
}

/// Most bytes that such a format makes of anything but texts, if it holds nothing else than integers, characters and texts
/// without widths.
pub(crate) fn most_bytes(program: &Program, format: &[u8]) -> Option<u64> {
    let mut most = 0u64;
    let mut at = Cursor(format);
    loop {
        most = most.checked_add(match at.next() {
            0 => return Some(most),
            b'%' => {
                let length = at.length();
                let long =
                    matches!(length, b"ll" | b"j") || !length.is_empty() && program.types.pointer_size > 4;
                match (at.next(), length) {
                    (b'%' | b'c', b"") => 1,
                    (b's', b"") => 0,
                    // Octal digits hold three bits.
                    (b'd' | b'i' | b'u' | b'o' | b'x' | b'X', _) => {
                        if long {
                            22
                        } else {
                            11
                        }
                    }
                    _ => return None,
                }
            }
            _ => 1,
        })?;
    }
}

fn fits(program: &Program, class: Class, ty: Ty) -> bool {
    let types = &program.types;
    match (class, types.get(ty)) {
        (Class::Int(bytes), Type::Int(_) | Type::Bool) => types.size(ty) == bytes,
        (Class::Double, Type::Float(FloatTy::F64)) => true,
        (Class::LongDouble, Type::Float(_)) => {
            !matches!(types.get(ty), Type::Float(FloatTy::F32 | FloatTy::F64))
        }
        (Class::Text, Type::Pointer(to)) => match types.get(*to) {
            Type::Void => true,
            Type::Int(_) | Type::Bool => types.size(*to) == 1,
            _ => false,
        },
        (Class::Pointer, Type::Pointer(_)) => true,
        _ => false,
    }
}

/// A cursor over the text of a format, which ends at the first zero.
struct Cursor<'a>(&'a [u8]);

impl Cursor<'_> {
    fn peek(&self) -> u8 {
        self.0.first().copied().unwrap_or(0)
    }
    fn next(&mut self) -> u8 {
        let b = self.peek();
        if b != 0 {
            self.0 = self.0.get(1..).unwrap_or(&[]);
        }
        b
    }
    fn eat(&mut self, b: u8) -> bool {
        let found = b != 0 && self.peek() == b;
        if found {
            self.next();
        }
        found
    }
    /// Steps over the next `%`; `false` at the end.
    fn skip_to_conversion(&mut self) -> bool {
        loop {
            match self.next() {
                0 => return false,
                b'%' => return true,
                _ => {}
            }
        }
    }
    fn digits(&mut self) {
        while self.peek().is_ascii_digit() {
            self.next();
        }
    }
    /// The length modifier; empty if there is none.
    fn length(&mut self) -> &'static [u8] {
        const LENGTHS: [&[u8]; 8] = [b"hh", b"h", b"ll", b"l", b"j", b"z", b"t", b"L"];
        let found = LENGTHS.into_iter().find(|length| self.0.starts_with(length)).unwrap_or(b"");
        self.0 = self.0.get(found.len()..).unwrap_or(&[]);
        found
    }
}

fn not_understood<T>(conversion: u8) -> Result<T, String> {
    Err(format!("the conversion `%{}` of the format is not modelled", conversion.escape_ascii()))
}

/// The arguments that a format of the `printf` family asks for.
fn printf(program: &Program, format: &[u8]) -> Result<Vec<Class>, String> {
    let mut wanted = Vec::new();
    let mut at = Cursor(format);
    while at.skip_to_conversion() {
        while matches!(at.peek(), b'-' | b'+' | b' ' | b'#' | b'0' | b'\'') {
            at.next();
        }
        for part in 0..2 {
            if part == 1 && !at.eat(b'.') {
                break;
            }
            if at.eat(b'*') {
                wanted.push(Class::Int(4));
            } else {
                at.digits();
            }
        }
        let word = program.types.pointer_size;
        let length = at.length();
        let conversion = at.next();
        let int = match length {
            b"" | b"h" | b"hh" => 4,
            b"ll" | b"j" => 8,
            _ => word,
        };
        match (conversion, length) {
            (b'%' | b'm', b"") => {}
            (b'd' | b'i' | b'o' | b'u' | b'x' | b'X', b"L") => return not_understood(conversion),
            (b'd' | b'i' | b'o' | b'u' | b'x' | b'X', _) => wanted.push(Class::Int(int)),
            (b'c', b"") => wanted.push(Class::Int(4)),
            (b's', b"") => wanted.push(Class::Text),
            (b'p', b"") => wanted.push(Class::Pointer),
            (b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A', b"" | b"l") => wanted.push(Class::Double),
            (b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A', b"L") => wanted.push(Class::LongDouble),
            _ => return not_understood(conversion),
        }
    }
    Ok(wanted)
}

/// What a conversion of the `scanf` family writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scanned {
    /// A number of so many bytes.
    Number(u64),
    /// A text of at most so many characters.
    Text(Option<u64>),
    /// So many characters.
    Characters(u64),
}

/// What a format of the `scanf` family writes, in order; `None` if it is not understood, or holds `%n`.
pub(crate) fn scanned(program: &Program, format: &[u8]) -> Option<Vec<Scanned>> {
    let word = program.types.pointer_size;
    let mut found = Vec::new();
    let mut at = Cursor(format);
    while at.skip_to_conversion() {
        let dropped = at.eat(b'*');
        let before = at.0;
        at.digits();
        let digits = before.get(..before.len() - at.0.len()).unwrap_or_default();
        let width = std::str::from_utf8(digits).ok().and_then(|d| d.parse::<u64>().ok());
        let length = at.length();
        let what = match (at.next(), length) {
            (b'%', b"") => continue,
            (b'd' | b'i' | b'o' | b'u' | b'x' | b'X', _) => Scanned::Number(match length {
                b"hh" => 1,
                b"h" => 2,
                b"" => 4,
                b"ll" | b"j" => 8,
                b"L" => return None,
                _ => word,
            }),
            (b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G', b"") => Scanned::Number(4),
            (b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G', b"l") => Scanned::Number(8),
            (b'p', b"") => Scanned::Number(word),
            (b's', b"") => Scanned::Text(width),
            (b'c', b"") => Scanned::Characters(width.unwrap_or(1)),
            (b'[', b"") => {
                at.eat(b'^');
                at.eat(b']');
                while !matches!(at.next(), b']' | 0) {}
                Scanned::Text(width)
            }
            _ => return None,
        };
        if !dropped {
            found.push(what);
        }
    }
    Some(found)
}

/// The arguments that a format of the `scanf` family asks for; what they point to is not looked at, since the model
/// of the call takes every write for unknown.
fn scanf(format: &[u8]) -> Result<Vec<Class>, String> {
    let mut wanted = Vec::new();
    let mut at = Cursor(format);
    while at.skip_to_conversion() {
        let dropped = at.eat(b'*');
        at.digits();
        at.length();
        match at.next() {
            b'%' => continue,
            b'[' => {
                at.eat(b'^');
                at.eat(b']');
                while !matches!(at.next(), b']' | 0) {}
            }
            b'd' | b'i' | b'o' | b'u' | b'x' | b'X' | b'c' | b's' | b'p' | b'n' | b'a' | b'A' | b'e'
            | b'E' | b'f' | b'F' | b'g' | b'G' => {}
            conversion => return not_understood(conversion),
        }
        if !dropped {
            wanted.push(Class::Pointer);
        }
    }
    Ok(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapwise_ir::{DataModel, IntTy};

    #[test]
    fn counts_classes_and_widths() {
        let mut program = Program::new(DataModel::Lp64);
        let int = |program: &mut Program, bits| program.types.intern(Type::Int(IntTy { bits, signed: true }));
        let (byte, int32, int64) = (int(&mut program, 8), int(&mut program, 32), int(&mut program, 64));
        let double = program.types.intern(Type::Float(FloatTy::F64));
        let (text, ints) =
            (program.types.intern(Type::Pointer(byte)), program.types.intern(Type::Pointer(int32)));
        let ok = |format: &str, args: &[Ty], scans| {
            let args: Vec<Option<Ty>> = args.iter().map(|&ty| Some(ty)).collect();
            mismatch(&program, format.as_bytes(), &args, scans).is_none()
        };
        for (format, args) in [
            ("plain 100%%", &[][..]),
            ("%d %-5u %c", &[int32, int32, int32]),
            ("%ld %zu %jd %td %lld", &[int64; 5]),
            ("%*.*f|%s|%p", &[int32, int32, double, text, ints]),
            ("%d", &[int32, text]),
            ("%d\0%d", &[int32]),
        ] {
            assert!(ok(format, args, false), "{format}");
        }
        for (format, args) in [
            ("%d", &[][..]),
            ("%d %d", &[int32]),
            ("%s", &[int32]),
            ("%s", &[ints]),
            ("%d", &[int64]),
            ("%ld", &[int32]),
            ("%d", &[text]),
            ("%p", &[int64]),
            ("%f", &[int32]),
            ("%Lf", &[double]),
            ("%n", &[ints]),
            ("%1$d", &[int32]),
            ("%ls", &[text]),
            ("%", &[]),
        ] {
            assert!(!ok(format, args, false), "{format}");
        }
        assert!(ok("%d %*d %[^]a] %5s%%", &[ints, text, text], true));
        assert!(!ok("%d", &[], true));
        assert!(!ok("%d", &[int32], true));
    }
}
