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

/// The files of a model and of its linked libraries. A source map can store the ranges of only one text. So that it can
/// also store the places of linked functions, each library gets a region of offsets behind the text of the model. If
/// the library is a text, the place of each part of a function is its range in that text, moved by the beginning of the
/// region. If the library is not a text, the parts of its functions are numbered, and the place of part n is byte n of
/// the region.
class LinkedFiles {
 public:
  explicit LinkedFiles(const SourceText& model) : model_(model), end_(model.text().size() + 1) {}

  /// Adds to `places` the places of the functions and imports that Link() has added to the model. `functions` and
  /// `imports` are the numbers of functions and imports that the model had before. If the model was not read from a
  /// text, its own functions are numbered like those of a library that is not a text, because a source map without any
  /// place of the model's own parts would be refused.
  void Add(const onnx::ModelProto& model, int functions, int imports, const std::vector<LinkInput>& libraries,
           SourceMap* places);

 private:
  friend class LinkedFindings;

  struct File {
    SourceText source;
    std::size_t begin = 0;                ///< where its region begins
    std::vector<std::string> paths = {};  ///< the paths of the numbered parts; empty for a text
  };

  /// Adds the places of a part that comes from the last file of `files_`. `part` is the part in that file, `linked` is
  /// the same part in the model, and `its_places` is the source map of the file.
  void AddPart(const Place& part, const google::protobuf::Message& linked, const SourceMap& its_places,
               SourceMap* places);
  [[nodiscard]] const File* FileAt(SourceRange range) const;
  [[nodiscard]] std::string ShownPlace(SourceRange range) const;
  /// Replaces each place of the finding in the region of `file` by the place in the file itself. `file` is null for the
  /// text of the model.
  void MoveToFile(const File* file, Diagnostic* finding) const;

  SourceText model_;
  std::size_t end_;  // the end of the last region
  std::vector<File> files_;
};

/// The findings about linked functions in several versions of one model. A correction of the model may cause an error
/// in a linked function. So ProveCorrections(), which compares the findings of these versions, needs such errors as
/// findings about the text of the model.
class LinkedFindings {
 public:
  /// Returns all findings with places in the model. A finding about a linked function gets the place of the function's
  /// call if the call is known, otherwise no place. Its message names the place in the library. Corrections of
  /// libraries are left out, because only the model is corrected. If another finding has a note about a library, the
  /// note becomes a part of that finding's message.
  ///
  /// Findings about libraries keep notes about places in the model only if they are in the first version. So the first
  /// call must be for the version that the user sees.
  [[nodiscard]] Diagnostics AtCalls(const Diagnostics& found, const LinkedFiles& files);

  /// Divides findings that AtCalls() has returned. Returns those about the model itself. Those about libraries are
  /// added to `others`, with their places in the libraries.
  [[nodiscard]] Diagnostics Split(const Diagnostics& found, std::vector<SourceFindings>* others) const;

 private:
  /// The findings in a library that have the same place and message, with different calls.
  struct AtPlace {
    SourceText library;
    int version;  ///< the first version of the model that has these findings
    std::vector<Diagnostic> findings;
  };

  void Keep(const LinkedFiles& files, const LinkedFiles::File& file, const std::string& message, Diagnostic finding);

  int versions_ = 0;
  std::map<std::string, AtPlace> by_message_;  // the key is the message that AtCalls() returns
};

}  // namespace onnxc::verdict
