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
#include <regex.h>
int main(void){ regex_t r; regmatch_t m[1]; if(regcomp(&r,"a",0)) return 0; regexec(&r,"b",2,m,0); regfree(&r); return 0; }
