// Lists of lists.
void *malloc(unsigned long);
void free(void *);
struct in { struct in *next; int v; };
struct out { struct in *items; struct out *next; };

struct out *add_row(struct out *o) { //~ CONTRACT emp => \result -> struct out { items: 0, next: o }
  struct out *n = malloc(sizeof *n);
  n->items = 0;
  n->next = o;
  return n;
}

void add_item(struct out *o, int v) { //~ CONTRACT
  struct in *i = malloc(sizeof *i);
  i->v = v;
  i->next = o->items;
  o->items = i;
}

//~ CONTRACT out_list_items(o) => out_list_items(o) && \result >= 0
int count(struct out *o) {
  int n = 0;
  for (; o; o = o->next)
    for (struct in *i = o->items; i; i = i->next)
      n = (n + 1) & 0xffff;
  return n;
}

void destroy_items(struct in *i) { //~ CONTRACT in_list(i) => emp
  while (i) {
    struct in *n = i->next;
    free(i);
    i = n;
  }
}

void destroy(struct out *o) { //~ CONTRACT out_list_items(o) => emp
  while (o) {
    struct out *n = o->next;
    destroy_items(o->items);
    free(o);
    o = n;
  }
}

void clear_rows(struct out *o) { //~ CONTRACT
  for (; o; o = o->next) {
    destroy_items(o->items);
    o->items = 0;
  }
}

struct out *find(struct out *o, int v) { //~ CONTRACT out_list_items(o)
  for (; o; o = o->next)
    for (struct in *i = o->items; i; i = i->next)
      if (i->v == v)
        return o;
  return 0;
}

struct out *drop(struct out *o) { //~ CONTRACT
  struct out *n = o->next;
  destroy_items(o->items);
  free(o);
  return n;
}
