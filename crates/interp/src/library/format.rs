//! The `printf` family: conversion specifications and their text, equal to glibc's in the C locale.
//!
//! The digits of floating numbers come from [`super::decimal`].

use super::decimal::Number;
use super::{Args, Ptr, int_info};
use crate::error::{ErrorKind, Res, fault};
use crate::extended;
use crate::frame::Typed;
use crate::machine::Machine;
use crate::value::Value;
use heapwise_ir::library::LibFn;

/// A conversion specification.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Spec {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    /// Width in bits of an integer argument.
    bits: u16,
    /// Which argument, counted from 1, if the format numbers them.
    position: Option<usize>,
    conversion: u8,
}

/// Where the variadic arguments of a `printf` come from.
struct Supply {
    values: Vec<Typed>,
    next: usize,
}

impl Supply {
    /// The argument of a conversion.
    fn for_spec(&mut self, spec: &Spec) -> Res<Value> {
        match spec.position.and_then(|p| p.checked_sub(1)) {
            None => self.next(),
            Some(index) => match self.values.get(index) {
                Some(arg) => Ok(arg.value.clone()),
                None => fault(ErrorKind::BadArgument, "the format names an argument that is not there"),
            },
        }
    }

    fn next(&mut self) -> Res<Value> {
        let Some(arg) = self.values.get(self.next) else {
            return fault(ErrorKind::BadArgument, "there are fewer arguments than conversions in the format");
        };
        self.next += 1;
        Ok(arg.value.clone())
    }
}

/// What to do with the text.
enum Sink {
    Stream(Ptr),
    Standard,
    Descriptor(i128),
    Buffer(Ptr, u64),
    NewBlock(Ptr),
}

impl Machine<'_, '_> {
    pub(super) fn printf_function(&mut self, model: LibFn, args: &Args) -> Res<Value> {
        use LibFn as L;
        // Positions of the format; what follows it are the arguments or the va_list.
        let (format, list) = match model {
            L::Printf => (0, false),
            L::Fprintf | L::Dprintf | L::Sprintf | L::Asprintf | L::PrintfChk => (1, false),
            L::Snprintf | L::FprintfChk => (2, false),
            L::SprintfChk => (3, false),
            L::SnprintfChk => (4, false),
            L::Vprintf => (0, true),
            L::Vfprintf | L::Vsprintf | L::Vasprintf | L::VprintfChk => (1, true),
            L::Vsnprintf | L::VfprintfChk => (2, true),
            L::VsprintfChk => (3, true),
            _ => (4, true),
        };
        let sink = match model {
            L::Printf | L::PrintfChk | L::Vprintf | L::VprintfChk => Sink::Standard,
            L::Dprintf => Sink::Descriptor(self.int_arg(args, 0)?.0),
            L::Fprintf | L::FprintfChk | L::Vfprintf | L::VfprintfChk => Sink::Stream(self.ptr_arg(args, 0)?),
            L::Sprintf | L::SprintfChk | L::Vsprintf | L::VsprintfChk => {
                Sink::Buffer(self.ptr_arg(args, 0)?, u64::MAX)
            }
            L::Asprintf | L::Vasprintf => Sink::NewBlock(self.ptr_arg(args, 0)?),
            _ => Sink::Buffer(self.ptr_arg(args, 0)?, self.size_arg(args, 1)?),
        };
        let text = self.string_arg(args, format)?;
        // What is only written somewhere else does not matter.
        let made_up = self.memory.made_up_read().get();
        let text = if list {
            let list = self.arg(args, format + 1)?.clone();
            let (places, values) = self.va_rest(&list)?;
            let mut supply = Supply { values, next: 0 };
            let text = self.format(&text, &mut supply)?;
            if let Some(next) = places.get(supply.next) {
                self.va_advance(&list, *next)?;
            }
            text
        } else {
            let values = args.values.get(format + 1..).unwrap_or_default().to_vec();
            self.format(&text, &mut Supply { values, next: 0 })?
        };
        let count = Value::int(text.len() as i128);
        if !self.heeded && matches!(sink, Sink::Standard | Sink::Descriptor(_) | Sink::Stream(_)) {
            self.memory.made_up_read().set(made_up);
        }
        match sink {
            Sink::Standard => self.write_standard(1, &text)?,
            Sink::Descriptor(d) => self.write_descriptor(d, &text)?,
            Sink::Stream(stream) => self.write_stream(stream, &text)?,
            Sink::NewBlock(to) => {
                let block = self.new_string(text)?;
                let pointer = int_info((self.memory.word() * 8) as u16, false);
                self.store(to.address, to.object, pointer, &block)?;
            }
            Sink::Buffer(to, limit) => {
                if limit > 0 {
                    let mut text = text;
                    text.truncate(usize::try_from(limit - 1).unwrap_or(usize::MAX));
                    text.push(0);
                    self.write_bytes(to, text)?;
                }
            }
        }
        Ok(count)
    }

    fn format(&mut self, format: &[u8], supply: &mut Supply) -> Res<Vec<u8>> {
        let mut out = Vec::new();
        let mut rest = format;
        while let Some((&b, tail)) = rest.split_first() {
            rest = tail;
            if b != b'%' {
                out.push(b);
                continue;
            }
            let spec = self.spec(&mut rest, supply)?;
            self.convert(&spec, supply, &mut out)?;
            if out.len() > self.options.limits.output {
                return crate::error::stop(crate::error::Stop::Budget(crate::BudgetKind::Output));
            }
        }
        Ok(out)
    }

    /// Parses what follows a `%`.
    fn spec(&self, rest: &mut &[u8], supply: &mut Supply) -> Res<Spec> {
        let mut spec = Spec { bits: 32, ..Spec::default() };
        let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        if digits > 0 && rest.get(digits) == Some(&b'$') {
            let number = rest.get(..digits).and_then(|d| std::str::from_utf8(d).ok());
            spec.position = Some(number.and_then(|n| n.parse().ok()).unwrap_or(usize::MAX));
            *rest = rest.get(digits + 1..).unwrap_or_default();
        }
        while let Some((&b, tail)) = rest.split_first() {
            match b {
                b'-' => spec.left = true,
                b'+' => spec.plus = true,
                b' ' => spec.space = true,
                b'#' => spec.alternate = true,
                b'0' => spec.zero = true,
                b'\'' => {}
                _ => break,
            }
            *rest = tail;
        }
        let width = self.amount(rest, supply)?;
        if let Some(width) = width {
            spec.left |= width < 0;
            spec.width = width.unsigned_abs() as usize;
        }
        if rest.first() == Some(&b'.') {
            *rest = rest.get(1..).unwrap_or_default();
            let precision = self.amount(rest, supply)?.unwrap_or(0);
            spec.precision = usize::try_from(precision).ok();
        }
        let limit = self.options.limits.output;
        if spec.width > limit || spec.precision.is_some_and(|p| p > limit) {
            return crate::error::stop(crate::error::Stop::Budget(crate::BudgetKind::Output));
        }
        let word = (self.memory.word() * 8) as u16;
        while let Some((&b, tail)) = rest.split_first() {
            spec.bits = match b {
                b'h' if spec.bits == 16 => 8,
                b'h' => 16,
                b'l' if rest.get(1) == Some(&b'l') => 64,
                b'l' if spec.bits == 64 && word == 32 => 64,
                b'l' | b'z' | b't' | b'Z' => word,
                b'j' | b'q' | b'L' => 64,
                _ => break,
            };
            // The second `l` of `ll` keeps the 64 bits.
            *rest = if b == b'l' && rest.get(1) == Some(&b'l') {
                rest.get(2..).unwrap_or_default()
            } else {
                tail
            };
        }
        let Some((&b, tail)) = rest.split_first() else {
            return fault(ErrorKind::BadArgument, "the format ends within a conversion");
        };
        spec.conversion = b;
        *rest = tail;
        Ok(spec)
    }

    /// A number or `*`.
    fn amount(&self, rest: &mut &[u8], supply: &mut Supply) -> Res<Option<i32>> {
        if rest.first() == Some(&b'*') {
            *rest = rest.get(1..).unwrap_or_default();
            let value = supply.next()?;
            return Ok(Some(self.int_of(&value, "a width or precision")?.0 as i32));
        }
        let mut number = None;
        while let Some((&b, tail)) = rest.split_first()
            && b.is_ascii_digit()
        {
            number = Some(number.unwrap_or(0i32).saturating_mul(10).saturating_add(i32::from(b - b'0')));
            *rest = tail;
        }
        Ok(number)
    }

    fn convert(&mut self, spec: &Spec, supply: &mut Supply, out: &mut Vec<u8>) -> Res<()> {
        match spec.conversion {
            b'%' => out.push(b'%'),
            b'd' | b'i' => {
                let v = self.format_int(supply, spec, true)?;
                let sign = if v < 0 { "-" } else { positive_sign(spec) };
                integer(spec, sign, v.unsigned_abs().to_string(), v == 0, out);
            }
            b'u' | b'o' | b'x' | b'X' => {
                let v = self.format_int(supply, spec, false)?;
                let mut digits = match spec.conversion {
                    b'u' => v.to_string(),
                    b'o' => format!("{v:o}"),
                    b'x' => format!("{v:x}"),
                    _ => format!("{v:X}"),
                };
                let mut prefix = "";
                if spec.alternate
                    && spec.conversion == b'o'
                    && spec.precision.is_none_or(|p| p <= digits.len())
                {
                    digits = if v == 0 { digits } else { format!("0{digits}") };
                    if v == 0 && spec.precision == Some(0) {
                        out.extend(padded(spec, "", b"0", false));
                        return Ok(());
                    }
                }
                if spec.alternate && v != 0 {
                    prefix = match spec.conversion {
                        b'x' => "0x",
                        b'X' => "0X",
                        _ => "",
                    };
                }
                integer(spec, prefix, digits, v == 0, out);
            }
            b'c' => {
                let value = supply.for_spec(spec)?;
                let (v, _) = self.int_of(&value, "an argument")?;
                out.extend(padded(spec, "", &[v as u8], false));
            }
            b's' => {
                let text = self.format_string(spec, supply)?;
                out.extend(padded(spec, "", &text, false));
            }
            b'p' => {
                let value = supply.for_spec(spec)?;
                let (v, _) = self.int_of(&value, "an argument")?;
                let text = if v == 0 { "(nil)".into() } else { format!("0x{v:x}") };
                out.extend(padded(spec, "", text.as_bytes(), false));
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
                let value = supply.for_spec(spec)?;
                let number = match &value {
                    Value::Extended(bits) => Number::extended(*bits),
                    _ => Number::Double(self.float_of(&value, "an argument")?),
                };
                let undefined = match &value {
                    Value::Extended(bits) => {
                        extended::compare(*bits, *bits).is_none()
                            || spec.conversion.eq_ignore_ascii_case(&b'a')
                    }
                    other => self.float_of(other, "an argument")?.is_nan(),
                };
                if undefined {
                    self.guess("how a floating number is written");
                }
                floating(spec, &number, out);
            }
            b'n' => {
                let value = supply.for_spec(spec)?;
                let (address, object) = self.int_of(&value, "an argument")?;
                let count = Value::int(out.len() as i128);
                self.store(address as u64, object, int_info(spec.bits, true), &count)?;
            }
            b'm' => out.extend(b"error"),
            other => {
                let detail = format!("conversion `%{}` of the format", char::from(other));
                return fault(ErrorKind::Unsupported, detail);
            }
        }
        Ok(())
    }

    fn format_int(&mut self, supply: &mut Supply, spec: &Spec, signed: bool) -> Res<i128> {
        let value = supply.for_spec(spec)?;
        let (v, _) = self.int_of(&value, "an argument of the output")?;
        Ok(heapwise_ir::IntTy { bits: spec.bits, signed }.wrap(v))
    }

    fn format_string(&mut self, spec: &Spec, supply: &mut Supply) -> Res<Vec<u8>> {
        let value = supply.for_spec(spec)?;
        let (address, object) = self.int_of(&value, "an argument")?;
        let at = Ptr { address: address as u64, object };
        if at.is_null() {
            return Ok(match spec.precision {
                Some(p) if p < 6 => Vec::new(),
                _ => b"(null)".to_vec(),
            });
        }
        let limit = spec.precision.map_or(u64::MAX, |p| p as u64);
        if spec.bits == 32 {
            return self.string_at(at, limit);
        }
        // Wide strings: only ASCII in the C locale.
        let mut text = Vec::new();
        let mut at = at;
        while (text.len() as u64) < limit {
            let value = self.load(at.address, at.object, int_info(32, false))?;
            match self.int_of(&value, "a wide character")?.0 {
                0 => break,
                c => text.push(c as u8),
            }
            at = at.add(4);
        }
        Ok(text)
    }
}

fn positive_sign(spec: &Spec) -> &'static str {
    match (spec.plus, spec.space) {
        (true, _) => "+",
        (false, true) => " ",
        _ => "",
    }
}

/// Text in its field: sign or prefix, zeros if asked for, the rest.
fn padded(spec: &Spec, prefix: &str, body: &[u8], zeros: bool) -> Vec<u8> {
    let missing = spec.width.saturating_sub(prefix.len() + body.len());
    let mut out = Vec::with_capacity(spec.width.max(body.len()));
    if !spec.left && !zeros {
        out.resize(missing, b' ');
    }
    out.extend(prefix.as_bytes());
    if !spec.left && zeros {
        out.resize(out.len() + missing, b'0');
    }
    out.extend(body);
    if spec.left {
        out.resize(out.len() + missing, b' ');
    }
    out
}

fn integer(spec: &Spec, prefix: &str, mut digits: String, is_zero: bool, out: &mut Vec<u8>) {
    if let Some(precision) = spec.precision {
        if precision == 0 && is_zero {
            digits.clear();
        }
        if digits.len() < precision {
            digits.insert_str(0, &"0".repeat(precision - digits.len()));
        }
    }
    let zeros = spec.zero && spec.precision.is_none();
    out.extend(padded(spec, prefix, digits.as_bytes(), zeros));
}

fn floating(spec: &Spec, number: &Number, out: &mut Vec<u8>) {
    let sign = if number.is_negative() { "-" } else { positive_sign(spec) };
    let upper = spec.conversion.is_ascii_uppercase();
    if let Some(name) = number.name() {
        let text = if upper { name.to_ascii_uppercase() } else { name.to_owned() };
        out.extend(padded(spec, sign, text.as_bytes(), false));
        return;
    }
    let precision = spec.precision.unwrap_or(6);
    let mut text = match spec.conversion.to_ascii_lowercase() {
        b'f' => number.fixed(precision, spec.alternate),
        b'e' => number.exponential(precision, spec.alternate),
        b'a' => number.hexadecimal(spec.precision, spec.alternate),
        _ => number.general(precision.max(1), spec.alternate),
    };
    if upper {
        text.make_ascii_uppercase();
    }
    let sign = if let (Some(rest), true) = (text.get(2..), matches!(spec.conversion, b'a' | b'A')) {
        // The zeros of padding go between prefix and digits.
        let prefix = format!("{sign}{}", text.get(..2).unwrap_or_default());
        text = rest.to_owned();
        prefix
    } else {
        sign.to_owned()
    };
    out.extend(padded(spec, &sign, text.as_bytes(), spec.zero));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(spec: Spec, v: f64) -> String {
        let mut out = Vec::new();
        floating(&spec, &Number::Double(v), &mut out);
        String::from_utf8(out).unwrap_or_default()
    }
    fn spec(conversion: u8, precision: Option<usize>) -> Spec {
        Spec { conversion, precision, bits: 32, ..Spec::default() }
    }

    #[test]
    fn floating_numbers_look_like_glibc() {
        assert_eq!(show(spec(b'f', None), 3.0), "3.000000");
        assert_eq!(show(spec(b'f', Some(0)), 2.5), "2");
        assert_eq!(show(spec(b'f', Some(0)), 0.5), "0");
        assert_eq!(show(spec(b'f', Some(1)), 0.25), "0.2");
        assert_eq!(show(spec(b'e', Some(2)), 12345.0), "1.23e+04");
        assert_eq!(show(spec(b'e', None), 0.0), "0.000000e+00");
        assert_eq!(show(spec(b'g', None), 100000.0), "100000");
        assert_eq!(show(spec(b'g', None), 1e6), "1e+06");
        assert_eq!(show(spec(b'g', None), 0.0001), "0.0001");
        assert_eq!(show(spec(b'g', None), 0.00001), "1e-05");
        assert_eq!(show(spec(b'G', Some(10)), 1.0 / 3.0), "0.3333333333");
        assert_eq!(show(spec(b'g', Some(17)), 0.1), "0.10000000000000001");
        assert_eq!(show(spec(b'f', None), f64::NEG_INFINITY), "-inf");
        assert_eq!(show(Spec { zero: true, width: 8, plus: true, ..spec(b'f', Some(1)) }, 3.25), "+00003.2");
        assert_eq!(show(Spec { alternate: true, ..spec(b'g', None) }, 1.5), "1.50000");
    }

    #[test]
    fn hexadecimal_numbers_look_like_glibc() {
        assert_eq!(show(spec(b'a', None), 1.0), "0x1p+0");
        assert_eq!(show(spec(b'a', None), -0.1), "-0x1.999999999999ap-4");
        assert_eq!(show(spec(b'A', Some(2)), 3.999), "0X2.00P+1");
        assert_eq!(show(spec(b'a', Some(0)), 1.5), "0x2p+0");
        assert_eq!(show(spec(b'a', None), 0.0), "0x0p+0");
        assert_eq!(show(spec(b'a', None), 5e-324), "0x0.0000000000001p-1022");
        assert_eq!(show(Spec { zero: true, width: 10, ..spec(b'a', None) }, 2.0), "0x00001p+1");
    }

    #[test]
    fn integers_keep_precision_and_width_apart() {
        let mut out = Vec::new();
        let s = Spec { width: 8, precision: Some(3), zero: true, ..spec(b'd', None) };
        integer(&s, "-", "7".into(), false, &mut out);
        assert_eq!(out, b"    -007");
    }
}
