// A file in the making.
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <optional>

#include "files/descriptor.h"
#include "files/signals.h"

namespace onnxc {

/// A new file in the folder of the one to be written, which is gone with its owner unless it is committed. Where the
/// file system can (O_TMPFILE), it has no name before that, so that nothing is left of it however the process ends;
/// elsewhere signals wait while it has one that is not its own.
class NewFile {
 public:
  /// `old` is what stands at `target` now, if anything (else null): the new file is to have its owner and permissions.
  NewFile(std::filesystem::path target, const struct stat* old);
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile();

  // The steps, in their order: open, write to fd(), prepare, commit. They return the error, or 0.

  [[nodiscard]] int Open();
  /// The same where the file has no name yet, or an error.
  [[nodiscard]] int OpenWithoutName();
  [[nodiscard]] int fd() const { return fd_.get(); }

  /// Makes sure that the bytes are on the disk, and that nothing is left to do but to rename the file.
  [[nodiscard]] int Prepare();

  /// Gives the file the name `target`, which it takes from any other.
  [[nodiscard]] int Commit();
  /// The same, but the file that had the name is kept until the owner goes, so that Undo() can give it back. A file
  /// system that cannot exchange two names keeps nothing.
  [[nodiscard]] int CommitForNow();
  void Undo();

 private:
  [[nodiscard]] int OpenWithName();
  [[nodiscard]] int KeepPermissions();
  [[nodiscard]] int GiveName();
  [[nodiscard]] int TakeTarget();
  [[nodiscard]] bool Exchange();
  template <typename Take>
  [[nodiscard]] int TakeName(const Take& take);

  std::filesystem::path target_;
  std::optional<struct stat> old_;
  std::filesystem::path name_;
  std::optional<SignalsWait> signals_wait_;  // ends behind the destructor's unlink
  Descriptor fd_{-1};
  bool is_named_ = false;  // `name_` is to be removed: it is this file, or the one that had its name before
  bool can_undo_ = false;
};

}  // namespace onnxc
