// An open file descriptor, and descriptions of system errors.
#pragma once

#include <unistd.h>

#include <string>
#include <system_error>
#include <utility>

namespace onnxc {

/// Owns a file descriptor and closes it.
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

  /// Closes the descriptor now, because some errors are reported only when it is closed. Returns false if there was an
  /// error.
  [[nodiscard]] bool Close() { return ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

/// Returns the description of an errno value.
[[nodiscard]] inline std::string Reason(int error) { return std::generic_category().message(error); }

}  // namespace onnxc
