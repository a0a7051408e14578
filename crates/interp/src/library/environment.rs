//! The rest: the end of the program, time, randomness, threads, and the functions of verification tasks.

use super::Args;
use crate::error::{ErrorKind, Res, Stop, fault, stop};
use crate::inputs::{InputKind, InputValue, PlacedAt};
use crate::layout::Kind;
use crate::machine::Machine;
use crate::options::{Policy, Surroundings};
use crate::value::Value;
use heapwise_ir::IntTy;
use heapwise_ir::library::LibFn;

impl Machine<'_, '_> {
    pub(super) fn environment_function(&mut self, model: LibFn, args: &Args) -> Res<Value> {
        match model {
            LibFn::ImmediateExit => stop(Stop::Exit(self.int_arg(args, 0)?.0 as i32)),
            LibFn::Abort => stop(Stop::Abort),
            LibFn::Atexit => {
                let function = self.function_behind(self.arg(args, 0)?)?;
                self.lib.atexit.push(function);
                Ok(Value::int(0))
            }
            LibFn::AssertFail => {
                let text = self.ptr_arg(args, 0).and_then(|p| self.string_at(p, 200)).unwrap_or_default();
                if self.options.assertion == Policy::Ignore {
                    return stop(Stop::Abort);
                }
                fault(ErrorKind::Assertion, format!("assertion `{}` failed", String::from_utf8_lossy(&text)))
            }
            LibFn::ErrnoLocation => {
                let id = self.errno()?;
                Ok(self.address_of(id))
            }
            LibFn::Getpid => {
                let name = self.function_name(args.func);
                // It stays what it was when the program asked first.
                if let Some(value) = self.lib.identity.get(&name) {
                    return Ok(value.clone());
                }
                let bits = self.info(args.ret).int().map_or(32, |t| t.bits).min(64) - 1;
                let value = Value::int(self.draw_number(&name, bits, 0, PlacedAt::Result)?);
                self.lib.identity.insert(name, value.clone());
                Ok(value)
            }
            LibFn::Time | LibFn::Clock => {
                let name = self.function_name(args.func);
                let ty = self.info(args.ret);
                // Not negative in the signed type.
                let bits = ty.int().map_or(32, |t| t.bits).min(64) - 1;
                // A clock shows a time that has a date.
                let bits = if model == LibFn::Time { bits.min(55) } else { bits };
                let now = self.draw_number(&name, bits, 0, PlacedAt::Result)?;
                let last = self.lib.clocks.insert(name, now);
                if last.is_some_and(|last| now < last) {
                    self.guess("a clock that goes back");
                }
                let value = Value::int(now);
                if model == LibFn::Time {
                    let to = self.ptr_arg(args, 0)?;
                    if !to.is_null() {
                        self.store(to.address, to.object, ty, &value)?;
                    }
                }
                Ok(value)
            }
            LibFn::Rand if self.options.surroundings == Surroundings::Drawn => {
                let name = self.function_name(args.func);
                // A seed stands for the same numbers each time.
                let at = self.lib.sequences.entry(name.contains("48")).or_insert((1, 0));
                let number = (name.contains("48"), at.0, at.1);
                at.1 += 1;
                if let Some(known) = self.lib.random_numbers.get(&number) {
                    return Ok(Value::int(*known));
                }
                let drawn = self.draw_number(&name, 31, 0, PlacedAt::Result)?;
                self.lib.random_numbers.insert(number, drawn);
                Ok(Value::int(drawn))
            }
            LibFn::Rand => {
                // A 64-bit linear congruential generator with Knuth's MMIX constants; its upper 31 bits.
                let state = self.lib.random.wrapping_mul(6_364_136_223_846_793_005);
                self.lib.random = state.wrapping_add(1_442_695_040_888_963_407);
                Ok(Value::int((self.lib.random >> 33).into()))
            }
            LibFn::Srand => {
                let seed = self.int_arg(args, 0)?.0 as u64;
                self.lib.random = seed;
                let name = self.function_name(args.func);
                self.lib.sequences.insert(name.contains("48"), (seed, 0));
                Ok(Value::Undefined)
            }
            LibFn::RandR => {
                let to = self.ptr_arg(args, 0)?;
                let ty = super::int_info(32, false);
                let seed = self.int_of(&self.load(to.address, to.object, ty)?, "the seed")?.0 as u32;
                let next = seed.wrapping_mul(1_103_515_245).wrapping_add(12_345);
                self.store(to.address, to.object, ty, &Value::int(next.into()))?;
                Ok(Value::int((next >> 1).into()))
            }
            LibFn::NondetBool => self.nondet(args, Some(InputKind::Bool)),
            LibFn::Nondet => self.nondet(args, None),
            LibFn::NondetMemory => {
                let (to, n) = (self.ptr_arg(args, 0)?, self.size_arg(args, 1)?);
                self.memory.check(to.address, to.object, n, crate::memory::Access::Write)?;
                let name = self.function_name(args.func);
                let mut bytes = Vec::new();
                for _ in 0..n {
                    match self.draw(&name, InputKind::Int(IntTy { bits: 8, signed: false }))? {
                        InputValue::Int(v) => bytes.push(v as u8),
                        InputValue::Float(_) => bytes.push(0),
                    }
                }
                self.write_bytes(to, bytes)?;
                Ok(Value::Undefined)
            }
            LibFn::VerifierAssume => {
                if self.int_arg(args, 0)?.0 == 0 {
                    return stop(Stop::AssumeFailed);
                }
                Ok(Value::Undefined)
            }
            LibFn::ReachError => {
                let name = self.function_name(args.func);
                self.reach_error(&name)
            }
            LibFn::PthreadSelf => Ok(Value::int(1)),
            LibFn::Signal
            | LibFn::Sleep
            | LibFn::PthreadNothing
            | LibFn::VerifierAtomic
            | LibFn::AssumeShape
            | LibFn::CheckShape => Ok(Value::int(0)),
            _ => fault(ErrorKind::Unsupported, format!("call of `{}`", self.function_name(args.func))),
        }
    }

    /// A call of a function that marks an error.
    pub fn reach_error<T>(&self, name: &str) -> Res<T> {
        if self.options.reach_error == Policy::Ignore {
            return stop(Stop::Exit(1));
        }
        fault(ErrorKind::ReachError, format!("call of `{name}`"))
    }

    fn nondet(&mut self, args: &Args, kind: Option<InputKind>) -> Res<Value> {
        let name = self.function_name(args.func);
        let kind = match (kind, self.info(args.ret).kind) {
            (Some(kind), _) => kind,
            (None, Kind::Bool) => InputKind::Bool,
            (None, Kind::Int(ty)) => InputKind::Int(ty),
            (None, Kind::Float(_)) => InputKind::Float,
            (None, Kind::Pointer) => InputKind::Pointer,
            (None, Kind::Void) => return Ok(Value::Undefined),
            (None, Kind::Aggregate | Kind::Function) => {
                return fault(ErrorKind::Unsupported, format!("`{name}` returns an aggregate"));
            }
        };
        Ok(match self.draw(&name, kind)? {
            InputValue::Int(v) => Value::int(v),
            InputValue::Float(v) => Value::Float(v),
        })
    }
}
