// args: alpha -n 12 -v beta --long=7
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char *argv[])
{
    int n = 0, verbose = 0, longer = 0, positional = 0;
    printf("%d\n", argc);
    for (int i = 1; i < argc; i++) {
        char *a = argv[i];
        if (!strcmp(a, "-n") && i + 1 < argc)
            n = atoi(argv[++i]);
        else if (!strcmp(a, "-v"))
            verbose++;
        else if (!strncmp(a, "--long=", 7))
            longer = (int)strtol(a + 7, NULL, 10);
        else {
            positional++;
            for (char *p = a; *p; p++)
                *p -= 'a' - 'A';
            printf("%s\n", a);
        }
    }
    printf("%d %d %d %d\n", n, verbose, longer, positional);
    printf("%d\n", argv[argc] == NULL);
    return n + longer;
}
