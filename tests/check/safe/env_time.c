//~ SAFE
/* Time and its relatives. */
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
int main(void) {
    time_t now = time(NULL);
    struct tm *tm = localtime(&now);
    char text[64];
    if (strftime(text, sizeof text, "%Y", tm) > 0)
        puts(text);
    struct timeval tv;
    gettimeofday(&tv, 0);
    printf("%d %ld %s", tm->tm_year, (long)tv.tv_sec, ctime(&now));
    return 0;
}
