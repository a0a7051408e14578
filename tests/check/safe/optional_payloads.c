//~ SAFE
// Elements with eight members that are null or own a block: alternatives of the member, not of the state.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct item {
  struct item *next;
  int *d0;
  int *d1;
  int *d2;
  int *d3;
  int *d4;
  int *d5;
  int *d6;
  int *d7;
};

int main(void) {
  struct item *l = 0, *p;
  while (__VERIFIER_nondet_int()) {
    p = malloc(sizeof *p);
    p->d0 = 0;
    if (__VERIFIER_nondet_int()) p->d0 = malloc(sizeof(int));
    p->d1 = 0;
    if (__VERIFIER_nondet_int()) p->d1 = malloc(sizeof(int));
    p->d2 = 0;
    if (__VERIFIER_nondet_int()) p->d2 = malloc(sizeof(int));
    p->d3 = 0;
    if (__VERIFIER_nondet_int()) p->d3 = malloc(sizeof(int));
    p->d4 = 0;
    if (__VERIFIER_nondet_int()) p->d4 = malloc(sizeof(int));
    p->d5 = 0;
    if (__VERIFIER_nondet_int()) p->d5 = malloc(sizeof(int));
    p->d6 = 0;
    if (__VERIFIER_nondet_int()) p->d6 = malloc(sizeof(int));
    p->d7 = 0;
    if (__VERIFIER_nondet_int()) p->d7 = malloc(sizeof(int));
    p->next = l;
    l = p;
  }
  while (l) {
    p = l->next;
    if (l->d0) { *l->d0 = 0; free(l->d0); }
    if (l->d1) { *l->d1 = 1; free(l->d1); }
    if (l->d2) { *l->d2 = 2; free(l->d2); }
    if (l->d3) { *l->d3 = 3; free(l->d3); }
    if (l->d4) { *l->d4 = 4; free(l->d4); }
    if (l->d5) { *l->d5 = 5; free(l->d5); }
    if (l->d6) { *l->d6 = 6; free(l->d6); }
    if (l->d7) { *l->d7 = 7; free(l->d7); }
    free(l);
    l = p;
  }
  return 0;
}
