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
int main(void){ char b[8]; DIR*d=opendir("."); if(!d) return 0; struct dirent*e=readdir(d); if(e) strcpy(b,e->d_name); closedir(d); return 0; }
