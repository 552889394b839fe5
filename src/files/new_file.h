// A new file before it gets its final name.
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <optional>

#include "platform/descriptor.h"
#include "platform/signals.h"

namespace onnxc {

/// A new file in the folder of the target. It is deleted with this object unless it is committed. If the file system
/// supports it (O_TMPFILE), the file has no name until it is committed. If there is no file to replace, it then gets
/// its final name, so that nothing else is left of it however the process ends. A file that is to be replaced must be
/// exchanged for a file with a name, so the new file has a temporary name between two system calls. Without O_TMPFILE,
/// it has a temporary name from the beginning. Signals are delayed as long as it has such a name.
class NewFile {
 public:
  /// `old` describes the file that exists at `target`, or is null if there is none. The new file gets the owner and
  /// permissions of the existing file.
  NewFile(std::filesystem::path target, const struct stat* old);
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile();

  // The steps in their order: open, write to fd(), prepare, commit. Each step returns an error number, or 0.

  [[nodiscard]] int Open();
  /// Like Open(), but returns an error if a file without a name is not supported.
  [[nodiscard]] int OpenWithoutName();
  [[nodiscard]] int fd() const { return fd_.get(); }

  /// Waits until the bytes are on the disk, so that only the naming of the file remains.
  [[nodiscard]] int Prepare();

  /// Gives the file the name `target`, and replaces a file of that name.
  [[nodiscard]] int Commit();
  /// Like Commit(), but keeps the replaced file until this object is destroyed, so that Undo() can restore it. On a
  /// file system that cannot exchange two names, the replaced file is not kept, and Undo() does nothing.
  [[nodiscard]] int CommitForNow();
  void Undo();

 private:
  [[nodiscard]] int OpenWithName();
  [[nodiscard]] int KeepPermissions();
  [[nodiscard]] int GiveName();
  [[nodiscard]] int TakeTarget();
  [[nodiscard]] bool TakeFreeTarget();
  void DelaySignals();
  [[nodiscard]] bool Exchange();
  template <typename Take>
  [[nodiscard]] int TakeName(const Take& take);

  std::filesystem::path target_;
  std::optional<struct stat> old_;
  std::filesystem::path name_;
  std::optional<SignalsWait> signals_wait_;  // ends after the destructor has deleted the file
  Descriptor fd_{-1};
  bool is_named_ = false;  // the file `name_` exists and must be deleted: the new file, or the replaced file
  bool can_undo_ = false;
};

}  // namespace onnxc
