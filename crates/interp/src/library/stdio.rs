//! Streams: standard output and error are collected, standard input is a given string of bytes.
//!
//! Whether a file can be opened is an input of the run. A file that was opened is empty; what is written to it is not
//! kept, and a run that would read it back, or that needs to know where in it it is, ends. A stream is an object whose
//! life ends when it is closed: using it afterwards is a use after free, closing it again a double free, closing what is
//! no stream an invalid free.

use super::{Args, Ptr};
use crate::error::{BudgetKind, ErrorKind, Res, Stop, fault, object_fault, stop};
use crate::inputs::{InputKind, InputValue, Placed, PlacedAt};
use crate::machine::Machine;
use crate::object::{Life, Origin};
use crate::options::Surroundings;
use crate::value::{ObjectId, Value};
use heapwise_ir::Span;
use heapwise_ir::library::LibFn;

const END: i128 = -1;
const STANDARD: [&str; 3] = ["stdin", "stdout", "stderr"];

/// What the library knows of a stream, open or closed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stream {
    object: ObjectId,
    /// For stdin, stdout and stderr, their descriptor.
    standard: Option<usize>,
    /// Whether it leads to a file: always, but for standard streams that were not opened anew.
    file: bool,
    /// Whether anything was written to the file.
    written: bool,
    /// Whether an attempt to read came to the end of the file.
    ended: bool,
}

impl Machine<'_, '_> {
    /// The value of `stdin`, `stdout` or `stderr`.
    pub fn stream(&mut self, which: usize) -> Res<Value> {
        let known = self.lib.streams.iter().find(|s| s.standard == Some(which)).map(|s| s.object);
        let object = match known {
            Some(object) => object,
            None => {
                let name = STANDARD.get(which).copied().unwrap_or("stream");
                self.new_stream(name, Some(which), Span::default())?
            }
        };
        Ok(self.address_of(object))
    }

    fn new_stream(&mut self, name: &'static str, standard: Option<usize>, span: Span) -> Res<ObjectId> {
        let object = self.memory.allocate_fixed(Origin::Stream(name), 216, 16, span)?;
        let file = standard.is_none();
        self.lib.streams.push(Stream { object, standard, file, written: false, ended: false });
        Ok(object)
    }

    /// The open stream that a pointer leads to, by its position in the list.
    fn open_stream(&self, stream: Ptr, closing: bool) -> Res<usize> {
        if stream.is_null() {
            return fault(ErrorKind::NullDeref, "the stream is null");
        }
        let (none, gone) = match closing {
            true => (ErrorKind::InvalidFree, ErrorKind::DoubleFree),
            false => (ErrorKind::BadArgument, ErrorKind::UseAfterFree),
        };
        let Some(id) = stream.object else { return fault(none, "the argument is no stream") };
        let Some(object) = self.memory.object(id) else {
            return object_fault(gone, id, "the stream was closed long ago");
        };
        let known = self.lib.streams.iter().position(|s| s.object == id);
        match known {
            _ if !matches!(object.origin, Origin::Stream(_)) || object.base != stream.address => {
                object_fault(none, id, "the argument is no stream")
            }
            Some(i) if object.life == Life::Alive => Ok(i),
            _ => object_fault(gone, id, "the stream was closed"),
        }
    }

    fn stream_arg(&self, args: &Args, i: usize) -> Res<usize> {
        self.open_stream(self.ptr_arg(args, i)?, false)
    }

    /// The open stream that functions without a stream argument use, if it is not as it was at the start.
    fn standard_stream(&self, which: usize) -> Res<Option<usize>> {
        let known = self.lib.streams.iter().position(|s| s.standard == Some(which));
        let Some((i, s)) = known.and_then(|i| Some((i, self.lib.streams.get(i)?))) else { return Ok(None) };
        if self.memory.object(s.object).is_none_or(|o| o.life != Life::Alive) {
            let name = STANDARD.get(which).copied().unwrap_or("stream");
            return object_fault(ErrorKind::UseAfterFree, s.object, format!("`{name}` was closed"));
        }
        Ok(s.file.then_some(i))
    }

    pub fn write_stream(&mut self, stream: Ptr, text: &[u8]) -> Res<()> {
        let number = self.open_stream(stream, false)?;
        match self.lib.streams.get_mut(number) {
            Some(Stream { file: false, standard: Some(d), .. }) => {
                let d = *d as i128;
                self.write_descriptor(d, text)
            }
            Some(s) => {
                s.written |= !text.is_empty();
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Writes to the stream that `printf` and its relatives use.
    pub fn write_standard(&mut self, which: usize, text: &[u8]) -> Res<()> {
        match self.standard_stream(which)? {
            Some(i) => {
                if let Some(s) = self.lib.streams.get_mut(i) {
                    s.written |= !text.is_empty();
                }
                Ok(())
            }
            None => self.write_descriptor(which as i128, text),
        }
    }

    pub fn write_descriptor(&mut self, descriptor: i128, text: &[u8]) -> Res<()> {
        let to = match descriptor {
            1 => &mut self.stdout,
            2 => &mut self.stderr,
            _ => return fault(ErrorKind::Unsupported, "output to something that is not stdout or stderr"),
        };
        to.extend_from_slice(text);
        if self.stdout.len() + self.stderr.len() > self.options.limits.output {
            return stop(Stop::Budget(BudgetKind::Output));
        }
        Ok(())
    }

    /// Whether a file can be opened.
    fn opens(&mut self, args: &Args) -> Res<bool> {
        let name = self.function_name(args.func);
        self.draw_choice(&name)
    }

    /// The texts that say what is to be opened and how.
    fn check_texts(&self, args: &Args, positions: usize) -> Res<()> {
        for (i, value) in args.values.iter().enumerate().take(positions) {
            if self.info(value.ty).kind == crate::layout::Kind::Pointer {
                self.string_arg(args, i)?;
            }
        }
        Ok(())
    }

    fn close(&mut self, number: usize) {
        let span = self.current_span();
        if let Some(s) = self.lib.streams.get(number).copied() {
            self.memory.kill(s.object, Life::Freed, span);
            if s.standard.is_none() {
                self.lib.streams.swap_remove(number);
            }
        }
    }

    /// Functions on streams that neither read nor write what they hold.
    fn stream_function(&mut self, model: LibFn, args: &Args) -> Res<Value> {
        match model {
            LibFn::Fopen => {
                self.check_texts(args, 2)?;
                if !self.opens(args)? {
                    return Ok(Value::int(0));
                }
                let span = self.current_span();
                let object = self.new_stream("file", None, span)?;
                Ok(self.address_of(object))
            }
            LibFn::Freopen => {
                let stream = self.ptr_arg(args, 2)?;
                let number = self.open_stream(stream, false)?;
                if !self.ptr_arg(args, 0)?.is_null() {
                    self.string_arg(args, 0)?;
                }
                self.string_arg(args, 1)?;
                if !self.opens(args)? {
                    self.close(number);
                    return Ok(Value::int(0));
                }
                if let Some(s) = self.lib.streams.get_mut(number) {
                    (s.file, s.written, s.ended) = (true, false, false);
                }
                Ok(stream.value())
            }
            LibFn::Fclose => {
                let number = self.open_stream(self.ptr_arg(args, 0)?, true)?;
                self.close(number);
                Ok(Value::int(0))
            }
            // All streams are meant if it is null.
            LibFn::Fflush => {
                let stream = self.ptr_arg(args, 0)?;
                if !stream.is_null() {
                    self.open_stream(stream, false)?;
                }
                Ok(Value::int(0))
            }
            LibFn::Setvbuf => {
                self.stream_arg(args, 0)?;
                if args.values.len() > 1 && !self.ptr_arg(args, 1)?.is_null() {
                    return fault(ErrorKind::Unsupported, "a buffer for a stream");
                }
                Ok(Value::int(0))
            }
            LibFn::Ftell | LibFn::Fseek => {
                let number = self.stream_arg(args, 0)?;
                let offset = if model == LibFn::Fseek && args.values.len() > 1 {
                    (self.int_arg(args, 1)?.0, self.int_arg(args, 2)?.0)
                } else {
                    (0, 0)
                };
                let drawn = self.options.surroundings == Surroundings::Drawn;
                match self.lib.streams.get_mut(number) {
                    // What is no file has no position.
                    Some(Stream { file: false, .. }) => Ok(Value::int(-1)),
                    // To the start, or to the end of what is empty.
                    Some(s) if !s.written && offset.0 == 0 && !drawn => {
                        s.ended = false;
                        Ok(Value::int(0))
                    }
                    _ => fault(ErrorKind::Unsupported, "a position in a file"),
                }
            }
            LibFn::Fileno => {
                let number = self.stream_arg(args, 0)?;
                let standard = self.lib.streams.get(number).and_then(|s| s.standard);
                Ok(Value::int(standard.unwrap_or(number + STANDARD.len()) as i128))
            }
            // Ferror, Clearerr and locks.
            _ => {
                let number = self.stream_arg(args, 0)?;
                if model == LibFn::Clearerr
                    && let Some(s) = self.lib.streams.get_mut(number)
                {
                    s.ended = false;
                    if s.standard == Some(0) && !s.file {
                        self.lib.end_of_input = false;
                    }
                }
                Ok(Value::int(0))
            }
        }
    }

    /// A byte of a file, or of the standard input if that is to be drawn; `None` at the end.
    fn drawn_byte(&mut self, number: Option<usize>) -> Res<Option<u8>> {
        let ended = match number.and_then(|n| self.lib.streams.get(n)) {
            Some(s) => s.ended,
            None => self.lib.end_of_input,
        };
        if ended {
            return Ok(None);
        }
        if number.is_none() && self.lib.scanned {
            return fault(ErrorKind::Unsupported, "a byte after formatted input that was drawn");
        }
        // 0 is the end, so that what nobody chose ends.
        let draw = self.draws.len();
        let kind = InputKind::Int(heapwise_ir::IntTy { bits: 9, signed: false });
        let byte = match self.draw("input", kind)? {
            InputValue::Int(v @ 1..=256) => Some((v - 1) as u8),
            _ => None,
        };
        if byte.is_none() {
            self.placed.push(Placed { draw, minus: 0, at: PlacedAt::Choice });
            match number.and_then(|n| self.lib.streams.get_mut(n)) {
                Some(s) => s.ended = true,
                None => self.lib.end_of_input = true,
            }
        }
        self.lib.last_drawn = Some(draw);
        Ok(byte)
    }

    /// The next byte of a stream, by its number, or of the standard input.
    fn read_byte(&mut self, number: Option<usize>) -> Res<Option<u8>> {
        self.lib.last_drawn = None;
        if number.is_none()
            && let Some(b) = self.lib.pushed_back.pop()
        {
            return Ok(Some(b));
        }
        if self.options.surroundings == Surroundings::Drawn {
            return self.drawn_byte(number);
        }
        if let Some(s) = number.and_then(|n| self.lib.streams.get_mut(n)) {
            s.ended = true;
            return Ok(None);
        }
        Ok(match self.options.stdin.get(self.lib.input_position) {
            Some(b) => {
                self.lib.input_position += 1;
                Some(*b)
            }
            None => {
                self.lib.end_of_input = true;
                None
            }
        })
    }

    /// Bytes of a stream up to one that `last` accepts, at most so many; with the draws that gave them.
    fn read_bytes(
        &mut self,
        number: Option<usize>,
        most: u64,
        last: impl Fn(u8) -> bool,
    ) -> Res<(Vec<u8>, Vec<Option<usize>>)> {
        let (mut bytes, mut drawn) = (Vec::new(), Vec::new());
        while (bytes.len() as u64) < most {
            let Some(b) = self.read_byte(number)? else { break };
            bytes.push(b);
            drawn.push(self.lib.last_drawn);
            if last(b) {
                break;
            }
        }
        Ok((bytes, drawn))
    }

    /// Writes bytes that were read, and says which inputs they are.
    fn place_bytes(&mut self, to: Ptr, bytes: Vec<u8>, drawn: &[Option<usize>]) -> Res<()> {
        self.write_bytes(to, bytes)?;
        let base = to.object.and_then(|o| self.memory.object(o)).map(|o| o.base);
        if let (Some(object), Some(base)) = (to.object, base) {
            let from = to.address.wrapping_sub(base);
            for (i, draw) in drawn.iter().enumerate() {
                let at = PlacedAt::Memory(object, from + i as u64);
                self.placed.extend(draw.map(|draw| Placed { draw, minus: 1, at }));
            }
        }
        Ok(())
    }

    pub(super) fn stdio_function(&mut self, model: LibFn, args: &Args) -> Res<Value> {
        match model {
            LibFn::Puts => {
                let mut text = self.string_arg(args, 0)?;
                text.push(b'\n');
                self.write_standard(1, &text)?;
                Ok(Value::int(text.len() as i128))
            }
            LibFn::Putchar | LibFn::Fputc => {
                let c = self.int_arg(args, 0)?.0 as u8;
                if model == LibFn::Fputc {
                    let stream = self.ptr_arg(args, 1)?;
                    self.write_stream(stream, &[c])?;
                } else {
                    self.write_standard(1, &[c])?;
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
                self.write_standard(2, &text)?;
                Ok(Value::Undefined)
            }
            LibFn::Fopen
            | LibFn::Freopen
            | LibFn::Fclose
            | LibFn::Fflush
            | LibFn::Setvbuf
            | LibFn::Ftell
            | LibFn::Fseek
            | LibFn::Fileno
            | LibFn::StreamLock
            | LibFn::Ferror
            | LibFn::Clearerr => self.stream_function(model, args),
            _ => self.input_function(model, args),
        }
    }

    /// The number of a stream to read from, nothing for the standard input: the one of an argument, or the one that
    /// functions without a stream argument use.
    fn reads_from(&mut self, args: &Args, argument: Option<usize>) -> Res<Option<usize>> {
        let number = match argument {
            Some(i) => Some(self.stream_arg(args, i)?),
            None => self.standard_stream(0)?,
        };
        let Some(s) = number.and_then(|n| self.lib.streams.get_mut(n)) else { return Ok(None) };
        match s {
            Stream { file: true, written: false, .. } => Ok(number),
            Stream { file: false, standard: Some(0), .. } => Ok(None),
            Stream { file: false, .. } => fault(ErrorKind::Unsupported, "input from stdout or stderr"),
            Stream { .. } => fault(ErrorKind::Unsupported, "reading a file that was written"),
        }
    }

    /// `getline`: the block grows if the line needs more room.
    fn getline(&mut self, args: &Args) -> Res<Value> {
        let number = self.reads_from(args, Some(2))?;
        let (line, size) = (self.ptr_arg(args, 0)?, self.ptr_arg(args, 1)?);
        let word = super::int_info((self.memory.word() * 8) as u16, false);
        let (address, object) = self.int_of(&self.load(line.address, line.object, word)?, "the line")?;
        let old = Ptr { address: address as u64, object };
        let (mut bytes, drawn) = self.read_bytes(number, u64::MAX, |b| b == b'\n')?;
        if bytes.is_empty() {
            return Ok(Value::int(END));
        }
        let length = bytes.len() as u64;
        bytes.push(0);
        let room = old.object.and_then(|o| self.memory.object(o)).map_or(0, |o| o.size);
        let mut to = old;
        if room <= length {
            let Value::Int { bits, object } = self.resize_block(old, (length + 1).max(120))? else {
                return Ok(Value::int(END));
            };
            to = Ptr { address: bits as u64, object };
            if to.is_null() {
                return Ok(Value::int(END));
            }
            self.store(line.address, line.object, word, &to.value())?;
            self.store(size.address, size.object, word, &Value::int((length + 1).max(120).into()))?;
        }
        self.place_bytes(to, bytes, &drawn)?;
        Ok(Value::int(length.into()))
    }

    fn input_function(&mut self, model: LibFn, args: &Args) -> Res<Value> {
        match model {
            LibFn::Getchar | LibFn::Fgetc => {
                let number = self.reads_from(args, (model == LibFn::Fgetc).then_some(0))?;
                let byte = self.read_byte(number)?;
                if let Some(draw) = self.lib.last_drawn {
                    self.placed.push(Placed { draw, minus: 1, at: PlacedAt::Result });
                }
                Ok(Value::int(byte.map_or(END, i128::from)))
            }
            LibFn::Ungetc => {
                let (c, _) = self.int_arg(args, 0)?;
                if c != END && self.reads_from(args, Some(1))?.is_some() {
                    return fault(ErrorKind::Unsupported, "a byte that is pushed back to a file");
                }
                self.stream_arg(args, 1)?;
                if c != END {
                    self.lib.pushed_back.push(c as u8);
                    self.lib.end_of_input = false;
                }
                Ok(Value::int(c))
            }
            LibFn::Fgets => {
                let number = self.reads_from(args, Some(2))?;
                let (to, n) = (self.ptr_arg(args, 0)?, self.int_arg(args, 1)?.0);
                let most = u64::try_from(n - 1).unwrap_or(0);
                let (mut text, drawn) = self.read_bytes(number, most, |b| b == b'\n')?;
                if text.is_empty() || n <= 0 {
                    return Ok(Value::int(0));
                }
                text.push(0);
                self.place_bytes(to, text, &drawn)?;
                Ok(to.value())
            }
            LibFn::Fread | LibFn::Read => {
                let mut number = None;
                let (to, total, size) = if model == LibFn::Fread {
                    number = self.reads_from(args, Some(3))?;
                    let size = self.size_arg(args, 1)?;
                    (self.ptr_arg(args, 0)?, size.saturating_mul(self.size_arg(args, 2)?), size)
                } else {
                    (self.ptr_arg(args, 1)?, self.size_arg(args, 2)?, 1)
                };
                let (bytes, drawn) = self.read_bytes(number, total, |_| false)?;
                let count = bytes.len() as u64 / size.max(1);
                self.place_bytes(to, bytes, &drawn)?;
                Ok(Value::int(count.into()))
            }
            // A directory is empty.
            LibFn::Readdir => {
                self.stream_arg(args, 0)?;
                Ok(Value::int(0))
            }
            LibFn::Getline => self.getline(args),
            LibFn::Feof => {
                let number = self.stream_arg(args, 0)?;
                let ended = self.lib.streams.get(number).is_some_and(|s| match s.file {
                    true => s.ended,
                    false => s.standard == Some(0) && self.lib.end_of_input,
                });
                Ok(Value::int(ended.into()))
            }
            LibFn::Sscanf => {
                let (text, format) = (self.string_arg(args, 0)?, self.string_arg(args, 1)?);
                let targets = args.values.get(2..).unwrap_or_default();
                let (count, _) = self.scan(&text, &format, targets)?;
                Ok(Value::int(count))
            }
            _ => {
                let first = usize::from(model == LibFn::Fscanf);
                let format = self.string_arg(args, first)?;
                let number = self.reads_from(args, (first == 1).then_some(0))?;
                if self.options.surroundings == Surroundings::Drawn {
                    let targets = args.values.get(first + 1..).unwrap_or_default();
                    return Ok(Value::int(self.scan_drawn(&format, targets)?));
                }
                if let Some(s) = number.and_then(|n| self.lib.streams.get_mut(n)) {
                    s.ended = true;
                    return Ok(Value::int(END));
                }
                let mut text: Vec<u8> = self.lib.pushed_back.drain(..).rev().collect();
                let unread = self.options.stdin.get(self.lib.input_position..).unwrap_or_default();
                text.extend(unread);
                self.lib.input_position = self.options.stdin.len();
                let targets = args.values.get(first + 1..).unwrap_or_default();
                let (count, used) = self.scan(&text, &format, targets)?;
                self.lib.end_of_input = used >= text.len();
                self.lib.pushed_back = text.get(used..).unwrap_or_default().iter().rev().copied().collect();
                Ok(Value::int(count))
            }
        }
    }
}
