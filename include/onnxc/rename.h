// New names for values, nodes, functions, dimensions and domains.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/proto.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace onnxc {

/// The kind of thing that has the name.
enum class NameKind : std::uint8_t { kValue, kNode, kFunction, kDimension, kDomain };
inline constexpr std::array<std::string_view, 5> kNameKinds = {"values", "nodes", "functions", "dimensions", "domains"};

struct RenameRule {
  std::string from;  ///< the name; with RenameOptions::regex, the expression that is searched for in each name
  std::string to;    ///< its new name; with `regex`, the replacement of each match
};

struct RenameOptions {
  /// The first rule that matches a name applies to it.
  std::vector<RenameRule> rules = {};
  /// The rules are those of `sed -E`: extended regular expressions of POSIX; `\1` and `&` stand for what was matched.
  bool regex = false;
  /// Which names are looked at. Empty: all, but a rule must not match names of several kinds.
  std::vector<NameKind> kinds = {};
};

struct [[nodiscard]] RenameResult {
  std::string text;         ///< empty when !diagnostics.ok()
  Diagnostics diagnostics;  ///< why a name cannot be given, with its place

  [[nodiscard]] bool ok() const { return diagnostics.ok(); }
};

/// Renames in a model's text. All else, such as comments, stays as it is. A value has its new name wherever it is used;
/// names that other graphs and functions give to values of their own are renamed there, too.
///
/// Errors: a rule matches no name; a value would capture the uses of another; two functions, nodes, dimensions or
/// domains would become one; a record (`@name {...}`) has the name. Time and memory are linear in the text.
[[nodiscard]] RenameResult RenameText(std::string_view text, const RenameOptions& options);

/// The same in a message. Weights are neither read nor copied. Where there is an error, the model is unchanged.
[[nodiscard]] Diagnostics Rename(onnx::ModelProto* model, const RenameOptions& options);

}  // namespace onnxc
