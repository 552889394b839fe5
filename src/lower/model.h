// Lowers models, and files of one graph or function. The builders receive parts as soon as the parser has completed
// them.
#pragma once

#include <onnxc/proto.h>

#include <optional>

#include "lower/annotation.h"
#include "lower/lowering.h"
#include "lower/sink.h"
#include "syntax/parse.h"

namespace onnxc::lower {

/// Parses the entry rule of models.
[[nodiscard]] inline Context* ItemsFile(Grammar& parser) { return parser.itemsFile(); }

/// Lowers a model: its header, its graph and its functions.
class ModelBuilder final : public PartListener {
 public:
  ModelBuilder(ModelSink& sink, bool tell_functions_apart, Lowering& lowering)
      : sink_(sink), model_(sink.model()), tell_functions_apart_(tell_functions_apart), lowering_(lowering) {}

  bool PartCompleted(Context* part) override;

  /// Returns the function whose parts are being lowered, or null.
  [[nodiscard]] onnx::FunctionProto* function() const { return function_; }

 private:
  void Begin(const Grammar::ItemNameContext* name);
  void BuildRecordItem(const Grammar::ItemContext* item);
  void End(const Grammar::ItemContext* item);
  bool IsLateGraph(const Context* part);

  ModelSink& sink_;
  onnx::ModelProto* model_;
  bool tell_functions_apart_;
  Lowering& lowering_;
  bool is_first_ = true;
  bool is_whole_ = false;                         // the text is a single record
  bool is_over_ = false;                          // another model begins: the rest is skipped
  std::optional<Annotations> model_annotations_;  // the annotations of the whole text
  std::optional<Annotations> item_annotations_;   // the annotations of the current item
  GraphSink* graph_ = nullptr;                    // the current item, if it is a graph
  onnx::FunctionProto* function_ = nullptr;       // the current item, if it is a function
  std::optional<SourceRange> headless_;           // the name of the item after the graph if it has no header
  std::optional<bool> is_first_typed_;            // whether the inputs and outputs of the graph have types, if needed
  std::size_t told_ = 0;                          // where the last reported item begins
};

/// Builds the only graph or function of a text. Instances: GraphProto, FunctionProto.
template <typename GraphOrFunction>
class ItemBuilder final : public PartListener {
 public:
  ItemBuilder(GraphOrFunction* item, Lowering& lowering) : item_(item), lowering_(lowering) {}
  bool PartCompleted(Context* part) override;

 private:
  GraphOrFunction* item_;
  Lowering& lowering_;
  std::optional<Annotations> annotations_;
};

}  // namespace onnxc::lower
