/* Minus zero is zero, though its bits are not. */
#include <stddef.h>

float f = -0.0f;

int main(void)
{
    int *p = NULL;
    if (!f)
        *p = 1; //~ ERROR null-deref
    return 0;
}
