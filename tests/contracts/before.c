// Lists described together with the element before: no case speaks of `before`.
void *malloc(unsigned long);
void free(void *);
int __VERIFIER_nondet_int(void);
struct node { struct node *next; int data; };
/*@ predicate list(l, before) = l == null | l -> struct node { next: n, data: _ } * list(n, l);
    predicate none(l) = l == null | l -> struct node { next: n, data: d } && d > 5 && d < 5 * none(n); */

/*@ requires list(l, null); ensures list(\result, null); */
struct node *remove_some(struct node *l) { //~ SAFE
  struct node *p = 0, *x = l;
  while (x && __VERIFIER_nondet_int()) {
    p = x;
    x = x->next;
  }
  if (!x)
    return l;
  if (p)
    p->next = x->next;
  else
    l = x->next;
  free(x);
  return l;
}

/*@ requires list(l, null); ensures list(\result, null); */
struct node *first_forgotten(struct node *l) { //~ ERROR null-deref
  struct node *p = 0, *x = l;
  while (x && __VERIFIER_nondet_int()) {
    p = x;
    x = x->next;
  }
  if (!x)
    return l;
  p->next = x->next;
  free(x);
  return l;
}

/*@ requires list(l, null); ensures list(\result, null); */
struct node *one_behind(struct node *l) { //~ ERROR leak
  struct node *q = 0, *p = 0, *x = l;
  while (x && __VERIFIER_nondet_int()) {
    q = p;
    p = x;
    x = x->next;
  }
  if (!x)
    return l;
  if (q)
    q->next = x->next;
  else if (p)
    p->next = x->next;
  else
    l = x->next;
  free(x);
  return l;
}

/*@ requires list(l, null; x, p) * list(x, p) && x != null; ensures list(\result, null); */
struct node *cut_before(struct node *l, struct node *x, struct node *p) { //~ SAFE
  if (p)
    p->next = x->next;
  else
    l = x->next;
  free(x);
  return l;
}

/*@ requires list(l, null; x, p) * list(x, p) && p != null; ensures list(l, null; p, _) * list(p, null); */
void has_a_last_element(struct node *l, struct node *x, struct node *p) { //~ SAFE
  p->data = 1;
}

/*@ requires list(l, q; x, p) * list(x, p) * list(q, null); ensures list(l, null; x, p) * list(x, p) * list(q, null); */
void may_be_empty(struct node *l, struct node *x, struct node *p, struct node *q) { //~ ERROR postcondition
}

/*@ requires none(l) && l != null; ensures emp; */
void impossible_element(struct node *l) { //~ ERROR precondition
  free(l);
  free(l);
}
