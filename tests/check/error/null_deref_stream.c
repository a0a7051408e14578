/* A stream that could not be opened is closed. */
#include <stdio.h>

int main(void)
{
    FILE *f = fopen("no/such/file", "r");
    fclose(f); //~ ERROR null-deref
    return 0;
}
