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
static void f(char**v){ v[1]=0; } int main(int argc,char**argv){ if(argc<2) return 0; int n=strlen(argv[1]); f(argv); return n+strlen(argv[1]); }
