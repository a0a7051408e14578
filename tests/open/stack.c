// Stacks behind a record with a count.
void *malloc(unsigned long);
void free(void *);
struct sn { int v; struct sn *below; };
struct stack { struct sn *top; unsigned count; };

struct stack *make(void) { //~ CONTRACT emp => \result -> struct stack { top: 0, count: 0 }
  struct stack *s = malloc(sizeof *s);
  s->top = 0;
  s->count = 0;
  return s;
}

void push(struct stack *s, int v) { //~ CONTRACT
  struct sn *n = malloc(sizeof *n);
  n->v = v;
  n->below = s->top;
  s->top = n;
  s->count++;
}

int top(struct stack *s) { //~ CONTRACT
  return s->top ? s->top->v : 0;
}

int must_top(struct stack *s) { //~ CONTRACT
  return s->top->v;
}

int pop(struct stack *s) { //~ CONTRACT
  struct sn *n = s->top;
  int v = n->v;
  s->top = n->below;
  s->count--;
  free(n);
  return v;
}

void swap_top(struct stack *s) { //~ CONTRACT
  struct sn *a = s->top, *b = a->below;
  a->below = b->below;
  b->below = a;
  s->top = b;
}

void destroy(struct stack *s) { //~ CONTRACT
  for (struct sn *n = s->top; n;) {
    struct sn *m = n->below;
    free(n);
    n = m;
  }
  free(s);
}
