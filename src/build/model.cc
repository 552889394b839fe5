#include "build/model.h"

#include "build/function.h"
#include "build/graph.h"
#include "build/header.h"
#include "build/literal.h"
#include "build/node.h"

namespace onnxc {
namespace {

const Grammar::HeaderContext* HeaderOf(const Grammar::ItemHeadContext* head) {
  return ChildOf<Grammar::HeaderContext>(head, Grammar::RuleHeader);
}

const Grammar::FormalsContext* FormalsOf(const Grammar::ItemHeadContext* head) {
  return ChildOf<Grammar::FormalsContext>(head, Grammar::RuleFormals);
}

// A part of a graph or function behind its head. All sit in a list (inputs, values, body) or in the item itself.
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
      const Nested nested(lowering, 1, First(part).range());
      return BuildNode(static_cast<const Grammar::NodeContext*>(part), lowering, item->add_node());
    }
    case Grammar::RuleItem: return lowering.Map(*item, RangeOf(part));
    default: return;  // the file
  }
}

void BuildGraphHead(const Grammar::ItemHeadContext* head, Lowering& lowering, onnx::GraphProto* graph) {
  if (const auto* formals = FormalsOf(head)) {
    lowering.Report(DiagnosticKind::kNotOnGraph, RangeOf(formals), "attributes");
  }
  graph->set_name(NameOf(head->nm));
  lowering.Map(*graph, RangeOf(head->nm), onnx::GraphProto::kNameFieldNumber);
}

void BuildFunctionHead(const Grammar::ItemHeadContext* head, Lowering& lowering, onnx::FunctionProto* function) {
  if (const auto* header = HeaderOf(head)) BuildHeader(header, lowering, function);
  function->set_name(NameOf(head->nm));
  lowering.Map(*function, RangeOf(head->nm), onnx::FunctionProto::kNameFieldNumber);
  if (const auto* formals = FormalsOf(head)) BuildFormals(formals, lowering, function);
}

}  // namespace

// itemsFile : item+
// item      : itemHead inputs? '=>' outputs values? body
// itemHead  : header? nm=name formals?
void ModelBuilder::Begin(const Grammar::ItemHeadContext* head) {
  const auto* header = HeaderOf(head);
  const bool is_function = !is_first_ || FormalsOf(head) != nullptr ||
                           (header != nullptr && IsFunctionHeader(header, tell_functions_apart_));
  is_first_ = false;
  graph_ = nullptr;
  function_ = nullptr;
  if (is_function) {
    function_ = model_->add_functions();
    return BuildFunctionHead(head, lowering_, function_);
  }
  if (header != nullptr) BuildHeader(header, lowering_, model_);
  graph_ = model_->mutable_graph();
  BuildGraphHead(head, lowering_, graph_);
}

bool ModelBuilder::PartCompleted(Context* part) {
  if (IsBroken(part)) return true;
  const Nested nested(lowering_, 1, First(part).range());
  if (part->getRuleIndex() == Grammar::RuleItemHead) {
    Begin(static_cast<const Grammar::ItemHeadContext*>(part));
  } else if (graph_ != nullptr) {
    BuildPart(part, lowering_, graph_);
  } else if (function_ != nullptr) {
    BuildPart(part, lowering_, function_);
  }
  return lowering_.is_reporting() || !lowering_.failed();
}

bool GraphBuilder::PartCompleted(Context* part) {
  if (IsBroken(part)) return true;
  if (part->getRuleIndex() == Grammar::RuleItemHead) {
    const auto* head = static_cast<const Grammar::ItemHeadContext*>(part);
    if (const auto* header = HeaderOf(head)) {
      lowering_.Report(DiagnosticKind::kNotOnGraph, RangeOf(header), "header outside of a model");
    }
    BuildGraphHead(head, lowering_, graph_);
  } else {
    BuildPart(part, lowering_, graph_);
  }
  return lowering_.is_reporting() || !lowering_.failed();
}

bool FunctionBuilder::PartCompleted(Context* part) {
  if (IsBroken(part)) return true;
  if (part->getRuleIndex() == Grammar::RuleItemHead) {
    BuildFunctionHead(static_cast<const Grammar::ItemHeadContext*>(part), lowering_, function_);
  } else {
    BuildPart(part, lowering_, function_);
  }
  return lowering_.is_reporting() || !lowering_.failed();
}

}  // namespace onnxc
