// Mistakes that are easily made with trees and nested structures. Allocations may fail.
void *malloc(unsigned long);
void free(void *);
struct tree { struct tree *left, *right; int v; };
struct payload { long a, b; };
struct own { struct own *next; struct payload *data; };
struct queue { struct own *head, *tail; };

struct tree *leaf(int v) { //~ FINE
  struct tree *t = malloc(sizeof *t);
  if (t) {
    t->left = t->right = 0;
    t->v = v;
  }
  return t;
}

struct tree *three(int v) { //~ FINDING null-deref
  struct tree *t = leaf(v);
  t->left = leaf(v);
  t->right = leaf(v);
  return t;
}

struct tree *three_leak(int v) { //~ FINDING lost-block
  struct tree *t = leaf(v);
  if (!t)
    return 0;
  t->left = leaf(v);
  if (!t->left)
    return 0;
  return t;
}

void destroy_early(struct tree *t) { //~ FINDING use-after-free
  if (!t)
    return;
  free(t);
  destroy_early(t->left);
  destroy_early(t->right);
}

void destroy_left_twice(struct tree *t) { //~ MISSED double-free
  if (!t)
    return;
  destroy_left_twice(t->left);
  destroy_left_twice(t->left);
  free(t);
}

struct tree *rotate(struct tree *t) { //~ FINE the caller can see to it that there is a left child
  struct tree *l = t->left;
  t->left = l->right;
  l->right = t;
  return l;
}

struct tree *replace_left(struct tree *t, int v) { //~ MISSED null-deref
  struct tree *l = leaf(v);
  l->left = t->left;
  t->left = l;
  return t;
}

int depth_uninitialised(struct tree *t) { //~ MISSED uninitialised
  int best;
  if (t && t->left)
    best = 1;
  return best ? 2 : 3;
}

struct own *push_half(struct own *l, long a) { //~ FINDING lost-block
  struct own *n = malloc(sizeof *n);
  struct payload *p = malloc(sizeof *p);
  if (!n)
    return l;
  if (!p) {
    free(n);
    return l;
  }
  p->a = a;
  n->data = p;
  n->next = l;
  return n;
}

struct own *push_alias(struct own *l) { //~ FINDING double-free
  struct payload *p = malloc(sizeof *p);
  struct own *n = malloc(sizeof *n);
  if (!p || !n) {
    free(p);
    free(n);
    return l;
  }
  n->data = p;
  n->next = l;
  free(p);
  free(n->data);
  free(n);
  return l;
}

long take_and_free(struct own *l) { //~ FINDING use-after-free
  struct payload *p = l->data;
  free(p);
  return l->data->a;
}

void destroy_shallow(void) { //~ FINDING lost-block
  struct own *n = malloc(sizeof *n);
  if (!n)
    return;
  n->data = malloc(sizeof *n->data);
  n->next = 0;
  free(n);
}

void destroy_deep_early(struct own *l) { //~ FINDING use-after-free
  while (l) {
    struct own *n = l->next;
    free(l);
    free(l->data);
    l = n;
  }
}

struct queue *make_queue(void) { //~ FINDING null-deref
  struct queue *q = malloc(sizeof *q);
  q->head = q->tail = 0;
  return q;
}

void enqueue(struct queue *q, long a) { //~ FINDING null-deref
  struct own *n = malloc(sizeof *n);
  n->data = 0;
  n->next = 0;
  if (q->tail)
    q->tail->next = n;
  else
    q->head = n;
  q->tail = n;
}

void enqueue_uninitialised(void) { //~ FINDING uninitialised
  struct queue *q = malloc(sizeof *q);
  if (!q)
    return;
  if (q->tail)
    q->tail = 0;
  free(q);
}

struct queue *swap_queues(struct queue *q) { //~ FINDING lost-block
  struct queue *n = malloc(sizeof *n);
  if (n) {
    n->head = q->tail;
    n->tail = q->head;
  }
  n = q;
  return n;
}

void free_inner(struct queue *q) { //~ MISSED invalid-free
  free(&q->tail);
}

long *local_address(void) { //~ FINE only a caller would use it
  long x = 1;
  return &x;
}

long use_local(void) { //~ FINDING use-after-scope
  long *p;
  {
    long x = 1;
    p = &x;
  }
  return *p;
}
