/* A callback runs with the address of a local that is gone. */
extern int __VERIFIER_nondet_int(void);

struct callback { void (*run)(int *); int *context; };

static void clear(int *p)
{
    *p = 0; //~ ERROR use-after-scope
}

static void prepare(struct callback *c)
{
    int counter = 3;
    c->run = clear;
    c->context = &counter;
}

int main(void)
{
    struct callback c = {0, 0};
    if (__VERIFIER_nondet_int())
        prepare(&c);
    if (c.run)
        c.run(c.context);
    return 0;
}
