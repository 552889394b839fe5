// Functions for the tests of external data.
#pragma once

#include <gtest/gtest.h>
#include <onnxc/external_data.h>
#include <onnxc/parser.h>

#include <filesystem>
#include <string>

#include "source/report.h"
#include "testing/folder.h"
#include "testing/predicates.h"
#include "testing/proto.h"

namespace onnxc::testing {

/// A temporary folder, which is removed after the test.
class InFolder : public ::testing::Test {
 protected:
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_.path(); }
  [[nodiscard]] std::string Path(const std::string& name) const { return folder_.Path(name); }
  [[nodiscard]] ExternalDataOptions Here() const { return {.directory = folder().string()}; }

  void WriteAs(const std::string& name, const std::string& bytes) const { folder_.Write(name, bytes); }
  [[nodiscard]] std::string Contents(const std::string& name) const { return folder_.Read(name); }
  [[nodiscard]] std::size_t CountFiles() const { return folder_.List().size(); }

  /// Writes the weights of at least `threshold` bytes to a file with that name.
  [[nodiscard]] Diagnostics Save(onnx::ModelProto* model, const std::string& name, std::uint64_t threshold = 1,
                                 bool replace = false) const {
    PendingFile file;
    Diagnostics found = SavePending(model, &file, name, threshold, replace);
    if (found.ok()) found.Append(file.Commit());
    return found;
  }
  /// Like the function above, but does not commit the file.
  [[nodiscard]] Diagnostics SavePending(onnx::ModelProto* model, PendingFile* file, const std::string& name = "w.data",
                                        std::uint64_t threshold = 1, bool replace = false) const {
    const SaveExternalOptions options{.source = Here(),
                                      .directory = folder().string(),
                                      .file_name = name,
                                      .size_threshold = threshold,
                                      .replace = replace};
    return SaveExternal(model, options, file);
  }

 private:
  Folder folder_;
};

inline onnx::ModelProto ModelOf(const std::string& text) {
  onnx::ModelProto model;
  const Diagnostics found = Parse(text, &model);
  EXPECT_TRUE(testing::Ok(found)) << RenderText(found, SourceText("text", text));
  return model;
}

/// The only finding, as "path: message [kind]"; "" if there is none.
inline std::string Told(const Diagnostics& found) {
  std::string shown;
  for (const Diagnostic& item : found.items()) {
    shown += (shown.empty() ? "" : "\n") + item.path + (item.path.empty() ? "" : ": ") + item.message + " [" +
             std::string(Name(item.kind)) + "]";
  }
  return shown;
}

}  // namespace onnxc::testing
