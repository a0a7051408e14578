#include <stdio.h>

/* A comment // with another inside */
// A line comment /* not opening a block \
   and continued on this line */
int value = 1; /* multi
                  line */ int other = 2;
static int divide(int a, int *p) { return a / *p; } // a / *p is a division */

/**/ /***/ /****/
#define TOKENS a/**/b
int main(/* nothing */ void)
{
    int a = 10, b = 5, ab = 7;
    printf("%d %d\n", value, other);
    printf("%d\n", divide(a, &b));
    printf("/* kept in a string */ // so is this\n");
    printf("%d\n", a //* comment */ 2
                       - b);
    printf("%c%c\n", '/', '*'); /* '" */
    printf("%s\n", "\"/*\"");
    int c = a+++b, d = a - - b, e = a - -b;
    printf("%d %d %d %d\n", a, c, d, e);
    return/**/0/**/;
}
