// What a dialect cannot carry: found by reflection, reported with its path in the message.
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

/// The way from the printed message to the element at hand: `graph.node[3] "conv1".attribute["pads"]`. Only views are
/// kept, so that a step costs nothing until there is something to report.
class Path {
 public:
  /// How a step names an element: by its field alone, by its index (and name, if it has one), or by a key.
  class [[nodiscard]] Scope {
   public:
    Scope(Path& path, std::string_view field) : Scope(path, PathStep{.field = field}) {}
    Scope(Path& path, std::string_view field, int index, std::string_view name = {})
        : Scope(path, PathStep{field, index, name}) {}
    /// An element that is known by its name, such as an attribute.
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

  /// How many messages stand around the one at hand.
  [[nodiscard]] std::size_t depth() const { return steps_.size(); }

  /// The path of `field` of the message at hand; of the message itself where `field` is empty.
  [[nodiscard]] std::string ToString(std::string_view field) const;

 private:
  std::vector<PathStep> steps_;
};

/// Whether messages within `message` nest more than `levels` deep in its text, which says `opaque()` for a missing
/// type.
[[nodiscard]] bool NestsDeeper(const google::protobuf::Message& message, int levels);

class Losses {
 public:
  explicit Losses(const PrintOptions& options) : options_(options) {}

  /// `field` of the message at hand is lost; the format and its arguments say what about it cannot be carried.
  template <typename... Args>
  void Add(std::string_view field, fmt::format_string<const Args&...> format, const Args&... args) {
    AddText(field, fmt::format(format, args...), options_.allow_loss ? Severity::kWarning : Severity::kError);
  }

  /// The same of what must not be left out: the text would be that of another message.
  template <typename... Args>
  void AddWrong(std::string_view field, fmt::format_string<const Args&...> format, const Args&... args) {
    AddText(field, fmt::format(format, args...), Severity::kError);
  }

  /// Those of a part of the message that is printed beside this one: the place is the same, and there are none yet.
  [[nodiscard]] Losses Beside() const {
    Losses beside(options_);
    beside.path_ = path_;
    return beside;
  }
  /// Takes them over.
  void Append(Losses* beside) { diagnostics_.Append(std::exchange(beside->diagnostics_, {})); }

  /// All fields of the message at hand that are not `carried` and say more than their absence, unknown ones included.
  void AddOthers(const google::protobuf::Message& message, FieldSet carried);

  [[nodiscard]] Path& path() { return path_; }
  [[nodiscard]] const Path& path() const { return path_; }
  [[nodiscard]] Diagnostics Finish();

 private:
  void AddText(std::string_view field, const std::string& what, Severity severity);

  const PrintOptions options_;
  Path path_;
  Diagnostics diagnostics_;
  std::vector<const google::protobuf::FieldDescriptor*> fields_;  // kept for its memory
};

}  // namespace onnxc::print
