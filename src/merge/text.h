// Merges the texts of models.
#pragma once

#include <onnxc/proto.h>

#include <string>
#include <string_view>

#include "merge/list.h"

namespace onnxc::merge {

/// Merges the lines of two versions with those of their base. Where both versions changed the same lines, those of the
/// version `favored` are taken. The result may be a text of another model than the merged one, so it must be compared.
[[nodiscard]] std::string MergeLines(std::string_view base, std::string_view ours, std::string_view theirs,
                                     Side favored);

/// Returns whether the text is a text of exactly this model.
[[nodiscard]] bool IsTextOf(std::string_view text, const onnx::ModelProto& model);

/// Returns our text, with both versions between conflict marks where the texts differ.
[[nodiscard]] std::string MarkConflicts(std::string_view ours, std::string_view theirs);

}  // namespace onnxc::merge
