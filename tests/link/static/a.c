struct s { int a; }; static struct s v = {1}; static int f(void) { return v.a; }
int fa(void) { return f(); }
