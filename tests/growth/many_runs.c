// Runs a command many times in one process of valgrind: preloaded, it takes the place of main() where the arguments are
// `growth-runs FILE`, and calls the real one in a child for each line of the file: its arguments, with tabs between them.
// A line that begins with `+` runs in the process itself: what valgrind has translated for it, all children use. Each
// child counts from its own beginning.
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

// Prints a line for each child: the number of its process, which names callgrind's file about it, and how it ended.
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
