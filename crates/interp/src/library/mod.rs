//! Models of the library functions of [`LibFn`]: the dispatch, and access to arguments and strings.
//!
//! A model reads and writes the program's memory with the same checks as the program itself, so a string without
//! a terminator or a buffer that is too small is an error at the call. Models that call back into the program
//! ([`Native`]) are state machines on the call stack.

mod alloc;
mod bytes;
mod contract;
mod ctype;
mod decimal;
mod environment;
mod format;
mod math;
mod number;
mod scan;
mod shape;
mod sort;
mod stdio;
mod strings;

use crate::error::{ErrorKind, Res, fault};
use crate::frame::Typed;
use crate::layout::{Kind, TyInfo};
use crate::machine::Machine;
use crate::memory::Access;
use crate::object::Origin;
use crate::value::{Chunk, ObjectId, Value};
use heapwise_ir::library::LibFn;
use heapwise_ir::{FuncId, IntTy, Span, Ty, Type};
pub(crate) use sort::{Native, NativeTask};
use std::collections::{BTreeMap, BTreeSet};
use stdio::Stream;

/// How a call went.
pub(crate) enum Called {
    /// It is finished with this value.
    Done(Value),
    /// A frame was pushed; the value comes later.
    Entered,
}

/// What the library remembers.
#[derive(Debug, Default)]
pub(crate) struct LibraryState {
    /// Functions registered with `atexit`.
    pub atexit: Vec<FuncId>,
    /// Where `strtok` goes on.
    pub strtok: Option<Value>,
    pub errno: Option<ObjectId>,
    /// The tables behind `__ctype_b_loc` and its kin: the pointer variable.
    pub ctype: [Option<ObjectId>; 3],
    /// Streams that were opened; stdin, stdout and stderr when the program names them.
    pub streams: Vec<Stream>,
    /// Bytes of the input that were read.
    pub input_position: usize,
    /// Bytes pushed back, the next one last.
    pub pushed_back: Vec<u8>,
    pub end_of_input: bool,
    pub random: u64,
    /// Seed and position of the generators with numbers that are drawn: of `lrand48`, and of the others.
    pub sequences: BTreeMap<bool, (u64, u64)>,
    /// What was drawn for them: generator, seed, position.
    pub random_numbers: BTreeMap<(bool, u64, u64), i128>,
    /// What the process is called: results of `getpid` and its kin.
    pub identity: BTreeMap<Box<str>, Value>,
    /// What clocks showed last.
    pub clocks: BTreeMap<Box<str>, i128>,
    /// Whether formatted input was drawn: which byte comes after it is not known.
    pub scanned: bool,
    /// The input that the byte read last was drawn as.
    pub last_drawn: Option<usize>,
    /// The array of the variables of the environment.
    pub environment: Option<ObjectId>,
    /// Variables of the environment that the program asked for.
    pub variables: BTreeMap<Vec<u8>, Value>,
    /// Whether the program changed the environment.
    pub environment_changed: bool,
    /// Descriptors that were given and not closed.
    pub descriptors: BTreeSet<i128>,
    /// Descriptors that were closed.
    pub closed: BTreeSet<i128>,
}

/// A pointer argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ptr {
    pub address: u64,
    pub object: Option<ObjectId>,
}

impl Ptr {
    pub fn add(self, n: u64) -> Ptr {
        Ptr { address: self.address.wrapping_add(n), object: self.object }
    }
    pub fn is_null(self) -> bool {
        self.address == 0 && self.object.is_none()
    }
    pub fn value(self) -> Value {
        Value::pointer(self.address, self.object)
    }
}

/// The arguments of a call of a library function.
#[derive(Clone, Debug)]
pub(crate) struct Args {
    pub values: Vec<Typed>,
    pub func: FuncId,
    /// Declared result type.
    pub ret: Ty,
}

/// An integer type's representation.
pub(crate) fn int_info(bits: u16, signed: bool) -> TyInfo {
    TyInfo { kind: Kind::Int(IntTy { bits, signed }), size: u64::from(bits / 8), align: u64::from(bits / 8) }
}

impl Machine<'_, '_> {
    pub fn library_call(&mut self, model: LibFn, func: FuncId, values: Vec<Typed>) -> Res<Called> {
        let ret = match self.program.functions.get(func).map(|f| self.program.types.get(f.ty)) {
            Some(Type::Function { ret, .. }) => *ret,
            _ => Ty(0),
        };
        let args = Args { values, func, ret };
        if let LibFn::Known(id) = model {
            return self.known_function(id.get(), &args).map(Called::Done);
        }
        if model.effects().unsupported {
            return fault(ErrorKind::Unsupported, format!("call of `{}`", self.function_name(func)));
        }
        use LibFn as L;
        let value = match model {
            L::Malloc
            | L::Calloc
            | L::Realloc
            | L::Reallocarray
            | L::Free
            | L::Alloca
            | L::AlignedAlloc
            | L::PosixMemalign
            | L::Strdup
            | L::Strndup
            | L::MallocUsableSize => self.allocation(model, &args)?,
            L::Memcpy
            | L::Mempcpy
            | L::Memmove
            | L::Memset
            | L::Memcmp
            | L::Memchr
            | L::Memrchr
            | L::Memmem
            | L::Bzero
            | L::Bcopy => self.byte_function(model, &args)?,
            L::Strlen
            | L::Strnlen
            | L::Strcpy
            | L::Stpcpy
            | L::Strncpy
            | L::Strcat
            | L::Strncat
            | L::Strcmp
            | L::Strncmp
            | L::Strcoll
            | L::Strcasecmp
            | L::Strncasecmp
            | L::Strchr
            | L::Strchrnul
            | L::Strrchr
            | L::Strstr
            | L::Strcasestr
            | L::Strspn
            | L::Strcspn
            | L::Strpbrk
            | L::Strtok
            | L::StrtokR
            | L::Strsep
            | L::Strerror => self.string_function(model, &args)?,
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
            | L::Isascii
            | L::Toascii
            | L::Toupper
            | L::Tolower
            | L::CtypeBLoc
            | L::CtypeTolowerLoc
            | L::CtypeToupperLoc => self.character_function(model, &args)?,
            L::Printf
            | L::Fprintf
            | L::Dprintf
            | L::Sprintf
            | L::Snprintf
            | L::Asprintf
            | L::Vprintf
            | L::Vfprintf
            | L::Vsprintf
            | L::Vsnprintf
            | L::Vasprintf
            | L::PrintfChk
            | L::FprintfChk
            | L::SprintfChk
            | L::SnprintfChk
            | L::VprintfChk
            | L::VfprintfChk
            | L::VsprintfChk
            | L::VsnprintfChk => self.printf_function(model, &args)?,
            L::Puts
            | L::Putchar
            | L::Fputc
            | L::Fputs
            | L::Fwrite
            | L::Write
            | L::Fflush
            | L::Setvbuf
            | L::Perror
            | L::Getchar
            | L::Fgetc
            | L::Ungetc
            | L::Fgets
            | L::Fread
            | L::Read
            | L::Feof
            | L::Ferror
            | L::Clearerr
            | L::Scanf
            | L::Fscanf
            | L::Sscanf
            | L::Fopen
            | L::Freopen
            | L::Fseek
            | L::Ftell
            | L::Fileno
            | L::StreamLock
            | L::Readdir
            | L::Getline
            | L::Fclose => {
                let made_up = self.memory.made_up_read().get();
                let value = self.stdio_function(model, &args)?;
                // What is only written somewhere else does not matter.
                if !self.heeded && matches!(model, L::Puts | L::Fputs | L::Fwrite | L::Perror | L::Write) {
                    self.memory.made_up_read().set(made_up);
                }
                value
            }
            L::Strtol
            | L::Strtoul
            | L::Strtoll
            | L::Strtoull
            | L::Strtod
            | L::Atoi
            | L::Atol
            | L::Atoll
            | L::Atof
            | L::Abs
            | L::Div => self.number_function(model, &args)?,
            L::Qsort | L::Bsearch => return self.sort_function(model, &args),
            L::Exit => {
                let (code, _) = self.int_arg(&args, 0)?;
                self.finish(code as i32)?;
                return Ok(Called::Entered);
            }
            L::AssertAcyclic | L::AssertUnshared => self.shape_assertion(model, &args)?,
            _ if is_math(model) => self.math_function(model, &args)?,
            _ => self.environment_function(model, &args)?,
        };
        Ok(Called::Done(value))
    }

    /// The value of an argument.
    pub fn arg<'a>(&self, args: &'a Args, i: usize) -> Res<&'a Value> {
        match args.values.get(i) {
            Some(arg) => Ok(&arg.value),
            None => fault(ErrorKind::BadCall, format!("argument {} is missing", i + 1)),
        }
    }
    pub fn int_arg(&self, args: &Args, i: usize) -> Res<(i128, Option<ObjectId>)> {
        self.int_of(self.arg(args, i)?, &format!("argument {}", i + 1))
    }
    pub fn float_arg(&self, args: &Args, i: usize) -> Res<f64> {
        self.float_of(self.arg(args, i)?, &format!("argument {}", i + 1))
    }
    /// A size argument: unsigned, of pointer width.
    pub fn size_arg(&self, args: &Args, i: usize) -> Res<u64> {
        Ok(self.int_arg(args, i)?.0 as u64 & self.word_mask)
    }
    pub fn ptr_arg(&self, args: &Args, i: usize) -> Res<Ptr> {
        let (address, object) = self.int_arg(args, i)?;
        let address = address as u64 & self.word_mask;
        let object = object.or_else(|| if address < 4096 { None } else { self.find_object(address) });
        Ok(Ptr { address, object })
    }

    /// A byte that must be initialised.
    pub fn byte(&self, at: Ptr) -> Res<u8> {
        let spot = self.memory.check(at.address, at.object, 1, Access::Read)?;
        let raw = self.memory.at(spot).read_scalar(spot.offset, 1);
        if raw.known != 0xff && self.options.uninitialised == crate::Policy::Stop {
            return self.undefined("a byte that the function reads");
        }
        Ok(raw.bits as u8)
    }

    /// `n` bytes that must be initialised.
    pub fn bytes_at(&self, at: Ptr, n: u64) -> Res<Vec<u8>> {
        let chunk = self.memory.read_chunk(at.address, at.object, n)?;
        if chunk.known.is_some() && self.options.uninitialised == crate::Policy::Stop {
            return self.undefined("a byte that the function reads");
        }
        Ok(chunk.bytes)
    }

    /// The bytes of a string before its terminator, at most `limit`; a limit that is reached needs no terminator.
    pub fn string_at(&self, at: Ptr, limit: u64) -> Res<Vec<u8>> {
        let mut text = Vec::new();
        let mut cursor = at;
        while (text.len() as u64) < limit {
            let b = self.byte(cursor)?;
            if b == 0 {
                break;
            }
            text.push(b);
            cursor = cursor.add(1);
        }
        Ok(text)
    }
    pub fn string_arg(&self, args: &Args, i: usize) -> Res<Vec<u8>> {
        self.string_at(self.ptr_arg(args, i)?, u64::MAX)
    }

    pub fn write_bytes(&mut self, at: Ptr, bytes: Vec<u8>) -> Res<()> {
        self.memory.write_chunk(at.address, at.object, &Chunk { bytes, known: None, pointers: Vec::new() })
    }

    /// A terminated string in storage of the library.
    pub fn library_string(&mut self, name: &'static str, text: &[u8]) -> Res<ObjectId> {
        let size = text.len() as u64 + 1;
        let id = self.memory.allocate_fixed(Origin::Library(name), size, 1, Span::default())?;
        if let Some(object) = self.memory.object_mut(id) {
            let mut bytes = text.to_vec();
            bytes.push(0);
            object.write_chunk(0, &Chunk { bytes, known: None, pointers: Vec::new() });
        }
        Ok(id)
    }

    /// The variable `errno`.
    pub fn errno(&mut self) -> Res<ObjectId> {
        if let Some(id) = self.lib.errno {
            return Ok(id);
        }
        let id = self.memory.allocate_fixed(Origin::Library("errno"), 4, 4, Span::default())?;
        self.lib.errno = Some(id);
        Ok(id)
    }
    pub fn set_errno(&mut self, code: i128) -> Res<()> {
        let id = self.errno()?;
        let address = self.memory.object(id).map_or(0, |o| o.base);
        self.store(address, Some(id), int_info(32, true), &Value::int(code))
    }
}

fn is_math(model: LibFn) -> bool {
    (LibFn::Sqrt..=LibFn::Nan).contains(&model)
}
