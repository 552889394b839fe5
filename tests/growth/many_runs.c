// Runs a command many times in one process of valgrind. This library is preloaded. If the arguments of the process are
// `growth-runs FILE`, the library replaces main(), and calls the real main() in a child process for each line of FILE.
// A line contains the arguments of a run, with tabs between them. A line that begins with `+` runs in the process
// itself, so that all children can use the code that valgrind has translated for it. The instructions of each child are
// counted separately.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <valgrind/callgrind.h>

typedef int Main(int, char**, char**);
typedef int Start(Main*, int, char**, Main*, void (*)(void), void (*)(void), void*);

enum { kMostArguments = 32 };

static Main* real_main;

static int Run(char* line, char* program, char** environment) {
  char* arguments[kMostArguments + 1] = {program};
  int count = 1;
  for (char* word; count < kMostArguments && (word = strsep(&line, "\t")) != NULL;) arguments[count++] = word;
  CALLGRIND_ZERO_STATS;
  return real_main(count, arguments, environment);
}

// Prints a line for each child: its process id, which is in the name of callgrind's file about it, and its exit status.
static int RunAll(int count, char** arguments, char** environment) {
  static char text[1 << 22];
  FILE* runs = count == 3 ? fopen(arguments[2], "r") : NULL;
  if (runs == NULL) return 2;
  text[fread(text, 1, sizeof text - 1, runs)] = '\0';
  fclose(runs);  // a child that ends would move the place in it
  const int report = dup(STDOUT_FILENO);
  const int nowhere = open("/dev/null", O_RDWR);
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) dup2(nowhere, fd);
  char* rest = text;
  for (char* line; (line = strsep(&rest, "\n")) != NULL;) {
    if (*line == '\0') continue;
    if (*line == '+') {
      Run(line + 1, arguments[0], environment);
      continue;
    }
    const pid_t child = fork();
    if (child < 0) return 2;
    if (child == 0) exit(Run(line, arguments[0], environment));
    int status = 0;
    waitpid(child, &status, 0);
    dprintf(report, "%d %d\n", (int)child, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  }
  _exit(0);
}

int __libc_start_main(Main* main_function, int count, char** arguments, Main* init, void (*fini)(void),
                      void (*rtld_fini)(void), void* stack_end) {
  real_main = main_function;
  Start* start = (Start*)dlsym(RTLD_NEXT, "__libc_start_main");
  const int is_ours = count > 1 && strcmp(arguments[1], "growth-runs") == 0;
  return start(is_ours ? RunAll : main_function, count, arguments, init, fini, rtld_fini, stack_end);
}
