// An allocator: free cells of one size are linked through their own memory.
void *malloc(unsigned long);
void free(void *);
struct cell { struct cell *next; char rest[24]; };
static struct cell *unused;

void *get(void) { //~ CONTRACT
  struct cell *c = unused;
  if (c) {
    unused = c->next;
    return c;
  }
  return malloc(sizeof *c);
}

void put(void *p) { //~ CONTRACT
  struct cell *c = p;
  c->next = unused;
  unused = c;
}

int available(void) { //~ CONTRACT cell_list(unused)
  int n = 0;
  for (struct cell *c = unused; c; c = c->next)
    n = (n + 1) & 255;
  return n;
}

void trim(void) { //~ CONTRACT cell_list(unused)
  while (unused) {
    struct cell *c = unused->next;
    free(unused);
    unused = c;
  }
}
