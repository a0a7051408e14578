//! The contracts, one row for each.

use super::{Argument, Bytes, Contract, Given, Sure};
use Argument::{
    Change, ChangeOrNull, Data, Date, End, Fill, FillText, FillTextOrNull, FillUpToOrNull, Handle, In,
    InOrNull, InUpToOrNull, Number as N, Plain as P, Text as T, TextOrNull as Tn, Texts, TextsToNull, Update,
    UpdateOrNull, UpdateText, Usual, Without, Write, WriteOrNull,
};
use Bytes::{Argument as Arg, Behind, Elements, Family, Fixed, Pointee, Several};
use Given::{
    Any, AtMost, AtMostOrSize, AtMostUnless, Child, Code, CodeOrText, Computed, ComputedAny, Count,
    Descriptor, Flag, Into, IntoOrNull, Needed, Never, NewTextOrNull, Number, OneOf, Parsed, Same,
    SameOrNull, Status, Storage, StorageOrNull, Text, TextOrNull, UpTo, Variable, Zero,
};

/// A structure that is read, one that is read and changed, one that is written, and the same or null.
const IN: Argument = In(Pointee, &[]);
const IN_OR_NULL: Argument = InOrNull(Pointee, &[]);
const CHANGED: Argument = Change(Pointee, &[]);
const CHANGED_OR_NULL: Argument = ChangeOrNull(Pointee, &[]);
const OUT: Argument = Write(Pointee);
const OUT_OR_NULL: Argument = WriteOrNull(Pointee);

/// What `recv` may be asked for: the real length of what came, also if there is no room for it.
const MSG_TRUNC: i128 = 0x20;

macro_rules! contracts {
    ($([$($name:literal)+] ($($argument:expr),*) $given:expr $(=> $sure:ident)? $(, $assumes:literal)?;)+) => {
        pub(super) const TABLE: &[Contract] = &[$(Contract {
            names: &[$($name),+],
            arguments: &[$($argument),*],
            given: $given,
            sure: sure!($($sure)?),
            assumes: concat!($($assumes)?),
        }),+];
    };
}

macro_rules! sure {
    () => {
        Sure::Nothing
    };
    ($sure:ident) => {
        Sure::$sure
    };
}

contracts! {
    // Files and descriptors.
    ["open" "open64" "creat" "creat64" "shm_open"] (T) Descriptor => Both;
    ["openat" "openat64"] (P, T) Descriptor => Both;
    ["close" "fsync" "fdatasync" "ftruncate" "ftruncate64" "fchmod" "fchown" "fchdir" "flock" "lockf"] () Status => Both,
        "Descriptors are numbers: which are open is not followed.";
    ["dup2" "dup3"] () Descriptor => Failure;
    ["umask"] () Number(0, 511);
    ["dup" "epoll_create" "epoll_create1" "eventfd" "inotify_init" "inotify_init1"] () Descriptor => Both;
    ["socket"] (Usual(&[1, 2, 10]), Usual(&[1, 2]), Usual(&[0])) Descriptor => Both;
    ["lseek" "lseek64"] () Descriptor;
    ["pread" "pread64"] (P, Fill(Arg(2))) AtMost(2) => Both;
    ["pwrite" "pwrite64"] (P, Data(Arg(2))) AtMost(2) => Both;
    ["send"] (P, Data(Arg(2))) AtMost(2) => Both;
    ["sendto"] (P, Data(Arg(2)), P, P, InOrNull(Arg(5), &[])) AtMost(2) => Both;
    ["accept" "accept4"] (P, UpdateOrNull(Behind(2)), UpdateOrNull(Pointee)) Descriptor => Both;
    ["getsockname" "getpeername"] (P, Update(Behind(2)), Update(Pointee)) Status;
    ["getsockopt"] (P, P, P, Update(Behind(4)), Update(Pointee)) Status;
    ["recvfrom"] (P, Fill(Arg(2)), P, P, UpdateOrNull(Behind(5)), UpdateOrNull(Pointee))
        AtMostUnless(2, 3, MSG_TRUNC) => Both;
    ["socketpair"] (P, P, P, Write(Fixed(8))) Status;
    ["recv"] (P, Fill(Arg(2))) AtMostUnless(2, 3, MSG_TRUNC) => Both;
    ["stat" "lstat" "stat64" "lstat64" "statfs" "statvfs" "statfs64" "statvfs64"] (T, OUT) Status => Failure;
    ["fstat" "fstat64" "fstatfs" "fstatvfs"] (P, OUT) Status => Failure;
    ["fstatat" "fstatat64"] (P, T, OUT) Status => Failure;
    ["access" "euidaccess" "eaccess" "chdir" "chmod" "mkdir" "rmdir" "unlink" "remove" "chown" "lchown" "truncate"
     "truncate64" "mkfifo" "mknod" "chroot"] (T) Status => Both;
    ["rename" "link" "symlink"] (T, T) Status => Both;
    ["faccessat" "mkdirat" "unlinkat" "fchmodat" "fchownat"] (P, T) Status => Both;
    ["readlink"] (T, Fill(Arg(2))) AtMost(2) => Both;
    ["getcwd"] (FillText(Arg(1))) SameOrNull(0) => Failure, "The first argument is not null.";
    ["mkstemp" "mkostemp" "mkstemps" "mkstemp64"] (UpdateText) Descriptor => Failure;
    ["isatty"] () Number(0, 1);
    ["ttyname" "ptsname" "ctermid" "getlogin" "cuserid"] () TextOrNull;
    ["fcntl" "fcntl64" "ioctl"] (P, P, N) Any;
    ["prctl"] (P, N) Any;
    ["select"] (P, CHANGED_OR_NULL, CHANGED_OR_NULL, CHANGED_OR_NULL, CHANGED_OR_NULL) Descriptor => Failure;
    ["pselect"] (P, CHANGED_OR_NULL, CHANGED_OR_NULL, CHANGED_OR_NULL, IN_OR_NULL, IN_OR_NULL) Descriptor => Failure;
    ["poll"] (Change(Elements(1), &["revents"])) Descriptor => Failure;
    ["pipe" "pipe2"] (Write(Fixed(8))) Status => Failure;
    ["sync" "tzset" "closelog" "endpwent" "setpwent" "endgrent" "setgrent" "endmntent" "setpgrp"] () Any;
    ["utime"] (T, IN_OR_NULL) Status => Both;
    ["utimes"] (T, InOrNull(Several(2), &[])) Status => Both;
    ["futimens"] (P, InOrNull(Several(2), &[])) Status => Both;
    ["utimensat"] (P, T, InOrNull(Several(2), &[])) Status => Both;
    // Processes, users, limits.
    ["fork" "vfork"] () Descriptor => Both, "Both processes go on in the same way.";
    ["getpgrp" "getpgid" "getsid" "setsid" "tcgetpgrp" "gettid"] () Descriptor;
    ["kill" "killpg" "setuid" "setgid" "seteuid" "setegid" "setreuid" "setregid" "setresuid" "setresgid" "setpgid"
     "setpriority" "tcsetpgrp" "tcflush" "tcflow" "tcdrain" "tcsendbreak" "daemon"] () Status,
        "No signal arrives.";
    ["nice"] () Any;
    ["wait"] (OUT_OR_NULL) Child;
    ["waitpid"] (P, OUT_OR_NULL) Child;
    ["system"] (Tn) Any, "What other programs do does not matter here.";
    ["getegid" "gethostid" "getpriority"] () Any;
    ["getdtablesize" "getpagesize" "__ctype_get_mb_cur_max"] () Computed(1, 2_147_483_647);
    ["sysconf" "fpathconf"] () ComputedAny;
    ["pathconf"] (T) ComputedAny;
    ["getrlimit" "getrusage" "getrlimit64"] (P, OUT) Status;
    ["setrlimit" "setrlimit64"] (P, IN) Status;
    ["uname" "sysinfo"] (OUT) Zero;
    ["gethostname"] (FillText(Arg(1))) Status, "The library is glibc: a name that does not fit is a failure.";
    ["getdomainname"] (Fill(Arg(1))) Status;
    ["sethostname"] (Data(Arg(1))) Status;
    ["alarm"] () Count, "No signal arrives.";
    ["pause"] () Number(-1, -1);
    ["getpwnam" "getgrnam" "getspnam"] (T) StorageOrNull;
    ["getpwuid" "getgrgid" "getpwent" "getgrent"] () StorageOrNull;
    ["initgroups"] (T) Status;
    ["getgroups"] (P, Fill(Elements(0))) AtMostOrSize(0);
    ["setgroups"] (P, Data(Elements(0))) Status;
    ["execl" "execlp"] (T, TextsToNull) Number(-1, -1),
        "What other programs do does not matter here: only the return after a failure does.";
    ["execv" "execvp"] (T, Texts) Number(-1, -1),
        "What other programs do does not matter here: only the return after a failure does.";
    ["execve" "execvpe"] (T, Texts, Texts) Number(-1, -1),
        "What other programs do does not matter here: only the return after a failure does.";
    ["wait3"] (OUT_OR_NULL, P, OUT_OR_NULL) Child;
    ["wait4"] (P, OUT_OR_NULL, P, OUT_OR_NULL) Child;
    ["realpath" "canonicalize_file_name"] (T) NewTextOrNull, "There is no place for the result: the second argument is null.";
    ["get_current_dir_name"] () NewTextOrNull;
    ["readlinkat"] (P, T, Fill(Arg(3))) AtMost(3) => Both;
    ["getxattr" "lgetxattr"] (T, T, Fill(Arg(3))) AtMostOrSize(3) => Both;
    ["fgetxattr"] (P, T, Fill(Arg(3))) AtMostOrSize(3) => Both;
    ["setxattr" "lsetxattr"] (T, T, Data(Arg(3))) Status;
    ["fsetxattr"] (P, T, Data(Arg(3))) Status;
    ["listxattr" "llistxattr"] (T, Fill(Arg(2))) AtMostOrSize(2) => Failure;
    ["flistxattr"] (P, Fill(Arg(2))) AtMostOrSize(2) => Failure;
    ["removexattr" "lremovexattr"] (T, T) Status;
    ["dlopen"] (Tn) Any, "What is loaded does nothing by itself.";
    ["dlsym"] (Handle, T) Any;
    ["dlclose"] (Handle) Any;
    ["dlerror"] () TextOrNull;
    // Signals: handlers that the program installs are not run.
    ["sigemptyset" "sigfillset"] (OUT) Zero;
    ["sigaddset" "sigdelset"] (CHANGED) Status;
    ["sigismember"] (IN) Computed(-1, 1);
    ["sigprocmask"] (P, IN_OR_NULL, OUT_OR_NULL) Status;
    ["pthread_sigmask"] (P, IN_OR_NULL, OUT_OR_NULL) Code;
    ["sigaction"] (P, InOrNull(Pointee, &["sa_restorer"]), OUT_OR_NULL) Status, "Signals never arrive.";
    ["sigpending"] (OUT) Status;
    ["sigsuspend"] (IN) Number(-1, -1);
    ["siginterrupt"] () Status;
    ["setitimer"] (P, IN, OUT_OR_NULL) Status, "No signal arrives.";
    ["getitimer"] (P, OUT) Status;
    // Time.
    ["gettimeofday"] (OUT_OR_NULL, OUT_OR_NULL) Zero;
    ["settimeofday"] (IN_OR_NULL, IN_OR_NULL) Status;
    ["clock_gettime" "clock_getres"] (P, OUT_OR_NULL) Status;
    ["times"] (OUT_OR_NULL) Any;
    ["ftime"] (OUT) Zero;
    ["localtime" "gmtime"] (Date) StorageOrNull;
    ["localtime_r" "gmtime_r"] (Date, Write(Pointee)) SameOrNull(1);
    ["mktime" "timegm" "timelocal"] (Change(Pointee, &["tm_wday", "tm_yday", "tm_gmtoff", "tm_zone"])) ComputedAny;
    ["asctime"] (In(Pointee, &["tm_yday", "tm_gmtoff", "tm_zone"])) TextOrNull;
    ["ctime"] (Date) TextOrNull;
    ["asctime_r" "ctime_r"] (IN, FillText(Fixed(26))) SameOrNull(1);
    ["difftime"] () ComputedAny;
    ["strftime"] (FillText(Arg(1)), P, T, IN) UpTo(1), "A result of 0 leaves no text.";
    // Network.
    ["htons" "ntohs"] () Computed(0, 65_535), "Runs compute it.";
    ["htonl" "ntohl"] () Computed(0, 4_294_967_295), "Runs compute it.";
    ["inet_addr" "inet_network"] (T) ComputedAny;
    ["inet_aton"] (T, OUT) Flag;
    ["inet_ntoa"] () Text;
    ["inet_pton"] (P, T, Write(Family(0))) Parsed;
    ["inet_ntop"] (P, Data(Family(0)), FillText(Arg(3))) SameOrNull(2);
    ["bind" "connect"] (P, In(Arg(2), &[])) Status => Failure;
    ["listen" "shutdown"] () Status => Failure;
    ["setsockopt"] (P, P, P, Data(Arg(4))) Status;
    ["gai_strerror" "hstrerror" "strsignal" "gnu_get_libc_version"] () Text;
    ["strerror_l"] () Text;
    ["gethostbyname"] (T) StorageOrNull;
    ["getservbyname"] (T, Tn) StorageOrNull;
    ["getservbyport"] (P, Tn) StorageOrNull;
    ["getprotobyname"] (T) StorageOrNull;
    ["openlog"] (Tn) Any;
    ["epoll_ctl"] (P, P, P, InOrNull(Pointee, &["data"])) Status => Failure;
    ["epoll_wait"] (P, Fill(Elements(2))) AtMost(2) => Failure;
    // The terminal.
    ["tcgetattr"] (P, OUT) Status => Failure;
    ["tcsetattr"] (P, P, IN) Status;
    ["cfgetispeed" "cfgetospeed"] (IN) Computed(0, 4_294_967_295);
    ["cfsetispeed" "cfsetospeed" "cfsetspeed"] (CHANGED) Status;
    ["cfmakeraw"] (CHANGED) Any;
    // The environment and the locale.
    ["setenv"] (T, T) Status, "Texts of the environment that the program has stay as they are.";
    ["unsetenv"] (T) Status, "Texts of the environment that the program has stay as they are.";
    ["getenv" "secure_getenv"] (T) Variable => Both;
    ["setlocale"] (P, Tn) TextOrNull, "The locale stays C.";
    ["localeconv"] () Storage;
    ["nl_langinfo"] () Text;
    ["bindtextdomain" "bind_textdomain_codeset"] (Tn, Tn) TextOrNull;
    ["textdomain"] (Tn) TextOrNull;
    ["gettext"] (T) Same(0), "There are no translations.";
    ["dcgettext"] (Tn, T) Same(1), "There are no translations.";
    ["dgettext"] (Tn, T) Same(1), "There are no translations.";
    ["ngettext"] (T, T) OneOf(0, 1), "There are no translations.";
    ["uselocale" "freelocale" "duplocale"] (Handle) Any, "The locale stays C.";
    ["newlocale"] (P, T, Handle) Any, "The locale stays C.";
    // Wide characters and encodings.
    ["iconv_open"] (T, T) Any;
    ["iconv_close"] (Handle) Status;
    ["mbrtowc" "__mbrtowc"] (WriteOrNull(Pointee), InUpToOrNull(Arg(2)), P, CHANGED_OR_NULL) Any;
    ["mbtowc"] (WriteOrNull(Pointee), InUpToOrNull(Arg(2))) Number(-1, 16);
    ["mblen"] (InUpToOrNull(Arg(1))) Number(-1, 16);
    ["mbrlen" "__mbrlen"] (InUpToOrNull(Arg(1)), P, CHANGED_OR_NULL) Any;
    ["wctomb"] (FillUpToOrNull(Fixed(16))) Number(-1, 16);
    ["wcrtomb"] (FillUpToOrNull(Fixed(16)), P, CHANGED_OR_NULL) Any;
    ["iswalpha" "iswdigit" "iswalnum" "iswspace" "iswupper" "iswlower" "iswprint" "iswpunct" "iswcntrl" "iswxdigit"
     "iswgraph" "iswblank" "towlower" "towupper" "wctob" "btowc" "iswctype" "towctrans"] () ComputedAny;
    ["wctype" "wctrans"] (T) ComputedAny;
    ["wcwidth"] () Computed(-1, 2);
    ["mbsinit"] (IN_OR_NULL) Computed(0, 1);
    // Numbers.
    ["drand48"] () Any;
    ["feclearexcept" "fetestexcept" "feraiseexcept" "fesetround" "fegetround"] () ComputedAny;
    ["nextafter" "nextafterf" "logb" "ilogb" "erf" "erfc" "lgamma" "tgamma" "expm1" "log1p" "asinh" "acosh" "atanh" "j0"
     "j1" "y0" "y1" "nexttoward" "expm1f" "log1pf"] () ComputedAny;
    ["ffs" "ffsl" "ffsll"] () Computed(0, 64);
    ["getrandom"] (Fill(Arg(1))) AtMost(1) => Both;
    ["getentropy"] (Write(Arg(1))) Status;
    ["arc4random"] () Count;
    ["arc4random_uniform"] () Count;
    ["arc4random_buf"] (Write(Arg(1))) Any;
    // Texts.
    ["strverscmp"] (T, T) ComputedAny;
    ["fnmatch"] (T, T) ComputedAny;
    ["basename"] (T) Into(0), "It is the one that does not change its argument.";
    ["strerror_r" "__xpg_strerror_r"] (P, FillText(Arg(2))) CodeOrText(1);
    ["__strerror_r"] (P, FillText(Arg(2))) CodeOrText(1);
    ["strptime"] (T, T, Update(Pointee)) IntoOrNull(0);
    ["herror"] (Tn) Any;
    ["regcomp"] (OUT, T) Code, "What it allocates is the library's, which `regfree` need not give back.";
    ["regexec"] (IN, T, P, Fill(Elements(2)), Without(4)) Code, "The pattern was compiled.";
    ["regfree"] (End(Pointee)) Any, "The pattern was compiled.";
    ["regerror"] (P, IN_OR_NULL, FillText(Arg(3))) Needed(3);
    ["getnameinfo"] (In(Arg(1), &[]), P, FillTextOrNull(Arg(3)), P, FillTextOrNull(Arg(5))) Code;
    // Threads and memory.
    ["mtx_lock" "mtx_unlock" "mtx_trylock" "mtx_init" "mtx_destroy" "cnd_init" "cnd_signal" "cnd_broadcast" "cnd_destroy"]
        (Update(Pointee)) Code, "There is one thread.";
    ["pthread_mutex_trylock" "pthread_mutexattr_settype" "pthread_rwlock_rdlock" "pthread_rwlock_wrlock" "pthread_rwlock_tryrdlock"
     "pthread_rwlock_trywrlock" "pthread_spin_trylock"] (Handle) Code, "There is one thread.";
    ["nanosleep"] (IN, UpdateOrNull(Pointee)) Status, "No signal arrives.";
    ["usleep"] () Status, "No signal arrives.";
    ["mlockall" "munlockall"] () Status;
    ["pthread_attr_setstacksize" "pthread_attr_setdetachstate"] (Update(Pointee)) Code;
    ["sem_init" "sem_post" "sem_wait" "sem_destroy" "sem_trywait"] (Update(Pointee)) Status, "There is one thread.";
    ["__stack_chk_fail" "__fortify_fail" "__chk_fail"] () Never;
}
