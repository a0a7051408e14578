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
#include <sys/socket.h>
int main(void){ struct sockaddr s; socklen_t n=64; accept(0,&s,&n); return 0; }
