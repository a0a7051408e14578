/* The copy inherits the hole of the original. */
struct conf { int level, depth; };

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    struct conf a, b;
    a.level = __VERIFIER_nondet_int();
    b = a;
    if (b.level == 3)
        return 0;
    return b.depth ? 1 : 2; //~ ERROR uninitialised
}
