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
static int flag; int main(int argc,char**argv){ static struct option o[]={{"out",0,&flag,1},{0,0,0,0}}; int c; while((c=getopt_long(argc,argv,"",o,0))!=-1); if(flag) CRASH; return 0; }
