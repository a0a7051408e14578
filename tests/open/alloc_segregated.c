// An allocator: one list of free blocks for each of two sizes.
void *malloc(unsigned long);
void free(void *);
struct small { struct small *next; char rest[8]; };
struct big { struct big *next; char rest[120]; };
struct heap { struct small *small; struct big *big; };

void init(struct heap *h) { //~ CONTRACT
  h->small = 0;
  h->big = 0;
}

void *get_small(struct heap *h) { //~ CONTRACT
  struct small *s = h->small;
  if (!s)
    return malloc(sizeof *s);
  h->small = s->next;
  return s;
}

void *get_big(struct heap *h) { //~ CONTRACT
  struct big *b = h->big;
  if (!b)
    return malloc(sizeof *b);
  h->big = b->next;
  return b;
}

void put_small(struct heap *h, struct small *s) { //~ CONTRACT
  s->next = h->small;
  h->small = s;
}

void put_big(struct heap *h, struct big *b) { //~ CONTRACT
  b->next = h->big;
  h->big = b;
}

void release(struct heap *h) { //~ CONTRACT
  while (h->small) {
    struct small *s = h->small->next;
    free(h->small);
    h->small = s;
  }
  while (h->big) {
    struct big *b = h->big->next;
    free(h->big);
    h->big = b;
  }
}
