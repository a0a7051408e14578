extern inline __attribute__((gnu_inline)) int f(void) { return 1; }
int fa(void) { return f(); }
