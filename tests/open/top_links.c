// Intrusive lists whose links come first in the element.
void *malloc(unsigned long);
void free(void *);
struct top { struct top *next; };
struct item { struct top link; int v; };

struct item *make(int v) { //~ CONTRACT emp
  struct item *i = malloc(sizeof *i);
  i->link.next = 0;
  i->v = v;
  return i;
}

void push(struct top **l, struct item *i) { //~ CONTRACT
  i->link.next = *l;
  *l = &i->link;
}

//~ CONTRACT top_list(l) => top_list(l) && \result >= 0
int length(struct top *l) {
  int n = 0;
  for (; l; l = l->next)
    n = (n + 1) & 255;
  return n;
}

struct top *reverse(struct top *l) { //~ CONTRACT top_list(l) => top_list(\result)
  struct top *r = 0;
  while (l) {
    struct top *n = l->next;
    l->next = r;
    r = l;
    l = n;
  }
  return r;
}

int sum(struct top *l) { //~ NONE nothing is known of the pointer; it may be null
  int s = 0;
  for (; l; l = l->next)
    s ^= ((struct item *)l)->v;
  return s;
}

int value(struct item *i) { //~ CONTRACT
  return i->v;
}
