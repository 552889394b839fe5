// A file in the making.
#pragma once

#include <sys/types.h>

#include <csignal>
#include <filesystem>
#include <optional>

#include "io/descriptor.h"

namespace onnxc {

/// While it lives, this thread is not interrupted.
class SignalsWait {
 public:
  SignalsWait();
  SignalsWait(const SignalsWait&) = delete;
  SignalsWait& operator=(const SignalsWait&) = delete;
  ~SignalsWait();

 private:
  sigset_t before_ = {};
};

/// A new file in the folder of the one to be written, which is gone with its owner unless it takes that one's name.
/// Where the file system can (O_TMPFILE), it has no name before that, so that nothing is left of it however the process
/// ends; elsewhere signals wait while it has one that is not its own.
class NewFile {
 public:
  NewFile(const std::filesystem::path& folder, mode_t mode);
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile();

  /// Where this is false, errno says why.
  [[nodiscard]] bool ok() const { return fd_.ok(); }
  [[nodiscard]] int fd() const { return fd_.get(); }

  /// Makes sure that the bytes are on the disk, then gives the file the name `target`, which it takes from any other.
  /// Returns the error, or 0.
  [[nodiscard]] int RenameTo(const std::filesystem::path& target);

 private:
  template <typename Take>
  bool TakeName(const Take& take);
  [[nodiscard]] std::string Unnamed() const;

  std::filesystem::path folder_;
  std::filesystem::path name_;
  std::optional<SignalsWait> signals_wait_;  // ends behind the destructor's unlink
  Descriptor fd_{-1};
  bool is_named_ = false;
};

}  // namespace onnxc
