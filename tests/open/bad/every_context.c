// Functions with an error whoever calls them, and functions that only look so. Allocations may fail.
void *malloc(unsigned long);
void free(void *);
struct node { struct node *next; int v; };
struct pair { struct node *a, *b; };

int use_after_free(struct node *n) { //~ FINDING use-after-free
  free(n);
  return n->v;
}

void twice(struct node *n) { //~ FINDING double-free
  struct node *m = n;
  free(n);
  if (m)
    free(m);
}

struct pair *second_fails(void) { //~ FINDING lost-block
  struct pair *p = malloc(sizeof *p);
  if (!p)
    return 0;
  p->a = malloc(sizeof *p->a);
  if (!p->a)
    return 0;
  p->b = 0;
  return p;
}

struct node *unchecked(int v) { //~ FINDING null-deref
  struct node *n = malloc(sizeof *n);
  n->v = v;
  n->next = 0;
  return n;
}

void destroy_and_read(struct node *l) { //~ FINDING use-after-free
  while (l) {
    free(l);
    l = l->next;
  }
}

int uninitialised(int a) { //~ FINDING uninitialised
  int x;
  if (a > 3)
    x = 1;
  return x ? 1 : 2;
}

void overrun(void) { //~ FINDING out-of-bounds
  char *p = malloc(8);
  if (!p)
    return;
  p[8] = 1;
  free(p);
}

int needs_more(struct node *n) { //~ FINE
  return n->next->next->v;
}

struct node *checked(int v) { //~ FINE
  struct node *n = malloc(sizeof *n);
  if (!n)
    return 0;
  n->v = v;
  n->next = 0;
  return n;
}

int divides(int a, int b) { //~ FINE
  return a / b;
}

void frees_what_it_gets(struct node *n) { //~ FINE
  free(n->next);
  free(n);
}

int beyond(char *p, int n) { //~ FINE
  return p[n];
}

void calls_unknown(void (*f)(struct node *), struct node *n) { //~ FINE
  f(n);
  n->v = 1;
}
