//! The `scanf` family on a text that is there as a whole.

use super::ctype::is_space;
use super::number::{parse_float, parse_int};
use super::{Ptr, int_info};
use crate::error::{ErrorKind, Res, fault};
use crate::frame::Typed;
use crate::inputs::{InputKind, InputValue, Placed, PlacedAt};
use crate::layout::{Kind, TyInfo};
use crate::machine::Machine;
use crate::value::Value;
use heapwise_ir::FloatTy;

struct Scan<'a> {
    text: &'a [u8],
    at: usize,
    targets: std::slice::Iter<'a, Typed>,
    assigned: i128,
}

impl Scan<'_> {
    fn rest(&self) -> &[u8] {
        self.text.get(self.at..).unwrap_or_default()
    }
    fn skip_space(&mut self) {
        self.at += self.rest().iter().take_while(|b| is_space(**b)).count();
    }
    fn ended(&self) -> bool {
        self.at >= self.text.len()
    }
    /// The result when a conversion fails: end of input before the first one counts as EOF.
    fn result(&self, input_ended: bool) -> i128 {
        if input_ended && self.assigned == 0 { -1 } else { self.assigned }
    }
}

impl Machine<'_, '_> {
    /// Scans `text` by `format`; the result of the call and the number of bytes used.
    pub(super) fn scan(&mut self, text: &[u8], format: &[u8], targets: &[Typed]) -> Res<(i128, usize)> {
        let mut scan = Scan { text, at: 0, targets: targets.iter(), assigned: 0 };
        let mut rest = format;
        while let Some((&b, tail)) = rest.split_first() {
            rest = tail;
            if is_space(b) {
                scan.skip_space();
            } else if b != b'%' {
                if scan.rest().first() != Some(&b) {
                    return Ok((scan.result(scan.ended()), scan.at));
                }
                scan.at += 1;
            } else if !self.scan_one(&mut scan, &mut rest)? {
                return Ok((scan.result(scan.ended()), scan.at));
            }
        }
        Ok((scan.assigned, scan.at))
    }

    /// One conversion; `false` if the input does not match.
    fn scan_one(&mut self, scan: &mut Scan<'_>, rest: &mut &[u8]) -> Res<bool> {
        let next = |rest: &mut &[u8]| {
            let b = rest.first().copied().unwrap_or(0);
            *rest = rest.get(1..).unwrap_or_default();
            b
        };
        let mut b = next(rest);
        let suppress = b == b'*';
        if suppress {
            b = next(rest);
        }
        let mut width = None;
        while b.is_ascii_digit() {
            width = Some(width.unwrap_or(0usize).saturating_mul(10).saturating_add(usize::from(b - b'0')));
            b = next(rest);
        }
        let word = (self.memory.word() * 8) as u16;
        let mut bits = 32;
        loop {
            bits = match b {
                b'h' if bits == 16 => 8,
                b'h' => 16,
                b'l' if rest.first() == Some(&b'l') => {
                    next(rest);
                    64
                }
                b'l' | b'z' | b't' => word.max(if b == b'l' { 33 } else { 32 }),
                b'j' | b'q' | b'L' => 64,
                _ => break,
            };
            b = next(rest);
        }
        // `l` means long for integers and double for floating numbers; 33 tells a 32-bit long from no modifier.
        let int_bits = if bits == 33 { 32 } else { bits };
        let long_float = bits == 33 || bits == 64;
        if !matches!(b, b'c' | b'[' | b'n' | b'%') {
            scan.skip_space();
        }
        let window = width.unwrap_or(usize::MAX).min(scan.rest().len());
        let input: Vec<u8> = scan.rest().get(..window).unwrap_or_default().to_vec();
        match b {
            b'%' => {
                scan.skip_space();
                let matches = scan.rest().first() == Some(&b'%');
                scan.at += usize::from(matches);
                Ok(matches)
            }
            b'n' => {
                if !suppress {
                    let to = self.scan_target(scan)?;
                    self.store(
                        to.address,
                        to.object,
                        int_info(int_bits, true),
                        &Value::int(scan.at as i128),
                    )?;
                }
                Ok(true)
            }
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'p' => {
                let base = match b {
                    b'd' | b'u' => 10,
                    b'i' => 0,
                    b'o' => 8,
                    _ => 16,
                };
                let parsed = parse_int(&input, base);
                if parsed.used == 0 {
                    return Ok(false);
                }
                scan.at += parsed.used;
                let bits = if b == b'p' { word } else { int_bits };
                let ty = int_info(bits, matches!(b, b'd' | b'i'));
                let value = ty.int().map_or(parsed.value, |t| t.wrap(parsed.value));
                self.scan_store(scan, suppress, ty, Value::int(value))
            }
            b'f' | b'e' | b'g' | b'E' | b'G' | b'F' => {
                let parsed = parse_float(&input);
                let (kind, size) = if long_float { (FloatTy::F64, 8) } else { (FloatTy::F32, 4) };
                if parsed.used > 0 && !parsed.is_exact(kind) {
                    self.guess("a floating number from a text");
                }
                if parsed.used == 0 {
                    return Ok(false);
                }
                scan.at += parsed.used;
                let ty = TyInfo { kind: Kind::Float(kind), size, align: size };
                self.scan_store(scan, suppress, ty, parsed.of_type(kind))
            }
            b's' => {
                let token: Vec<u8> = input.iter().take_while(|b| !is_space(**b)).copied().collect();
                self.scan_text(scan, suppress, token, true)
            }
            b'c' => {
                let n = width.unwrap_or(1);
                if scan.rest().len() < n {
                    scan.at = scan.text.len();
                    return Ok(false);
                }
                self.scan_text(scan, suppress, input.get(..n).unwrap_or_default().to_vec(), false)
            }
            b'[' => {
                let set = scan_set(rest);
                let token: Vec<u8> = input.iter().take_while(|b| set[usize::from(**b)]).copied().collect();
                self.scan_text(scan, suppress, token, true)
            }
            other => {
                fault(ErrorKind::Unsupported, format!("conversion `%{}` of the format", char::from(other)))
            }
        }
    }

    fn scan_target(&self, scan: &mut Scan<'_>) -> Res<Ptr> {
        let Some(target) = scan.targets.next() else {
            return fault(ErrorKind::BadArgument, "there are fewer arguments than conversions in the format");
        };
        let (address, object) = self.int_of(&target.value, "an argument")?;
        Ok(Ptr { address: address as u64, object })
    }

    fn scan_store(&mut self, scan: &mut Scan<'_>, suppress: bool, ty: TyInfo, value: Value) -> Res<bool> {
        if !suppress {
            let to = self.scan_target(scan)?;
            self.store(to.address, to.object, ty, &value)?;
            scan.assigned += 1;
        }
        Ok(true)
    }

    fn scan_text(
        &mut self,
        scan: &mut Scan<'_>,
        suppress: bool,
        mut token: Vec<u8>,
        terminate: bool,
    ) -> Res<bool> {
        if token.is_empty() {
            return Ok(false);
        }
        scan.at += token.len();
        if !suppress {
            let to = self.scan_target(scan)?;
            if terminate {
                token.push(0);
            }
            self.write_bytes(to, token)?;
            scan.assigned += 1;
        }
        Ok(true)
    }
}

/// The characters that a scan set such as `[^a-z]` accepts; `rest` starts after the bracket.
fn scan_set(rest: &mut &[u8]) -> [bool; 256] {
    let negated = rest.first() == Some(&b'^');
    if negated {
        *rest = rest.get(1..).unwrap_or_default();
    }
    let mut set = [negated; 256];
    let mut first = true;
    let mut bytes = *rest;
    while let Some((&b, tail)) = bytes.split_first() {
        bytes = tail;
        if b == b']' && !first {
            break;
        }
        first = false;
        let mut last = b;
        if let [b'-', end, ..] = bytes
            && *end != b']'
        {
            last = *end;
            bytes = bytes.get(2..).unwrap_or_default();
        }
        for c in b..=last {
            set[usize::from(c)] = !negated;
        }
    }
    *rest = bytes;
    set
}

impl Machine<'_, '_> {
    /// The `scanf` family on input that is drawn: for each conversion whether it finds what it looks for, and then the value.
    /// Some input is read in this way, whatever was drawn.
    pub(super) fn scan_drawn(&mut self, format: &[u8], targets: &[Typed]) -> Res<i128> {
        let mut targets = targets.iter();
        let mut assigned = 0;
        let mut rest = format;
        while let Some((&b, tail)) = rest.split_first() {
            rest = tail;
            if b != b'%' {
                continue;
            }
            let conversion = rest.iter().position(|b| b.is_ascii_alphabetic() && !b"hlLjztq".contains(b));
            let Some(end) = conversion.filter(|end| {
                rest.get(..*end).is_some_and(|between| between.iter().all(|b| b"hlLjztq".contains(b)))
            }) else {
                return fault(ErrorKind::Unsupported, "a format of which input is drawn");
            };
            let (length, letter) = (rest.get(..end).unwrap_or_default(), rest.get(end).copied().unwrap_or(0));
            rest = rest.get(end + 1..).unwrap_or_default();
            if !self.draw_choice("scanf")? {
                return Ok(if assigned == 0 { -1 } else { assigned });
            }
            let Some(target) = targets.next() else {
                return fault(
                    ErrorKind::BadArgument,
                    "there are fewer arguments than conversions in the format",
                );
            };
            let (address, object) = self.int_of(&target.value, "an argument")?;
            let to = Ptr { address: address as u64, object };
            let bits = match length {
                b"hh" => 8,
                b"h" => 16,
                b"" => 32,
                b"l" | b"z" | b"t" => (self.memory.word() * 8) as u16,
                _ => 64,
            };
            let signed = matches!(letter, b'd' | b'i');
            let draw = self.draws.len();
            match letter {
                b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => {
                    let kind = InputKind::Int(heapwise_ir::IntTy { bits, signed });
                    let InputValue::Int(v) = self.draw("scanf", kind)? else { return Ok(assigned) };
                    self.store(to.address, to.object, int_info(bits, signed), &Value::int(v))?;
                    self.place(draw, to, 0);
                }
                b'c' if length.is_empty() && !self.lib.scanned => {
                    let kind = InputKind::Int(heapwise_ir::IntTy { bits: 8, signed: false });
                    let InputValue::Int(v) = self.draw("scanf", kind)? else { return Ok(assigned) };
                    self.write_bytes(to, vec![v as u8])?;
                    self.place(draw, to, 0);
                }
                b's' if length.is_empty() => {
                    let mut text = vec![b'a'];
                    // A text that is read so has at least one character and none of them is white.
                    while text.len() < LONGEST_WORD {
                        let kind = InputKind::Int(heapwise_ir::IntTy { bits: 8, signed: false });
                        match self.draw("scanf", kind)? {
                            InputValue::Int(v) if v != 0 && !is_space(v as u8) => text.push(v as u8),
                            _ => break,
                        }
                    }
                    text.push(0);
                    self.write_bytes(to, text)?;
                }
                b'f' | b'e' | b'g' if length.is_empty() || length == b"l" => {
                    let InputValue::Float(v) = self.draw("scanf", InputKind::Float)? else {
                        return Ok(assigned);
                    };
                    let (kind, size) = if length.is_empty() { (FloatTy::F32, 4) } else { (FloatTy::F64, 8) };
                    let ty = TyInfo { kind: Kind::Float(kind), size, align: size };
                    self.store(to.address, to.object, ty, &Value::Float(v))?;
                }
                _ => return fault(ErrorKind::Unsupported, "a format of which input is drawn"),
            }
            assigned += 1;
            self.lib.scanned = true;
        }
        Ok(assigned)
    }

    /// Notes that a drawn value, less a constant, was written where a pointer leads.
    fn place(&mut self, draw: usize, to: Ptr, minus: i128) {
        let base = to.object.and_then(|o| self.memory.object(o)).map(|o| o.base);
        if let (Some(object), Some(base)) = (to.object, base) {
            let at = PlacedAt::Memory(object, to.address.wrapping_sub(base));
            self.placed.push(Placed { draw, minus, at });
        }
    }
}

/// Longest word that is drawn.
const LONGEST_WORD: usize = 1 << 16;
