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
static int n; static int arr[2]; static int cmp(const void*a,const void*b){ arr[n++]=1; return *(int*)a-*(int*)b; } int main(void){ int a[8]={5,3,1,2,8,9,7,6}; qsort(a,8,4,cmp); return 0; }
