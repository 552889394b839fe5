// An open file, and why a call about one failed.
#pragma once

#include <unistd.h>

#include <string>
#include <system_error>
#include <utility>

namespace onnxc {

/// A file descriptor that is closed with its owner.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() {
    if (fd_ >= 0) (void)::close(fd_);
  }

  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] bool ok() const { return fd_ >= 0; }

  /// Closes it now, for the errors that only show then.
  [[nodiscard]] bool Close() { return ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

/// What `errno` says, in words.
[[nodiscard]] inline std::string Reason(int error) { return std::generic_category().message(error); }

}  // namespace onnxc
