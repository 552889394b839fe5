#include "lower/sparse_tensor.h"

#include "lower/elements.h"
#include "lower/list_token.h"
#include "lower/literal.h"
#include "syntax/syntax_errors.h"

namespace onnxc::lower {
namespace {

using Tensor = onnx::SparseTensorProto;

void ReadIndex(const SyntaxToken& token, Lowering& lowering, onnx::TensorProto* indices) {
  std::int64_t index = 0;
  if (token.type != Grammar::INT) {
    lowering.Report(diag::kWrongLiteral, token.range(), "an index", Describe(token));
  } else if (ReadNumber(token.text, token.range(), "an index", lowering, &index)) {
    indices->add_int64_data(index);
  }
}

// element : scalar (':' scalar)? | '[' INT (',' INT)* ']' ':' scalar
// Returns the number of the element's indices, or 0 for a single linear index.
int BuildElement(const Grammar::ElementContext* tree, const ElementType& type, Lowering& lowering, Tensor* tensor) {
  const SyntaxToken& first = First(tree);
  const auto& value = *static_cast<const Context*>(tree->children.back());
  int count = 0;
  if (first.type == Grammar::LBRACKET) {
    for (const SyntaxToken* token = first.next; token->type != Grammar::RBRACKET; token = token->next) {
      if (token->type == Grammar::COMMA) continue;
      ReadIndex(*token, lowering, tensor->mutable_indices());
      ++count;
    }
  } else if (tree->children.size() == 2) {
    ReadIndex(first, lowering, tensor->mutable_indices());
  } else {
    lowering.Report(diag::kSparseElement, RangeOf(tree));
  }
  AddElement(First(&value), type, lowering, tensor->mutable_values());
  return count;
}

void BuildElements(const Grammar::DenseContext* dense, const ElementType& type, Lowering& lowering, Tensor* tensor) {
  std::int64_t count = 0;
  int rank = -1;
  const SyntaxToken& first = First(dense);
  if (first.type == Grammar::STRING_DATA || (first.type == Grammar::DATA && !FirstLiteral(first).empty())) {
    return lowering.Report(diag::kSparseElement, RangeOf(dense));
  }
  if (dense->packed != nullptr) {
    return lowering.Report(diag::kSparsePacked, RangeOf(dense));
  }
  for (const auto* element : ChildrenOf<Grammar::ElementContext>(dense)) {
    const int indices = BuildElement(element, type, lowering, tensor);
    if (rank >= 0 && indices != rank) {
      lowering.Report(diag::kSparseRank, RangeOf(element));
    }
    rank = indices;
    ++count;
  }
  tensor->mutable_values()->add_dims(count);
  tensor->mutable_indices()->add_dims(count);
  if (rank > 0) tensor->mutable_indices()->add_dims(rank);
}

// Builds `SPARSE_TENSOR '(' key=name shape? ')'` with its elements.
void Build(const Grammar::TypeContext* type, const Grammar::DenseContext* dense, Lowering& lowering, Tensor* tensor) {
  const DepthGuard guard(lowering, 1, First(type).range());
  if (!guard) return;
  const ElementType* element = FindElementType(First(type->key).text);
  const auto* shape = ChildOf<Grammar::ShapeContext>(type, Grammar::RuleShape);
  const auto* dims = shape == nullptr ? nullptr : ChildOf<Grammar::DimsContext>(shape, Grammar::RuleDims);
  if (element == nullptr) {
    return lowering.Report(diag::kElementTypeOnly, RangeOf(type->key), "sparse tensor's element",
                           Quoted(First(type->key).text));
  }
  if (shape != nullptr && dims == nullptr) return lowering.Report(diag::kTensorWithoutShape, RangeOf(shape));
  lowering.Map(*tensor, RangeOf(type));
  for (std::size_t i = 0; dims != nullptr && i < dims->children.size(); ++i) {
    const SyntaxToken& token = First(static_cast<const Context*>(dims->children[i]));
    std::int64_t dim = 0;
    if (token.type != Grammar::INT) {
      lowering.Report(diag::kSymbolicTensorDim, token.range());
    } else if (ReadNumber(token.text, token.range(), "a dimension", lowering, &dim)) {
      tensor->add_dims(dim);
    }
  }
  tensor->mutable_values()->set_data_type(element->code);
  tensor->mutable_indices()->set_data_type(onnx::TensorProto::INT64);
  if (dense == nullptr) {
    return lowering.Report(diag::kSparseWithoutElements, RangeOf(type));
  }
  BuildElements(dense, *element, lowering, tensor);
  FinishElements(*element, RangeOf(dense), lowering, tensor->mutable_values());
  FinishElements(*FindElementType("int64"), RangeOf(dense), lowering, tensor->mutable_indices());
  lowering.Finish(tensor->mutable_values());
  lowering.Finish(tensor->mutable_indices());
}

const Grammar::DenseContext* DenseOf(const Context* data) {
  return data == nullptr ? nullptr : ChildOf<Grammar::DenseContext>(data, Grammar::RuleDense);
}

}  // namespace

void BuildSparseTensor(const Grammar::TypeContext* type, const Grammar::DataContext* data, Lowering& lowering,
                       Tensor* tensor) {
  Build(type, DenseOf(data), lowering, tensor);
}

void BuildSparseTensor(const Grammar::TensorContext* tree, Lowering& lowering, Tensor* tensor) {
  const auto* rest = ChildOf<Grammar::TensorRestContext>(tree, Grammar::RuleTensorRest);
  const Context* data = ChildOf<Context>(rest, Grammar::RuleData);
  if (rest->nm != nullptr) tensor->mutable_values()->set_name(NameOf(rest->nm));
  Build(ChildOf<Grammar::TypeContext>(tree, Grammar::RuleType), DenseOf(data == nullptr ? rest : data), lowering,
        tensor);
}

}  // namespace onnxc::lower
