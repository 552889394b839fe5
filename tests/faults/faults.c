// Makes calls of the C library fail: loaded with LD_PRELOAD into the command that is tested (faults_test.cc).
//
//   ONNXC_FAULT_AT=N        the N-th of the calls below, from 1
//   ONNXC_FAULT_ERRNO=E     fails with this errno, as do all later calls of the same function where
//   ONNXC_FAULT_STAYS=1     is set
//   ONNXC_FAULT_SIGNAL=S    or: raises this signal before it is done
//   ONNXC_FAULT_SHORT=1     or: every write takes one byte, and every second one none (EAGAIN, EINTR in turn)
//   ONNXC_FAULT_LOG=FILE    gets the name of the function that failed
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static long Number(const char* variable) {
  const char* value = getenv(variable);
  return value == NULL ? 0 : strtol(value, NULL, 10);
}

static void Log(const char* function) {
  const char* path = getenv("ONNXC_FAULT_LOG");
  if (path == NULL) return;
  const int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND, 0600);
  syscall(SYS_write, fd, function, strlen(function));
  syscall(SYS_write, fd, "\n", 1);
  syscall(SYS_close, fd);
}

/// Is this call to fail? Then errno is set.
static int Fails(const char* function) {
  static long count = 0;
  static const char* failing = NULL;
  const int is_due = ++count == Number("ONNXC_FAULT_AT");
  if (!is_due && (failing == NULL || strcmp(failing, function) != 0)) return 0;
  if (is_due) Log(function);
  const long signal_number = Number("ONNXC_FAULT_SIGNAL");
  if (signal_number != 0) return is_due ? (void)raise((int)signal_number), 0 : 0;
  if (Number("ONNXC_FAULT_STAYS") != 0) failing = function;
  errno = (int)Number("ONNXC_FAULT_ERRNO");
  return 1;
}

static int Open(const char* path, int flags, mode_t mode) {
  return Fails("open") ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

#define MODE(flags)                       \
  mode_t mode = 0;                        \
  if ((flags) & (O_CREAT | O_TMPFILE)) {  \
    va_list rest;                         \
    va_start(rest, flags);                \
    mode = (mode_t)va_arg(rest, int);     \
    va_end(rest);                         \
  }

int open(const char* path, int flags, ...) {
  MODE(flags)
  return Open(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  MODE(flags)
  return Open(path, flags, mode);
}

ssize_t write(int fd, const void* bytes, size_t size) {
  static int calls = 0;
  if (Number("ONNXC_FAULT_SHORT") != 0) {
    if (++calls % 2 == 0) {
      errno = calls % 4 == 0 ? EAGAIN : EINTR;
      return -1;
    }
    size = size > 1 ? 1 : size;
  }
  // What is said about the fault has to come through.
  if (fd != STDERR_FILENO && Fails("write")) return -1;
  return syscall(SYS_write, fd, bytes, size);
}

/// A close that fails has closed all the same.
int close(int fd) {
  const int fails = Fails("close");
  const int error = errno;
  const int result = (int)syscall(SYS_close, fd);
  if (!fails) return result;
  errno = error;
  return -1;
}

int fsync(int fd) { return Fails("fsync") ? -1 : (int)syscall(SYS_fsync, fd); }

int fchmod(int fd, mode_t mode) { return Fails("fchmod") ? -1 : (int)syscall(SYS_fchmod, fd, mode); }

int fchown(int fd, uid_t owner, gid_t group) {
  return Fails("fchown") ? -1 : (int)syscall(SYS_fchown, fd, owner, group);
}

int rename(const char* from, const char* to) { return Fails("rename") ? -1 : (int)syscall(SYS_rename, from, to); }

int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) {
  return Fails("linkat") ? -1 : (int)syscall(SYS_linkat, from_folder, from, to_folder, to, flags);
}

int access(const char* path, int mode) { return Fails("access") ? -1 : (int)syscall(SYS_access, path, mode); }

ssize_t read(int fd, void* bytes, size_t size) {
  return Fails("read") ? -1 : (ssize_t)syscall(SYS_read, fd, bytes, size);
}

void* mmap(void* address, size_t size, int protection, int flags, int fd, off_t offset) {
  if (fd >= 0 && Fails("mmap")) return MAP_FAILED;
  return (void*)syscall(SYS_mmap, address, size, protection, flags, fd, offset);
}
