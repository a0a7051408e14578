//! Small programs with one error each that were once proved, or nearly so: what the analysis must notice outside of
//! linked structures. Runs confirm every error.

#![allow(clippy::print_stderr)]

mod common;

use heapwise_engine::check::verdict::find_error;
use heapwise_engine::{Hunt, Options, analyse};
use heapwise_frontend::{SourceUnit, compile};
use heapwise_hunt::{Hunter, run_options};
use heapwise_ir::{DataModel, Severity};
use heapwise_property::Properties;

const HEADER: &str = "
typedef unsigned long size_t;
void *malloc(size_t); void *calloc(size_t, size_t); void *realloc(void *, size_t); void free(void *);
void *memcpy(void *, const void *, size_t); void *memset(void *, int, size_t); size_t strlen(const char *);
char *strcpy(char *, const char *); char *strcat(char *, const char *); char *strchr(const char *, int);
int printf(const char *, ...); int abs(int); int isalpha(int); int toupper(int);
typedef struct file FILE; extern FILE *stdin, *stdout; FILE *fopen(const char *, const char *); int fclose(FILE *);
int fgetc(FILE *); int fputs(const char *, FILE *); int feof(FILE *); char *fgets(char *, int, FILE *);
FILE *freopen(const char *, const char *, FILE *); FILE *tmpfile(void); int fflush(FILE *); int puts(const char *);
int fprintf(FILE *, const char *, ...); int ungetc(int, FILE *); int fputc(int, FILE *);
size_t fread(void *, size_t, size_t, FILE *); size_t fwrite(const void *, size_t, size_t, FILE *); void exit(int) __attribute__((noreturn));
extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
struct node { struct node *next; int d; };
struct lnode { struct lnode *next; long d; };
";

const PROGRAMS: &[(&str, &str)] = &[
    (
        "write to a constant table",
        r#"static const int t[2]={1,2}; static void set(const int *p){ *(int*)p=5; } int main(void){ set(t+1); return 0; }"#,
    ),
    (
        "copy to a constant text",
        r#"static const char t[]="abc"; int main(void){ strcpy((char*)t,"x"); return 0; }"#,
    ),
    (
        "fill a constant text",
        r#"static const char t[]="abc"; int main(void){ memset((char*)t,0,2); return 0; }"#,
    ),
    (
        "write to a constant literal",
        r#"static const int *p=(const int[]){1,2}; int main(void){ *(int*)p=5; return 0; }"#,
    ),
    ("write to a constant variable", "int main(void){ const int x=1; *(int*)&x=2; return 0; }"),
    (
        "write to a constant variable by a pointer",
        "int main(void){ const int x=1; int *p=(int*)&x; if(__VERIFIER_nondet_int()) *p=2; return x-1; }",
    ),
    (
        "write to a constant of a caller",
        "static void set(const int *p){ *(int*)p=5; } static void hand(const int *p){ set(p); }
         int main(void){ const int t[2]={1,2}; hand(t+1); return 0; }",
    ),
    (
        "write to a constant parameter",
        "static int f(const int x){ *(int*)&x=2; return x; } int main(void){ return f(1); }",
    ),
    (
        "write to a constant literal of a block",
        "int main(void){ int *p=(int*)(const int[]){1,2}; p[1]=5; return 0; }",
    ),
    (
        "a temporary after the condition",
        "struct s { int a[2]; }; static struct s make(int n){ struct s v={{n,n}}; return v; }
         int main(void){ int *p=0; if (*(p=make(1).a)) return *p; return 0; }",
    ),
    (
        "a temporary after the condition of a loop",
        "struct s { int a[2]; }; static struct s make(int n){ struct s v={{n,n}}; return v; }
         int main(void){ int *p=0, r=0; for (int i=0; *(p=make(i).a)<3; i++) r+=*p; return r; }",
    ),
    (
        "a temporary after a switch",
        "struct s { int a[2]; }; static struct s make(int n){ struct s v={{n,n}}; return v; }
         int main(void){ int *p=0; switch (*(p=make(1).a)) { case 1: return *p; } return 0; }",
    ),
    ("close a null stream", r#"int main(void){ fclose(fopen("x","r")); return 0; }"#),
    ("close a stream twice", r#"int main(void){ fclose(stdout); fclose(stdout); return 0; }"#),
    ("print to a null stream", r#"int main(void){ FILE *f=fopen("x","w"); fprintf(f,"a"); return 0; }"#),
    ("put to a null stream", r#"int main(void){ FILE *f=fopen("x","w"); fputc('a',f); return 0; }"#),
    ("put text to a null stream", r#"int main(void){ FILE *f=fopen("x","w"); fputs("a",f); return 0; }"#),
    ("push back to a null stream", r#"int main(void){ ungetc('a',fopen("x","r")); return 0; }"#),
    ("read a character of a null stream", r#"int main(void){ return fgetc(fopen("x","r"))>0; }"#),
    ("end of a null stream", r#"int main(void){ return feof(fopen("x","r"))>0; }"#),
    ("isalpha of a large number", r#"int main(void){ return isalpha(100000000)?1:0; }"#),
    ("toupper of a negative number", r#"int main(void){ return toupper(-2)?1:0; }"#),
    ("isalpha of an input", r#"int main(void){ return isalpha(__VERIFIER_nondet_int())?1:0; }"#),
    // Numbers that become pointers and back: the same bits are the same pointer.
    (
        "minus one as pointer",
        r#"int main(void){ void *a=(void*)-1, *b=(void*)18446744073709551615ul; check(a!=b); return 0; }"#,
    ),
    (
        "minus one in bytes",
        r#"int main(void){ void *t[2]; memset(t,255,sizeof t); check(t[1]!=(void*)-1); return 0; }"#,
    ),
    (
        "pointer in union",
        r#"int main(void){ union { long l; void *p; } u; u.l=-3; check(u.p!=(void*)18446744073709551613ul); return 0; }"#,
    ),
    (
        "int through pointer",
        r#"int main(void){ int i=__VERIFIER_nondet_int(); void *p=(void*)(long)i; if(i<0) check((unsigned long)p<10); return 0; }"#,
    ),
    ("pointers below zero", r#"int main(void){ void *a=(void*)-1, *b=(void*)1; check(a<b); return 0; }"#),
    (
        "moved made-up pointer",
        r#"int main(void){ char *q=(char*)-1; check(q-5!=(char*)18446744073709551610ul); return 0; }"#,
    ),
    // Integers of 128 bits, whose values are not all numbers of the analysis.
    ("wide unsigned wraps", r#"int main(void){ unsigned __int128 x=0; x--; check(x<5); return 0; }"#),
    (
        "wide unsigned of negative",
        r#"int main(void){ int i=__VERIFIER_nondet_int(); unsigned __int128 x=i; if(i<0) check(x<5); return 0; }"#,
    ),
    (
        "wide complement",
        r#"int main(void){ unsigned __int128 x=~(unsigned __int128)0; check(x/2<5); return 0; }"#,
    ),
    (
        "wide doubling",
        r#"int main(void){ unsigned __int128 x=(unsigned __int128)1<<127; x=x*2; check(x!=0); return 0; }"#,
    ),
    (
        "wide cut to a pointer",
        r#"int main(void){ unsigned __int128 x=(unsigned __int128)1<<64; void *p=(void*)x; check(p!=0); return 0; }"#,
    ),
    ("wide from bytes", r#"int main(void){ unsigned __int128 x; memset(&x,255,16); check(x<5); return 0; }"#),
    // A pointer to dead memory leads nowhere, whatever lives at its address now.
    (
        "stale local",
        r#"int main(void){ int *p=0; for(int i=0;i<3;i++){ int x=i; if(i>0&&p==&x) *p=7; p=&x; } return 0; }"#,
    ),
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
    (
        "memset at an offset",
        r#"int main(void){ char b[40]; int i=__VERIFIER_nondet_int(); if(i<0||i>30) return 0; memset(b+i,0,4); int *p=0; return *p; }"#,
    ),
    (
        "memcpy from an offset",
        r#"int main(void){ char b[40]={0},c[4]; int i=__VERIFIER_nondet_int(); if(i<0||i>30) return 0; memcpy(c,b+i,4); int *p=0; return *p; }"#,
    ),
    (
        "memcpy to an offset",
        r#"int main(void){ char b[40]={0},c[4]={0}; int i=__VERIFIER_nondet_int(); if(i<0||i>30) return 0; memcpy(b+i,c,4); int *p=0; return *p; }"#,
    ),
    (
        "record result at an index",
        r#"struct t { long a, b, c; }; static struct t mk(long x){ struct t r={x,x,x}; return r; } int main(void){ struct t v[40]={{0}}; int i=__VERIFIER_nondet_int(); if(i<0||i>39) return 0; v[i]=mk(7); int *p=0; if (v[3].a==7) return *p; return 0; }"#,
    ),
    (
        "size wraps",
        r#"int main(void){ size_t n=__VERIFIER_nondet_ulong(); if (n<1) return 0; int *a=malloc(n*4); a[n-1]=1; free(a); return 0; }"#,
    ),
    (
        "size wraps in unsigned",
        r#"int main(void){ unsigned n=__VERIFIER_nondet_uint()|0x40000001u; int *a=malloc(n*4u); a[n-1]=1; free(a); return 0; }"#,
    ),
    (
        "negative size",
        r#"int main(void){ int n=__VERIFIER_nondet_int(); char *a=malloc(n); if (n==0) {free(a); return 0;} a[n-1]=1; free(a); return 0; }"#,
    ),
    (
        "negative array",
        r#"int main(void){ int n=__VERIFIER_nondet_int(); if(n>10) return 0; int a[n]; a[0]=1; return a[0]; }"#,
    ),
    (
        "empty alloca",
        r#"int main(void){ int n=__VERIFIER_nondet_int(); if(n<0||n>10) return 0; int *a=__builtin_alloca(n*4); a[0]=1; return a[0]; }"#,
    ),
    (
        "realloc cuts a pointer off",
        r#"int main(void){ int n=__VERIFIER_nondet_int(); if(n<1||n>32) return 0; void **a=malloc(16); a[0]=0; a[1]=malloc(4); void **b=realloc(a,n); if (n==32) free(b[1]); free(b); return 0; }"#,
    ),
    (
        "end overwritten by memcpy",
        r#"int main(void){ int n=__VERIFIER_nondet_int(); if(n<4||n>20) return 0; char *s=malloc(n); memset(s,1,n-1); s[n-1]=0; char *t=malloc(n); memset(t,1,n); memcpy(s,t,n); int k=strlen(s); free(s); free(t); return k; }"#,
    ),
    (
        "end overwritten by an int",
        r#"int main(void){ int n=__VERIFIER_nondet_int(); if(n<4||n>20) return 0; char *s=malloc(n*4); memset(s,1,n*4-1); s[n*4-1]=0; int *q=(int*)s; q[n-1]=0x01010101; int k=strlen(s); free(s); return k; }"#,
    ),
    (
        "end overwritten in a loop",
        r#"int main(void){ int n=__VERIFIER_nondet_int(); if(n<4||n>20) return 0; char *s=malloc(n); memset(s,1,n-1); s[n-1]=0; int i; for(i=0;i<n;i++) s[i]=1; int k=strlen(s); free(s); return k; }"#,
    ),
    (
        "no room for the end",
        r#"int main(void){ int n=__VERIFIER_nondet_int(); if(n<1||n>20) return 0; char *s=malloc(n); memset(s,1,n-1); s[n-1]=0; char *t=malloc(strlen(s)); strcpy(t,s); free(s); free(t); return 0; }"#,
    ),
    (
        "no room for two texts",
        r#"int main(void){ int n=__VERIFIER_nondet_int(); if(n<1||n>20) return 0; char *s=malloc(n); memset(s,1,n-1); s[n-1]=0; char *t=malloc(2*n-2>0?2*n-2:1); strcpy(t,s); strcat(t,s); free(s); free(t); return 0; }"#,
    ),
    (
        "realloc grows a zeroed block",
        r#"int main(void){ int n=__VERIFIER_nondet_int(), m=__VERIFIER_nondet_int(); if(n<1||n>20||m<1||m>20) return 0; char *s=calloc(n,1); s=realloc(s,m); int k=s[m-1]; free(s); return k; }"#,
    ),
    (
        "realloc cuts the end off",
        r#"int main(void){ int n=__VERIFIER_nondet_int(); if(n<2||n>20) return 0; char *s=malloc(n); memset(s,1,n-1); s[n-1]=0; s=realloc(s,n-1); int k=strlen(s); free(s); return k; }"#,
    ),
    (
        "one past the end",
        r#"int main(void){ int n=__VERIFIER_nondet_int(); if(n<1||n>20) return 0; char *a=malloc(n),*b=malloc(4); char *p=a+n; int i; if (p!=b) { *p=1; } free(a); free(b); return 0; }"#,
    ),
    (
        "index below zero",
        r#"int main(void){ int n=__VERIFIER_nondet_int(); if(n<1||n>20) return 0; int *a=malloc(n*4); int i=n-1; while(i>=0){ a[i]=0; i--; } a[i]=1; free(a); return 0; }"#,
    ),
    (
        "unsigned index wraps",
        r#"int main(void){ unsigned n=__VERIFIER_nondet_uint(); if(n<1||n>20) return 0; int *a=malloc(n*4); unsigned i=n-1; while(i<n){ a[i]=0; i--; } a[i]=1; free(a); return 0; }"#,
    ),
    (
        "index of a narrow type",
        r#"int main(void){ int n=__VERIFIER_nondet_int(); if(n<1||n>300) return 0; char *a=calloc(n,1); signed char i; for(i=0;i<n;i++) a[i]=1; free(a); return 0; }"#,
    ),
    (
        "every other element",
        r#"int main(void){ int n=__VERIFIER_nondet_int(); if(n<2||n>20) return 0; int *a=malloc(n*4); int i; for(i=0;i<n;i+=2) a[i]=1; int k=a[n-1]; if(k) k=1; free(a); return k; }"#,
    ),
    (
        "all but the first element",
        r#"int main(void){ int n=__VERIFIER_nondet_int(); if(n<2||n>20) return 0; int *a=malloc(n*4); int i; for(i=n-1;i>0;i--) a[i]=1; int k=0; if(a[0]) k=1; free(a); return k; }"#,
    ),
    (
        "index sum wraps",
        r#"int main(void){ int a[10]={0}; unsigned i=__VERIFIER_nondet_uint(); unsigned j=i+1; if (j<10) { a[i]=1; } return 0; }"#,
    ),
    (
        "past the end found by strchr",
        r#"int main(void){ int n=__VERIFIER_nondet_int(); if(n<1||n>20) return 0; char *s=malloc(n); memset(s,1,n-1); s[n-1]=0; char *p=strchr(s,0); if(p) p[1]=0; free(s); return 0; }"#,
    ),
    (
        "all but one pointer freed",
        r#"int main(void){ int n=__VERIFIER_nondet_int(); if(n<1||n>20) return 0; int **a=malloc(n*sizeof(int*)); int i; for(i=0;i<n;i++) a[i]=malloc(4); for(i=0;i<n-1;i++) free(a[i]); free(a); return 0; }"#,
    ),
    (
        "a zeroed array is written",
        r#"int main(void){ int n=__VERIFIER_nondet_int(); if(n<1||n>20) return 0; int *a=calloc(n,4); int i=__VERIFIER_nondet_int(); if(i<0||i>=n) {free(a);return 0;} a[i]=5; if (a[0]!=0) {int*z=0; *z=1;} free(a); return 0; }"#,
    ),
    (
        "two indices may be equal",
        r#"int main(void){ int n=__VERIFIER_nondet_int(); if(n<2||n>20) return 0; int *a=calloc(n,4); int i=__VERIFIER_nondet_int(),j=__VERIFIER_nondet_int(); if(i<0||i>=n||j<0||j>=n) {free(a);return 0;} a[i]=5; a[j]=6; if (a[i]!=5) {int*z=0; *z=1;} free(a); return 0; }"#,
    ),
    (
        "overlapping elements",
        r#"int main(void){ char a[64]={0}; int i=__VERIFIER_nondet_int(),j; if(i<0||i>40) return 0; j=i+2; *(int*)(a+i)=0x11111111; *(int*)(a+j)=0; if (*(int*)(a+i)!=0x11111111) {int*z=0; *z=1;} return 0; }"#,
    ),
    (
        "two sizes",
        r#"int main(void){ int n=__VERIFIER_nondet_int(); char *a; if(n<1||n>20) return 0; if (__VERIFIER_nondet_int()) a=malloc(n); else a=malloc(n-1); memset(a,0,n-1); a[n-1]=0; free(a); return 0; }"#,
    ),
    (
        "pointer and counter",
        r#"int main(void){ int n=__VERIFIER_nondet_int(); if(n<1||n>20) return 0; int a[20]; int *p=a,*e=a+n; int k=0; while(p!=e){ *p++=1; k++; } if(k==n) a[n]=1; return 0; }"#,
    ),
    (
        "counter on its own",
        r#"int main(void){ int n=__VERIFIER_nondet_int(); if(n<1||n>20) return 0; int *a=malloc(n*4); int i=0,j=0; while(i<n){ a[i]=0; i++; if(__VERIFIER_nondet_int()) j+=2; } if (j<n*2) a[j]=1; free(a); return 0; }"#,
    ),
    (
        "addresses wrap",
        r#"int main(void){ char *p=malloc(16); size_t a=(size_t)p, b=a+(size_t)-8, c=a-8; free(p); check(b!=c); return 0; }"#,
    ),
    (
        "addresses wrap in a wide type",
        r#"int main(void){ char *p=malloc(16); size_t a=(size_t)p; unsigned __int128 w=a; w+=(unsigned __int128)1<<64; size_t b=(size_t)w; free(p); check(a!=b); return 0; }"#,
    ),
    (
        "realloc to nothing",
        r#"int main(void){ unsigned n=__VERIFIER_nondet_uint(); if(n>8) return 0; char *p=malloc(8), *q=realloc(p,n); if(!q){ free(p); return 1; } free(q); return 0; }"#,
    ),
    (
        "number of bytes past a literal",
        r#"void *memchr(const void *, int, size_t); int main(void){ unsigned n=__VERIFIER_nondet_uint(); if(n>5) return 0; return memchr("abc",'z',n)!=0; }"#,
    ),
    (
        "two numbers of bytes past literals",
        r#"int memcmp(const void *, const void *, size_t); int main(void){ return memcmp("abcd","abcd",8)!=0; }"#,
    ),
    (
        "array of negative length",
        r#"int main(void){ int n=__VERIFIER_nondet_int(); if(n>=0) return 0; int a[n]; a[0]=1; return a[0]; }"#,
    ),
    (
        "negative alloca",
        r#"int main(void){ int n=__VERIFIER_nondet_int(); if(n>=0) return 0; char *p=__builtin_alloca(n); p[0]=1; return p[0]; }"#,
    ),
    (
        "block larger than any object",
        r#"int main(void){ int n=__VERIFIER_nondet_int(); if(n>=0) return 0; char *p=malloc(n); p[0]=1; free(p); return 0; }"#,
    ),
    (
        "realloc larger than any object",
        r#"int main(void){ int n=__VERIFIER_nondet_int(); if(n>=0) return 0; char *p=malloc(4), *q=realloc(p,n); free(q); return 0; }"#,
    ),
    (
        "least number by minus one",
        r#"int main(void){ int x=__VERIFIER_nondet_int(), y=__VERIFIER_nondet_int(); if(y!=-1||x>=-2147483647) return 0; return x/y>3; }"#,
    ),
    (
        "rest of the least number by minus one",
        r#"int main(void){ long x=-9223372036854775807L-1; int y=__VERIFIER_nondet_int(); if(y!=-1) return 0; return x%y>3; }"#,
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

/// Ways to lose a block in a function `lose` that does not come back, each with the `main` that calls it.
const LOSSES: &[(&str, &str, &str)] = &[
    (
        "a cell of the block that it is given",
        "static struct node *held; static void lose(struct node *p) { p->next = 0; END }",
        "held = malloc(sizeof *held); held->next = malloc(sizeof *held); held->next->next = 0; lose(held);",
    ),
    ("its parameter", "static void lose(int *p) { p = 0; END }", "lose(malloc(4));"),
    (
        "through a function that it calls",
        "static int *id(int *p) { return p; } static void lose(int *p) { p = id(0); END }",
        "lose(malloc(4));",
    ),
    (
        "a variable of its own that a callee clears",
        "static void clear(int **p) { *p = 0; } static void lose(int *p) { int *x = p; p = 0; clear(&x); END }",
        "lose(malloc(4));",
    ),
    (
        "a pointer back",
        "struct d { struct d *next, *prev; };
         static void lose(struct d *p) { p->prev = 0; END }
         static struct d *pair(void) {
             struct d *a = malloc(sizeof *a), *b = malloc(sizeof *b);
             a->next = b; a->prev = 0; b->next = 0; b->prev = a; return b; }",
        "struct d *l = 0;
         while (__VERIFIER_nondet_int()) {
             struct d *x = malloc(sizeof *x); x->prev = 0; x->next = l; if (l) l->prev = x; l = x; }
         while (l) { struct d *t = l->next; free(l); l = t; }
         lose(pair());",
    ),
];

/// Blocks that a callee loses and that it never returns to say so.
#[test]
fn losses_in_functions_that_do_not_return_are_noticed() {
    for (how, function, calls) in LOSSES {
        for end in ["while (1) ;", "exit(0);", "abort();"] {
            let function = function.replace("END", end);
            let text =
                format!("{HEADER} void abort(void); {function} int main(void) {{ {calls} return 0; }}");
            let program = common::from_preprocessed("loses", &text).expect("it compiles");
            let report = analyse(&program, &Options::default());
            assert!(!report.alarms.is_empty(), "{how} is lost before `{end}`");
        }
    }
}

/// Runs prove nothing where texts are read that the machine chooses or an input decides.
#[test]
fn runs_prove_only_what_they_determine() {
    let texts = [
        ("a text", "char s[4] = \"ab\"; return strlen(s) == 2 ? 0 : 1;", true),
        ("an address as text", "int x = 0; int *p[2] = {&x, 0}; return strlen((char *)p) > 3;", false),
        (
            "an input as text",
            "char s[4] = \"ab\"; s[1] = __VERIFIER_nondet_int() > 0; return strlen(s) > 1;",
            false,
        ),
        ("bytes without a value", "char s[4]; return strlen(s) > 1;", false),
    ];
    for (name, body, proved) in texts {
        let text = format!("{HEADER} int main(void) {{ {body} }}");
        let program = common::from_preprocessed(name, &text).expect("it compiles");
        let hunt = Hunt::default();
        let hunter = Hunter::new(&program, "main", Properties::default());
        assert_eq!(hunter.runs_prove(&hunt.limits(hunt.effort, None)), proved, "{name}");
    }
}

/// What compilers may choose: no run shows it, and no proof may rely on either choice.
#[test]
fn choices_of_the_compiler_are_open() {
    let programs = [
        (
            "equal literals",
            r#"int main(void){ const char *a="abc",*b="abc"; int *p=malloc(4); if(a==b) return 0; free(p); return 0; }"#,
        ),
        (
            "different literals",
            r#"int main(void){ const char *a="abc",*b="abc"; int *p=malloc(4); if(a!=b) return 0; free(p); return 0; }"#,
        ),
        (
            "end of a literal",
            r#"int main(void){ size_t a=(size_t)("xabc"+1),b=(size_t)"abc"; int *p=malloc(4); if(a==b) return 0; free(p); return 0; }"#,
        ),
        (
            "known size of an object",
            r#"int main(void){ char b[8]; int *p=malloc(4); if(__builtin_object_size(b,0)==8) return 0; free(p); return 0; }"#,
        ),
        (
            "unknown size of an object",
            r#"int main(void){ char b[8]; int *p=malloc(4); if(__builtin_object_size(b,0)!=8) return 0; free(p); return 0; }"#,
        ),
    ];
    for (name, text) in programs {
        let program =
            common::from_preprocessed(name, &format!("{HEADER}{text}\n")).expect("the program compiles");
        let options = Options::default();
        assert!(!analyse(&program, &options).alarms.is_empty(), "{name}: proved");
        let error = find_error(&program, &options, &Hunt { runs: 20, ..Hunt::default() });
        assert!(error.is_none(), "{name}: a run is taken to decide it");
    }
    let text = format!(
        "{HEADER} int main(void) {{ const char *a = \"abc\", *b = \"abd\"; int *p = malloc(4);
         if (a == b) return 0; free(p); return 0; }}"
    );
    let program = common::from_preprocessed("distinct", &text).expect("the program compiles");
    assert!(analyse(&program, &Options::default()).alarms.is_empty(), "other bytes are in another place");
}

/// Half of the addresses of 32 bits are negative numbers in a signed type.
#[test]
fn signed_addresses_of_32_bits_may_be_negative() {
    let text = "void *malloc(unsigned); void free(void *); extern void reach_error(void);
        int main(void) { char *p = malloc(1000000); int a = (int)p; unsigned u = (unsigned)p;
            free(p); if (a < 0 && u >= 5) reach_error(); return 0; }";
    let round = "void *malloc(unsigned); void free(void *);
        int main(void) { unsigned u = (unsigned)malloc(8) + 4; free((void *)(u - 4)); return 0; }";
    for (text, proved) in [(text, false), (round, true)] {
        let unit = SourceUnit { name: "signed.c".into(), text: text.into() };
        let (program, diagnostics) = compile(&[unit], DataModel::Ilp32);
        assert!(diagnostics.iter().all(|d| d.severity < Severity::Error));
        assert_eq!(analyse(&program, &Options::default()).alarms.is_empty(), proved, "{text}");
    }
}

/// The end of a list may be a number at the end of the addresses, which unsigned types show as a large one.
#[test]
fn ends_of_lists_are_numbers_of_the_type_that_they_are_read_in() {
    let text = |number: &str, end: &str| {
        format!(
            "void *malloc(unsigned long); void free(void *); extern int __VERIFIER_nondet_int(void);
             extern void reach_error(void); struct n {{ struct n *next; int v; }};
             int main(void) {{ struct n *l = (struct n *)-16;
                 while (__VERIFIER_nondet_int()) {{ struct n *x = malloc(sizeof *x); x->next = l; l = x; }}
                 while (l != (struct n *)-16) {{ struct n *x = l->next;
                     if ({number} == {end}) reach_error(); free(l); l = x; }}
                 return 0; }}"
        )
    };
    let models = [(DataModel::Ilp32, "0xfffffff0u"), (DataModel::Lp64, "0xfffffffffffffff0ul")];
    for (model, end) in models {
        for number in ["(unsigned long)x", "*(unsigned long *)&l->next", "*(unsigned long *)&x"] {
            let unit = SourceUnit { name: "end.c".into(), text: text(number, end).as_str().into() };
            let (program, diagnostics) = compile(&[unit], model);
            assert!(diagnostics.iter().all(|d| d.severity < Severity::Error));
            assert!(!analyse(&program, &Options::default()).alarms.is_empty(), "{number}, {model:?}");
        }
    }
}

/// The limits of 128-bit types are constants like others.
#[test]
fn the_least_number_of_128_bits_is_no_obstacle() {
    let text =
        "int main(void) { __int128 x = 0; if (x < ((unsigned __int128)1 << 127)) return 0; return 1; }";
    let program = common::from_preprocessed("least", text).expect("the program compiles");
    analyse(&program, &Options::default());
}

/// Wherever a run is stopped, what is on its way to a variable is not lost.
#[test]
fn runs_that_are_stopped_lose_nothing() {
    let text = format!(
        "{HEADER} static struct node *grow(struct node *n) {{
             if (__VERIFIER_nondet_int() <= 0) return n;
             struct node *m = malloc(sizeof *m); m->next = grow(n); return m; }}
         int main(void) {{ struct node *p = grow(0); while (p) {{ struct node *q = p->next; free(p); p = q; }}
             return 0; }}"
    );
    let program = common::from_preprocessed("stopped", &text).expect("it compiles");
    let mut settings = run_options(Properties::default());
    for steps in 1..200 {
        settings.limits.steps = steps;
        let values = [1, 1, 1, 0].map(heapwise_interp::InputValue::Int);
        let mut inputs = heapwise_interp::ListInputs::values(values);
        let run = heapwise_interp::run(&program, &settings, &mut inputs, None);
        let lost = matches!(run.outcome, heapwise_interp::Outcome::Error(_));
        assert!(!lost, "stopped after {steps} steps: {:?}", run.outcome);
    }
}

/// Streams that are used as none may be: an alarm, and a run that confirms it.
#[test]
fn closing_a_stream_is_not_taken_lightly() {
    let open = "FILE *f = fopen(\"x\", \"r\"); if (!f) return 0;";
    let programs = [
        ("closed twice", "fclose(f); fclose(f); return 0;"),
        ("read when closed", "fclose(f); return fgetc(f) > 0;"),
        ("flushed when closed", "fclose(f); return fflush(f);"),
        ("freed", "free(f); return 0;"),
        ("closed where it did not open again", "if (!freopen(\"y\", \"r\", f)) fclose(f); return 0;"),
        ("what is no stream", "fclose((FILE *)&f); return 0;"),
        ("the middle of a stream", "fclose((FILE *)((char *)f + 1)); return 0;"),
        ("a block", "fputs(\"a\", malloc(1000)); return 0;"),
        ("output that was closed", "fclose(stdout); puts(\"a\"); return 0;"),
    ];
    for (name, body) in programs {
        let text = format!("{HEADER} int main(void) {{ {open} {body} }}");
        let program = common::from_preprocessed(name, &text).expect("it compiles");
        assert!(!analyse(&program, &Options::default()).alarms.is_empty(), "{name}");
        let found = find_error(&program, &Options::default(), &Hunt::default());
        assert!(found.is_some(), "{name}");
    }
}

/// What is checked may be used.
#[test]
fn streams_that_are_checked_and_characters_in_range_are_fine() {
    let programs = [
        ("an open file", "FILE *f = fopen(\"x\", \"w\"); if (!f) return 0; fputs(\"a\", f); return 0;"),
        ("a constant that is read", "const int t[2] = {1, 2}; const int *p = t; return p[1] - 2;"),
        (
            "what is constant for its user only",
            "int x = 1; const int *p = &x; *(int *)p = 2; const struct node n = {0, 3}; return x - 2 + n.d - 3;",
        ),
        ("closed once", "FILE *f = fopen(\"x\", \"r\"); if (!f) return 0; fclose(f); return 0;"),
        ("given up", "FILE *f = tmpfile(); if (!f) return 0; f = 0; return 0;"),
        ("all of them", "return fflush(0);"),
        ("opened again", "FILE *f = tmpfile(); if (f) f = freopen(0, \"r\", f); if (f) fclose(f); return 0;"),
        ("closed output", "return fclose(stdout);"),
        ("the standard streams", "fputs(\"a\", stdout); return fgetc(stdin) > 0;"),
        ("a byte", "unsigned char c = __VERIFIER_nondet_int(); return isalpha(c) ? 1 : 0;"),
        (
            "a character read",
            "int c = __VERIFIER_nondet_int(); if (c < -1 || c > 255) return 0; return toupper(c) > 0;",
        ),
    ];
    for (name, body) in programs {
        let text = format!("{HEADER} int main(void) {{ {body} }}");
        let program = common::from_preprocessed(name, &text).expect("it compiles");
        let alarms = analyse(&program, &Options::default()).alarms;
        assert!(alarms.is_empty(), "{name}: {:?}", alarms.iter().map(|a| &a.message).collect::<Vec<_>>());
    }
}

/// Runs find no error that rests on a library that contradicts itself, nor a block lost whose address is computed again.
#[test]
fn what_stays_the_same_is_no_error() {
    let xor = "unsigned long n, m; char *p = malloc(4), *q = malloc(4); n = (unsigned long)p ^ (unsigned long)q;
               m = (unsigned long)p; p = q = 0; q = (char *)(n ^ m); p = (char *)m; free(p); free(q); return 0;";
    let programs = [
        ("a process", "check(getpid() == getpid()); return 0;"),
        ("a seed", "srand(7); int a = rand(); rand(); srand(7); check(rand() == a); return 0;"),
        ("the first seed", "int a = rand(); srand(1); check(rand() == a); return 0;"),
        ("a clock", "long a = clock(), b = clock(); check(b >= a); return 0;"),
        ("exclusive or", xor),
    ];
    for (name, body) in programs {
        let known = "int getpid(void); void srand(unsigned); int rand(void); long clock(void);";
        let text = format!("{HEADER} {known} int main(void) {{ {body} }}");
        let program = common::from_preprocessed(name, &text).expect("it compiles");
        let found = find_error(&program, &Options::default(), &Hunt { runs: 100, ..Hunt::default() });
        assert!(found.is_none(), "{name}: {:?}", found.map(|e| e.error.message));
    }
    let text = format!(
        "{HEADER} int rand(void); int main(void) {{ int a = rand(); check(rand() == a); return 0; }}"
    );
    let program = common::from_preprocessed("two numbers", &text).expect("it compiles");
    assert!(find_error(&program, &Options::default(), &Hunt::default()).is_some());
}
