#include "build/tensor.h"

#include "build/literal.h"
#include "syntax/explain.h"
#include "syntax/parse.h"
#include "tables/element_types.h"

namespace onnxc {
namespace {


// ELEMENT '[' INT, ... ']', or ELEMENT alone for a scalar
const ElementType* BuildDims(const Grammar::TypeContext* tree, Lowering& lowering, onnx::TensorProto* tensor) {
  const SyntaxToken& word = First(tree);
  if (word.type != Grammar::ELEMENT) {
    lowering.Report(DiagnosticKind::kNotATensorType, RangeOf(tree));
    return nullptr;
  }
  const ElementType* type = FindElementType(word.text);
  tensor->set_data_type(type->code);
  lowering.Map(*tensor, word.range(), onnx::TensorProto::kDataTypeFieldNumber);
  const auto* shape = ChildOf<Grammar::ShapeContext>(tree, Grammar::RuleShape);
  if (shape == nullptr) return type;
  const auto* dims = ChildOf<Grammar::DimsContext>(shape, Grammar::RuleDims);
  if (dims == nullptr) {
    lowering.Report(DiagnosticKind::kTensorWithoutShape, RangeOf(shape));
    return nullptr;
  }
  for (const SyntaxToken& token : TokensOf(dims)) {
    if (token.type == Grammar::COMMA) continue;
    std::int64_t dim = 0;
    if (token.type != Grammar::INT) {
      lowering.Report(DiagnosticKind::kSymbolicTensorDim, token.range());
    } else if (ReadNumber(token.text, token.range(), "a dimension", lowering, &dim)) {
      lowering.Map(*tensor, token.range(), onnx::TensorProto::kDimsFieldNumber, tensor->dims_size());
      tensor->add_dims(dim);
    }
  }
  return type;
}

// '{' (element (',' element)*)? '}'
template <typename Number>
void ReadElements(const Grammar::DenseContext* tree, const ElementType& type, Lowering& lowering,
                  google::protobuf::RepeatedField<Number>* values) {
  if (First(tree).type == Grammar::DATA) return ReadIsland(First(tree), type.keyword, lowering, values);
  for (const auto* element : ChildrenOf<Grammar::ElementContext>(tree)) {
    const SyntaxToken& token = First(element);
    Number value{};
    if (token.type == Grammar::STRING) {
      lowering.Report(DiagnosticKind::kWrongLiteral, token.range(), "a number", Describe(token));
    } else if (ReadNumber(token.text, token.range(), type.keyword, lowering, &value)) {
      values->Add(value);
    }
  }
}

void ReadStrings(const Grammar::DenseContext* tree, Lowering& lowering, onnx::TensorProto* tensor) {
  const SyntaxToken& first = First(tree);
  if (first.type == Grammar::DATA) {
    const std::string_view literal = FirstLiteral(first);
    if (literal.empty() && first.text.find(',') == std::string_view::npos) return;
    return lowering.Report(DiagnosticKind::kWrongLiteral, first.range(), "strings", fmt::format("'{}'", Quoted(literal)));
  }
  for (const auto* element : ChildrenOf<Grammar::ElementContext>(tree)) {
    const SyntaxToken& token = First(element);
    if (token.type != Grammar::STRING) {
      lowering.Report(DiagnosticKind::kWrongLiteral, token.range(), "a string", Describe(token));
      continue;
    }
    lowering.Map(*tensor, token.range(), onnx::TensorProto::kStringDataFieldNumber, tensor->string_data_size());
    tensor->add_string_data(Unquote(token.text));
  }
}

// dense : DATA | '{' (element (',' element)*)? '}'
void BuildDense(const Grammar::DenseContext* tree, const ElementType& type, Lowering& lowering, onnx::TensorProto* tensor) {
  switch (type.storage) {
    case Storage::kInt32: return ReadElements(tree, type, lowering, tensor->mutable_int32_data());
    case Storage::kInt64: return ReadElements(tree, type, lowering, tensor->mutable_int64_data());
    case Storage::kUint64: return ReadElements(tree, type, lowering, tensor->mutable_uint64_data());
    case Storage::kFloat: return ReadElements(tree, type, lowering, tensor->mutable_float_data());
    case Storage::kDouble: return ReadElements(tree, type, lowering, tensor->mutable_double_data());
    case Storage::kString: return ReadStrings(tree, lowering, tensor);
    case Storage::kNone: return;
  }
}

// data : dense | '[' pair (',' pair)* ']'
void BuildData(const Grammar::DataContext* tree, const ElementType& type, Lowering& lowering, onnx::TensorProto* tensor) {
  if (const auto* dense = ChildOf<Grammar::DenseContext>(tree, Grammar::RuleDense)) {
    return BuildDense(dense, type, lowering, tensor);
  }
  const Nested nested(lowering, 1, RangeOf(tree));
  tensor->set_data_location(onnx::TensorProto::EXTERNAL);
  for (const auto* pair : ChildrenOf<Grammar::PairContext>(tree)) {
    (void)BuildPair(pair, "external data", lowering, tensor->add_external_data());
  }
}

}  // namespace

// pair : key=STRING ':' val=(STRING | INT)
bool BuildPair(const Grammar::PairContext* tree, std::string_view owner, Lowering& lowering,
               onnx::StringStringEntryProto* pair) {
  const auto& value = *static_cast<const SyntaxToken*>(tree->val);
  lowering.Map(*pair, RangeOf(tree));
  if (value.type != Grammar::STRING) {
    lowering.Report(DiagnosticKind::kHeaderValue, value.range(), owner, "a list of string pairs");
    return false;
  }
  pair->set_key(Unquote(static_cast<const SyntaxToken*>(tree->key)->text));
  pair->set_value(Unquote(value.text));
  return true;
}

void BuildTensorData(const Grammar::TypeContext* type, const Grammar::DataContext* data, Lowering& lowering,
                     onnx::TensorProto* tensor) {
  const ElementType* element = BuildDims(type, lowering, tensor);
  if (element != nullptr && data != nullptr) BuildData(data, *element, lowering, tensor);
}

// tensor     : type tensorRest?
// tensorRest : nm=name '='? data? | '=' data? | dense
void BuildTensor(const Grammar::TypeContext* type, const Grammar::TensorRestContext* rest, Lowering& lowering,
                 onnx::TensorProto* tensor) {
  lowering.Map(*tensor, {First(type).begin, RangeOf(rest == nullptr ? static_cast<const Context*>(type) : rest).end});
  const Grammar::DataContext* data = nullptr;
  if (rest != nullptr) {
    if (rest->nm != nullptr) {
      tensor->set_name(NameOf(rest->nm));
      lowering.Map(*tensor, RangeOf(rest->nm), onnx::TensorProto::kNameFieldNumber);
    }
    data = ChildOf<Grammar::DataContext>(rest, Grammar::RuleData);
    if (const auto* dense = ChildOf<Grammar::DenseContext>(rest, Grammar::RuleDense)) {
      const ElementType* element = BuildDims(type, lowering, tensor);
      if (element != nullptr) BuildDense(dense, *element, lowering, tensor);
      return;
    }
  }
  BuildTensorData(type, data, lowering, tensor);
}

}  // namespace onnxc
