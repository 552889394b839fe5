#include "lower/tensor.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

#include "lower/annotation.h"
#include "lower/elements.h"
#include "lower/field.h"
#include "lower/literal.h"
#include "tables/element_types.h"

namespace onnxc::lower {
namespace {

// Returns the number of elements of a list of numbers.
std::size_t CountElements(const Context* dense) {
  const SyntaxToken& token = First(dense);
  if (token.type != Grammar::DATA) return dense->children.size();
  return static_cast<std::size_t>(std::ranges::count(token.text, ',')) + 1;
}

// Returns the size that a dimension with a name must have for the data, or "" if it is not certain.
std::string SizeFor(const Grammar::DimsContext* dims, const Context* dense) {
  std::uint64_t others = 1;
  int named = 0;
  for (const auto* dim : ChildrenOf<Grammar::DimContext>(dims)) {
    const SyntaxToken& token = First(dim);
    std::uint64_t size = 0;
    const char* const end = token.text.data() + token.text.size();
    if (token.type != Grammar::INT) {
      ++named;
    } else if (std::from_chars(token.text.data(), end, size).ptr == end && size < 1u << 31 && others < 1u << 31) {
      others *= size;
    }
  }
  const std::size_t elements = dense == nullptr ? 0 : CountElements(dense);
  return named != 1 || others == 0 || elements % others != 0 || elements == 0 ? "" : std::to_string(elements / others);
}

// ELEMENT '[' INT, ... ']', or ELEMENT alone for a scalar
const ElementType* BuildDims(const Grammar::TypeContext* tree, const Context* dense, Lowering& lowering,
                             onnx::TensorProto* tensor) {
  const SyntaxToken& word = First(tree);
  if (word.type != Grammar::ELEMENT) {
    lowering.Report(diag::kNotATensorType, RangeOf(tree));
    return nullptr;
  }
  const ElementType* type = FindElementType(word.text);
  tensor->set_data_type(type->code);
  lowering.Map(*tensor, word.range(), onnx::TensorProto::kDataTypeFieldNumber);
  const auto* shape = ChildOf<Grammar::ShapeContext>(tree, Grammar::RuleShape);
  if (shape == nullptr) return type;
  const auto* dims = ChildOf<Grammar::DimsContext>(shape, Grammar::RuleDims);
  if (dims == nullptr) {
    lowering.Report(diag::kTensorWithoutShape, RangeOf(shape));
    return nullptr;
  }
  std::optional<std::string> size;  // the size for a dimension with a name
  for (const auto* tree_of_dim : ChildrenOf<Grammar::DimContext>(dims)) {
    const SyntaxToken& token = First(tree_of_dim);
    std::int64_t dim = 0;
    if (token.type != Grammar::INT) {
      Diagnostic diagnostic = MakeDiagnostic(diag::kSymbolicTensorDim, token.range());
      if (!size.has_value()) size = SizeFor(dims, dense);
      if (!size->empty()) diagnostic.fix_its = {{token.range(), *size}};
      lowering.ReportMisspelt(std::move(diagnostic), {}, {});
    } else if (ReadNumber(token.text, token.range(), "a dimension", lowering, &dim)) {
      lowering.Map(*tensor, token.range(), onnx::TensorProto::kDimsFieldNumber, tensor->dims_size());
      tensor->add_dims(dim);
    }
  }
  return type;
}

// pair : key=STRING ':' val=(STRING | INT)
void BuildPair(const Grammar::PairContext* tree, Lowering& lowering, onnx::StringStringEntryProto* pair) {
  const auto& value = *static_cast<const SyntaxToken*>(tree->val);
  lowering.Map(*pair, RangeOf(tree));
  if (value.type != Grammar::STRING) {
    Diagnostic diagnostic = MakeDiagnostic(diag::kFieldValue, value.range(), "external_data", "a list of string pairs");
    diagnostic.fix_its = {{value.range(), fmt::format("\"{}\"", value.text)}};
    return lowering.ReportMisspelt(std::move(diagnostic), {}, {});
  }
  pair->set_key(Unquote(*static_cast<const SyntaxToken*>(tree->key)));
  pair->set_value(Unquote(value));
  lowering.Finish(pair);
}

// data : dense | '[' pair (',' pair)* ']'
void BuildData(const Grammar::DataContext* tree, const ElementType& type, Lowering& lowering, onnx::TensorProto* tensor,
               FieldChunks* lists) {
  if (const auto* dense = ChildOf<Grammar::DenseContext>(tree, Grammar::RuleDense)) {
    return BuildElements(dense, type, lowering, tensor, lists);
  }
  const DepthGuard guard(lowering, 1, RangeOf(tree));
  tensor->set_data_location(onnx::TensorProto::EXTERNAL);
  lowering.NoteExternalData();
  for (const auto* pair : ChildrenOf<Grammar::PairContext>(tree))
    BuildPair(pair, lowering, tensor->add_external_data());
}

}  // namespace

void BuildTensorData(const Grammar::TypeContext* type, const Grammar::DataContext* data, Lowering& lowering,
                     onnx::TensorProto* tensor, FieldChunks* lists) {
  const Context* dense = data == nullptr ? nullptr : ChildOf<Context>(data, Grammar::RuleDense);
  const ElementType* element = BuildDims(type, dense, lowering, tensor);
  if (element != nullptr && data != nullptr) BuildData(data, *element, lowering, tensor, lists);
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
      const ElementType* element = BuildDims(type, dense, lowering, tensor);
      if (element != nullptr) BuildElements(dense, *element, lowering, tensor);
      return;
    }
  }
  BuildTensorData(type, data, lowering, tensor);
}

// innerTensor : annotation* (inPlace | tensor)
void BuildTensor(const Grammar::InnerTensorContext* tree, Lowering& lowering, onnx::TensorProto* tensor) {
  Annotations annotations(tree, lowering);
  if (const auto* record = InPlace(tree)) {
    BuildRecord(record, lowering, tensor);
    return annotations.FinishRecord(tensor);
  }
  const auto* form = ChildOf<Grammar::TensorContext>(tree, Grammar::RuleTensor);
  BuildTensor(ChildOf<Grammar::TypeContext>(form, Grammar::RuleType),
              ChildOf<Grammar::TensorRestContext>(form, Grammar::RuleTensorRest), lowering, tensor);
  annotations.Finish(tensor);
}

}  // namespace onnxc::lower
