#include <stdio.h>

/* Local labels let a macro with gotos be used twice in one function. */
#define SEARCH(array, n, key) ({ \
    __label__ found, done; \
    int i_, r_; \
    for (i_ = 0; i_ < (n); i_++) \
        if ((array)[i_] == (key)) goto found; \
    r_ = -1; \
    goto done; \
found: \
    r_ = i_; \
done: \
    r_; })

int main(void)
{
    int v[] = {3, 1, 4, 1, 5};
    printf("%d %d %d\n", SEARCH(v, 5, 4), SEARCH(v, 5, 9), SEARCH(v, 5, 1));
    {
        __label__ again;
        int n = 0;
    again:
        n++;
        if (n < 4)
            goto again;
        printf("%d\n", n);
    }
    goto end;
unused: __attribute__((unused));
    printf("never\n");
end:
    return 0;
}
