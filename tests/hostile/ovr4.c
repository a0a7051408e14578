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
int main(int argc,char**argv){ char*a[2]; memcpy(a,argv,(argc+1)*sizeof*a); return a[0]!=0; }
