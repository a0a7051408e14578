/* A string assembled in a block is used after it. */
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    const char *name = "none";
    if (__VERIFIER_nondet_int()) {
        char buffer[8];
        strcpy(buffer, "some");
        name = buffer;
    }
    return name[0] == 'x'; //~ ERROR use-after-scope
}
