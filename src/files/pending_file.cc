#include <onnxc/file.h>

#include <memory>
#include <string>
#include <utility>

#include "files/errors.h"
#include "files/new_file.h"

namespace onnxc {

PendingFile::PendingFile() = default;
PendingFile::PendingFile(std::string path, std::unique_ptr<NewFile> file)
    : file_(std::move(file)), path_(std::move(path)) {}
PendingFile::PendingFile(PendingFile&&) noexcept = default;
PendingFile& PendingFile::operator=(PendingFile&&) noexcept = default;
PendingFile::~PendingFile() = default;

Diagnostics PendingFile::Prepare() {
  if (file_ == nullptr || is_prepared_) return {};
  const int error = file_->Prepare();
  is_prepared_ = error == 0;
  return error == 0 ? Diagnostics() : CannotWriteTo(path_, Reason(error));
}

Diagnostics PendingFile::Commit() {
  Diagnostics found = Prepare();
  if (file_ == nullptr || !found.ok()) return found;
  const std::unique_ptr<NewFile> file = std::move(file_);
  const int error = file->Commit();
  return error == 0 ? Diagnostics() : CannotWriteTo(path_, Reason(error));
}

}  // namespace onnxc
