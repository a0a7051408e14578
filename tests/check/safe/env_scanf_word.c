//~ SAFE
/* A word with a limit. */
#include <stdio.h>
#include <string.h>
int main(void) {
    char word[16];
    if (scanf("%15s", word) == 1)
        printf("%zu\n", strlen(word));
    return 0;
}
