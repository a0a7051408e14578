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
static int cmp(const void*a,const void*b){ return strcmp(*(char**)a,*(char**)b); } int main(void){ char*a[2]; a[0]=strdup("b"); a[1]=0; qsort(a,2,sizeof*a,cmp); return 0; }
