#include "build/attribute.h"

#include "build/graph.h"
#include "build/literal.h"
#include "build/tensor.h"
#include "build/type.h"
#include "syntax/explain.h"
#include "tables/attribute_types.h"

namespace onnxc {
namespace {

using Attribute = onnx::AttributeProto;

const Grammar::TensorContext* TensorOf(const Grammar::AttrItemContext* item) {
  return ChildOf<Grammar::TensorContext>(item, Grammar::RuleTensor);
}

bool HasData(const Grammar::TensorContext* tensor) { return tensor->children.size() > 1; }

// The attribute type that an item has by its form; UNDEFINED for a reference and for a word that is no value.
int TypeByForm(const Grammar::AttrItemContext* item) {
  switch (First(item).type) {
    case Grammar::INT: return Attribute::INT;
    case Grammar::FLOAT:
    case Grammar::SPECIAL: return Attribute::FLOAT;
    case Grammar::AT: return Attribute::UNDEFINED;
    default: break;
  }
  if (const auto* tensor = TensorOf(item)) return HasData(tensor) ? Attribute::TENSOR : Attribute::TYPE_PROTO;
  if (!item->children.empty()) return Attribute::GRAPH;
  return First(item).type == Grammar::STRING ? Attribute::STRING : Attribute::UNDEFINED;
}

// The type of a list whose first member is the literal or item of type `member`.
int ListOf(int member) { return FindAttributeType(member)->other; }

std::string_view Keyword(int type) { return kAttributeTypes[type].keyword; }

// An integer stands for a float too.
bool Fits(int value, int wanted) {
  return value == wanted || (value == Attribute::INT && wanted == Attribute::FLOAT);
}

void BuildTensorItem(const Grammar::TensorContext* tree, Lowering& lowering, onnx::TensorProto* tensor) {
  const Nested nested(lowering, 1, First(tree).range());
  if (!nested) return;
  BuildTensor(ChildOf<Grammar::TypeContext>(tree, Grammar::RuleType),
              ChildOf<Grammar::TensorRestContext>(tree, Grammar::RuleTensorRest), lowering, tensor);
}

void BuildTypeItem(const Grammar::TensorContext* tree, Lowering& lowering, onnx::TypeProto* type) {
  const Nested nested(lowering, 1, First(tree).range());
  if (nested) BuildType(ChildOf<Grammar::TypeContext>(tree, Grammar::RuleType), lowering, type);
}

void BuildGraphItem(const Grammar::AttrItemContext* tree, Lowering& lowering, onnx::GraphProto* graph) {
  const Nested nested(lowering, 1, First(tree).range());
  if (!nested) return;
  graph->set_name(NameOf(First(tree)));
  lowering.Map(*graph, First(tree).range(), onnx::GraphProto::kNameFieldNumber);
  lowering.Map(*graph, RangeOf(tree));
  BuildGraph(ChildOf<Grammar::GraphRestContext>(tree, Grammar::RuleGraphRest), lowering, graph);
}

// Stores an item that fits `type`, which is a type of single values.
void BuildItem(const Grammar::AttrItemContext* item, int type, Lowering& lowering, Attribute* attribute) {
  const SyntaxToken& token = First(item);
  switch (type) {
    case Attribute::INT: {
      std::int64_t value = 0;
      if (ReadNumber(token.text, token.range(), "int", lowering, &value)) attribute->set_i(value);
      return;
    }
    case Attribute::FLOAT: {
      float value = 0;
      if (ReadNumber(token.text, token.range(), "float", lowering, &value)) attribute->set_f(value);
      return;
    }
    case Attribute::STRING: return attribute->set_s(Unquote(token.text));
    case Attribute::TENSOR: return BuildTensorItem(TensorOf(item), lowering, attribute->mutable_t());
    case Attribute::TYPE_PROTO: return BuildTypeItem(TensorOf(item), lowering, attribute->mutable_tp());
    default: return BuildGraphItem(item, lowering, attribute->mutable_g());
  }
}

// The same for a member of a list of `type`, which is a type of lists.
void BuildMember(const Grammar::AttrItemContext* item, int type, Lowering& lowering, Attribute* attribute) {
  const SyntaxToken& token = First(item);
  switch (type) {
    case Attribute::INTS: {
      std::int64_t value = 0;
      if (ReadNumber(token.text, token.range(), "int", lowering, &value)) attribute->add_ints(value);
      return;
    }
    case Attribute::FLOATS: {
      float value = 0;
      if (ReadNumber(token.text, token.range(), "float", lowering, &value)) attribute->add_floats(value);
      return;
    }
    case Attribute::STRINGS: return attribute->add_strings(Unquote(token.text));
    case Attribute::TENSORS: return BuildTensorItem(TensorOf(item), lowering, attribute->add_tensors());
    case Attribute::TYPE_PROTOS: return BuildTypeItem(TensorOf(item), lowering, attribute->add_type_protos());
    default: return BuildGraphItem(item, lowering, attribute->add_graphs());
  }
}

// A bare word where a value is due: most likely a string without its quotes.
void ReportBareWord(const SyntaxToken& word, Lowering& lowering) {
  Diagnostic diagnostic =
      MakeDiagnostic(DiagnosticKind::kWrongLiteral, word.range(), "an attribute's value", Describe(word));
  lowering.ReportMisspelt(std::move(diagnostic), word.text, {});
}

void BuildList(const Grammar::AttrValueContext* tree, const AttributeType* annotation, Lowering& lowering,
               Attribute* attribute) {
  int type = annotation == nullptr ? 0 : annotation->is_list ? annotation->code : annotation->other;
  if (tree->children.empty()) {
    if (annotation == nullptr) {
      return lowering.Report(DiagnosticKind::kUntypedEmptyList, RangeOf(tree), Quoted(attribute->name()));
    }
    if (!annotation->is_list) {
      return lowering.Report(DiagnosticKind::kScalarEmptyList, RangeOf(tree), annotation->keyword);
    }
  }
  for (const auto* item : ChildrenOf<Grammar::AttrItemContext>(tree)) {
    const int form = TypeByForm(item);
    if (First(item).type == Grammar::AT) {
      lowering.Report(DiagnosticKind::kReferenceInList, RangeOf(item));
    } else if (form == Attribute::UNDEFINED) {
      ReportBareWord(First(item), lowering);
    } else if (type != 0 && !Fits(form, FindAttributeType(type)->other)) {
      lowering.Report(DiagnosticKind::kListMismatch, RangeOf(item), Keyword(type), Keyword(form));
    } else {
      if (type == 0) type = ListOf(form);
      BuildMember(item, type, lowering, attribute);
    }
  }
  if (type != 0) attribute->set_type(static_cast<Attribute::AttributeType>(type));
}

// NUMBERS, the island: a list of numbers only.
void BuildNumbers(const SyntaxToken& island, const AttributeType* annotation, Lowering& lowering, Attribute* attribute) {
  int type = IsInteger(FirstLiteral(island)) ? Attribute::INTS : Attribute::FLOATS;
  if (annotation != nullptr) {
    const int wanted = annotation->is_list ? annotation->code : annotation->other;
    if (wanted != Attribute::INTS && wanted != Attribute::FLOATS) {
      return lowering.Report(DiagnosticKind::kListMismatch, island.range(), Keyword(wanted), Keyword(ListOf(type)));
    }
    type = wanted;
  }
  attribute->set_type(static_cast<Attribute::AttributeType>(type));
  if (type == Attribute::INTS) {
    ReadIsland(island, "int", lowering, attribute->mutable_ints());
  } else {
    ReadIsland(island, "float", lowering, attribute->mutable_floats());
  }
}

void BuildScalar(const Grammar::AttrItemContext* item, const AttributeType* annotation, Lowering& lowering,
                 Attribute* attribute) {
  if (item->ref != nullptr) {
    attribute->set_ref_attr_name(NameOf(item->ref));
    lowering.Map(*attribute, RangeOf(item), Attribute::kRefAttrNameFieldNumber);
    if (annotation != nullptr) attribute->set_type(static_cast<Attribute::AttributeType>(annotation->code));
    return;
  }
  const int form = TypeByForm(item);
  if (form == Attribute::UNDEFINED) return ReportBareWord(First(item), lowering);
  if (annotation != nullptr && !Fits(form, annotation->code)) {
    return lowering.Report(DiagnosticKind::kAttributeMismatch, RangeOf(item), Quoted(attribute->name()), annotation->keyword,
                           Keyword(form));
  }
  const int type = annotation == nullptr ? form : annotation->code;
  attribute->set_type(static_cast<Attribute::AttributeType>(type));
  lowering.Map(*attribute, RangeOf(item), FindAttributeType(type)->field);
  BuildItem(item, type, lowering, attribute);
}

// The row of the word behind `:`, or null where it names none, which is reported.
const AttributeType* Annotation(const Grammar::NameContext* word, Lowering& lowering) {
  const SyntaxToken& token = First(word);
  if (token.type != Grammar::STRING) {
    if (const AttributeType* type = FindAttributeType(token.text)) return type;
  }
  std::vector<std::string_view> words;
  for (const AttributeType& type : kAttributeTypes) words.push_back(type.keyword);
  lowering.ReportMisspelt(MakeDiagnostic(DiagnosticKind::kUnknownAttributeType, token.range(), Quoted(token.text)),
                          token.text, words);
  return nullptr;
}

}  // namespace

// attrValue : NUMBERS | open='[' (attrItem (',' attrItem)*)? ']' | attrItem
// attrItem  : (INT | FLOAT | SPECIAL) | (STRING | ID) graphRest? | '@' ref=name | tensor
void BuildAttributeValue(const Grammar::NameContext* annotation, const Grammar::AttrValueContext* value, Lowering& lowering,
                         onnx::AttributeProto* attribute) {
  const AttributeType* type = annotation == nullptr ? nullptr : Annotation(annotation, lowering);
  if (annotation != nullptr && type == nullptr) return;
  if (annotation != nullptr) lowering.Map(*attribute, RangeOf(annotation), Attribute::kTypeFieldNumber);
  if (First(value).type == Grammar::NUMBERS) return BuildNumbers(First(value), type, lowering, attribute);
  if (value->open != nullptr) return BuildList(value, type, lowering, attribute);
  BuildScalar(static_cast<const Grammar::AttrItemContext*>(value->children.front()), type, lowering, attribute);
}

// attr : nm=name (':' annotation=name)? '=' attrValue
void BuildAttribute(const Grammar::AttrContext* tree, Lowering& lowering, onnx::AttributeProto* attribute) {
  lowering.Map(*attribute, RangeOf(tree));
  lowering.Map(*attribute, RangeOf(tree->nm), Attribute::kNameFieldNumber);
  attribute->set_name(NameOf(tree->nm));
  BuildAttributeValue(tree->annotation, ChildOf<Grammar::AttrValueContext>(tree, Grammar::RuleAttrValue), lowering, attribute);
}

}  // namespace onnxc
