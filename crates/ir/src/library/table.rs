//! The table itself: one row per model with its names, its effects, and what it assumes.

use super::contract::{ContractId, Given};
use super::{Effects, ResultSource};
use ResultSource::{Argument, Into, NewBlock, Static};

/// Position that stands for all variadic arguments.
const REST: u8 = 7;
/// Nothing but a result.
const F: Effects = Effects::PLAIN;
/// A function of numbers.
const MATH: Effects = Effects::PLAIN.pure();
/// A result that is any value.
const ANY: Effects = Effects::PLAIN.nondet();
/// Reads nothing, writes nothing, returns 0.
const NOTHING: Effects = Effects::PLAIN;
const UNSUPPORTED: Effects = Effects::PLAIN.unsupported();

macro_rules! table {
    ($($variant:ident [$($name:literal)+] $effects:expr, $assumes:literal;)+) => {
        /// A modelled library function.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum LibFn {
            $(#[doc = $assumes] $variant,)+
            /// Known by a contract.
            Known(ContractId),
        }

        impl LibFn {
            /// All models, in the order of the table.
            pub const ALL: &'static [LibFn] = &[$(LibFn::$variant,)+];

            pub(super) fn by_name(name: &str) -> Option<LibFn> {
                match name {
                    $($($name)|+ => Some(LibFn::$variant),)+
                    _ => None,
                }
            }
            /// The names it is known by; a final `*` stands for any ending.
            pub fn names(self) -> &'static [&'static str] {
                match self {
                    $(LibFn::$variant => &[$($name,)+],)+
                    LibFn::Known(id) => id.get().names,
                }
            }
            /// What it does beyond returning a value.
            pub fn effects(self) -> Effects {
                match self {
                    $(LibFn::$variant => const { $effects },)+
                    // Who does not read contracts knows nothing of them.
                    LibFn::Known(id) => Effects { noreturn: id.get().given == Given::Never, ..UNSUPPORTED },
                }
            }
            /// What the models take for granted, in one sentence.
            pub fn assumes(self) -> &'static str {
                match self {
                    $(LibFn::$variant => $assumes,)+
                    LibFn::Known(id) => id.get().assumes,
                }
            }
        }
    };
}

table! {
    // Memory.
    Malloc ["malloc" "__libc_malloc"] F.returns(NewBlock),
        "Succeeds with a new block of uninitialised bytes, also for size 0; fails only for sizes above PTRDIFF_MAX.";
    Calloc ["calloc"] F.returns(NewBlock),
        "Succeeds with a new zeroed block; fails only if the product exceeds PTRDIFF_MAX.";
    Realloc ["realloc"] F.frees(&[0]).reads(&[0]).returns(NewBlock),
        "Always moves to a new block and frees the old one; size 0 frees and returns null, as glibc does.";
    Reallocarray ["reallocarray"] F.frees(&[0]).reads(&[0]).returns(NewBlock),
        "As realloc of the product; returns null if the product overflows.";
    Free ["free" "cfree" "__libc_free"] F.frees(&[0]),
        "Does nothing for null; anything but the start of a live heap block is an error.";
    Alloca ["alloca" "__alloca"] F.returns(NewBlock),
        "A new block that lives until the calling function returns and must not be freed.";
    AlignedAlloc ["aligned_alloc" "memalign"] F.returns(NewBlock),
        "As malloc, at an address that is a multiple of the first argument.";
    PosixMemalign ["posix_memalign"] F.writes(&[0]),
        "Succeeds, stores a new block through its first argument and returns 0.";
    Strdup ["strdup" "__strdup"] F.reads(&[0]).returns(NewBlock),
        "Succeeds with a new block that holds a copy of the string.";
    Strndup ["strndup" "__strndup"] F.reads(&[0]).returns(NewBlock),
        "Succeeds with a new block that holds at most n bytes of the string and a terminator.";
    MallocUsableSize ["malloc_usable_size"] F,
        "Returns the size that was asked for.";

    // Bytes.
    Memcpy ["memcpy" "__memcpy_chk"] F.reads(&[1]).writes(&[0]).returns(Argument(0)),
        "The ranges do not overlap (checked); uninitialised bytes and pointers are copied as they are. A copy of no bytes is \
         no error, whatever the pointers are.";
    Mempcpy ["mempcpy" "__mempcpy" "__mempcpy_chk"] F.reads(&[1]).writes(&[0]).returns(Into(0)),
        "As memcpy; returns the end of the copy.";
    Memmove ["memmove" "__memmove_chk"] F.reads(&[1]).writes(&[0]).returns(Argument(0)),
        "As memcpy, for ranges that may overlap.";
    Memset ["memset" "__memset_chk"] F.writes(&[0]).returns(Argument(0)),
        "Writes the low byte of its second argument.";
    Memcmp ["memcmp" "bcmp"] F.pure().reads(&[0, 1]),
        "The result is the difference of the first bytes that differ; a pointer byte compares as the byte of its address.";
    Memchr ["memchr" "rawmemchr"] F.pure().reads(&[0]).returns(Into(0)),
        "Reads bytes up to the first match only.";
    Memrchr ["memrchr"] F.pure().reads(&[0]).returns(Into(0)),
        "Reads the whole range.";
    Memmem ["memmem"] F.pure().reads(&[0, 2]).returns(Into(0)),
        "Reads both ranges whole.";
    Bzero ["bzero" "explicit_bzero"] F.writes(&[0]),
        "As memset with 0.";
    Bcopy ["bcopy"] F.reads(&[0]).writes(&[1]),
        "As memmove with source first.";

    // Strings.
    Strlen ["strlen"] F.pure().reads(&[0]),
        "The argument is a terminated string.";
    Strnlen ["strnlen"] F.pure().reads(&[0]),
        "Reads at most n bytes.";
    Strcpy ["strcpy" "__strcpy_chk"] F.reads(&[1]).writes(&[0]).returns(Argument(0)),
        "The ranges do not overlap (checked).";
    Stpcpy ["stpcpy" "__stpcpy" "__stpcpy_chk"] F.reads(&[1]).writes(&[0]).returns(Into(0)),
        "As strcpy; returns the terminator.";
    Strncpy ["strncpy" "__strncpy_chk"] F.reads(&[1]).writes(&[0]).returns(Argument(0)),
        "Fills the rest of the n bytes with zeros.";
    Strcat ["strcat" "__strcat_chk"] F.reads(&[0, 1]).writes(&[0]).returns(Argument(0)),
        "Both arguments are terminated strings that do not overlap.";
    Strncat ["strncat" "__strncat_chk"] F.reads(&[0, 1]).writes(&[0]).returns(Argument(0)),
        "Appends at most n bytes and a terminator.";
    Strcmp ["strcmp"] F.pure().reads(&[0, 1]),
        "The result is the difference of the first bytes that differ, taken as unsigned.";
    Strncmp ["strncmp"] F.pure().reads(&[0, 1]),
        "As strcmp on at most n bytes.";
    Strcoll ["strcoll"] F.pure().reads(&[0, 1]),
        "As strcmp: the locale is C.";
    Strcasecmp ["strcasecmp"] F.pure().reads(&[0, 1]),
        "Letters compare by their lower case in the C locale; the result is the difference of the first pair that differs.";
    Strncasecmp ["strncasecmp"] F.pure().reads(&[0, 1]),
        "As strcasecmp on at most n bytes.";
    Strchr ["strchr" "index"] F.pure().reads(&[0]).returns(Into(0)),
        "The terminator counts as part of the string.";
    Strchrnul ["strchrnul" "__strchrnul"] F.pure().reads(&[0]).returns(Into(0)),
        "As strchr, but returns the terminator if there is no match.";
    Strrchr ["strrchr" "rindex"] F.pure().reads(&[0]).returns(Into(0)),
        "The terminator counts as part of the string.";
    Strstr ["strstr"] F.pure().reads(&[0, 1]).returns(Into(0)),
        "Both arguments are terminated strings.";
    Strcasestr ["strcasestr"] F.pure().reads(&[0, 1]).returns(Into(0)),
        "As strstr with letters compared by their lower case.";
    Strspn ["strspn"] F.pure().reads(&[0, 1]),
        "Both arguments are terminated strings.";
    Strcspn ["strcspn"] F.pure().reads(&[0, 1]),
        "Both arguments are terminated strings.";
    Strpbrk ["strpbrk"] F.pure().reads(&[0, 1]).returns(Into(0)),
        "Both arguments are terminated strings.";
    Strtok ["strtok"] F.reads(&[0, 1]).writes(&[0]).retains(&[0]).returns(Into(0)),
        "The position is kept between calls in storage of the library.";
    StrtokR ["strtok_r" "__strtok_r"] F.reads(&[0, 1, 2]).writes(&[0, 2]).returns(Into(0)),
        "The position is kept where the third argument points.";
    Strsep ["strsep"] F.reads(&[0, 1]).writes(&[0]).returns(Into(0)),
        "The position is kept where the first argument points.";
    Strerror ["strerror"] F.returns(Static),
        "A string of the library, `error N`; it is not glibc's text.";

    // Characters.
    Isalpha ["isalpha"] MATH, "The locale is C; the argument is EOF or fits `unsigned char` (checked).";
    Isdigit ["isdigit"] MATH, "The locale is C; the argument is EOF or fits `unsigned char` (checked).";
    Isalnum ["isalnum"] MATH, "The locale is C; the argument is EOF or fits `unsigned char` (checked).";
    Isspace ["isspace"] MATH, "The locale is C; the argument is EOF or fits `unsigned char` (checked).";
    Isblank ["isblank"] MATH, "The locale is C; the argument is EOF or fits `unsigned char` (checked).";
    Isupper ["isupper"] MATH, "The locale is C; the argument is EOF or fits `unsigned char` (checked).";
    Islower ["islower"] MATH, "The locale is C; the argument is EOF or fits `unsigned char` (checked).";
    Isxdigit ["isxdigit"] MATH, "The locale is C; the argument is EOF or fits `unsigned char` (checked).";
    Ispunct ["ispunct"] MATH, "The locale is C; the argument is EOF or fits `unsigned char` (checked).";
    Isprint ["isprint"] MATH, "The locale is C; the argument is EOF or fits `unsigned char` (checked).";
    Isgraph ["isgraph"] MATH, "The locale is C; the argument is EOF or fits `unsigned char` (checked).";
    Iscntrl ["iscntrl"] MATH, "The locale is C; the argument is EOF or fits `unsigned char` (checked).";
    Isascii ["isascii"] MATH, "True for 0 to 127.";
    Toascii ["toascii"] MATH, "Keeps the low seven bits.";
    Toupper ["toupper"] MATH, "The locale is C; values that are not letters stay; the argument is EOF or fits `unsigned char` (checked).";
    Tolower ["tolower"] MATH, "The locale is C; values that are not letters stay; the argument is EOF or fits `unsigned char` (checked).";
    CtypeBLoc ["__ctype_b_loc"] F.returns(Static),
        "Address of a pointer to glibc's classification table for -128 to 255 in the C locale.";
    CtypeTolowerLoc ["__ctype_tolower_loc"] F.returns(Static),
        "Address of a pointer to the lower-case table for -128 to 255 in the C locale.";
    CtypeToupperLoc ["__ctype_toupper_loc"] F.returns(Static),
        "Address of a pointer to the upper-case table for -128 to 255 in the C locale.";

    // Output.
    Printf ["printf"] F.io().reads(&[0, REST]), "Output never fails; the locale is C; `%a` shows a long double as the nearest double.";
    Fprintf ["fprintf"] F.io().reads(&[1, REST]), "As printf; the stream is open (checked).";
    Dprintf ["dprintf"] F.io().reads(&[1, REST]), "As printf; the descriptor is 1 or 2.";
    Sprintf ["sprintf"] F.reads(&[1, REST]).writes(&[0]), "As printf into a string that has enough room.";
    Snprintf ["snprintf"] F.reads(&[2, REST]).writes(&[0]), "As printf into at most n bytes.";
    Asprintf ["asprintf" "__asprintf"] F.reads(&[1, REST]).writes(&[0]), "As printf into a new heap block; never fails.";
    Vprintf ["vprintf"] F.io().reads(&[0, 1]), "As printf with a `va_list`.";
    Vfprintf ["vfprintf"] F.io().reads(&[1, 2]), "As fprintf with a `va_list`.";
    Vsprintf ["vsprintf"] F.reads(&[1, 2]).writes(&[0]), "As sprintf with a `va_list`.";
    Vsnprintf ["vsnprintf"] F.reads(&[2, 3]).writes(&[0]), "As snprintf with a `va_list`.";
    Vasprintf ["vasprintf"] F.reads(&[1, 2]).writes(&[0]), "As asprintf with a `va_list`.";
    PrintfChk ["__printf_chk"] F.io().reads(&[1, REST]), "As printf.";
    FprintfChk ["__fprintf_chk"] F.io().reads(&[2, REST]), "As fprintf.";
    SprintfChk ["__sprintf_chk"] F.reads(&[3, REST]).writes(&[0]), "As sprintf.";
    SnprintfChk ["__snprintf_chk"] F.reads(&[4, REST]).writes(&[0]), "As snprintf.";
    VprintfChk ["__vprintf_chk"] F.io().reads(&[1, 2]), "As vprintf.";
    VfprintfChk ["__vfprintf_chk"] F.io().reads(&[2, 3]), "As vfprintf.";
    VsprintfChk ["__vsprintf_chk"] F.reads(&[3, 4]).writes(&[0]), "As vsprintf.";
    VsnprintfChk ["__vsnprintf_chk"] F.reads(&[4, 5]).writes(&[0]), "As vsnprintf.";
    Puts ["puts"] F.io().reads(&[0]), "Output never fails.";
    Putchar ["putchar" "putchar_unlocked"] F.io(), "Output never fails.";
    Fputc ["fputc" "putc" "_IO_putc" "putc_unlocked" "fputc_unlocked"] F.io(),
        "Output never fails; the stream is open (checked).";
    Fputs ["fputs" "fputs_unlocked"] F.io().reads(&[0]), "Output never fails; the stream is open (checked).";
    Fwrite ["fwrite" "fwrite_unlocked"] F.io().reads(&[0]), "Output never fails; the stream is open (checked).";
    Write ["write"] F.io().reads(&[1]), "Output never fails; the descriptor is 1 or 2.";
    Fflush ["fflush" "fflush_unlocked"] F.io(), "Nothing is buffered; the argument is null or an open stream (checked).";
    Setvbuf ["setvbuf" "setbuf" "setlinebuf"] F.io(), "Nothing is buffered; the stream is open (checked); no buffer is given, others are not supported.";
    Perror ["perror"] F.io().reads(&[0]), "Writes to stderr the string of strerror.";

    // Input.
    Getchar ["getchar" "getchar_unlocked"] F.io().nondet(), "The input is a given string of bytes, then EOF.";
    Fgetc ["fgetc" "getc" "_IO_getc" "getc_unlocked" "fgetc_unlocked"] F.io().nondet(),
        "The stream is open (checked); a run finds every file empty.";
    Ungetc ["ungetc"] F.io(), "The stream is open (checked); a run can push back any number of bytes to stdin.";
    Fgets ["fgets" "fgets_unlocked"] F.io().nondet().writes(&[0]).returns(Argument(0)).null(),
        "The stream is open (checked); a run finds every file empty.";
    Fread ["fread" "fread_unlocked"] F.io().nondet().writes(&[0]),
        "The stream is open (checked); a run finds every file empty.";
    Read ["read"] F.io().nondet().writes(&[1]), "The descriptor is 0.";
    Feof ["feof" "feof_unlocked"] F.io().nondet(), "The stream is open (checked).";
    Ferror ["ferror" "ferror_unlocked"] F.io().nondet(), "The stream is open (checked); in a run none ever fails.";
    Clearerr ["clearerr" "clearerr_unlocked"] F.io(), "The stream is open (checked).";
    Scanf ["scanf" "__isoc99_scanf" "__isoc23_scanf"] F.io().nondet().reads(&[0]).writes(&[REST]),
        "As sscanf on the input.";
    Fscanf ["fscanf" "__isoc99_fscanf" "__isoc23_fscanf"] F.io().nondet().reads(&[1]).writes(&[2, REST]),
        "As sscanf on a stream that is open (checked); a run finds every file empty.";
    Sscanf ["sscanf" "__isoc99_sscanf" "__isoc23_sscanf"] F.reads(&[0, 1]).writes(&[2, REST]),
        "Supports integers, floating numbers, strings, characters, scan sets and `%n`.";
    Fopen ["fopen" "fopen64" "fdopen" "tmpfile" "tmpfile64" "popen" "opendir" "fdopendir"] F.io().nondet().reads(&[0, 1]).returns(Static),
        "Null or a new stream, as an input of the run says; programs do not look into it nor free it, and need not close it.";
    Freopen ["freopen" "freopen64"] F.io().nondet().reads(&[0, 1]).frees(&[2]).returns(Static),
        "The stream is open (checked); returns it, or closes it and returns null.";
    Fclose ["fclose" "pclose" "closedir"] F.io().nondet().frees(&[0]),
        "Ends the stream, which must be open: closing it again is a double free, using it a use after free, closing anything else an invalid free.";
    Warn ["warn" "warnx"] F.io().reads(&[0, REST]).unsupported(), "As fprintf to stderr. A run does not know it.";
    Syslog ["syslog"] F.io().reads(&[1, REST]).unsupported(), "As fprintf to nowhere. A run does not know it.";
    Err ["err" "errx"] F.io().reads(&[1, REST]).noreturn().unsupported(), "As fprintf to stderr, then exit. A run does not know it.";
    Error ["error"] F.io().reads(&[2, REST]).unsupported(),
        "As fprintf to stderr, then exit unless its first argument is 0. A run does not know it.";
    Readdir ["readdir" "readdir64"] F.io().nondet().returns(Static),
        "The directory is open (checked); gives null or storage of the library with a name in it, which ends with `closedir`. A run finds every directory empty.";
    Getline ["getline" "__getline"] F.io().nondet().frees(&[0]).writes(&[0, 1]),
        "The stream is open (checked); the first argument leads to null or the start of a heap block with as many bytes as the second one says, which is given back in all cases.";
    Getopt ["getopt" "__posix_getopt"] F.nondet().writes(&[1]).reads(&[2]).unsupported(),
        "The texts of its second argument may change places; `optarg` is a text for letters with a colon and null for others, `optind` any number within the arguments. A run does not know it.";
    GetoptLong ["getopt_long" "getopt_long_only"] F.nondet().writes(&[1]).reads(&[2]).unsupported(),
        "As getopt; the fourth argument is an array with names that are known and an end, and no member `flag` of it is set. A run does not know it.";
    Fseek ["fseek" "fseeko" "fseeko64" "rewind" "rewinddir" "seekdir"] F.io().nondet(),
        "The stream is open (checked); a run goes to the start of files that were not written only.";
    Ftell ["ftell" "ftello" "ftello64"] F.io().nondet(),
        "The stream is open (checked); a run knows the position in files that were not written only.";
    Fileno ["fileno" "fileno_unlocked"] F.io().nondet(), "The stream is open (checked).";
    StreamLock ["flockfile" "funlockfile" "_IO_flockfile" "_IO_funlockfile"] F.io(), "There is one thread: does nothing; the stream is open (checked).";

    // Numbers from text.
    Strtol ["strtol" "__isoc23_strtol"] F.reads(&[0]).writes(&[1]), "Saturates and, in runs, sets errno; the locale is C.";
    Strtoul ["strtoul" "__isoc23_strtoul"] F.reads(&[0]).writes(&[1]), "Saturates and, in runs, sets errno; the locale is C.";
    Strtoll ["strtoll" "strtoimax" "strtoq" "__isoc23_strtoll" "__isoc23_strtoimax"] F.reads(&[0]).writes(&[1]),
        "Saturates and, in runs, sets errno; the locale is C.";
    Strtoull ["strtoull" "strtoumax" "strtouq" "__isoc23_strtoull" "__isoc23_strtoumax"] F.reads(&[0]).writes(&[1]),
        "Saturates and, in runs, sets errno; the locale is C.";
    Strtod ["strtod" "strtof" "strtold"] F.reads(&[0]).writes(&[1]),
        "Decimal numbers, inf and nan; hexadecimal floating numbers are not supported.";
    Atoi ["atoi"] F.pure().reads(&[0]), "As strtol in base 10, converted to int.";
    Atol ["atol"] F.pure().reads(&[0]), "As strtol in base 10.";
    Atoll ["atoll"] F.pure().reads(&[0]), "As strtoll in base 10.";
    Atof ["atof"] F.pure().reads(&[0]), "As strtod.";

    // Integers, sorting, randomness.
    Abs ["abs" "labs" "llabs" "imaxabs"] MATH, "The smallest value of the type is an overflow.";
    Div ["div" "ldiv" "lldiv" "imaxdiv"] MATH,
        "The result is a struct of quotient and remainder; division by zero is an error.";
    Qsort ["qsort"] F.reads(&[0]).writes(&[0]).calls(&[3]),
        "Merge sort with the comparisons of glibc 2.36: the order of equal elements is kept.";
    Bsearch ["bsearch"] F.reads(&[0, 1]).calls(&[4]).returns(Into(1)), "The array is sorted; halving as in glibc.";
    Rand ["rand" "random" "lrand48"] F.nondet(),
        "Any value from 0 to 2147483647; in runs the same after the same seed. Runs use a documented linear congruential generator, not glibc's.";
    Srand ["srand" "srandom" "srand48"] F, "Seeds the generator.";
    RandR ["rand_r"] F.nondet().reads(&[0]).writes(&[0]), "Any value from 0 to 2147483647; changes the seed.";

    // Ending and environment.
    Exit ["exit"] F.noreturn().io(), "Runs the atexit functions in reverse order; then the program ends.";
    ImmediateExit ["_exit" "_Exit" "quick_exit"] F.noreturn(), "The program ends at once.";
    Abort ["abort"] F.noreturn(), "The program ends as by SIGABRT; this is not a memory error.";
    Atexit ["atexit"] F.retains(&[0]).calls(&[0]), "Registration never fails.";
    AssertFail ["__assert_fail" "__assert" "__assert_perror_fail" "__assert_rtn"] F.noreturn(),
        "The program's assertion is violated.";
    Time ["time"] F.nondet().writes(&[0]), "Any value that is not negative and below 2^55, for which there are dates.";
    Clock ["clock"] F.nondet(), "Any value that is not negative; in a run it does not go back.";
    ErrnoLocation ["__errno_location" "__error"] F.returns(Static),
        "In runs one int per program, 0 at first. In proofs nothing is known of the pointer: using errno is an alarm.";
    Signal ["signal"] F.returns(Static), "Signals never arrive: returns null.";
    Sleep ["sleep" "sched_yield"] NOTHING, "Returns 0 at once.";
    Getpid ["getpid" "getppid" "getuid" "getgid" "geteuid"] ANY, "Any value that is not negative; in a run the same each time.";
    Setjmp ["setjmp" "_setjmp" "__sigsetjmp" "sigsetjmp"] UNSUPPORTED, "Not supported.";
    Longjmp ["longjmp" "_longjmp" "siglongjmp" "__longjmp_chk"] UNSUPPORTED, "Not supported.";

    // Mathematics.
    Sqrt ["sqrt" "sqrtf" "sqrtl"] MATH, "Computed in double precision.";
    Cbrt ["cbrt" "cbrtf" "cbrtl"] MATH, "Computed in double precision.";
    Fabs ["fabs" "fabsf" "fabsl"] MATH, "Exact.";
    Floor ["floor" "floorf" "floorl"] MATH, "Exact in double precision.";
    Ceil ["ceil" "ceilf" "ceill"] MATH, "Exact in double precision.";
    Round ["round" "roundf" "roundl"] MATH, "Exact in double precision.";
    Lround ["lround" "lroundf" "llround" "llroundf" "lroundl" "llroundl"] MATH, "Exact in double precision.";
    Rint ["rint" "rintf" "nearbyint" "nearbyintf" "rintl" "nearbyintl"] MATH, "Rounds to nearest, ties to even.";
    Lrint ["lrint" "lrintf" "llrint" "llrintf"] MATH, "Rounds to nearest, ties to even.";
    Trunc ["trunc" "truncf" "truncl"] MATH, "Exact in double precision.";
    Pow ["pow" "powf" "powl"] MATH, "Computed in double precision.";
    Fmod ["fmod" "fmodf" "fmodl"] MATH, "Exact in double precision.";
    Remainder ["remainder" "remainderf" "drem"] MATH, "Exact in double precision.";
    Sin ["sin" "sinf" "sinl"] MATH, "Computed in double precision.";
    Cos ["cos" "cosf" "cosl"] MATH, "Computed in double precision.";
    Tan ["tan" "tanf" "tanl"] MATH, "Computed in double precision.";
    Asin ["asin" "asinf" "asinl"] MATH, "Computed in double precision.";
    Acos ["acos" "acosf" "acosl"] MATH, "Computed in double precision.";
    Atan ["atan" "atanf" "atanl"] MATH, "Computed in double precision.";
    Atan2 ["atan2" "atan2f" "atan2l"] MATH, "Computed in double precision.";
    Sinh ["sinh" "sinhf"] MATH, "Computed in double precision.";
    Cosh ["cosh" "coshf"] MATH, "Computed in double precision.";
    Tanh ["tanh" "tanhf"] MATH, "Computed in double precision.";
    Exp ["exp" "expf" "expl"] MATH, "Computed in double precision.";
    Exp2 ["exp2" "exp2f" "exp2l"] MATH, "Computed in double precision.";
    Log ["log" "logf" "logl"] MATH, "Computed in double precision.";
    Log2 ["log2" "log2f" "log2l"] MATH, "Computed in double precision.";
    Log10 ["log10" "log10f" "log10l"] MATH, "Computed in double precision.";
    Hypot ["hypot" "hypotf" "hypotl"] MATH, "Computed in double precision.";
    Fmin ["fmin" "fminf" "fminl"] MATH, "Exact; a NaN loses.";
    Fmax ["fmax" "fmaxf" "fmaxl"] MATH, "Exact; a NaN loses.";
    Fdim ["fdim" "fdimf" "fdiml"] MATH, "Computed in double precision.";
    Fma ["fma" "fmaf" "fmal"] MATH, "One rounding, in double precision.";
    Copysign ["copysign" "copysignf" "copysignl"] MATH, "Exact.";
    Ldexp ["ldexp" "ldexpf" "ldexpl" "scalbn" "scalbnf" "scalbln"] MATH, "Exact unless it overflows or underflows.";
    Frexp ["frexp" "frexpf" "frexpl"] F.writes(&[1]), "Exact in double precision.";
    Modf ["modf" "modff" "modfl"] F.writes(&[1]), "Exact in double precision.";
    Isnan ["isnan" "isnanl" "isnanf" "__isnan" "__isnanf" "__isnanl"] MATH, "Exact.";
    Isinf ["isinf" "isinff" "__isinf" "__isinff" "__isinfl" "isinf_sign"] MATH, "1, -1 or 0.";
    Isfinite ["finite" "isfinite" "finitef" "__finite" "__finitef" "__finitel"] MATH, "Exact.";
    Signbit ["signbit" "signbitf" "signbitl" "__signbit" "__signbitf" "__signbitl"] MATH, "Exact.";
    Fpclassify ["__fpclassify" "__fpclassifyf" "__fpclassifyl"] MATH, "glibc's codes: NaN 0, infinite 1, zero 2, subnormal 3, normal 4.";
    Isnormal ["isnormal"] MATH, "Exact in double precision.";
    HugeVal ["huge_val" "huge_valf" "huge_vall" "inf" "inff" "infl"] MATH, "Positive infinity.";
    Nan ["nan" "nanf" "nanl"] MATH, "A quiet NaN without payload.";

    // Threads: one thread only.
    PthreadNothing ["pthread_mutex_init" "pthread_mutex_lock" "pthread_mutex_unlock"
        "pthread_mutex_destroy" "pthread_mutexattr_init" "pthread_mutexattr_destroy"
        "pthread_cond_init" "pthread_cond_signal" "pthread_cond_broadcast" "pthread_cond_destroy"
        "pthread_attr_init" "pthread_attr_destroy" "pthread_rwlock_init"
        "pthread_rwlock_unlock" "pthread_rwlock_destroy" "pthread_spin_init"
        "pthread_spin_lock" "pthread_spin_unlock" "pthread_spin_destroy"] NOTHING,
        "There is one thread: does nothing and returns 0.";
    PthreadSelf ["pthread_self"] F, "There is one thread; its number is 1.";
    PthreadUnsupported ["pthread_create" "pthread_join" "pthread_cond_wait" "pthread_cond_timedwait" "pthread_exit"
        "pthread_detach" "pthread_cancel" "pthread_key_create" "pthread_once"] UNSUPPORTED, "Not supported.";

    // Verification tasks.
    NondetBool ["__VERIFIER_nondet_bool" "__VERIFIER_nondet__Bool"] ANY, "0 or 1.";
    NondetMemory ["__VERIFIER_nondet_memory"] ANY.writes(&[0]), "Writes any bytes.";
    Nondet ["__VERIFIER_nondet_*"] ANY, "Any value of the declared type; a pointer is null or not valid.";
    VerifierAssume ["__VERIFIER_assume" "__builtin_assume" "__CPROVER_assume"] F,
        "Runs in which the argument is 0 are not considered.";
    ReachError ["__VERIFIER_error" "reach_error"] F.noreturn(), "Reaching the call is the error that is looked for.";
    VerifierAtomic ["__VERIFIER_atomic_begin" "__VERIFIER_atomic_end"] NOTHING, "There is one thread: does nothing.";
    AssumeShape ["__heapwise_assume_shape"] NOTHING, "Does nothing in a run; analyses take the shape as given.";
    AssertAcyclic ["__heapwise_assert_acyclic" "__heapwise_assert_acyclic_*"] F,
        "The parameter is a pointer to a structure: walks along one of its links to itself end. Only the three-valued domain and k-limited graphs prove it.";
    AssertUnshared ["__heapwise_assert_unshared" "__heapwise_assert_unshared_*"] F,
        "The parameter is a pointer to a structure: no link leads twice to a cell on such a walk. Only the three-valued domain and k-limited graphs prove it.";
    CheckShape ["__heapwise_check_shape"] NOTHING, "Does nothing in a run; analyses must prove the shape.";
}
