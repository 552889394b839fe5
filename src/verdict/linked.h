// Finds the places of findings about linked functions in the files of their libraries.
#pragma once

#include <onnxc/linker.h>

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "link/linked_parts.h"
#include "settings/allowed.h"

namespace onnxc {
struct Place;
}

namespace onnxc::verdict {

/// The places of all functions of a library. They are found once, for many models that refer to these functions.
class LibraryPlaces {
 public:
  /// The library must exist as long as this object.
  explicit LibraryPlaces(const LinkInput& library);

 private:
  friend class LinkedFiles;

  struct Part {
    const google::protobuf::Message* message;
    int field;
    int index;
    SourceRange range;
  };

  SourceText source_;
  std::shared_ptr<std::vector<std::string>> paths_;  // of the numbered parts; empty for a text
  std::vector<Part> parts_;
  std::vector<std::size_t> ends_;  // the end of each function in `parts_`
  Allows allows_;                  // what the comments of the library allow
};

/// The files of a model and of its linked libraries. A source map can store the ranges of only one text. So that it can
/// also store the places of linked functions, each library gets a region of offsets behind the text of the model. If
/// the library is a text, the place of each part of a function is its range in that text, moved by the beginning of the
/// region. If the library is not a text, the parts of its functions are numbered, and the place of part n is byte n of
/// the region.
class LinkedFiles {
 public:
  explicit LinkedFiles(const SourceText& model) : model_(model), end_(model.text().size() + 1) {}

  /// Adds to `places` the places of the functions and imports that Link() has copied to the model. If the model was not
  /// read from a text, its own functions are numbered like those of a library that is not a text, because a source map
  /// without any place of the model's own parts would be refused.
  void AddCopies(const onnx::ModelProto& model, const LinkedParts& linked, const std::vector<LinkInput>& libraries,
                 SourceMap* places);

  /// Adds to `places` the places of the functions to which the model refers. Comments of the libraries that allow
  /// warnings then apply to the findings. If two versions of a model refer to the same functions of the same
  /// libraries, all these places move by the difference of the sizes of both texts.
  void Add(const LinkedParts& linked, const std::vector<LibraryPlaces>& libraries, SourceMap* places);

 private:
  friend class LinkedFindings;

  struct File {
    SourceText source;
    std::size_t begin = 0;  ///< where its region begins
    std::shared_ptr<std::vector<std::string>> paths = std::make_shared<std::vector<std::string>>();
    Allows allows = {};  ///< empty if comments do not apply, or if there are none

    [[nodiscard]] bool is_text() const { return paths->empty(); }
  };
  /// A linked function, and a node of the model that calls it or leads to its call.
  struct Function {
    std::size_t begin;  ///< in the region of its file
    SourceRange call;
  };

  void AddCallsOf(const LinkedParts& linked, const SourceMap& places);
  [[nodiscard]] const File* FileAt(SourceRange range) const;
  [[nodiscard]] SourceRange CallOf(SourceRange range) const;
  [[nodiscard]] std::string ShownPlace(SourceRange range) const;
  /// Replaces each place of the finding in the region of `file` by the place in the file itself. `file` is null for the
  /// text of the model.
  void MoveToFile(const File* file, Diagnostic* finding) const;

  SourceText model_;
  std::size_t end_;  // the end of the last region
  std::vector<File> files_;
  std::vector<Function> functions_;  // in the order of their places
};

/// The findings about linked functions in several versions of one model. A correction of the model may cause an error
/// in a linked function. So ProveCorrections(), which compares the findings of these versions, needs such errors as
/// findings about the text of the model.
class LinkedFindings {
 public:
  /// Returns all findings with places in the model. A finding about a linked function gets the place of a call of the
  /// function. Its message names the place in the library. Corrections of libraries are left out, because only the
  /// model is corrected. If another finding has a note about a library, the note becomes a part of that finding's
  /// message.
  ///
  /// Findings about libraries keep notes about places in the model only if they are in the first version. So the first
  /// call must be for the version that the user sees.
  [[nodiscard]] Diagnostics AtCalls(const Diagnostics& found, const LinkedFiles& files);

  /// The place in a library that a finding is about.
  struct PlaceInLibrary {
    SourceText library;
    SourceRange range = kNowhere;  ///< kNowhere if the library is not a text
  };
  /// Returns this place for a finding that AtCalls() has returned. Returns nothing if the finding is about the model
  /// itself.
  [[nodiscard]] std::optional<PlaceInLibrary> InLibrary(const Diagnostic& finding) const;

  /// Returns findings of AtCalls() without the warnings that comments of the model's text allow. These comments do not
  /// apply to findings about libraries.
  [[nodiscard]] Diagnostics WithoutAllowed(const Diagnostics& found, const SourceText& model) const;

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
