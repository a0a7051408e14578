//! Small programs with one error each that were once proved, or nearly so: what the analysis must notice outside of
//! linked structures. Runs confirm every error.

#![allow(clippy::print_stderr)]

mod common;

use heapwise_engine::verdict::find_error;
use heapwise_engine::{Hunt, Options, analyse};

const HEADER: &str = "
typedef unsigned long size_t;
void *malloc(size_t); void *calloc(size_t, size_t); void *realloc(void *, size_t); void free(void *);
void *memcpy(void *, const void *, size_t); void *memset(void *, int, size_t); size_t strlen(const char *);
int printf(const char *, ...); int abs(int); void exit(int) __attribute__((noreturn));
extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
struct node { struct node *next; int d; };
struct lnode { struct lnode *next; long d; };
";

const PROGRAMS: &[(&str, &str)] = &[
    ("abs undef", r#"int main(void){ int x; if(abs(x)) return 1; return 0; }"#),
    (
        "bits neighbour",
        r#"struct b { int a:3; int b:5; }; int main(void){ struct b s; s.a=1; if(s.b) return 1; return 0; }"#,
    ),
    (
        "bits undef store",
        r#"struct b { int a:3; int b:5; }; int main(void){ struct b s; int x; s.a=x; if(s.a) return 1; return 0; }"#,
    ),
    ("calloc overflow", r#"int main(void){ char *p=calloc((size_t)-1,2); p[0]=1; free(p); return 0; }"#),
    ("exit undef", r#"int main(void){ int x; exit(x); }"#),
    ("float undef arith", r#"int main(void){ double f; double g=f*2.0; if(g>1.0) return 1; return 0; }"#),
    ("float undef cmp", r#"int main(void){ float f; if(f>1.0f) return 1; return 0; }"#),
    ("float undef neg", r#"int main(void){ double f; double g=-f; if(g>1.0) return 1; return 0; }"#),
    ("malloc undef", r#"int main(void){ size_t n; char *p=malloc(n); free(p); return 0; }"#),
    (
        "memset undef byte",
        r#"int main(void){ int x; char b[4]; memset(b,x,4); if(b[0]) return 1; return 0; }"#,
    ),
    ("overlap memcpy", r#"int main(void){ char b[16]={0}; memcpy(b+3,b,8); return 0; }"#),
    ("popcount undef", r#"int main(void){ unsigned x; if(__builtin_popcount(x)) return 1; return 0; }"#),
    ("printf few arguments", r#"int main(void){ printf("%d %d\n",1); return 0; }"#),
    ("printf string of int", r#"int main(void){ printf("%s\n",7); return 0; }"#),
    ("printf undef", r#"int main(void){ int x; printf("%d\n",x); return 0; }"#),
    ("ptrdiff undef", r#"int main(void){ char *p; char b[4]; long d=p-b; if(d) return 1; return 0; }"#),
    (
        "realloc calloc tail",
        r#"int main(void){ unsigned n=__VERIFIER_nondet_uint(); if(n>100||n<1) return 0; char *p=calloc(n,1); p=realloc(p,16); int r=0; if(p[15]) r=1; free(p); return r; }"#,
    ),
    ("strlen int", r#"int main(void){ return (int)strlen((char*)16); }"#),
    ("strlen past literal", r#"int main(void){ const char *s="abc"; s+=6; return (int)strlen(s); }"#),
    (
        "truncated pointer",
        r#"int main(void){ struct node *p=malloc(sizeof *p); p->d=1; unsigned long l=(unsigned long)p; unsigned u=(unsigned)l; struct node *q=(struct node*)(unsigned long)u; q->d=2; free(p); return 0; }"#,
    ),
    (
        "uninit range bits",
        r#"struct b { int a:3; int b:5; }; int main(void){ struct b s[40]; unsigned i=__VERIFIER_nondet_uint()%40; if(s[i].a) return 1; return 0; }"#,
    ),
    ("write literal", r#"int main(void){ char *p="abc"; p[0]=120; return 0; }"#),
    (
        "shared cast2",
        r#"int main(void){ long k=-1; struct lnode *l=0; while(__VERIFIER_nondet_int()){ struct lnode *n=malloc(sizeof *n); n->next=l; n->d=k; l=n; } while(l){ struct lnode *t=l->next; unsigned long m=l->d; check(m<7); free(l); l=t; } return 0; }"#,
    ),
];

#[test]
fn errors_outside_of_structures_are_noticed() {
    let mut wrong = Vec::new();
    for (name, text) in PROGRAMS {
        let text = format!("{HEADER}{text}\n");
        let Some(program) = common::from_preprocessed(name, &text) else {
            wrong.push(format!("{name} does not compile"));
            continue;
        };
        let options = Options::default();
        if find_error(&program, &options, &Hunt { runs: 100, ..Hunt::default() }).is_none() {
            wrong.push(format!("{name}: no run goes wrong"));
        }
        if analyse(&program, &options).alarms.is_empty() {
            wrong.push(format!("{name} is proved"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
