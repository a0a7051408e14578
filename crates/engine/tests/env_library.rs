//! What functions of the library may do beyond what is usual: no proof may rely on the usual, neither by the analysis nor by runs,
//! and no run that takes what the function cannot give is an error.
//!
//! Programs of the first list go wrong in some run: neither the analysis nor runs may prove them. Those of the second do not: no run may
//! show an error.

mod common;

use heapwise_engine::check::verdict::find_error;
use heapwise_engine::{Hunt, Options, analyse};
use heapwise_hunt::Hunter;
use heapwise_property::Properties;

const HEADER: &str = "
typedef unsigned long size_t; typedef long ssize_t; typedef long time_t; typedef int pid_t;
void *malloc(size_t); void free(void *); size_t strlen(const char *); int strcmp(const char *, const char *);
int snprintf(char *, size_t, const char *, ...); int puts(const char *);
typedef struct file FILE; extern FILE *stdin;
struct timespec { time_t tv_sec; long tv_nsec; };
struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; long tm_gmtoff; const char *tm_zone; };
typedef struct { unsigned long bits[16]; } sigset_t, fd_set;
struct sockaddr { unsigned short family; char data[14]; };
struct pollfd { int fd; short events, revents; };
typedef struct { void *a; unsigned long b; } regex_t; typedef struct { int rm_so, rm_eo; } regmatch_t;
struct dirent { long d_ino; char d_name[256]; }; typedef struct dirs DIR;
int dup2(int, int), dup(int), close(int), nice(int), pipe(int *), access(const char *, int), umask(int), kill(pid_t, int);
pid_t wait(int *), waitpid(pid_t, int *, int), getpgrp(void), getpid(void);
int clock_gettime(int, struct timespec *), sigaddset(sigset_t *, int), sigemptyset(sigset_t *);
int select(int, fd_set *, fd_set *, fd_set *, void *), poll(struct pollfd *, unsigned long, int);
ssize_t recv(int, void *, size_t, int), pread(int, void *, size_t, long), getxattr(const char *, const char *, void *, size_t);
int bind(int, const struct sockaddr *, unsigned), ioctl(int, unsigned long, ...), prctl(int, ...), getgroups(int, unsigned *);
struct tm *localtime(const time_t *); char *ctime(const time_t *), *asctime(const struct tm *); time_t mktime(struct tm *);
int regcomp(regex_t *, const char *, int), regexec(const regex_t *, const char *, size_t, regmatch_t *, int);
void regfree(regex_t *); size_t regerror(int, const regex_t *, char *, size_t);
DIR *opendir(const char *); struct dirent *readdir(DIR *); int closedir(DIR *);
ssize_t getline(char **, size_t *, FILE *); long strtol(const char *, char **, int); int execl(const char *, const char *, ...);
struct timeval { long s, us; }; int utimes(const char *, const struct timeval *);
int pthread_mutex_trylock(void *); char *getenv(const char *); int setenv(const char *, const char *, int);
int inet_pton(int, const char *, void *), mblen(const char *, size_t), wctomb(char *, int); char *basename(const char *);
char *strerror(int), *strsignal(int); unsigned arc4random_uniform(unsigned); unsigned alarm(unsigned);
double cbrt(double), fmin(double, double), sin(double), strtod(const char *, char **), atof(const char *), pow(double, double);
float strtof(const char *, char **); long double sqrtl(long double), fmodl(long double, long double), strtold(const char *, char **);
long double powl(long double, long double), ldexpl(long double, int); int __fpclassifyl(long double); int __signbit(double);
";

/// Programs with an error that the usual behaviour of the library hides.
const NOT_PROVED: &[(&str, &str)] = &[
    ("the new descriptor", "if (dup2(1, 5) > 0) BAD;"),
    ("the new niceness", "if (nice(5) == 5) BAD;"),
    ("a clock that there is not", "struct timespec t; clock_gettime(9999, &t); if (t.tv_sec == 1) return 1;"),
    ("a signal that there is not", "sigset_t s; sigemptyset(&s); if (sigaddset(&s, 9999)) BAD;"),
    ("a set that nobody made", "fd_set f; select(1, &f, 0, 0, 0);"),
    ("descriptors that nobody set", "struct pollfd f[2]; f[0].fd = 0; f[0].events = 1; poll(f, 2, 0);"),
    ("an address that nobody made", "struct sockaddr a; bind(0, &a, sizeof a);"),
    ("the length of what came", "char q[8]; if (recv(0, q, 8, 0x20) > 8) BAD;"),
    ("the size of an attribute", "if (getxattr(\"a\", \"b\", 0, 0) > 0) BAD;"),
    ("an address as a number", "int x = 1; ioctl(0, 0x541b, (unsigned long)&x); if (x != 1) BAD;"),
    (
        "another address as a number",
        "char b[16] = \"abc\"; prctl(16, (unsigned long)b, 0, 0, 0); if (b[0] != 'a') BAD;",
    ),
    ("no child yet", "int st; if (waitpid(-1, &st, 1) == 0) { if (st) return 1; }"),
    ("a year that there is not", "time_t t = (time_t)1 << 60; return localtime(&t)->tm_sec;"),
    ("a time without text", "time_t t = (time_t)1 << 60; return ctime(&t)[0];"),
    ("a time that nobody set", "struct tm t; mktime(&t);"),
    ("a time to write that nobody set", "struct tm t; asctime(&t);"),
    (
        "matches that are not asked for",
        "regex_t r; regmatch_t m[1]; if (regcomp(&r, \"a\", 8)) return 0;
        if (regexec(&r, \"a\", 1, m, 0) == 0 && m[0].rm_so == 1) return 1;",
    ),
    (
        "matches that say where the text is",
        "regex_t r; if (regcomp(&r, \"a\", 0)) return 0; regexec(&r, \"a\", 0, 0, 4);",
    ),
    ("a pattern that nobody made", "regex_t r; regfree(&r);"),
    ("a pattern that is gone", "regex_t r; if (regcomp(&r, \"a\", 0)) return 0; regfree(&r); regfree(&r);"),
    (
        "the size of a message",
        "char b[4]; regex_t r; int c = regcomp(&r, \"[\", 0); if (c && regerror(c, &r, b, 4) > 4) BAD;",
    ),
    (
        "an entry of a closed directory",
        "DIR *d = opendir(\".\"); if (!d) return 0; struct dirent *e = readdir(d);
        closedir(d); if (e) return e->d_name[0];",
    ),
    ("less room than is said", "char *l = malloc(4); size_t n = 100; getline(&l, &n, stdin); free(l);"),
    ("a base that there is not", "char *e; strtol(\"12\", &e, 1); return *e;"),
    ("a list without an end", "execl(\"/bin/sh\", \"sh\");"),
    ("two times", "struct timeval t = {0, 0}; utimes(\"a\", &t);"),
    ("a mutex that is taken", "static long m[5]; if (pthread_mutex_trylock(m)) BAD;"),
    (
        "more digits of a root",
        "volatile long double a = 2; if (sqrtl(a) != (long double)1.4142135623730951) BAD;",
    ),
    ("hexadecimal digits", "if (strtod(\"0x1p4\", 0) == 16) BAD;"),
    ("hexadecimal digits again", "if (atof(\"0x10\") == 16) BAD;"),
    ("digits of a float", "if (strtof(\"1.00000017881393432617187499\", 0) == 0x1.000002p0f) BAD;"),
    ("digits of a long double", "if (strtold(\"0.1\", 0) != (long double)strtod(\"0.1\", 0)) BAD;"),
    ("small numbers", "if (ldexpl(1, -16400) != 0) BAD;"),
    (
        "a long double as hexadecimal text",
        "char b[64]; snprintf(b, 64, \"%La\", 1.0L); if (strcmp(b, \"0x8p-3\") == 0) BAD;",
    ),
    (
        "a negative number that is not",
        "volatile double d = -1; unsigned i = (unsigned)d; if (i == 0xffffffffu) BAD;",
    ),
];

/// Programs without an error, in which a result that the library does not give here would lead to one.
const NO_ERROR: &[(&str, &str)] = &[
    ("nothing", "if (access(\"\", 0) == 0) BAD;"),
    ("no descriptor", "if (close(-1) == 0) BAD;"),
    ("the same descriptor", "int a = dup(1), b = dup(1); if (a >= 0 && a == b) BAD;"),
    ("closed before", "if (close(3) == 0 && close(3) == 0) BAD;"),
    ("both ends", "int p[2]; if (pipe(p)) return 0; if (p[0] == p[1]) BAD;"),
    ("a mask", "if (umask(0) < 0) BAD;"),
    ("no child", "if (wait(0) == 0) BAD;"),
    ("this process", "if (kill(getpid(), 0) != 0) BAD;"),
    ("a group", "if (getpgrp() < 0) BAD;"),
    ("more than there are", "struct pollfd f = {0, 1, 0}; if (poll(&f, 1, 0) > 1) BAD;"),
    ("beyond the bound", "if (arc4random_uniform(10) >= 10) BAD;"),
    ("an alarm", "if (alarm(5) != 0) BAD;"),
    ("set before", "if (setenv(\"Q\", \"1\", 1)) return 0; if (!getenv(\"Q\")) BAD;"),
    ("asked for twice", "if (getenv(\"Q\")) return getenv(\"Q\")[0];"),
    ("what was received", "char q[8]; if (recv(3, q, 8, 0) > 0 && q[0] == 'x') return 1;"),
    ("what was read", "char q[8]; if (pread(3, q, 8, 0) == 8 && q[7] == 'x') return 1;"),
    (
        "groups",
        "unsigned g[4]; int n = getgroups(4, g); for (int i = 0; i < n; i++) if (g[i] == 1) return 1;",
    ),
    ("an address that is right", "unsigned a; if (inet_pton(2, \"1.2.3.4\", &a) != 1) BAD;"),
    ("a character", "if (mblen(\"a\", 1) != 1) BAD;"),
    ("a short character", "char b[4]; wctomb(b, 'a');"),
    ("less than it says", "if (mblen(\"a\", 6) > 6) BAD;"),
    ("the last part", "if (basename(\"a/b\")[0] != 'b') BAD;"),
    ("a message", "if (strlen(strerror(2)) != 25) BAD;"),
    ("the name of a signal", "if (strlen(strsignal(2)) == 0) BAD;"),
    ("a cube root", "if (cbrt(27.0) != 3.0) BAD;"),
    ("two zeros", "if (!__signbit(fmin(0.0, -0.0))) BAD;"),
    ("a power", "if (powl(2, 0.5L) == (long double)pow(2, 0.5)) BAD;"),
    ("a time with a text", "time_t t = 0; if (strlen(ctime(&t)) < 20) BAD;"),
];

fn program(name: &str, body: &str) -> heapwise_ir::Program {
    let body = body.replace("BAD;", "{ *(volatile int *)0 = 1; }");
    let text = format!("{HEADER} int main(void) {{ {body} return 0; }}");
    common::from_preprocessed(name, &text).unwrap_or_else(|| panic!("{name} does not compile"))
}

fn runs_prove(program: &heapwise_ir::Program) -> bool {
    let hunt = Hunt::default();
    Hunter::new(program, "main", Properties::default()).runs_prove(&hunt.limits(hunt.effort, None))
}

#[test]
fn what_is_unusual_is_not_ruled_out() {
    let mut wrong = Vec::new();
    for (name, body) in NOT_PROVED {
        let program = program(name, body);
        if analyse(&program, &Options::default()).alarms.is_empty() {
            wrong.push(format!("{name}: proved by the analysis"));
        }
        if runs_prove(&program) {
            wrong.push(format!("{name}: proved by runs"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_impossible_is_no_error() {
    let mut wrong = Vec::new();
    for (name, body) in NO_ERROR {
        let program = program(name, body);
        let hunt = Hunt { runs: 100, ..Hunt::default() };
        if find_error(&program, &Options::default(), &hunt).is_some() {
            wrong.push(format!("{name}: a run goes wrong"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
