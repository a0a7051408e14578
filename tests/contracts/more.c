// Globals, nested and tagged lists, rings, inner links, shape statements.
void *malloc(unsigned long);
void free(void *);
void __heapwise_assume_shape(const char *);
void __heapwise_check_shape(const char *);
struct node { struct node *next; int data; };
struct row { struct row *below; struct node *first; };
struct number { int tag; struct number *next; long value; };
struct text { int tag; struct number *next; char *bytes; long length; };
struct link { struct link *next; };
struct entry { int key; struct link link; };
struct dnode { struct dnode *next, *prev; };
struct member { struct member *next; struct node *owner; };

/*@ predicate list(x) = x == null | x -> struct node { next: n, .. } * list(n);
    predicate rows(x) = x == null | x -> struct row { below: b, first: f } * list(f) * rows(b);
    predicate mixed(x) = x == null
      | x -> struct number { tag: 0, next: n, value: _ } * mixed(n)
      | x -> struct text { tag: 1, next: n, bytes: b, length: _ } * mixed(n) * buffer(b);
    predicate buffer(b) = b == null | b -> [64] { @0:1: _ };
    predicate entries(x) = x == null - offsetof(struct entry, link)
      | x -> struct entry { key: _, link.next: &n->link } * entries(n);
    predicate part(x, before, h, last) = x == h && before == last
      | x -> struct dnode { next: n, prev: before } * part(n, x, h, last);
    predicate ring(h) = h -> struct dnode { next: f, prev: l } * part(f, h, h, l);
    predicate members(x, o) = x == null | x -> struct member { next: n, owner: o } * members(n, o);
    predicate sorted(x, low) = x == null
      | x -> struct node { next: n, data: d } && low <= d * sorted(n, d); */

struct node *top;
int count;

/*@ requires list(top); ensures list(top) && top != null; */
void push_global(int d) { //~ SAFE
  struct node *n = malloc(sizeof *n);
  n->next = top;
  n->data = d;
  top = n;
}

/*@ requires list(top); ensures list(top); */
void drop_global(void) { //~ ERROR leak
  top = 0;
}

/*@ requires list(top); ensures list(\old(top)) && top == null; */
void hand_over(void) { //~ SAFE
  top = 0;
}

/*@ requires list(top); ensures list(\result) && top == null; */
struct node *take_all(void) { //~ SAFE
  struct node *t = top;
  top = 0;
  return t;
}

/*@ requires count == 3; ensures count == \old(count) + 1; */
void bump(void) { //~ SAFE
  count++;
}

/*@ requires emp; ensures emp && \result == 0; */
int globals_are_arbitrary(void) { //~ ERROR postcondition
  return count;
}

/*@ requires rows(x); ensures emp; */
void destroy_rows(struct row *x) { //~ SAFE
  while (x) {
    struct row *b = x->below;
    while (x->first) {
      struct node *n = x->first->next;
      free(x->first);
      x->first = n;
    }
    free(x);
    x = b;
  }
}

/*@ requires rows(x); ensures emp; */
void destroy_rows_only(struct row *x) { //~ ERROR leak
  while (x) {
    struct row *b = x->below;
    free(x);
    x = b;
  }
}

/*@ requires mixed(x); ensures emp; */
void destroy_mixed(struct number *x) { //~ SAFE
  while (x) {
    struct number *n = x->next;
    if (x->tag == 1) {
      struct text *t = (struct text *)x;
      free(t->bytes);
      free(t);
    } else {
      free(x);
    }
    x = n;
  }
}

/*@ requires mixed(x); ensures emp; */
void wrong_tag(struct number *x) { //~ ERROR leak
  while (x) {
    struct number *n = x->next;
    free(x);
    x = n;
  }
}

/*@ requires mixed(x); ensures mixed(x); */
void value_of_text(struct number *x) { //~ ERROR out-of-bounds
  for (; x; x = x->next) {
    struct text *t = (struct text *)x;
    t->length = 0;
  }
}

/*@ requires entries(e); ensures emp; */
void destroy_entries(struct entry *e) { //~ SAFE
  struct link *l = &e->link;
  while (l) {
    struct link *n = l->next;
    free((char *)l - 8);
    l = n;
  }
}

/*@ requires ring(h); ensures ring(h); */
void insert(struct dnode *h) { //~ SAFE
  struct dnode *n = malloc(sizeof *n);
  n->next = h->next;
  n->prev = h;
  h->next->prev = n;
  h->next = n;
}

/*@ requires ring(h); ensures ring(h); */
void insert_half(struct dnode *h) { //~ ERROR postcondition
  struct dnode *n = malloc(sizeof *n);
  n->next = h->next;
  n->prev = h;
  h->next = n;
}

/*@ requires ring(h); ensures emp; */
void destroy_ring(struct dnode *h) { //~ SAFE
  struct dnode *p = h->next;
  while (p != h) {
    struct dnode *n = p->next;
    free(p);
    p = n;
  }
  free(h);
}

/*@ requires members(m, o) * o -> struct node { next: null, data: _ }; ensures o -> struct node { next: null, data: _ }; */
void dissolve(struct member *m, struct node *o) { //~ SAFE
  while (m) {
    struct member *n = m->next;
    m->owner->data = 0;
    free(m);
    m = n;
  }
}

/*@ requires members(m, o) * o -> struct node { next: null, data: _ }; ensures emp; */
void dissolve_too_soon(struct member *m, struct node *o) { //~ ERROR use-after-free
  free(o);
  while (m) {
    struct member *n = m->next;
    m->owner->data = 0;
    free(m);
    m = n;
  }
}

/*@ requires sorted(x, low); ensures sorted(\result, low); */
struct node *push_low(struct node *x, int low) { //~ SAFE
  struct node *n = malloc(sizeof *n);
  n->next = x;
  n->data = low;
  return n;
}

/*@ requires sorted(x, low) && low > 0 && low < 100; ensures sorted(\result, low); */
struct node *push_too_low(struct node *x, int low) { //~ ERROR postcondition
  struct node *n = malloc(sizeof *n);
  n->next = x;
  n->data = low - 1;
  return n;
}

/*@ requires list(x); ensures list(x); */
void shape_holds(struct node *x) { //~ SAFE
  struct node *p = x;
  while (p) {
    __heapwise_check_shape("list(x; p) * list(p) && p != null");
    p = p->next;
  }
  __heapwise_check_shape("list(x)");
}

/*@ requires list(x); ensures list(x); */
void shape_does_not_hold(struct node *x) { //~ ERROR shape
  __heapwise_check_shape("x -> struct node { next: null }");
}

/*@ ensures emp; */
void assumed(void) { //~ SAFE
  struct node *x;
  __heapwise_assume_shape("list(x)");
  while (x) {
    struct node *n = x->next;
    free(x);
    x = n;
  }
}

/*@ ensures emp; */
void assumed_and_lost(void) { //~ ERROR postcondition
  struct node *x;
  __heapwise_assume_shape("list(x) && x != null");
  top = x;
}
