// Lists whose elements point to one shared block.
void *malloc(unsigned long);
void free(void *);
struct owner { int users; };
struct member { struct member *next; struct owner *owner; int v; };

struct member *join(struct member *l, struct owner *o, int v) { //~ CONTRACT emp => \result -> struct member { next: l, owner: o, v: v }
  struct member *m = malloc(sizeof *m);
  m->next = l;
  m->owner = o;
  m->v = v;
  return m;
}

void set_owner(struct member *l, struct owner *o) { //~ CONTRACT member_list(l)
  for (; l; l = l->next)
    l->owner = o;
}

//~ CONTRACT member_list(l) => member_list(l) && \result >= 0
int count_owned(struct member *l, struct owner *o) {
  int n = 0;
  for (; l; l = l->next)
    if (l->owner == o)
      n = (n + 1) & 255;
  return n;
}

struct member *crew(struct owner *o, int n) { //~ CONTRACT
  struct member *l = 0;
  while (n-- > 0)
    l = join(l, o, n);
  return l;
}

void leave(struct member *m) { //~ CONTRACT
  if (m->owner)
    m->owner->users = 0;
  m->owner = 0;
}

void destroy(struct member *l) { //~ CONTRACT member_list(l) => emp
  while (l) {
    struct member *n = l->next;
    free(l);
    l = n;
  }
}
