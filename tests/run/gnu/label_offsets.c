#include <stdio.h>

/* Labels as offsets from a base label. */
static int run(const unsigned char *program)
{
    static const int offsets[] = {&&inc - &&inc, &&dbl - &&inc, &&neg - &&inc, &&end - &&inc};
    int accumulator = 1;
    goto *(&&inc + offsets[*program]);
inc:
    accumulator++;
    goto *(&&inc + offsets[*++program]);
dbl:
    accumulator *= 2;
    goto *(&&inc + offsets[*++program]);
neg:
    accumulator = -accumulator;
    goto *(&&inc + offsets[*++program]);
end:
    return accumulator;
}

int main(void)
{
    printf("%d\n", run((const unsigned char[]){0, 1, 1, 0, 2, 3}));
    printf("%d\n", run((const unsigned char[]){3}));
    printf("%d\n", run((const unsigned char[]){2, 2, 1, 1, 1, 3}));
    return 0;
}
