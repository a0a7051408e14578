//~ SAFE
/* A time that may have no date is asked for with care. */
#include <stdio.h>
#include <time.h>
int main(int argc, char **argv) {
    time_t far = (time_t)argc << 40;
    struct tm *tm = localtime(&far);
    if (tm)
        printf("%d\n", tm->tm_year);
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) == 0)
        return now.tv_sec == 1;
    return 0;
}
