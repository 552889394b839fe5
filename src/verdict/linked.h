// Finds the places of findings about linked functions in the files of their libraries.
#pragma once

#include <onnxc/linker.h>

#include <cstddef>
#include <string>
#include <vector>

namespace onnxc {
struct Place;
}

namespace onnxc::verdict {

/// The files of a linked model. A source map stores ranges in one text. So that it can also store the places of linked
/// functions, each file gets a region behind the text of the model. In the region of a text, each part of a function
/// has its range in that text, moved by the beginning of the region. The parts of functions in other files are
/// numbered, and the part with number n has byte n of the region.
class LinkedFiles {
 public:
  explicit LinkedFiles(const SourceText& model) : model_(model), end_(model.text().size() + 1) {}

  /// Adds to `places` the places of the functions and imports that Link() has added to the model, which had this many
  /// of them before. If the model was not read from a text, its own functions get numbers, too, because a source map
  /// whose places are all of other messages would be refused.
  void Add(const onnx::ModelProto& model, int functions, int imports, const std::vector<LinkInput>& libraries,
           SourceMap* places);

  /// Returns the findings about the model itself. Findings about the other files are added to `others`, without
  /// corrections, because only the model is corrected. A note about another file becomes a part of the message.
  [[nodiscard]] Diagnostics Split(const Diagnostics& found, std::vector<SourceFindings>* others) const;

 private:
  struct File {
    SourceText source;
    std::size_t begin = 0;                ///< where its region begins
    std::vector<std::string> paths = {};  ///< the paths of the numbered parts; empty for a text
  };

  /// Adds the places of a part of the last file. `part` is its place there, `linked` is the same part of the model, and
  /// `its_places` is the source map of the file.
  void AddPart(const Place& part, const google::protobuf::Message& linked, const SourceMap& its_places,
               SourceMap* places);
  [[nodiscard]] const File* FileAt(SourceRange range) const;
  [[nodiscard]] std::string ShownPlace(SourceRange range) const;
  /// Replaces the places in regions by places in this file, which is null for the text of the model.
  void MoveToFile(const File* file, Diagnostic* finding) const;

  SourceText model_;
  std::size_t end_;  // the end of the last region
  std::vector<File> files_;
};

}  // namespace onnxc::verdict
