#include "lower/model.h"

#include <algorithm>

#include "lower/field.h"
#include "lower/function.h"
#include "lower/graph.h"
#include "lower/header.h"
#include "lower/literal.h"
#include "lower/node.h"

namespace onnxc::lower {
namespace {

const Grammar::HeaderContext* HeaderOf(const Grammar::ItemContext* item) {
  return ChildOf<Grammar::HeaderContext>(item, Grammar::RuleHeader);
}

const Grammar::FormalsContext* FormalsOf(const Grammar::ItemNameContext* name) {
  return ChildOf<Grammar::FormalsContext>(name, Grammar::RuleFormals);
}

// Returns the top-level definition that contains the name, which was just read. The header and the annotations of the
// definition are complete and stay in the tree.
const Grammar::ItemContext* ItemOf(const Grammar::ItemNameContext* name) {
  return static_cast<const Grammar::ItemContext*>(name->parent->parent);
}

// Builds a part that follows the name of a graph or function. In the tree, the parent of the part is a list (inputs,
// values, body) or the top-level definition. `item` is the sink of a graph, or a function.
template <typename GraphOrFunction>
void BuildPart(Context* part, Lowering& lowering, GraphOrFunction* item) {
  switch (part->getRuleIndex()) {
    case Grammar::RuleValue: {
      const auto* value = static_cast<const Grammar::ValueContext*>(part);
      const auto* list = static_cast<const Context*>(part->parent);
      if (list->getRuleIndex() == Grammar::RuleInputs) return BuildInput(value, lowering, item);
      return BuildValue(value, lowering, item);
    }
    case Grammar::RuleOutputs: return BuildOutputs(static_cast<const Grammar::OutputsContext*>(part), lowering, item);
    case Grammar::RuleNode: {
      const DepthGuard guard(lowering, 1, First(part).range());
      return BuildNode(static_cast<const Grammar::NodeContext*>(part), lowering, item);
    }
    default: return;
  }
}

void BuildPart(Context* part, Lowering& lowering, onnx::GraphProto* graph) {
  GraphSink sink(graph);
  BuildPart(part, lowering, &sink);
}

void BuildGraphName(const Grammar::ItemNameContext* name, Lowering& lowering, onnx::GraphProto* graph) {
  if (const auto* formals = FormalsOf(name)) {
    lowering.Report(diag::kNotOnGraph, RangeOf(formals), "attributes");
  }
  graph->set_name(NameOf(name->nm));
  lowering.Map(*graph, RangeOf(name->nm), onnx::GraphProto::kNameFieldNumber);
}

// Builds the annotations and the name of a graph that is the only item of its text.
void BuildHead(const Grammar::ItemNameContext* name, Lowering& lowering, onnx::GraphProto* graph) {
  if (const auto* header = HeaderOf(ItemOf(name))) {
    lowering.Report(diag::kNotOnGraph, RangeOf(header), "a header outside of a model");
  }
  BuildGraphName(name, lowering, graph);
}

void BuildHead(const Grammar::ItemNameContext* name, Lowering& lowering, onnx::FunctionProto* function) {
  if (const auto* header = HeaderOf(ItemOf(name))) BuildHeader(header, lowering, function);
  function->set_name(NameOf(name->nm));
  lowering.Map(*function, RangeOf(name->nm), onnx::FunctionProto::kNameFieldNumber);
  if (const auto* formals = FormalsOf(name)) BuildFormals(formals, lowering, function);
}

// Returns whether all inputs and outputs have types. Functions seldom have such types.
bool HasTypes(const onnx::GraphProto& graph) {
  const auto is_typed = [](const onnx::ValueInfoProto& info) { return info.has_type(); };
  return graph.output_size() > 0 && std::ranges::all_of(graph.input(), is_typed) &&
         std::ranges::all_of(graph.output(), is_typed);
}

bool IsRecord(const Context* part) { return part->getRuleIndex() == Grammar::RuleItem && InPlace(part) != nullptr; }

bool GoesOn(const Lowering& lowering) { return lowering.is_reporting() || !lowering.failed(); }

}  // namespace

// itemsFile : item+ EOF
// item      : annotation* (inPlace | (header annotation*)? named)
// itemName  : nm=name formals?
void ModelBuilder::Begin(const Grammar::ItemNameContext* name) {
  lowering_.ForgetFormals();
  const Grammar::ItemContext* item = ItemOf(name);
  const auto* header = HeaderOf(item);
  bool is_function = !is_first_ || FormalsOf(name) != nullptr ||
                     (header != nullptr && IsFunctionHeader(header, tell_functions_apart_));
  if (is_first_) {
    model_annotations_.emplace(item, lowering_, Annotations::Part::kBeforeHeader);
    if (const auto content = model_annotations_->TakeContent()) is_function = content == Content::kFunctions;
  }
  // Annotations before a header belong to the model. If there is no header, they belong to the graph. In both cases,
  // their pragmas apply to the whole text.
  const bool has_model = !is_function && header != nullptr;
  if (!has_model && is_first_) model_annotations_->DropOwn();
  item_annotations_.emplace(item, lowering_, has_model ? Annotations::Part::kBehindHeader : Annotations::Part::kAll);
  if (is_first_) (void)item_annotations_->TakeContent();
  if (is_function) {
    if (!is_first_ && header != nullptr && IsModelHeader(header)) {
      is_over_ = true;
      return lowering_.Report(diag::kSecondModel, RangeOf(header));
    }
    function_ = sink_.BeginFunction();
    headless_.reset();
    if (header == nullptr && model_->has_graph()) headless_ = RangeOf(name->nm);
    return BuildHead(name, lowering_, function_);
  }
  graph_ = sink_.BeginGraph();
  if (header != nullptr) {
    // The header belongs to the model, not to the graph.
    const DepthGuard outward(lowering_, -1, First(header).range());
    BuildHeader(header, lowering_, model_);
    lowering_.Map(*model_, RangeOf(header));
  }
  BuildGraphName(name, lowering_, graph_->graph());
}

// Builds a complete model written as a record, `@{ ... }`, which must be the only item of the text.
void ModelBuilder::BuildRecordItem(const Grammar::ItemContext* item) {
  if (!is_first_ || is_whole_) {
    return lowering_.Report(diag::kUnexpectedToken, First(item).range(), "a function", "a record");
  }
  is_whole_ = true;
  model_annotations_.emplace(item, lowering_);
  BuildRecord(InPlace(item), lowering_, model_);
  lowering_.Map(*model_, RangeOf(item));
  model_annotations_->FinishRecord(model_);
}

void ModelBuilder::End(const Grammar::ItemContext* item) {
  if (graph_ != nullptr) {
    lowering_.Map(*graph_->graph(), RangeOf(item));
    item_annotations_->Finish(graph_->graph());
  } else if (function_ != nullptr) {
    lowering_.Map(*function_, RangeOf(item));
    item_annotations_->Finish(function_);
    sink_.EndFunction();
  }
  item_annotations_.reset();
  graph_ = nullptr;
  function_ = nullptr;
}

bool ModelBuilder::PartCompleted(Context* part) {
  const std::size_t rule = part->getRuleIndex();
  if (rule == Grammar::RuleItemsFile) {
    if (model_annotations_ && !is_whole_) model_annotations_->Finish(model_);
    return GoesOn(lowering_);
  }
  if (IsBroken(part)) return true;
  const DepthGuard guard(lowering_, IsRecord(part) ? 0 : 1, First(part).range());  // a record is the model itself
  if (rule == Grammar::RuleItemName) {
    if (is_whole_) {
      lowering_.Report(diag::kTextAfterEnd, First(part).range(), "model");
      return GoesOn(lowering_);
    }
    if (item_annotations_)
      End(ItemOf(static_cast<const Grammar::ItemNameContext*>(part)));  // the item before had an error
    if (is_over_) return GoesOn(lowering_);
    Begin(static_cast<const Grammar::ItemNameContext*>(part));
    is_first_ = false;
  } else if (IsRecord(part)) {
    BuildRecordItem(static_cast<const Grammar::ItemContext*>(part));
  } else if (rule == Grammar::RuleItem) {
    End(static_cast<const Grammar::ItemContext*>(part));
  } else if (graph_ != nullptr) {
    BuildPart(part, lowering_, graph_);
  } else if (function_ != nullptr && !IsLateGraph(part)) {
    BuildPart(part, lowering_, function_);
  }
  return GoesOn(lowering_);
}

// Returns whether the part is an initializer in an item that has no header and was taken for a function after the
// graph. Functions have no initializers, so this item is a graph: another one if the first item is a graph, too;
// otherwise, the first item is a function, and the order is wrong. This is reported once.
bool ModelBuilder::IsLateGraph(const Context* part) {
  if (part->getRuleIndex() != Grammar::RuleValue || static_cast<const Grammar::ValueContext*>(part)->eq == nullptr) {
    return false;
  }
  if (headless_ && headless_->begin != told_) {
    told_ = headless_->begin;
    if (!is_first_typed_) is_first_typed_ = HasTypes(model_->graph());
    if (!*is_first_typed_) {
      lowering_.Report(diag::kFunctionFirst, *headless_);
    } else {
      lowering_.Report(diag::kSecondGraph, *headless_, Quoted(function_->name()));
    }
  }
  return headless_.has_value();
}

template <typename GraphOrFunction>
bool ItemBuilder<GraphOrFunction>::PartCompleted(Context* part) {
  if (IsBroken(part)) return true;
  if (part->getRuleIndex() == Grammar::RuleItemName) {
    const auto* name = static_cast<const Grammar::ItemNameContext*>(part);
    annotations_.emplace(ItemOf(name), lowering_);
    BuildHead(name, lowering_, item_);
  } else if (IsRecord(part)) {
    annotations_.emplace(part, lowering_);
    lowering_.Map(*item_, RangeOf(part));
    BuildRecord(InPlace(part), lowering_, item_);
    annotations_->FinishRecord(item_);
  } else if (part->getRuleIndex() == Grammar::RuleItem) {
    lowering_.Map(*item_, RangeOf(part));
    annotations_->Finish(item_);
  } else {
    BuildPart(part, lowering_, item_);
  }
  return GoesOn(lowering_);
}

template class ItemBuilder<onnx::GraphProto>;
template class ItemBuilder<onnx::FunctionProto>;

}  // namespace onnxc::lower
