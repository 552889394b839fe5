// Merges two versions of a model that were made from a common base.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/proto.h>
#include <onnxc/source_map.h>

#include <string>
#include <string_view>

namespace onnxc {

/// A version of a model. It refers to the model, the text and the source map, which must exist during the merge.
struct MergeSide {
  const onnx::ModelProto& model;
  std::string_view text = {};             ///< the text from which the model was parsed, or "" if there is none
  const SourceMap* source_map = nullptr;  ///< the source map of that text; may be null
};

struct MergeOptions {
  /// Return a text, too.
  bool text = false;
  /// Check the merged model. It is an error if it has an error that neither version has. Files of external data are not
  /// checked.
  bool check = true;
};

struct [[nodiscard]] MergeResult {
  onnx::ModelProto model;        ///< the merged model; where the versions conflict, it contains our version
  std::string text;              ///< the merged text; conflicts are between `<<<<<<< ours` and `>>>>>>> theirs`
  Diagnostics diagnostics = {};  ///< conflicts, and findings that neither version has; or that messages are nested too
                                 ///< deeply, and then there is no merged model
  bool has_conflicts = false;

  [[nodiscard]] bool ok() const { return diagnostics.ok(); }
};

/// Merges the elements of the models, not their lines or bytes: what only one version has changed is taken from this
/// version. Nodes are matched as in Diff() of onnxc/differ.h, other elements by their names, and the order of elements
/// follows their neighbours. The data of a tensor are one value. It is a conflict if both versions change the same
/// value differently, or if one version reads a value that the other one has removed, renamed or replaced.
///
/// The text is the merge of the lines if this is a text of the merged model. Otherwise, the changed lines of our text
/// are printed again.
MergeResult Merge(const MergeSide& base, const MergeSide& ours, const MergeSide& theirs,
                  const MergeOptions& options = {});

}  // namespace onnxc
