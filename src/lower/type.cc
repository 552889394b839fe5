#include "lower/type.h"

#include "lower/annotation.h"
#include "lower/field.h"
#include "lower/literal.h"
#include "tables/element_types.h"

namespace onnxc::lower {
namespace {

// Builds '?', INT or a name.
void BuildDim(const SyntaxToken& token, Lowering& lowering, onnx::TensorShapeProto::Dimension* dim) {
  if (token.type == Grammar::QUESTION) return;
  if (token.type != Grammar::INT) return dim->set_dim_param(NameOf(token));
  std::int64_t value = 0;
  if (ReadNumber(token.text, token.range(), "a dimension", lowering, &value)) dim->set_dim_value(value);
}

// dim : annotation* (inPlace | '?' | INT | ID | STRING | keyword)
void BuildDim(const Grammar::DimContext* tree, Lowering& lowering, onnx::TensorShapeProto::Dimension* dim) {
  lowering.Map(*dim, RangeOf(tree));
  // The token of the dimension itself is the last one.
  const auto& token = *static_cast<const SyntaxToken*>(tree->stop);
  if (!tree->children.empty()) {
    Annotations annotations(tree, lowering);
    if (const auto* record = InPlace(tree)) {
      BuildRecord(record, lowering, dim);
      return annotations.FinishRecord(dim);
    }
    BuildDim(token, lowering, dim);
    return annotations.Finish(dim);
  }
  BuildDim(token, lowering, dim);
}

// Builds a tensor type from an element type and, if not null, a shape: `float` is a scalar, `float[]` has an unknown
// rank.
template <typename TensorType>
void BuildTensorType(const SyntaxToken& element, const Grammar::ShapeContext* shape, Lowering& lowering,
                     TensorType* type) {
  if (const ElementType* row = FindElementType(element.text)) type->set_elem_type(row->code);
  lowering.Map(*type, element.range(), TensorType::kElemTypeFieldNumber);
  const auto* dims = shape == nullptr ? nullptr : ChildOf<Grammar::DimsContext>(shape, Grammar::RuleDims);
  if (shape != nullptr && dims == nullptr) return;
  const DepthGuard guard(lowering, 1, element.range());
  if (!guard) return;
  lowering.Map(*type->mutable_shape(), shape == nullptr ? element.range() : RangeOf(shape));
  BuildShape(dims, lowering, type->mutable_shape());
}

// Returns the token if the word is an element type. Otherwise reports an error and returns null.
const SyntaxToken* ElementWord(const Grammar::NameContext* word, std::string_view role, Lowering& lowering) {
  const SyntaxToken& token = First(word);
  if (token.type == Grammar::ELEMENT) return &token;
  std::vector<std::string_view> words;
  for (const ElementType& row : kElementTypes) words.push_back(row.keyword);
  lowering.ReportMisspelt(MakeDiagnostic(diag::kElementTypeOnly, token.range(), role, Quoted(token.text)), token.text,
                          words);
  return nullptr;
}

// opaque : name ('.' name)* (',' name)?
// If a second name follows, the dotted name is the domain.
void BuildOpaque(const Grammar::OpaqueContext* tree, onnx::TypeProto::Opaque* opaque) {
  std::string first;
  for (const SyntaxToken& token : TokensOf(tree)) {
    if (token.type == Grammar::COMMA) {
      opaque->set_domain(first);
      first.clear();
    } else {
      first += token.type == Grammar::DOT ? "." : NameOf(token);
    }
  }
  opaque->set_name(first);
}

}  // namespace

// dims : dim (',' dim)*
void BuildShape(const Grammar::DimsContext* dims, Lowering& lowering, onnx::TensorShapeProto* shape) {
  if (dims == nullptr) return;
  const DepthGuard guard(lowering, 1, First(dims).range());
  if (!guard) return;
  for (const auto* dim : ChildrenOf<Grammar::DimContext>(dims)) BuildDim(dim, lowering, shape->add_dim());
}

// innerType : annotation* (inPlace | type)
void BuildType(const Grammar::InnerTypeContext* tree, Lowering& lowering, onnx::TypeProto* type) {
  Annotations annotations(tree, lowering);
  if (const auto* record = InPlace(tree)) {
    BuildRecord(record, lowering, type);
    return annotations.FinishRecord(type);
  }
  BuildType(ChildOf<Grammar::TypeContext>(tree, Grammar::RuleType), lowering, type);
  annotations.Finish(type);
}

// type : ELEMENT shape?
//      | (SEQ | OPTIONAL) '(' innerType ')'
//      | MAP '(' key=name ',' innerType ')'
//      | SPARSE_TENSOR '(' key=name shape? ')'
//      | OPAQUE '(' opaque? ')'
void BuildType(const Grammar::TypeContext* tree, Lowering& lowering, onnx::TypeProto* type) {
  lowering.Map(*type, RangeOf(tree));
  const DepthGuard inside(lowering, 1, First(tree).range());
  if (!inside) return;
  const auto build_inner = [&](onnx::TypeProto* inner) {
    const DepthGuard guard(lowering, 1, First(tree).range());
    if (guard) BuildType(ChildOf<Grammar::InnerTypeContext>(tree, Grammar::RuleInnerType), lowering, inner);
  };
  const auto* shape = ChildOf<Grammar::ShapeContext>(tree, Grammar::RuleShape);
  const SyntaxToken& word = First(tree);
  switch (word.type) {
    case Grammar::ELEMENT: return BuildTensorType(word, shape, lowering, type->mutable_tensor_type());
    case Grammar::SEQ: return build_inner(type->mutable_sequence_type()->mutable_elem_type());
    case Grammar::OPTIONAL: return build_inner(type->mutable_optional_type()->mutable_elem_type());
    case Grammar::MAP:
      if (const SyntaxToken* key = ElementWord(tree->key, "map key", lowering)) {
        type->mutable_map_type()->set_key_type(FindElementType(key->text)->code);
      }
      return build_inner(type->mutable_map_type()->mutable_value_type());
    case Grammar::SPARSE_TENSOR:
      if (const SyntaxToken* element = ElementWord(tree->key, "sparse tensor's element", lowering)) {
        BuildTensorType(*element, shape, lowering, type->mutable_sparse_tensor_type());
      }
      return;
    default:
      type->mutable_opaque_type();
      if (const auto* names = ChildOf<Grammar::OpaqueContext>(tree, Grammar::RuleOpaque)) {
        BuildOpaque(names, type->mutable_opaque_type());
      }
  }
}

}  // namespace onnxc::lower
