struct calls { int (*first)(int); struct more { int x, y; } more; };
extern struct calls calls;
struct opaque;
extern struct opaque hidden;
void *address(void) { return &hidden; }
int use(int n) { calls.more.y = n; return calls.first(n) + calls.more.y; }
