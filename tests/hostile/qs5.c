/* Some run goes wrong: this must never be proved. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <errno.h>
#include <time.h>
#include <fcntl.h>
#include <dirent.h>
#include <pwd.h>
#include <sys/stat.h>
#include <getopt.h>
#define CRASH (*(volatile int *)0 = 1)
static int*g; static int cmp(const void*a,const void*b){ free(g); g=0; return 0; } int main(void){ int a[2]={1,2}; g=malloc(4); qsort(a,2,4,cmp); *g=1; return 0; }
