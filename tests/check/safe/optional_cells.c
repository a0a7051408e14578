//~ SAFE
// Twelve pointers that are null or own a block, in any combination.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int *c0 = 0;
  if (__VERIFIER_nondet_int()) { c0 = malloc(sizeof(int)); *c0 = 0; }
  int *c1 = 0;
  if (__VERIFIER_nondet_int()) { c1 = malloc(sizeof(int)); *c1 = 1; }
  int *c2 = 0;
  if (__VERIFIER_nondet_int()) { c2 = malloc(sizeof(int)); *c2 = 2; }
  int *c3 = 0;
  if (__VERIFIER_nondet_int()) { c3 = malloc(sizeof(int)); *c3 = 3; }
  int *c4 = 0;
  if (__VERIFIER_nondet_int()) { c4 = malloc(sizeof(int)); *c4 = 4; }
  int *c5 = 0;
  if (__VERIFIER_nondet_int()) { c5 = malloc(sizeof(int)); *c5 = 5; }
  int *c6 = 0;
  if (__VERIFIER_nondet_int()) { c6 = malloc(sizeof(int)); *c6 = 6; }
  int *c7 = 0;
  if (__VERIFIER_nondet_int()) { c7 = malloc(sizeof(int)); *c7 = 7; }
  int *c8 = 0;
  if (__VERIFIER_nondet_int()) { c8 = malloc(sizeof(int)); *c8 = 8; }
  int *c9 = 0;
  if (__VERIFIER_nondet_int()) { c9 = malloc(sizeof(int)); *c9 = 9; }
  int *c10 = 0;
  if (__VERIFIER_nondet_int()) { c10 = malloc(sizeof(int)); *c10 = 10; }
  int *c11 = 0;
  if (__VERIFIER_nondet_int()) { c11 = malloc(sizeof(int)); *c11 = 11; }
  if (c0) { *c0 += 1; free(c0); }
  if (c1) { *c1 += 1; free(c1); }
  if (c2) { *c2 += 1; free(c2); }
  if (c3) { *c3 += 1; free(c3); }
  if (c4) { *c4 += 1; free(c4); }
  if (c5) { *c5 += 1; free(c5); }
  if (c6) { *c6 += 1; free(c6); }
  if (c7) { *c7 += 1; free(c7); }
  if (c8) { *c8 += 1; free(c8); }
  if (c9) { *c9 += 1; free(c9); }
  if (c10) { *c10 += 1; free(c10); }
  if (c11) { *c11 += 1; free(c11); }
  return 0;
}
