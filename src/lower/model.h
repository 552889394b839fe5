// Models, and files of one graph or function: the builders that take their parts as the parser completes them.
#pragma once

#include <onnxc/proto.h>

#include <optional>

#include "lower/annotation.h"
#include "lower/lowering.h"
#include "lower/sink.h"
#include "syntax/parse.h"

namespace onnxc::lower {

/// The entry rule of models.
[[nodiscard]] inline Context* ItemsFile(Grammar& parser) { return parser.itemsFile(); }

/// Lowers a model: its header, its graph, its functions.
class ModelBuilder final : public PartListener {
 public:
  ModelBuilder(ModelSink& sink, bool tell_functions_apart, Lowering& lowering)
      : sink_(sink), model_(sink.model()), tell_functions_apart_(tell_functions_apart), lowering_(lowering) {}

  bool PartCompleted(Context* part) override;

  /// The function whose parts come now, or null.
  [[nodiscard]] onnx::FunctionProto* function() const { return function_; }
  /// The parts that come now are lowered into a graph or a function.
  [[nodiscard]] bool is_in_item() const { return graph_ != nullptr || function_ != nullptr; }

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
  bool is_whole_ = false;                         // the text is one record
  bool is_over_ = false;                          // another model begins: the rest is not looked at
  std::optional<Annotations> model_annotations_;  // around all items
  std::optional<Annotations> item_annotations_;   // of the item whose parts come now
  GraphSink* graph_ = nullptr;                    // that item: a graph
  onnx::FunctionProto* function_ = nullptr;       // or a function
  std::optional<SourceRange> headless_;           // the name of a function without header behind a graph
  std::size_t told_ = 0;                          // where the last one stands that is blamed
};

/// Fills one graph or one function, alone in its text. Instances: GraphProto, FunctionProto.
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
