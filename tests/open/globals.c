// Lists in variables.
void *malloc(unsigned long);
void free(void *);
struct gn { struct gn *next; int v; };
struct gn *first;
static struct gn *spare;
static int count;
static int *const counter = &count;
static struct { int least, most; } range = { 1, 9 };

void push(int v) { //~ CONTRACT
  struct gn *n = malloc(sizeof *n);
  n->v = v;
  n->next = first;
  first = n;
}

int sum(void) { //~ CONTRACT gn_list(first)
  int s = 0;
  for (struct gn *n = first; n; n = n->next)
    s ^= n->v;
  return s;
}

struct gn *get(void) { //~ CONTRACT
  struct gn *n = spare;
  if (n)
    spare = n->next;
  else
    n = malloc(sizeof *n);
  n->next = 0;
  n->v = 0;
  return n;
}

void put(struct gn *n) { //~ CONTRACT
  n->next = spare;
  spare = n;
}

void release(void) { //~ CONTRACT gn_list(spare)
  while (spare) {
    struct gn *n = spare->next;
    free(spare);
    spare = n;
  }
}

void reset(void) { //~ CONTRACT emp => count == 0
  *counter = 0;
}

int least(void) { //~ CONTRACT emp => emp
  return range.least;
}

void widen(void) { //~ NONE it uses the variable `range`, which contracts cannot name
  range.most = 10;
}

int tick(void) { //~ CONTRACT emp
  count = (count + 1) & 255;
  return count;
}
