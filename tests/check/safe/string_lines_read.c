//~ SAFE
/* Lines are read into a buffer, looked at and kept in blocks as long as they are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char line[16];
    while (fgets(line, sizeof line, stdin)) {
        size_t n = strcspn(line, "\n");
        line[n] = '\0';
        if (strncmp(line, "end", 3) == 0)
            break;
        char *copy = malloc(n + 1);
        if (!copy)
            break;
        strcpy(copy, line);
        char *sep = strrchr(copy, '=');
        if (sep)
            *sep = '\0';
        printf("%s %d\n", copy, atoi(copy));
        free(copy);
    }
    return 0;
}
