#include "lower/attribute.h"

#include <fmt/format.h>

#include "lower/annotation.h"
#include "lower/field.h"
#include "lower/graph.h"
#include "lower/list_token.h"
#include "lower/literal.h"
#include "lower/sparse_tensor.h"
#include "lower/tensor.h"
#include "lower/type.h"
#include "syntax/syntax_errors.h"
#include "tables/attribute_types.h"
#include "tables/element_types.h"
#include "tables/foreign_words.h"
#include "tables/signatures.h"

namespace onnxc::lower {
namespace {

using Attribute = onnx::AttributeProto;

const Grammar::TensorContext* TensorOf(const Grammar::AttrItemContext* item) {
  return ChildOf<Grammar::TensorContext>(item, Grammar::RuleTensor);
}

const Grammar::TypeContext* TypeOf(const Grammar::TensorContext* tensor) {
  return ChildOf<Grammar::TypeContext>(tensor, Grammar::RuleType);
}

const Grammar::TensorRestContext* RestOf(const Grammar::TensorContext* tensor) {
  return ChildOf<Grammar::TensorRestContext>(tensor, Grammar::RuleTensorRest);
}

// Returns the token that names a graph. If there are annotations, it is not the first token of the item.
const SyntaxToken& NameOfGraph(const Grammar::AttrItemContext* item) {
  return item->nm == nullptr ? First(item) : *static_cast<const SyntaxToken*>(item->nm);
}

bool IsReference(const Grammar::AttrItemContext* item) {
  return First(item).type == Grammar::AT && ChildOf<Context>(item, Grammar::RuleFieldValue) == nullptr;
}

// Returns the attribute type that the form of an item implies. Returns UNDEFINED for a reference, a record, and a word
// that is not a value.
int TypeByForm(const Grammar::AttrItemContext* item) {
  const SyntaxToken& first = First(item);
  if (const auto* tensor = TensorOf(item)) {
    if (RestOf(tensor) == nullptr) return Attribute::TYPE_PROTO;
    return First(tensor).type == Grammar::SPARSE_TENSOR ? Attribute::SPARSE_TENSOR : Attribute::TENSOR;
  }
  if (ChildOf<Context>(item, Grammar::RuleGraphRest) != nullptr) return Attribute::GRAPH;
  switch (first.type) {
    case Grammar::INT: return Attribute::INT;
    case Grammar::FLOAT:
    case Grammar::SPECIAL: return Attribute::FLOAT;
    case Grammar::STRING: return Attribute::STRING;
    case Grammar::ID: return IsNanBits(first.text) ? Attribute::FLOAT : Attribute::UNDEFINED;
    default: return Attribute::UNDEFINED;
  }
}

// Returns the type of a list whose first member has the type `member`.
int ListOf(int member) { return FindAttributeType(member)->other; }

std::string_view Keyword(int type) { return kAttributeTypes[type].keyword; }

// Returns whether a value fits the wanted type. An integer may also be used as a float.
bool Fits(int value, int wanted) { return value == wanted || (value == Attribute::INT && wanted == Attribute::FLOAT); }

void BuildBody(const Grammar::AttrItemContext* item, Lowering& lowering, onnx::TensorProto* tensor) {
  BuildTensor(TypeOf(TensorOf(item)), RestOf(TensorOf(item)), lowering, tensor);
}
void BuildBody(const Grammar::AttrItemContext* item, Lowering& lowering, onnx::SparseTensorProto* tensor) {
  BuildSparseTensor(TensorOf(item), lowering, tensor);
}
void BuildBody(const Grammar::AttrItemContext* item, Lowering& lowering, onnx::TypeProto* type) {
  BuildType(TypeOf(TensorOf(item)), lowering, type);
}
void BuildBody(const Grammar::AttrItemContext* item, Lowering& lowering, onnx::GraphProto* graph) {
  ReadName(NameOfGraph(item), graph->mutable_name());
  lowering.Map(*graph, NameOfGraph(item).range(), onnx::GraphProto::kNameFieldNumber);
  BuildGraph(ChildOf<Grammar::GraphRestContext>(item, Grammar::RuleGraphRest), lowering, graph);
}

// Builds an item that is a message, including its annotations. The item may be written as a record.
template <typename Message>
void BuildMessage(const Grammar::AttrItemContext* item, Lowering& lowering, Message* message) {
  const DepthGuard guard(lowering, 1, First(item).range());
  if (!guard) return;
  lowering.Map(*message, RangeOf(item));
  if (const auto* record = InPlace(item)) return BuildRecord(record, lowering, message);
  Annotations annotations(item, lowering);
  BuildBody(item, lowering, message);
  annotations.Finish(message);
}

bool IsMessage(int type) { return FindAttributeType(type) != nullptr && FindAttributeType(type)->is_message; }

// Stores an item that fits `type`: as the value, or as a member of the list if `type` is a list type.
void BuildItem(const Grammar::AttrItemContext* item, int type, Lowering& lowering, Attribute* attribute) {
  const SyntaxToken& token = First(item);
  const auto number = [&](std::string_view word, auto value, const auto& store) {
    if (ReadNumber(token.text, token.range(), word, lowering, &value)) store(value);
  };
  const auto set_f = [&](float value) { attribute->set_f(value); };
  const auto set_i = [&](std::int64_t value) { attribute->set_i(value); };
  const auto add_float = [&](float value) { attribute->add_floats(value); };
  const auto add_int = [&](std::int64_t value) { attribute->add_ints(value); };
  switch (static_cast<AttributeKind>(type)) {
    case AttributeKind::kFloat: return number("float", 0.0F, set_f);
    case AttributeKind::kInt: return number("int", std::int64_t{0}, set_i);
    case AttributeKind::kString: return Unquote(token, attribute->mutable_s());
    case AttributeKind::kTensor: return BuildMessage(item, lowering, attribute->mutable_t());
    case AttributeKind::kGraph: return BuildMessage(item, lowering, attribute->mutable_g());
    case AttributeKind::kSparseTensor: return BuildMessage(item, lowering, attribute->mutable_sparse_tensor());
    case AttributeKind::kTypeProto: return BuildMessage(item, lowering, attribute->mutable_tp());
    case AttributeKind::kFloats: return number("float", 0.0F, add_float);
    case AttributeKind::kInts: return number("int", std::int64_t{0}, add_int);
    case AttributeKind::kStrings: return Unquote(token, attribute->add_strings());
    case AttributeKind::kTensors: return BuildMessage(item, lowering, attribute->add_tensors());
    case AttributeKind::kGraphs: return BuildMessage(item, lowering, attribute->add_graphs());
    case AttributeKind::kSparseTensors: return BuildMessage(item, lowering, attribute->add_sparse_tensors());
    case AttributeKind::kTypeProtos: return BuildMessage(item, lowering, attribute->add_type_protos());
  }
}

// Returns the list type for an attribute with the type `wanted` after `:`. This is `wanted` itself if it is a list
// type, and otherwise the type of lists of `wanted`.
int ListTypeOf(const AttributeType& wanted) { return wanted.is_list ? wanted.code : wanted.other; }

// Returns the attribute type that fits an element type, for example "int" for the foreign word `long`. Returns "" for
// other words.
std::string_view AttributeTypeFor(std::string_view word) {
  const ElementType* const type = FindElementType(CodeOfElementType(word));
  if (type == nullptr) return "";
  switch (type->literal) {
    case Literal::kInteger: return "int";
    case Literal::kFloat:
    case Literal::kBits: return "float";
    case Literal::kString: return "string";
    default: return "";
  }
}

// Returns whether an attribute of this name is a graph in some operator.
bool IsGraph(std::string_view attribute) {
  return std::ranges::any_of(kOperatorAttributes, [&](const OperatorAttribute& formal) {
    return formal.type == Attribute::GRAPH && Word(formal) == attribute;
  });
}

// Reports a word without quotes as a value. It may be a constant of another language, the name of an element type in
// place of its number, a reference without `@`, or a string without quotes.
void ReportBareWord(const Grammar::AttrItemContext* item, std::string_view attribute, const AttributeType* wanted,
                    Lowering& lowering) {
  const SyntaxToken& word = First(item);
  if (!lowering.is_reporting()) return lowering.Report(diag::kWrongLiteral, word.range(), "", "");
  Diagnostic diagnostic = MakeDiagnostic(diag::kWrongLiteral, word.range(), "an attribute's value", Describe(word));
  const std::optional<std::string_view> constant = ConstantOf(word.text);
  const int code = CodeOfElementType(word.text);
  if (constant && !constant->empty()) {
    diagnostic.message += fmt::format("; write {}", *constant);
    diagnostic.fix_its = {{word.range(), std::string(*constant)}};
  } else if (constant) {
    diagnostic.message += "; leave out an attribute without a value";
  } else if (code != 0 && IsOfElementType(attribute)) {
    diagnostic.message += fmt::format("; an element type must be a number here, {} is {}", Quoted(word.text), code);
    diagnostic.fix_its = {{word.range(), std::to_string(code)}};
  } else if (IsGraph(attribute)) {
    diagnostic.message += fmt::format("; write the graph itself here: '{} () => (float y) {{...}}'", word.text);
  } else if (word.type == Grammar::ID &&
             ((wanted != nullptr && ListTypeOf(*wanted) != Attribute::STRINGS) || lowering.IsFormal(word.text))) {
    diagnostic.message += fmt::format("; an attribute of the enclosing function is '@{}'", word.text);
    diagnostic.fix_its = {{{word.begin, word.begin}, "@"}};
  } else if (word.type == Grammar::ID) {
    diagnostic.message += "; strings must be in double quotes";
    diagnostic.fix_its = {{word.range(), fmt::format("\"{}\"", word.text)}};
  }
  lowering.ReportMember(std::move(diagnostic), "a bare word");
}

void BuildList(const Grammar::AttrValueContext* tree, const AttributeType* wanted_type, Lowering& lowering,
               Attribute* attribute) {
  const ListScope members(lowering);
  int type = wanted_type == nullptr ? 0 : ListTypeOf(*wanted_type);
  if (tree->children.empty()) {
    if (wanted_type == nullptr) {
      return lowering.Report(diag::kUntypedEmptyList, RangeOf(tree), Quoted(attribute->name()));
    }
    if (!wanted_type->is_list) {
      return lowering.Report(diag::kScalarEmptyList, RangeOf(tree), wanted_type->keyword);
    }
  }
  for (const auto* item : ChildrenOf<Grammar::AttrItemContext>(tree)) {
    const int member = type == 0 ? 0 : FindAttributeType(type)->other;
    const int form = InPlace(item) != nullptr && IsMessage(member) ? member : TypeByForm(item);
    if (IsReference(item)) {
      lowering.ReportMember(MakeDiagnostic(diag::kReferenceInList, RangeOf(item)), "a reference");
    } else if (form == Attribute::UNDEFINED) {
      ReportBareWord(item, attribute->name(), nullptr, lowering);
    } else if (type != 0 && !Fits(form, member)) {
      lowering.Report(diag::kListMismatch, RangeOf(item), Keyword(type), Keyword(form));
    } else {
      if (type == 0) type = ListOf(form);
      BuildItem(item, type, lowering, attribute);
    }
  }
  if (type == 0) return;
  attribute->set_type(static_cast<Attribute::AttributeType>(type));
  lowering.Map(*attribute, {First(tree).begin, RangeOf(tree).end}, FindAttributeType(type)->field);
}

// Builds the attribute from a STRINGS token, which is a complete list of strings.
void BuildStrings(const SyntaxToken& list, const AttributeType* wanted_type, Lowering& lowering, Attribute* attribute) {
  if (wanted_type != nullptr && ListTypeOf(*wanted_type) != Attribute::STRINGS) {
    return lowering.Report(diag::kListMismatch, list.range(), wanted_type->keyword, "string");
  }
  attribute->set_type(Attribute::STRINGS);
  lowering.Map(*attribute, list.range(), Attribute::kStringsFieldNumber);
  ForEachString(list, [&](const SyntaxToken& string) { Unquote(string, attribute->add_strings()); });
}

// Builds the attribute from a NUMBERS token, which is a complete list of numbers.
void BuildNumbers(const SyntaxToken& list, const AttributeType* wanted_type, Lowering& lowering, Attribute* attribute) {
  int type = IsInteger(FirstLiteral(list)) ? Attribute::INTS : Attribute::FLOATS;
  if (wanted_type != nullptr) {
    const int wanted = ListTypeOf(*wanted_type);
    if (wanted != Attribute::INTS && wanted != Attribute::FLOATS) {
      return lowering.Report(diag::kListMismatch, list.range(), Keyword(wanted), Keyword(ListOf(type)));
    }
    type = wanted;
  }
  attribute->set_type(static_cast<Attribute::AttributeType>(type));
  lowering.Map(*attribute, list.range(), FindAttributeType(type)->field);
  if (type == Attribute::INTS) {
    ReadListToken(list, "int", lowering, attribute->mutable_ints());
  } else {
    ReadListToken(list, "float", lowering, attribute->mutable_floats());
  }
}

// Returns the closest enclosing tree of this rule, or null if there is none.
const Context* Around(const antlr4::tree::ParseTree* tree, std::size_t rule) {
  for (; tree != nullptr; tree = tree->parent) {
    const auto* const context = dynamic_cast<const Context*>(tree);
    if (context != nullptr && context->getRuleIndex() == rule) return context;
  }
  return nullptr;
}

// Adds a correction of the word after `:` to the finding, as for `axis: ints = 0`, if the value has the type that the
// operator requires.
void CorrectTypeWord(const Grammar::AttrItemContext* item, std::string_view attribute, int form, Diagnostic* finding) {
  const auto* const attr = static_cast<const Grammar::AttrContext*>(Around(item, Grammar::RuleAttr));
  const auto* const node = static_cast<const Grammar::NodeContext*>(Around(attr, Grammar::RuleNode));
  const auto* const op = node == nullptr ? nullptr : ChildOf<Grammar::OpContext>(node, Grammar::RuleOp);
  if (op == nullptr || attr->kind == nullptr || op->start != op->stop) return;
  int type = 0;
  for (const Operator& version : FindVersions(FindDomain(""), NameOf(First(op)))) {
    for (const OperatorAttribute& formal : Attributes(version)) {
      if (Word(formal) != attribute) continue;
      if (type != 0 && type != formal.type) return;
      type = formal.type;
    }
  }
  if (type != form) return;
  finding->message += fmt::format("; {} needs the type {}", NameOf(First(op)), Keyword(form));
  finding->fix_its = {{static_cast<const SyntaxToken*>(attr->kind)->range(), std::string(Keyword(form))}};
}

void BuildScalar(const Grammar::AttrItemContext* item, const AttributeType* wanted_type, Lowering& lowering,
                 Attribute* attribute) {
  if (IsReference(item)) {
    const auto* path = ChildOf<Context>(item, Grammar::RulePath);
    if (path->start != path->stop) {
      return lowering.Report(diag::kUnexpectedToken, RangeOf(path), "the name of an attribute", "a path");
    }
    attribute->set_ref_attr_name(NameOf(First(path)));
    lowering.Map(*attribute, RangeOf(item), Attribute::kRefAttrNameFieldNumber);
    if (wanted_type != nullptr) attribute->set_type(static_cast<Attribute::AttributeType>(wanted_type->code));
    return;
  }
  const bool is_record = InPlace(item) != nullptr && wanted_type != nullptr && IsMessage(wanted_type->code);
  const int form = is_record ? wanted_type->code : TypeByForm(item);
  if (form == Attribute::UNDEFINED) return ReportBareWord(item, attribute->name(), wanted_type, lowering);
  if (wanted_type != nullptr && !Fits(form, wanted_type->code)) {
    Diagnostic finding = MakeDiagnostic(diag::kAttributeMismatch, RangeOf(item), Quoted(attribute->name()),
                                        wanted_type->keyword, Keyword(form));
    if (lowering.is_reporting()) CorrectTypeWord(item, attribute->name(), form, &finding);
    return lowering.ReportMember(std::move(finding), "another type");
  }
  const int type = wanted_type == nullptr ? form : wanted_type->code;
  attribute->set_type(static_cast<Attribute::AttributeType>(type));
  lowering.Map(*attribute, RangeOf(item), FindAttributeType(type)->field);
  BuildItem(item, type, lowering, attribute);
}

// Returns the row for the type after `:`. If the word is not an attribute type, reports this and returns null.
const AttributeType* TypeByWord(const SyntaxToken& token, Lowering& lowering) {
  if (token.type != Grammar::STRING) {
    if (const AttributeType* type = FindAttributeType(token.text)) return type;
  }
  std::vector<std::string_view> words;
  for (const AttributeType& type : kAttributeTypes) {
    if (type.code != 0) words.push_back(type.keyword);
  }
  Diagnostic diagnostic = MakeDiagnostic(diag::kUnknownAttributeType, token.range(), Quoted(token.text));
  if (const std::string_view word = AttributeTypeFor(token.text); !word.empty()) {  // `alpha: double = ...`
    diagnostic.message += fmt::format("; the attribute type for such values is '{}'", word);
    diagnostic.fix_its = {{token.range(), std::string(word)}};
    words.clear();
  }
  lowering.ReportMisspelt(std::move(diagnostic), token.text, words);
  return nullptr;
}

}  // namespace

// attrValue : NUMBERS | STRINGS | open='[' (attrItem (',' attrItem)*)? ']' | attrItem
// attrItem  : (INT | FLOAT | SPECIAL) | (STRING | ID) graphRest? | inPlace | tensor
//           | '@' path (fieldValue annotation* (tensor | (STRING | ID) graphRest))?
void BuildAttributeValue(const SyntaxToken* kind, const Grammar::AttrValueContext* value, Lowering& lowering,
                         onnx::AttributeProto* attribute) {
  const AttributeType* type = kind == nullptr ? nullptr : TypeByWord(*kind, lowering);
  if (kind != nullptr && type == nullptr) return;
  if (kind != nullptr) lowering.Map(*attribute, kind->range(), Attribute::kTypeFieldNumber);
  if (First(value).type == Grammar::NUMBERS) return BuildNumbers(First(value), type, lowering, attribute);
  if (First(value).type == Grammar::STRINGS) return BuildStrings(First(value), type, lowering, attribute);
  if (value->open != nullptr) return BuildList(value, type, lowering, attribute);
  BuildScalar(static_cast<const Grammar::AttrItemContext*>(value->children.front()), type, lowering, attribute);
}

// attr : annotation* (inPlace | nm=name (':' kind=name)? '=' attrValue)
// The names are tokens.
void BuildAttribute(const Grammar::AttrContext* tree, Lowering& lowering, onnx::AttributeProto* attribute) {
  lowering.Map(*attribute, RangeOf(tree));
  Annotations annotations(tree, lowering);
  if (const auto* record = InPlace(tree)) {
    BuildRecord(record, lowering, attribute);
    return annotations.FinishRecord(attribute);
  }
  const SyntaxToken& name = *static_cast<const SyntaxToken*>(tree->nm);
  lowering.Map(*attribute, name.range(), Attribute::kNameFieldNumber);
  ReadName(name, attribute->mutable_name());
  BuildAttributeValue(static_cast<const SyntaxToken*>(tree->kind),
                      ChildOf<Grammar::AttrValueContext>(tree, Grammar::RuleAttrValue), lowering, attribute);
  annotations.Finish(attribute);
}

}  // namespace onnxc::lower
