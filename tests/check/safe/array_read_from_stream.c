//~ SAFE
/* As many bytes are looked at as were read. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *bytes = malloc(64);
    size_t n = fread(bytes, 1, 64, stdin);
    unsigned sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (unsigned char)bytes[i];
    free(bytes);
    return (int)(sum % 2);
}
