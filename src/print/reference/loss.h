// Uses reflection to find fields that a dialect cannot express, and reports them with their paths.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/printer.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "source/message_path.h"
#include "source/report.h"
#include "tables/carried.h"

namespace onnxc::print {

/// The path from the printed message to the current element: `graph.node[3] "conv1".attribute["pads"]`. It stores only
/// views, so a step costs almost nothing until something is reported.
class Path {
 public:
  /// Adds a step to the path; the destructor removes it. A step consists of a field and, for an element of a list, the
  /// element's index (and its name, if it has one) or its key.
  class [[nodiscard]] Scope {
   public:
    Scope(Path& path, std::string_view field) : Scope(path, PathStep{.field = field}) {}
    Scope(Path& path, std::string_view field, int index, std::string_view name = {})
        : Scope(path, PathStep{field, index, name}) {}
    /// Adds an element that is identified by its name, such as an attribute.
    static Scope Keyed(Path& path, std::string_view field, int index, std::string_view key) {
      return key.empty() ? Scope(path, field, index) : Scope(path, PathStep{field, PathStep::kByName, key});
    }
    ~Scope() { path_.steps_.pop_back(); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Scope(Path& path, const PathStep& step) : path_(path) { path_.steps_.push_back(step); }
    Path& path_;
  };

  /// Returns the number of messages that enclose the current one.
  [[nodiscard]] std::size_t depth() const { return steps_.size(); }

  /// Returns the path of `field` of the current message, or of the message itself if `field` is empty.
  [[nodiscard]] std::string ToString(std::string_view field) const;

 private:
  std::vector<PathStep> steps_;
};

/// Returns whether the messages in `message` are nested more than `levels` deep in its text, in which `opaque()` stands
/// for a missing type.
[[nodiscard]] bool NestsDeeper(const google::protobuf::Message& message, int levels);

class Losses {
 public:
  explicit Losses(const PrintOptions& options) : options_(options) {}

  /// Reports that `field` of the current message is lost. The format and its arguments describe what cannot be
  /// expressed.
  template <typename... Args>
  void Add(std::string_view field, fmt::format_string<const Args&...> format, const Args&... args) {
    AddText(field, fmt::format(format, args...), options_.allow_loss ? Severity::kWarning : Severity::kError);
  }

  /// Like Add(), but always an error: without this part, the text would describe another message.
  template <typename... Args>
  void AddWrong(std::string_view field, fmt::format_string<const Args&...> format, const Args&... args) {
    AddText(field, fmt::format(format, args...), Severity::kError);
  }

  /// Returns an object without losses and with the same path, for a part of the message that is printed separately.
  [[nodiscard]] Losses Beside() const {
    Losses beside(options_);
    beside.path_ = path_;
    return beside;
  }
  /// Moves the losses of a part, which Beside() has created, to this object.
  void Append(Losses* beside) { diagnostics_.Append(std::exchange(beside->diagnostics_, {})); }

  /// Reports all fields of the current message, including unknown ones, that are not in `carried` and whose loss would
  /// change the meaning.
  void AddOthers(const google::protobuf::Message& message, FieldSet carried);

  [[nodiscard]] Path& path() { return path_; }
  [[nodiscard]] const Path& path() const { return path_; }
  [[nodiscard]] Diagnostics Finish();

 private:
  void AddText(std::string_view field, const std::string& what, Severity severity);

  const PrintOptions options_;
  Path path_;
  Diagnostics diagnostics_;
  std::vector<const google::protobuf::FieldDescriptor*> fields_;  // a member only to reuse its memory
};

}  // namespace onnxc::print
