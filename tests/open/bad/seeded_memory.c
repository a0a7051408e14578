// Mistakes with allocators, texts and intrusive links. Allocations may fail.
void *malloc(unsigned long);
void *realloc(void *, unsigned long);
void *memset(void *, int, unsigned long);
void free(void *);
struct list_head { struct list_head *next, *prev; };
struct entry { int key; struct list_head link; };
struct cell { struct cell *next; char rest[24]; };
struct vec { int *data; unsigned size, cap; };
static struct cell *unused;

struct entry *make_entry(int key) { //~ FINDING null-deref
  struct entry *e = malloc(sizeof *e);
  e->key = key;
  e->link.next = e->link.prev = &e->link;
  return e;
}

void free_link(int key) { //~ FINDING invalid-free
  struct entry *e = malloc(sizeof *e);
  if (!e)
    return;
  e->key = key;
  free(&e->link);
}

int key_after_free(struct entry *e) { //~ FINDING use-after-free
  struct list_head *l = &e->link;
  free(e);
  return l->next == l;
}

void del_freed(struct list_head *e) { //~ FINDING use-after-free
  struct list_head *prev = e->prev;
  free(e);
  prev->next = e->next;
}

void put_freed(struct cell *c) { //~ FINDING use-after-free
  free(c);
  c->next = unused;
  unused = c;
}

struct cell *get(void) { //~ FINE
  struct cell *c = unused;
  if (c)
    unused = c->next;
  else
    c = malloc(sizeof *c);
  return c;
}

struct cell *get_cleared(void) { //~ FINDING null-deref
  struct cell *c = malloc(sizeof *c);
  memset(c, 0, sizeof *c);
  return c;
}

struct cell *get_overrun(void) { //~ FINDING out-of-bounds
  struct cell *c = malloc(sizeof *c);
  if (!c)
    return 0;
  memset(c, 0, sizeof *c + 1);
  return c;
}

void grow(struct vec *v) { //~ FINE the old block is lost only by who calls it
  v->data = realloc(v->data, 64);
}

struct vec *make_vec(unsigned cap) { //~ FINDING lost-block
  struct vec *v = malloc(sizeof *v);
  if (!v)
    return 0;
  v->data = malloc(cap);
  if (!v->data)
    return 0;
  v->size = 0;
  v->cap = cap;
  return v;
}

int *resize_twice(void) { //~ FINDING use-after-free
  int *p = malloc(16);
  if (!p)
    return 0;
  int *q = realloc(p, 32);
  if (!q) {
    free(p);
    return 0;
  }
  q[0] = p[0];
  return q;
}

int divide_by_cleared(int a) { //~ MISSED division-by-zero
  int n = 0;
  return a / n;
}

char last_of(void) { //~ FINDING out-of-bounds
  char text[4] = "abc";
  int n = 4;
  return text[n];
}
