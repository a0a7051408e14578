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
static int cmp(const void*a,const void*b){ return *(int*)a>*(int*)b; } int main(void){ int a[3]={3,1,2}; qsort(a,3,4,cmp); if(a[0]==1) CRASH; return 0; }
