// An allocator: headers with sizes, first fit.
void *malloc(unsigned long);
void free(void *);
struct head { unsigned long size; struct head *next; };
static struct head *unused;

struct head *find(unsigned long size) { //~ CONTRACT
  struct head *h = unused;
  while (h && h->size < size)
    h = h->next;
  return h;
}

void *take(unsigned long size) { //~ CONTRACT
  struct head *before = 0, *h = unused;
  while (h && h->size < size) {
    before = h;
    h = h->next;
  }
  if (!h)
    return 0;
  if (before)
    before->next = h->next;
  else
    unused = h->next;
  h->next = 0;
  return h;
}

void give(struct head *h) { //~ CONTRACT
  h->next = unused;
  unused = h;
}

unsigned long total(void) { //~ CONTRACT head_list(unused)
  unsigned long n = 0;
  for (struct head *h = unused; h; h = h->next)
    n += h->size;
  return n;
}
