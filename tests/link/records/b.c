struct calls { int (*first)(int); struct more { int x, y; } more; };
struct opaque { int a[3]; };
static int next(int n) { return n + 1; }
struct calls calls = { next, { 1, 2 } };
struct opaque hidden = {{ 5, 6, 7 }};
void *address(void);
int use(int);
int main(void) { return use(3) + (address() == &hidden) + hidden.a[2]; }
