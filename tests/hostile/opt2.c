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
int main(int argc,char**argv){ if(argc<3) return 0; char*a=argv[1]; int c; while((c=getopt(argc,argv,"o:v"))!=-1); if(argv[1]!=a) CRASH; return 0; }
