// Makes memory run out. LD_PRELOAD loads it into the command that is tested (memory_test.cc). Variables in the
// environment select the allocations, which are counted from 1 and from the beginning of main():
//
//   ONNXC_MEMORY_AT=N       the N-th allocation and all later ones fail
//   ONNXC_MEMORY_ONCE=1     only the N-th allocation fails
//   ONNXC_MEMORY_LOG=FILE   the number of allocations is written to FILE at the end
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* old, size_t size);
extern void* __libc_memalign(size_t alignment, size_t size);

static atomic_long count;
static atomic_int has_begun;
static long at;
static int once;

/// main() calls this function first, so its first call shows that main() has begun. Before that, no allocation must
/// fail, because no code would report the failure.
sighandler_t signal(int number, sighandler_t handler) {
  if (!has_begun) {
    const char* text = getenv("ONNXC_MEMORY_AT");
    at = text == NULL ? 0 : strtol(text, NULL, 10);
    once = getenv("ONNXC_MEMORY_ONCE") != NULL;
    has_begun = 1;
  }
  struct sigaction old, new = {.sa_handler = handler, .sa_flags = SA_RESTART};
  return sigaction(number, &new, &old) != 0 ? SIG_ERR : old.sa_handler;
}

static int Fails(void) {
  if (!has_begun) return 0;
  const long now = ++count;
  if (at == 0 || now < at || (once && now > at)) return 0;
  errno = ENOMEM;
  return 1;
}

void* malloc(size_t size) { return Fails() ? NULL : __libc_malloc(size); }
void* calloc(size_t items, size_t size) { return Fails() ? NULL : __libc_calloc(items, size); }
void* realloc(void* old, size_t size) { return Fails() ? NULL : __libc_realloc(old, size); }
void* memalign(size_t alignment, size_t size) { return Fails() ? NULL : __libc_memalign(alignment, size); }
void* aligned_alloc(size_t alignment, size_t size) { return Fails() ? NULL : __libc_memalign(alignment, size); }
int posix_memalign(void** memory, size_t alignment, size_t size) {
  if (Fails()) return ENOMEM;
  *memory = __libc_memalign(alignment, size);
  return *memory == NULL ? ENOMEM : 0;
}

__attribute__((destructor)) static void Log(void) {
  const char* path = getenv("ONNXC_MEMORY_LOG");
  if (path == NULL) return;
  char text[32];
  const int size = snprintf(text, sizeof(text), "%ld", (long)count);
  const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (write(fd, text, (size_t)size) != size) _exit(3);
  close(fd);
}
