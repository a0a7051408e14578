//! Streams: standard output and error are collected, standard input is a given string of bytes.

use super::{Args, Ptr};
use crate::error::{BudgetKind, ErrorKind, Res, Stop, fault, stop};
use crate::machine::Machine;
use crate::object::Origin;
use crate::value::Value;
use heapwise_ir::Span;
use heapwise_ir::library::LibFn;

const END: i128 = -1;

impl Machine<'_, '_> {
    /// The value of `stdin`, `stdout` or `stderr`.
    pub fn stream(&mut self, which: usize) -> Res<Value> {
        if let Some(id) = self.lib.streams.get(which).copied().flatten() {
            return Ok(self.address_of(id));
        }
        let name = ["stdin", "stdout", "stderr"].get(which).copied().unwrap_or("stream");
        let id = self.memory.allocate_fixed(Origin::Library(name), 216, 16, Span::default())?;
        if let Some(entry) = self.lib.streams.get_mut(which) {
            *entry = Some(id);
        }
        Ok(self.address_of(id))
    }

    fn stream_number(&self, stream: Ptr) -> Res<usize> {
        match self.lib.streams.iter().position(|s| s.is_some() && *s == stream.object) {
            Some(i) if self.lib.closed.get(i) == Some(&true) => {
                fault(ErrorKind::UseAfterFree, "the stream was closed")
            }
            Some(i) => Ok(i),
            None if stream.is_null() => fault(ErrorKind::NullDeref, "the stream is null"),
            None => fault(ErrorKind::BadArgument, "the stream is none of stdin, stdout and stderr"),
        }
    }

    pub fn write_stream(&mut self, stream: Ptr, text: &[u8]) -> Res<()> {
        let number = self.stream_number(stream)?;
        self.write_descriptor(number as i128, text)
    }

    pub fn write_descriptor(&mut self, descriptor: i128, text: &[u8]) -> Res<()> {
        let to = match descriptor {
            1 => &mut self.stdout,
            2 => &mut self.stderr,
            _ => return fault(ErrorKind::BadArgument, "output to something that is not stdout or stderr"),
        };
        to.extend_from_slice(text);
        if self.stdout.len() + self.stderr.len() > self.options.limits.output {
            return stop(Stop::Budget(BudgetKind::Output));
        }
        Ok(())
    }

    fn read_byte(&mut self) -> Option<u8> {
        if let Some(b) = self.lib.pushed_back.pop() {
            return Some(b);
        }
        match self.options.stdin.get(self.lib.input_position) {
            Some(b) => {
                self.lib.input_position += 1;
                Some(*b)
            }
            None => {
                self.lib.end_of_input = true;
                None
            }
        }
    }

    pub(super) fn stdio_function(&mut self, model: LibFn, args: &Args) -> Res<Value> {
        match model {
            LibFn::Puts => {
                let mut text = self.string_arg(args, 0)?;
                text.push(b'\n');
                self.write_descriptor(1, &text)?;
                Ok(Value::int(text.len() as i128))
            }
            LibFn::Putchar | LibFn::Fputc => {
                let c = self.int_arg(args, 0)?.0 as u8;
                if model == LibFn::Fputc {
                    let stream = self.ptr_arg(args, 1)?;
                    self.write_stream(stream, &[c])?;
                } else {
                    self.write_descriptor(1, &[c])?;
                }
                Ok(Value::int(c.into()))
            }
            LibFn::Fputs => {
                let (text, stream) = (self.string_arg(args, 0)?, self.ptr_arg(args, 1)?);
                self.write_stream(stream, &text)?;
                Ok(Value::int(1))
            }
            LibFn::Fwrite => {
                let (from, size, count) =
                    (self.ptr_arg(args, 0)?, self.size_arg(args, 1)?, self.size_arg(args, 2)?);
                let stream = self.ptr_arg(args, 3)?;
                let bytes = self.bytes_at(from, size.saturating_mul(count))?;
                self.write_stream(stream, &bytes)?;
                Ok(Value::int(if size == 0 { 0 } else { count.into() }))
            }
            LibFn::Write => {
                let (to, n) = (self.int_arg(args, 0)?.0, self.size_arg(args, 2)?);
                let bytes = self.bytes_at(self.ptr_arg(args, 1)?, n)?;
                self.write_descriptor(to, &bytes)?;
                Ok(Value::int(n.into()))
            }
            LibFn::Perror => {
                let mut text = self.string_arg(args, 0)?;
                text.extend(b": error\n");
                self.write_descriptor(2, &text)?;
                Ok(Value::Undefined)
            }
            LibFn::Setvbuf | LibFn::Ferror | LibFn::Clearerr => {
                self.stream_number(self.ptr_arg(args, 0)?)?;
                Ok(Value::int(0))
            }
            LibFn::Fclose => {
                let number = self.stream_number(self.ptr_arg(args, 0)?)?;
                if let Some(closed) = self.lib.closed.get_mut(number) {
                    *closed = true;
                }
                Ok(Value::int(0))
            }
            // All streams are meant if it is null.
            LibFn::Fflush => {
                let stream = self.ptr_arg(args, 0)?;
                if !stream.is_null() {
                    self.stream_number(stream)?;
                }
                Ok(Value::int(0))
            }
            LibFn::Fopen => Ok(Value::int(0)),
            _ => self.input_function(model, args),
        }
    }

    fn check_input(&self, args: &Args, i: usize) -> Res<()> {
        match self.stream_number(self.ptr_arg(args, i)?)? {
            0 => Ok(()),
            _ => fault(ErrorKind::BadArgument, "input from something that is not stdin"),
        }
    }

    fn input_function(&mut self, model: LibFn, args: &Args) -> Res<Value> {
        match model {
            LibFn::Getchar | LibFn::Fgetc => {
                if model == LibFn::Fgetc {
                    self.check_input(args, 0)?;
                }
                Ok(Value::int(self.read_byte().map_or(END, i128::from)))
            }
            LibFn::Ungetc => {
                self.check_input(args, 1)?;
                let (c, _) = self.int_arg(args, 0)?;
                if c != END {
                    self.lib.pushed_back.push(c as u8);
                    self.lib.end_of_input = false;
                }
                Ok(Value::int(c))
            }
            LibFn::Fgets => {
                self.check_input(args, 2)?;
                let (to, n) = (self.ptr_arg(args, 0)?, self.int_arg(args, 1)?.0);
                let mut text = Vec::new();
                while (text.len() as i128) < n - 1 {
                    let Some(b) = self.read_byte() else { break };
                    text.push(b);
                    if b == b'\n' {
                        break;
                    }
                }
                if text.is_empty() || n <= 0 {
                    return Ok(Value::int(0));
                }
                text.push(0);
                self.write_bytes(to, text)?;
                Ok(to.value())
            }
            LibFn::Fread | LibFn::Read => {
                let (to, total, size) = if model == LibFn::Fread {
                    self.check_input(args, 3)?;
                    let size = self.size_arg(args, 1)?;
                    (self.ptr_arg(args, 0)?, size.saturating_mul(self.size_arg(args, 2)?), size)
                } else {
                    (self.ptr_arg(args, 1)?, self.size_arg(args, 2)?, 1)
                };
                let mut bytes = Vec::new();
                while (bytes.len() as u64) < total {
                    let Some(b) = self.read_byte() else { break };
                    bytes.push(b);
                }
                let count = bytes.len() as u64 / size.max(1);
                self.write_bytes(to, bytes)?;
                Ok(Value::int(count.into()))
            }
            LibFn::Feof => {
                let number = self.stream_number(self.ptr_arg(args, 0)?)?;
                Ok(Value::int((number == 0 && self.lib.end_of_input).into()))
            }
            LibFn::Sscanf => {
                let (text, format) = (self.string_arg(args, 0)?, self.string_arg(args, 1)?);
                let targets = args.values.get(2..).unwrap_or_default();
                let (count, _) = self.scan(&text, &format, targets)?;
                Ok(Value::int(count))
            }
            _ => {
                let format = self.string_arg(args, 0)?;
                let mut text: Vec<u8> = self.lib.pushed_back.drain(..).rev().collect();
                let unread = self.options.stdin.get(self.lib.input_position..).unwrap_or_default();
                text.extend(unread);
                self.lib.input_position = self.options.stdin.len();
                let targets = args.values.get(1..).unwrap_or_default();
                let (count, used) = self.scan(&text, &format, targets)?;
                self.lib.end_of_input = used >= text.len();
                self.lib.pushed_back = text.get(used..).unwrap_or_default().iter().rev().copied().collect();
                Ok(Value::int(count))
            }
        }
    }
}
