/* The index wraps one cell too late. */
extern int __VERIFIER_nondet_int(void);

static int cells[8];

int main(void)
{
    unsigned at = 0;
    while (__VERIFIER_nondet_int()) {
        at++;
        if (at > 8)
            at = 0;
    }
    if (at > 3)
        at += 4;
    cells[at % 9] = 1; //~ ERROR out-of-bounds
    return 0;
}
