// Singly-linked lists against contracts. A function is marked where it is defined: SAFE, or ERROR with the kind of alarm.
void *malloc(unsigned long);
void free(void *);

struct node { struct node *next; int data; };

/*@ predicate list(x) = x == null | x -> struct node { next: n, .. } * list(n); */

/*@ requires list(l); ensures list(\result); */
struct node *reverse(struct node *l) { //~ SAFE
  struct node *r = (void *)0;
  while (l) {
    struct node *n = l->next;
    l->next = r;
    r = l;
    l = n;
  }
  return r;
}

/*@ requires list(l); ensures list(\result); */
struct node *reverse_forgets(struct node *l) { //~ ERROR leak
  struct node *r = (void *)0;
  while (l) {
    struct node *n = l->next;
    l->next = (void *)0;
    r = l;
    l = n;
  }
  return r;
}

/*@ requires list(l); ensures list(\result) && \result != null; */
struct node *push(struct node *l, int d) { //~ SAFE
  struct node *n = malloc(sizeof *n);
  n->next = l;
  n->data = d;
  return n;
}

/*@ requires list(l); ensures list(\result) && \result != null; */
struct node *push_without_data(struct node *l) { //~ ERROR postcondition
  struct node *n = malloc(sizeof *n);
  n->next = l;
  return n;
}

/*@ requires list(l) && l != null; ensures list(\result); */
struct node *pop(struct node *l) { //~ SAFE
  struct node *n = l->next;
  free(l);
  return n;
}

/*@ requires list(l); ensures list(\result); */
struct node *pop_empty(struct node *l) { //~ ERROR null-deref
  struct node *n = l->next;
  free(l);
  return n;
}

/*@ requires list(l); ensures emp; */
void destroy(struct node *l) { //~ SAFE
  while (l) {
    struct node *n = l->next;
    free(l);
    l = n;
  }
}

/*@ requires list(l); ensures emp; */
void destroy_late(struct node *l) { //~ ERROR use-after-free
  while (l) {
    free(l);
    l = l->next;
  }
}

/*@ requires list(l); ensures emp; */
void keeps_the_last(struct node *l) { //~ ERROR leak
  while (l && l->next) {
    struct node *n = l->next;
    free(l);
    l = n;
  }
}

/*@ requires list(l); ensures emp; */
void destroy_recursively(struct node *l) { //~ SAFE
  if (!l) return;
  destroy_recursively(l->next);
  free(l);
}

/*@ requires list(a) * list(b); ensures list(\result); */
struct node *append(struct node *a, struct node *b) { //~ SAFE
  if (!a) return b;
  struct node *p = a;
  while (p->next) p = p->next;
  p->next = b;
  return a;
}

/*@ requires list(a) * list(b); ensures list(\result); */
struct node *append_over(struct node *a, struct node *b) { //~ ERROR leak
  if (!a) return b;
  a->next = b;
  return a;
}

/*@ requires list(a) * list(b); ensures list(a) * list(b); */
int lengths(struct node *a, struct node *b) { //~ SAFE
  unsigned n = 0;
  for (; a; a = a->next) n++;
  for (; b; b = b->next) n--;
  return n == 0;
}

/*@ requires list(a) * list(b); ensures list(a); */
void leaves_one(struct node *a, struct node *b) { //~ ERROR leak
  for (; b; b = b->next) b->data = 0;
}

/*@ requires list(a; b) * list(b); ensures list(a); */
void whole(struct node *a, struct node *b) { //~ SAFE
  for (; b; b = b->next) b->data = 1;
}

/*@ requires list(l); ensures list(\result) * list(l) | emp && \result == 7; */
struct node *wrong_result(struct node *l) { //~ ERROR postcondition
  return l;
}

/*@ requires x -> struct node { next: n, .. } * list(n);
    ensures x -> struct node { next: null, .. } * list(\result); */
struct node *split(struct node *x) { //~ SAFE
  struct node *n = x->next;
  x->next = (void *)0;
  return n;
}

/*@ requires x -> struct node { next: null }; ensures emp; */
int reads_what_may_be_uninitialised(struct node *x) { //~ ERROR uninitialised
  int d = x->data;
  free(x);
  return d > 0;
}

/*@ requires list(x) * list(x) && x != null; ensures emp; */
void impossible(struct node *x) { //~ ERROR precondition
}

/*@ requires n > 0 && n <= 10; ensures \result > 0 && \result < 100; */
int number(int n) { //~ SAFE
  return n + 1;
}

/*@ requires n >= 0 && n <= 10; ensures \result > 1; */
int wrong_number(int n) { //~ ERROR postcondition
  return n + 1;
}

/*@ ensures emp && \result == n + 1; requires n < 5 && n > 0; */
int next_number(int n) { //~ SAFE
  return n + 1;
}

/* Without a postcondition the caller still has what it passed. */
/*@ requires list(x); */
int counts_without_postcondition(struct node *x) { //~ SAFE
  int n = 0;
  for (; x; x = x->next)
    n++;
  return n > 0;
}

/*@ requires list(x); */
void cuts_without_postcondition(struct node *x) { //~ ERROR leak
  if (x)
    x->next = 0;
}
