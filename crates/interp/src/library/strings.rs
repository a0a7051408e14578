//! Functions on terminated strings.

use super::{Args, Ptr, int_info};
use crate::error::Res;
use crate::machine::Machine;
use crate::value::Value;
use heapwise_ir::library::LibFn;

/// Where `part` first occurs in `text`.
pub(super) fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    if part.is_empty() {
        return Some(0);
    }
    text.windows(part.len()).position(|w| w == part)
}

impl Machine<'_, '_> {
    pub(super) fn string_function(&mut self, model: LibFn, args: &Args) -> Res<Value> {
        match model {
            LibFn::Strlen => Ok(Value::int(self.string_arg(args, 0)?.len() as i128)),
            LibFn::Strnlen => {
                let text = self.string_at(self.ptr_arg(args, 0)?, self.size_arg(args, 1)?)?;
                Ok(Value::int(text.len() as i128))
            }
            LibFn::Strcpy | LibFn::Stpcpy => {
                let (to, from) = (self.ptr_arg(args, 0)?, self.ptr_arg(args, 1)?);
                let n = self.string_at(from, u64::MAX)?.len() as u64;
                self.check_apart(to, from, n + 1)?;
                self.copy(to, from, n + 1)?;
                Ok(if model == LibFn::Stpcpy { to.add(n).value() } else { to.value() })
            }
            LibFn::Strncpy => {
                let (to, from, n) = (self.ptr_arg(args, 0)?, self.ptr_arg(args, 1)?, self.size_arg(args, 2)?);
                let mut text = self.string_at(from, n)?;
                self.check_apart(to, from, text.len() as u64)?;
                self.memory.check(to.address, to.object, n, crate::memory::Access::Write)?;
                text.resize(n as usize, 0);
                self.write_bytes(to, text)?;
                Ok(to.value())
            }
            LibFn::Strcat | LibFn::Strncat => {
                let (to, from) = (self.ptr_arg(args, 0)?, self.ptr_arg(args, 1)?);
                let limit = if model == LibFn::Strncat { self.size_arg(args, 2)? } else { u64::MAX };
                let end = to.add(self.string_at(to, u64::MAX)?.len() as u64);
                let mut text = self.string_at(from, limit)?;
                self.check_apart(end, from, text.len() as u64 + 1)?;
                text.push(0);
                self.write_bytes(end, text)?;
                Ok(to.value())
            }
            LibFn::Strcmp | LibFn::Strcoll => self.compare_strings(args, u64::MAX, false),
            LibFn::Strncmp => self.compare_strings(args, self.size_arg(args, 2)?, false),
            LibFn::Strcasecmp => self.compare_strings(args, u64::MAX, true),
            LibFn::Strncasecmp => self.compare_strings(args, self.size_arg(args, 2)?, true),
            LibFn::Strchr | LibFn::Strchrnul => {
                let mut at = self.ptr_arg(args, 0)?;
                let wanted = self.int_arg(args, 1)?.0 as u8;
                loop {
                    let b = self.byte(at)?;
                    if b == wanted || (b == 0 && model == LibFn::Strchrnul) {
                        return Ok(at.value());
                    }
                    if b == 0 {
                        return Ok(Value::int(0));
                    }
                    at = at.add(1);
                }
            }
            LibFn::Strrchr => {
                let wanted = self.int_arg(args, 1)?.0 as u8;
                let mut text = self.string_arg(args, 0)?;
                text.push(0);
                self.found(args, text.iter().rposition(|b| *b == wanted))
            }
            LibFn::Strstr => {
                let (text, part) = (self.string_arg(args, 0)?, self.string_arg(args, 1)?);
                self.found(args, find(&text, &part))
            }
            LibFn::Strcasestr => {
                let (text, part) = (self.string_arg(args, 0)?, self.string_arg(args, 1)?);
                self.found(args, find(&text.to_ascii_lowercase(), &part.to_ascii_lowercase()))
            }
            LibFn::Strspn | LibFn::Strcspn => {
                let (text, set) = (self.string_arg(args, 0)?, self.string_arg(args, 1)?);
                let inside = model == LibFn::Strspn;
                let n = text.iter().take_while(|b| set.contains(b) == inside).count();
                Ok(Value::int(n as i128))
            }
            LibFn::Strpbrk => {
                let (text, set) = (self.string_arg(args, 0)?, self.string_arg(args, 1)?);
                self.found(args, text.iter().position(|b| set.contains(b)))
            }
            LibFn::Strtok => {
                let given = self.ptr_arg(args, 0)?;
                let start = match (given.is_null(), &self.lib.strtok) {
                    (false, _) => given,
                    (true, Some(Value::Int { bits, object })) => {
                        Ptr { address: *bits as u64, object: *object }
                    }
                    (true, _) => return Ok(Value::int(0)),
                };
                let (token, rest) = self.token(start, &self.string_arg(args, 1)?)?;
                self.lib.strtok = rest.map(Ptr::value);
                Ok(token.map_or(Value::int(0), Ptr::value))
            }
            LibFn::StrtokR => self.strtok_r(args),
            LibFn::Strsep => self.strsep(args),
            _ => {
                let (code, _) = self.int_arg(args, 0)?;
                let id = self.library_string("strerror", format!("error {code}").as_bytes())?;
                self.memory.make_up(id);
                Ok(self.address_of(id))
            }
        }
    }

    fn found(&self, args: &Args, position: Option<usize>) -> Res<Value> {
        let at = self.ptr_arg(args, 0)?;
        Ok(position.map_or(Value::int(0), |i| at.add(i as u64).value()))
    }

    fn compare_strings(&self, args: &Args, limit: u64, fold: bool) -> Res<Value> {
        let (a, b) = (self.ptr_arg(args, 0)?, self.ptr_arg(args, 1)?);
        for i in 0..limit {
            let (mut x, mut y) = (self.byte(a.add(i))?, self.byte(b.add(i))?);
            if fold {
                (x, y) = (x.to_ascii_lowercase(), y.to_ascii_lowercase());
            }
            if x != y {
                return Ok(Value::int(i128::from(x) - i128::from(y)));
            }
            if x == 0 {
                break;
            }
        }
        Ok(Value::int(0))
    }

    /// The next token from `start` on, cut out of the string, and where to go on.
    fn token(&mut self, start: Ptr, delimiters: &[u8]) -> Res<(Option<Ptr>, Option<Ptr>)> {
        let text = self.string_at(start, u64::MAX)?;
        let skipped = text.iter().take_while(|b| delimiters.contains(b)).count();
        if skipped == text.len() {
            return Ok((None, Some(start.add(text.len() as u64))));
        }
        let rest = text.get(skipped..).unwrap_or_default();
        let token = start.add(skipped as u64);
        let Some(length) = rest.iter().position(|b| delimiters.contains(b)) else {
            return Ok((Some(token), Some(token.add(rest.len() as u64))));
        };
        let end = token.add(length as u64);
        self.write_bytes(end, vec![0])?;
        Ok((Some(token), Some(end.add(1))))
    }

    fn pointer_info(&self) -> crate::layout::TyInfo {
        int_info((self.memory.word() * 8) as u16, false)
    }

    fn load_pointer(&self, at: Ptr) -> Res<Ptr> {
        let value = self.load(at.address, at.object, self.pointer_info())?;
        let (bits, object) = self.int_of(&value, "the saved position")?;
        Ok(Ptr { address: bits as u64, object })
    }

    fn strtok_r(&mut self, args: &Args) -> Res<Value> {
        let (given, delimiters) = (self.ptr_arg(args, 0)?, self.string_arg(args, 1)?);
        let saved = self.ptr_arg(args, 2)?;
        let start = if given.is_null() { self.load_pointer(saved)? } else { given };
        if start.is_null() {
            return Ok(Value::int(0));
        }
        let (token, rest) = self.token(start, &delimiters)?;
        let rest = rest.map_or(Value::int(0), Ptr::value);
        self.store(saved.address, saved.object, self.pointer_info(), &rest)?;
        Ok(token.map_or(Value::int(0), Ptr::value))
    }

    fn strsep(&mut self, args: &Args) -> Res<Value> {
        let (position, delimiters) = (self.ptr_arg(args, 0)?, self.string_arg(args, 1)?);
        let start = self.load_pointer(position)?;
        if start.is_null() {
            return Ok(Value::int(0));
        }
        let text = self.string_at(start, u64::MAX)?;
        let rest = match text.iter().position(|b| delimiters.contains(b)) {
            Some(i) => {
                let end = start.add(i as u64);
                self.write_bytes(end, vec![0])?;
                end.add(1).value()
            }
            None => Value::int(0),
        };
        self.store(position.address, position.object, self.pointer_info(), &rest)?;
        Ok(start.value())
    }
}
