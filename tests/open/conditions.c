// Conditions on numbers and pointers that assertions and divisions ask for.
void *malloc(unsigned long);
void free(void *);
struct box { int size, cap; struct box *inner; };
void abort(void);
void __assert_fail(const char *, const char *, unsigned, const char *);

int half_of(int total, int parts) { //~ CONTRACT parts != 0; total != -2147483648
  return total / parts;
}

unsigned rest(unsigned a, unsigned b) { //~ CONTRACT b != 0
  return a % b;
}

int fill_rate(struct box *b) { //~ CONTRACT
  return (b->size & 0xff) / b->cap;
}

int positive(int n) { //~ CONTRACT n >= 1
  if (n <= 0)
    __assert_fail("n > 0", "", 1, "");
  return n;
}

void has_inner(struct box *b) { //~ CONTRACT
  if (!b->inner)
    __assert_fail("b->inner", "", 1, "");
}

int room(struct box *b) { //~ CONTRACT
  if (b->cap < 4)
    __assert_fail("b->cap >= 4", "", 1, "");
  return b->cap - 4;
}
