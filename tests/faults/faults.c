// Makes calls of the C library fail. LD_PRELOAD loads it into the command that is tested (faults_test.cc). Variables in
// the environment select the calls:
//
//   ONNXC_FAULT_AT=N        the N-th call of the functions below fails; calls are counted from 1
//   ONNXC_FAULT_ONLY=F      only calls of the function F are counted
//   ONNXC_FAULT_ERRNO=E     the call fails with this errno; if E is 0, a call that moves bytes succeeds but moves none
//   ONNXC_FAULT_STAYS=1     all later calls of the same function also fail
//   ONNXC_FAULT_SIGNAL=S    the call does not fail; instead, this signal is raised before the call
//   ONNXC_FAULT_SHORT=1     each call that moves bytes moves only one byte, and every second one fails, with EINTR
//                           or, every second time if the function may return it, with EAGAIN
//   ONNXC_FAULT_LOG=FILE    the name of the function that failed is appended to FILE
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

/// Returns whether this call must fail. If so, sets errno.
static int Fails(const char* function) {
  static long count = 0;
  static const char* failing = NULL;
  const char* only = getenv("ONNXC_FAULT_ONLY");
  if (only != NULL && strcmp(only, function) != 0) return 0;
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

/// Returns how many of `size` bytes this call must move: at most one with ONNXC_FAULT_SHORT. Sets errno if none.
static size_t Shortened(size_t size, int first_error) {
  static int calls = 0;
  if (Number("ONNXC_FAULT_SHORT") == 0) return size;
  if (++calls % 2 == 0) {
    errno = calls % 4 == 0 ? first_error : EINTR;
    return 0;
  }
  return size > 1 ? 1 : size;
}

/// Returns the result of a call that moves bytes and must fail.
static ssize_t Failure(void) { return errno == 0 ? 0 : -1; }

// The body of a function that moves `size` bytes. `first_error` is an errno after which the caller must try again.
#define MOVE(function, size, first_error, call)                  \
  const size_t whole = (size);                                   \
  if (((size) = Shortened(whole, first_error)) < 1 && whole > 0) \
    return -1;                                                   \
  if (Fails(function)) return Failure();                         \
  return call;

ssize_t write(int fd, const void* bytes, size_t size) {
  // Messages about the fault must be written.
  if (fd == STDERR_FILENO) return syscall(SYS_write, fd, bytes, size);
  MOVE("write", size, EAGAIN, syscall(SYS_write, fd, bytes, size))
}

ssize_t read(int fd, void* bytes, size_t size) { MOVE("read", size, EINTR, syscall(SYS_read, fd, bytes, size)) }

ssize_t pread(int fd, void* bytes, size_t size, off_t at) {
  MOVE("pread", size, EINTR, syscall(SYS_pread64, fd, bytes, size, at))
}

ssize_t pwrite(int fd, const void* bytes, size_t size, off_t at) {
  MOVE("pwrite", size, EINTR, syscall(SYS_pwrite64, fd, bytes, size, at))
}

ssize_t copy_file_range(int from, off_t* from_at, int to, off_t* to_at, size_t size, unsigned flags) {
  MOVE("copy_file_range", size, EINTR, syscall(SYS_copy_file_range, from, from_at, to, to_at, size, flags))
}

/// Closes the file even if the call must fail, because Linux does so.
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

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  return Fails("renameat2") ? -1 : (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
}

int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) {
  return Fails("linkat") ? -1 : (int)syscall(SYS_linkat, from_folder, from, to_folder, to, flags);
}

int access(const char* path, int mode) { return Fails("access") ? -1 : (int)syscall(SYS_access, path, mode); }

int fstat(int fd, struct stat* info) { return Fails("fstat") ? -1 : (int)syscall(SYS_fstat, fd, info); }

void* mmap(void* address, size_t size, int protection, int flags, int fd, off_t offset) {
  if (fd >= 0 && Fails("mmap")) return MAP_FAILED;
  return (void*)syscall(SYS_mmap, address, size, protection, flags, fd, offset);
}
