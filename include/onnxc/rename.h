// Renames values, nodes, functions, dimensions and domains.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/proto.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace onnxc {

/// The kind of entity that a name refers to.
enum class NameKind : std::uint8_t { kValue, kNode, kFunction, kDimension, kDomain };
inline constexpr std::array<std::string_view, 5> kNameKinds = {"values", "nodes", "functions", "dimensions", "domains"};

struct RenameRule {
  std::string from;  ///< the name; with RenameOptions::regex, a regular expression that is searched for in each name
  std::string to;    ///< the new name; with `regex`, the replacement of each match
};

struct RenameOptions {
  /// A name is changed only by the first rule that matches it.
  std::vector<RenameRule> rules = {};
  /// Rules work as in `sed -E`: `from` is a POSIX extended regular expression, and `\1` and `&` in `to` insert the
  /// matched text.
  bool regex = false;
  /// The kinds of names that may be renamed. Empty: all kinds; a rule that matches names of several kinds is then an
  /// error.
  std::vector<NameKind> kinds = {};
};

struct [[nodiscard]] RenameResult {
  std::string text;         ///< empty if !diagnostics.ok()
  Diagnostics diagnostics;  ///< why a name cannot be changed, with its place

  [[nodiscard]] bool ok() const { return diagnostics.ok(); }
};

/// Applies the rules to a model's text. Everything else, such as comments, stays unchanged. A name is changed wherever
/// the model contains it: also in records and annotations, in training graphs, and in the metadata that declare the
/// parameters of an operator. If another graph or function has something with the same name, that is renamed, too.
///
/// It is an error if a rule matches no name; if a node would read a different value after the change; if two functions,
/// nodes, dimensions or domains would get the same name; or if the name is also a part of a longer string, such as the
/// type "T[N]" in the metadata of an operator. Time and memory are linear in the text. (The matches of a regular
/// expression in one name are limited to 1000 if the name is longer than 64 KiB.)
[[nodiscard]] RenameResult RenameText(std::string_view text, const RenameOptions& options);

/// Like RenameText(), for a message. A finding has the path of the name. Weights are neither read nor copied. If there
/// is an error, the model is unchanged.
[[nodiscard]] Diagnostics Rename(onnx::ModelProto* model, const RenameOptions& options);

}  // namespace onnxc
