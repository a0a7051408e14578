#include <stdio.h>
#include <string.h>

#define STR(x) #x
#define XSTR(x) STR(x)
#define VERSION 3.14

static void where(void) { printf("%s %s %s\n", __func__, __FUNCTION__, __PRETTY_FUNCTION__); }

static const char text[] = "line one\n"
                           "line two\n"
                           XSTR(VERSION) " \
continued";

int main(void)
{
    where();
    printf("%s\n", text);
    printf("%d\n", (int)sizeof __func__);
    printf("%d\n", __LINE__);
#line 500 "renamed.c"
    printf("%d %s\n", __LINE__, __FILE__);
    printf("%s\n", STR(a "b" 'c' \n));
    printf("%d\n", "same" == 0);
    printf("%d\n", strcmp("oct\0hidden", "oct"));
    printf("%d\n", (int)sizeof "\1234\x9" "9");
    return 0;
}
