// Finds the places of findings about linked functions in the files of their libraries.
#pragma once

#include <onnxc/linker.h>

#include <cstddef>
#include <map>
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

 private:
  friend class LinkedFindings;

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

/// The findings about linked functions in several versions of one model. ProveCorrections() compares findings of these
/// versions, so it needs them in the text of the model: a correction there may cause an error in a linked function.
class LinkedFindings {
 public:
  /// Returns all findings with places in the model. A finding about a linked function is at its call if the call is
  /// known, otherwise nowhere, and its message names its place in the library. Corrections of libraries are left out,
  /// because only the model is corrected. A note of another finding about a library becomes a part of its message.
  ///
  /// Places of the model in findings about libraries are those of the first version, so that comes first.
  [[nodiscard]] Diagnostics AtCalls(const Diagnostics& found, const LinkedFiles& files);

  /// Returns the findings about the model itself among those of AtCalls(). The findings about libraries are added to
  /// `others`, at their places in the libraries.
  [[nodiscard]] Diagnostics Split(const Diagnostics& found, std::vector<SourceFindings>* others) const;

 private:
  /// The findings in a library that have the same place and message, with different calls.
  struct AtPlace {
    SourceText library;
    int version;  ///< of the model: they have the places of the first version that has them
    std::vector<Diagnostic> findings;
  };

  void Keep(const LinkedFiles& files, const LinkedFiles::File& file, const std::string& message, Diagnostic finding);

  int versions_ = 0;
  std::map<std::string, AtPlace> by_message_;  // the key is the message that AtCalls() returns
};

}  // namespace onnxc::verdict
