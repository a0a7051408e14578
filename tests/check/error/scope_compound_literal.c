/* A compound literal lives as long as its block. */
extern int __VERIFIER_nondet_int(void);

struct point { int x, y; };

int main(void)
{
    struct point origin = {0, 0}, *p = &origin;
    if (__VERIFIER_nondet_int()) {
        p = &(struct point){3, 4};
        p->x = 5;
    }
    return p->x; //~ ERROR use-after-scope
}
