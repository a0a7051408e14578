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
int main(int argc,char**argv){ if(argc<2) return 0; size_t n=strlen(argv[1]); if(n==0) return 0; char*d=malloc(n); argv[1][n-1]=0; size_t m=strlen(argv[1]); strcpy(d,argv[1]); d[m+1]=0; free(d); return 0; }
