// Doubly-linked lists, segments from both ends, rings with a sentinel.
void *malloc(unsigned long);
void free(void *);
struct node { struct node *next, *prev; int data; };
struct head { struct node *next, *prev; long length; };

/*@ predicate dll(x, p) = x == null | x -> struct node { next: n, prev: p, .. } * dll(n, x);
    predicate lseg(x, end) = x == end | x -> struct node { next: n, .. } * lseg(n, end); */

/*@ requires dll(l, null); ensures dll(\result, null); */
struct node *push(struct node *l, int d) { //~ SAFE
  struct node *n = malloc(sizeof *n);
  n->data = d;
  n->next = l;
  n->prev = 0;
  if (l) l->prev = n;
  return n;
}

/*@ requires dll(l, null); ensures dll(\result, null); */
struct node *push_one_way(struct node *l, int d) { //~ ERROR postcondition
  struct node *n = malloc(sizeof *n);
  n->data = d;
  n->next = l;
  n->prev = 0;
  return n;
}

/*@ requires dll(l, p; x, q) * x -> struct node { next: n, prev: q, .. } * dll(n, x) && q != p;
    ensures dll(l, p); */
void erase(struct node *l, struct node *p, struct node *x) { //~ SAFE
  x->prev->next = x->next;
  if (x->next) x->next->prev = x->prev;
  free(x);
}

/*@ requires dll(l, p; x, q) * x -> struct node { next: n, prev: q, .. } * dll(n, x) && q != p;
    ensures dll(l, p); */
void erase_half(struct node *l, struct node *p, struct node *x) { //~ ERROR postcondition
  x->prev->next = x->next;
  free(x);
}

/*@ requires dll(l, null); ensures dll(l, null); */
void there_and_back(struct node *l) { //~ SAFE
  struct node *p = l;
  if (!p) return;
  while (p->next) p = p->next;
  while (p->prev) p = p->prev;
}

/*@ requires dll(l, null); ensures emp; */
void destroy(struct node *l) { //~ SAFE
  while (l) {
    struct node *n = l->next;
    free(l);
    l = n;
  }
}

/*@ requires dll(l, null) && l != null; ensures dll(\result, null); */
struct node *insert_after_first(struct node *l) { //~ SAFE
  struct node *n = malloc(sizeof *n);
  n->data = 0;
  n->next = l->next;
  n->prev = l;
  if (l->next) l->next->prev = n;
  l->next = n;
  return l;
}

/*@ requires dll(l, null) && l != null; ensures dll(\result, null); */
struct node *insert_wrong_back_link(struct node *l) { //~ ERROR postcondition
  struct node *n = malloc(sizeof *n);
  n->data = 0;
  n->next = l->next;
  n->prev = l;
  l->next = n;
  return l;
}

/*@ requires lseg(a, b); ensures lseg(a, b); */
void walk_to(struct node *a, struct node *b) { //~ SAFE
  while (a != b) {
    a->data = 1;
    a = a->next;
  }
}

/*@ requires lseg(a, b); ensures lseg(a, b); */
void walk_past(struct node *a, struct node *b) { //~ ERROR unknown-pointer
  while (a != b) a = a->next;
  a->data = 1;
}
