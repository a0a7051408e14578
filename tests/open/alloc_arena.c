// An allocator: arenas from which memory is cut, all freed at once.
void *malloc(unsigned long);
void free(void *);
struct arena { struct arena *next; unsigned used; char bytes[64]; };

struct arena *make(void) { //~ CONTRACT emp
  struct arena *a = malloc(sizeof *a);
  a->next = 0;
  a->used = 0;
  return a;
}

void *cut(struct arena *a, unsigned n) { //~ CONTRACT
  if (n > 64 || a->used > 64 - n)
    return 0;
  void *p = a->bytes + a->used;
  a->used += n;
  return p;
}

unsigned used(struct arena *a) { //~ CONTRACT arena_list(a)
  unsigned n = 0;
  for (; a; a = a->next)
    n += a->used;
  return n;
}

void reset(struct arena *a) { //~ CONTRACT arena_list(a)
  for (; a; a = a->next)
    a->used = 0;
}

void release(struct arena *a) { //~ CONTRACT arena_list(a) => emp
  while (a) {
    struct arena *n = a->next;
    free(a);
    a = n;
  }
}
