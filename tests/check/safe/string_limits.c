//~ SAFE
/* Texts are written and copied with a limit, and ended by hand where the limit may cut them. */
#include <stdio.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char name[8], all[24], number[12];
    int k = __VERIFIER_nondet_int();
    snprintf(name, sizeof name, "item%d", k);
    sprintf(number, "%d", k);
    strncpy(all, name, sizeof all - 1);
    all[sizeof all - 1] = '\0';
    if (strlen(all) < 8)
        strncat(all, number, 11);
    char *at = strstr(all, "em");
    if (at)
        *at = 'x';
    puts(all);
    return (int)strnlen(all, sizeof all);
}
