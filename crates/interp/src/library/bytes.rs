//! Functions on ranges of bytes.

use super::{Args, Ptr};
use crate::error::{ErrorKind, Res, fault};
use crate::machine::Machine;
use crate::memory::Access;
use crate::value::Value;
use heapwise_ir::library::LibFn;

impl Machine<'_, '_> {
    pub(super) fn byte_function(&mut self, model: LibFn, args: &Args) -> Res<Value> {
        match model {
            LibFn::Memcpy | LibFn::Mempcpy | LibFn::Memmove => {
                let (to, from, n) = (self.ptr_arg(args, 0)?, self.ptr_arg(args, 1)?, self.size_arg(args, 2)?);
                if model != LibFn::Memmove {
                    self.check_apart(to, from, n)?;
                }
                self.copy(to, from, n)?;
                Ok(if model == LibFn::Mempcpy { to.add(n).value() } else { to.value() })
            }
            LibFn::Bcopy => {
                let (from, to, n) = (self.ptr_arg(args, 0)?, self.ptr_arg(args, 1)?, self.size_arg(args, 2)?);
                self.copy(to, from, n)?;
                Ok(Value::Undefined)
            }
            LibFn::Memset => {
                let (to, n) = (self.ptr_arg(args, 0)?, self.size_arg(args, 2)?);
                let (byte, _) = self.int_arg(args, 1)?;
                self.fill(to, n, byte as u8)?;
                Ok(to.value())
            }
            LibFn::Bzero => {
                let (to, n) = (self.ptr_arg(args, 0)?, self.size_arg(args, 1)?);
                self.fill(to, n, 0)?;
                Ok(Value::Undefined)
            }
            LibFn::Memcmp => {
                let (a, b, n) = (self.ptr_arg(args, 0)?, self.ptr_arg(args, 1)?, self.size_arg(args, 2)?);
                for i in 0..n {
                    let (x, y) = (self.byte(a.add(i))?, self.byte(b.add(i))?);
                    if x != y {
                        return Ok(Value::int(i128::from(x) - i128::from(y)));
                    }
                }
                Ok(Value::int(0))
            }
            LibFn::Memchr => {
                let at = self.ptr_arg(args, 0)?;
                let wanted = self.int_arg(args, 1)?.0 as u8;
                let n = if args.values.len() > 2 { self.size_arg(args, 2)? } else { u64::MAX };
                for i in 0..n {
                    if self.byte(at.add(i))? == wanted {
                        return Ok(at.add(i).value());
                    }
                }
                Ok(Value::int(0))
            }
            LibFn::Memrchr => {
                let (at, n) = (self.ptr_arg(args, 0)?, self.size_arg(args, 2)?);
                let wanted = self.int_arg(args, 1)?.0 as u8;
                let found = self.bytes_at(at, n)?.iter().rposition(|b| *b == wanted);
                Ok(found.map_or(Value::int(0), |i| at.add(i as u64).value()))
            }
            _ => {
                let at = self.ptr_arg(args, 0)?;
                let text = self.bytes_at(at, self.size_arg(args, 1)?)?;
                let part = self.bytes_at(self.ptr_arg(args, 2)?, self.size_arg(args, 3)?)?;
                let found = super::strings::find(&text, &part);
                Ok(found.map_or(Value::int(0), |i| at.add(i as u64).value()))
            }
        }
    }

    /// Copies bytes with everything that is known of them.
    pub(super) fn copy(&mut self, to: Ptr, from: Ptr, n: u64) -> Res<()> {
        if n == 0 {
            return Ok(());
        }
        self.memory.check(to.address, to.object, n, Access::Write)?;
        let chunk = self.memory.read_chunk(from.address, from.object, n)?;
        self.memory.write_chunk(to.address, to.object, &chunk)
    }

    fn fill(&mut self, to: Ptr, n: u64, byte: u8) -> Res<()> {
        if n == 0 {
            return Ok(());
        }
        let spot = self.memory.check(to.address, to.object, n, Access::Write)?;
        self.memory.at_mut(spot).fill(spot.offset, n, byte);
        Ok(())
    }

    /// Faults if two ranges overlap without being the same.
    pub(super) fn check_apart(&self, to: Ptr, from: Ptr, n: u64) -> Res<()> {
        let distance = to.address.abs_diff(from.address);
        if distance != 0 && distance < n {
            return fault(
                ErrorKind::OverlappingCopy,
                format!("ranges of {n} bytes overlap at distance {distance}"),
            );
        }
        Ok(())
    }
}
