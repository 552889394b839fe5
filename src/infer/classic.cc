// Operators of ai.onnx.ml: classifiers, encoders, and operators that prepare features. An input [C] is treated as one
// row [1, C].
#include <fmt/format.h>

#include "infer/operands.h"
#include "infer/registry.h"
#include "source/words.h"
#include "tables/element_types.h"

namespace onnxc::infer {
namespace {

/// Returns the length of a list in an attribute, or 0 if the attribute is missing.
int ListSize(const NodeContext& context, std::string_view attribute) {
  const onnx::AttributeProto* const list = context.Attribute(attribute);
  if (list == nullptr) return 0;
  return std::max({list->ints_size(), list->floats_size(), list->strings_size()});
}

/// Returns the number of rows.
Dim Rows(const NodeContext& context) {
  if (context.Rank(0) == 1) return 1;
  return context.Rank(0) == 2 ? context.Shape(0)[0] : Dim();
}

/// Returns the element type of the labels: string if an attribute with string labels is present, otherwise int64.
int LabelElement(const NodeContext& context) {
  return ListSize(context, "classlabels_strings") > 0 ? onnx::TensorProto::STRING : onnx::TensorProto::INT64;
}

/// Reports an error if one of these attributes is given twice: as a list, and as a tensor in '..._as_tensor'.
bool CheckForms(NodeContext& context, std::initializer_list<std::string_view> attributes) {
  for (const std::string_view attribute : attributes) {
    const std::string tensor = fmt::format("{}_as_tensor", attribute);
    if (context.HasAttribute(attribute) && context.HasAttribute(tensor)) {
      return FailClash(context, attribute, fmt::format("'{}'", tensor), "only one of them may be given");
    }
  }
  return true;
}

/// Returns the length of a list, given as an attribute of integers or as a tensor of one dimension. Returns nothing
/// after an error.
std::optional<std::int64_t> LengthOfAttribute(NodeContext& context, std::string_view name) {
  const onnx::AttributeProto& attribute = *context.Attribute(name);
  if (attribute.type() != onnx::AttributeProto::TENSOR) return ListSize(context, name);
  if (attribute.t().dims_size() == 1) return attribute.t().dims(0);
  FailAttribute(context, name, fmt::format("of rank {}", attribute.t().dims_size()), "a list");
  return std::nullopt;
}

bool CheckLength(NodeContext& context, std::string_view name, std::int64_t wanted) {
  const auto length = LengthOfAttribute(context, name);
  if (!length) return false;
  return *length == wanted || FailLength(context, name, *length, fmt::format("it needs {}", wanted));
}

/// Reports an error if the attributes that are present have different lengths. An empty list counts as missing.
bool CheckSameLengths(NodeContext& context, std::initializer_list<std::string_view> names) {
  std::int64_t wanted = 0;
  for (const std::string_view name : names) {
    if (!context.HasAttribute(name)) continue;
    const auto length = LengthOfAttribute(context, name);
    if (!length) return false;
    if (*length == 0) continue;
    if (wanted == 0) wanted = *length;
    if (!CheckLength(context, name, wanted)) return false;
  }
  return true;
}

/// Checks the lists of TreeEnsembleClassifier and TreeEnsembleRegressor that have one element for each tree node.
bool CheckTreeNodes(NodeContext& context) {
  return CheckSameLengths(context, {"nodes_treeids", "nodes_nodeids", "nodes_featureids", "nodes_modes", "nodes_values",
                                    "nodes_values_as_tensor", "nodes_truenodeids", "nodes_falsenodeids",
                                    "nodes_missing_value_tracks_true"});
}

std::string_view Keyword(int element) {
  const ElementType* const row = FindElementType(element);
  return row == nullptr ? "undefined" : row->keyword;
}

}  // namespace

/// Selects elements of the last axis.
void ArrayFeatureExtractor(NodeContext& context) {
  if (context.Rank(0) < 2) return;
  const std::span<Dim> result = context.NewShape(context.Rank(0));
  std::copy(context.Shape(0).begin(), context.Shape(0).end(), result.begin());
  result.back() = context.Rank(1) > 0 ? context.dims().Product(context.Shape(1)) : Dim();
  context.SetShape(0, result);
}

/// Offset and scale have either one number in total or one for each feature.
void Scaler(NodeContext& context) {
  context.CopyShape(0, 0);
  const int rank = context.Rank(0);
  const Dim features = rank == 1 || rank == 2 ? context.Shape(0).back() : Dim();
  for (const std::string_view name : {"offset", "scale"}) {
    const int size = ListSize(context, name);
    if (size <= 1 || !features.Contradicts(size)) continue;
    context.Fail(rule::kAttributeLength, Attr(name), {In(0)}, context.Describe(Attr(name)), context.name(),
                 Counted(size, "value"),
                 fmt::format("{} has {}", context.Describe(In(0)), Counted(features.number(), "feature")));
    return;
  }
}

/// The input consists of rows of features.
void Normalizer(NodeContext& context) {
  context.CopyShape(0, 0);
  if (context.Rank(0) > 2) (void)CheckRank(context, 0, 2);
}

void CastMap(NodeContext& context) {
  const std::string_view word = Choice(context, "cast_to");
  context.SetElement(0, word == "TO_STRING"  ? onnx::TensorProto::STRING
                        : word == "TO_INT64" ? onnx::TensorProto::INT64
                                             : onnx::TensorProto::FLOAT);
}

void CategoryMapper(NodeContext& context) {
  context.CopyShape(0, 0);
  const int numbers = ListSize(context, "cats_int64s");
  const int strings = ListSize(context, "cats_strings");
  for (const std::string_view attribute : {"cats_int64s", "cats_strings"}) {
    if (context.HasAttribute(attribute)) continue;
    FailAttribute(context, attribute, "missing", "given");
    return;
  }
  if (numbers != strings) {
    FailLength(context, "cats_int64s", numbers, fmt::format("'cats_strings' has {}", strings));
    return;
  }
  if (context.Element(0) == onnx::TensorProto::STRING) context.SetElement(0, onnx::TensorProto::INT64);
  if (context.Element(0) == onnx::TensorProto::INT64) context.SetElement(0, onnx::TensorProto::STRING);
}

void DictVectorizer(NodeContext& context) {
  const Type& map = context.Input(0);
  if (map.kind == Kind::kMap && map.element != nullptr) context.SetElement(0, map.element->element_type);
}

namespace {

/// The keys or the values of a LabelEncoder: their type and their number.
struct Labels {
  int element = 0;
  std::int64_t count = 0;
  std::string_view attribute;
};

/// Reads the one attribute that is present among `names`, which are all `keys_...` or all `values_...`. Returns nothing
/// after an error.
std::optional<Labels> ReadLabels(NodeContext& context, std::initializer_list<std::string_view> names) {
  Labels found;
  for (const std::string_view name : names) {
    const onnx::AttributeProto* const attribute = context.Attribute(name);
    if (attribute == nullptr) continue;
    if (!found.attribute.empty()) {
      FailClash(context, name, fmt::format("'{}'", found.attribute), "only one of them may be given");
      return std::nullopt;
    }
    found.attribute = name;
    found.count = ListSize(context, name);
    found.element = name.ends_with("strings")  ? onnx::TensorProto::STRING
                    : name.ends_with("int64s") ? onnx::TensorProto::INT64
                                               : onnx::TensorProto::FLOAT;
    if (!name.ends_with("tensor")) continue;
    found.element = attribute->t().data_type();
    if (attribute->t().dims_size() != 1) {
      FailAttribute(context, name, fmt::format("of rank {}", attribute->t().dims_size()), "a list");
      return std::nullopt;
    }
    found.count = attribute->t().dims(0);
  }
  if (!found.attribute.empty()) return found;
  FailAttribute(context, *names.begin(), "missing", "given, as a list or as a tensor");
  return std::nullopt;
}

}  // namespace

void LabelEncoder(NodeContext& context) {
  context.CopyShape(0, 0);
  if (context.op().since == 1) {
    if (context.Element(0) == onnx::TensorProto::STRING) context.SetElement(0, onnx::TensorProto::INT64);
    if (context.Element(0) == onnx::TensorProto::INT64) context.SetElement(0, onnx::TensorProto::STRING);
    return;
  }
  const auto keys = ReadLabels(context, {"keys_strings", "keys_int64s", "keys_floats", "keys_tensor"});
  const auto values =
      keys ? ReadLabels(context, {"values_strings", "values_int64s", "values_floats", "values_tensor"}) : std::nullopt;
  if (!values) return;
  if (context.Element(0) != 0 && context.Element(0) != keys->element) {
    FailClash(context, keys->attribute, "input 'X'",
              fmt::format("the keys are {}, but the input is {}", Keyword(keys->element), Keyword(context.Element(0))));
    return;
  }
  if (keys->count != values->count) {
    FailLength(context, values->attribute, static_cast<std::int64_t>(values->count),
               fmt::format("'{}' has {}", keys->attribute, keys->count));
    return;
  }
  context.SetElement(0, values->element);
  const onnx::AttributeProto* const otherwise = context.Attribute("default_tensor");
  if (otherwise == nullptr || otherwise->t().data_type() == 0) return;
  if (otherwise->t().data_type() != values->element) {
    FailAttribute(context, "default_tensor", Keyword(otherwise->t().data_type()), Keyword(values->element));
  } else if (otherwise->t().dims_size() != 1 || otherwise->t().dims(0) != 1) {
    FailAttribute(context, "default_tensor", "of another shape", "a list of one");
  }
}

/// Produces the label of each row, and a score for each class.
void LinearClassifier(NodeContext& context) {
  context.SetElement(0, LabelElement(context));
  if (context.Rank(0) != 1 && !CheckRank(context, 0, 2)) return;
  const Dim rows = Rows(context);
  const int labels = std::max(ListSize(context, "classlabels_strings"), ListSize(context, "classlabels_ints"));
  const int intercepts = ListSize(context, "intercepts");
  const int classes = intercepts == 1 && labels == 2 ? 2 : intercepts;
  context.SetShape(0, {rows});
  context.SetShape(1, {rows, classes == 0 ? Dim() : Dim(classes)});
}

void SvmClassifier(NodeContext& context) {
  context.SetElement(0, LabelElement(context));
  const Dim rows = Rows(context);
  context.SetShape(0, {rows});
  context.SetShape(1, {rows, Dim()});
}

void OneHotEncoder(NodeContext& context) {
  if (context.HasAttribute("cats_int64s") == context.HasAttribute("cats_strings")) {
    FailClash(context, "cats_int64s", "'cats_strings'", "exactly one of them must be given");
    return;
  }
  if (!context.HasRank(0)) return;
  const std::span<Dim> result = context.NewShape(context.Rank(0) + 1);
  std::copy(context.Shape(0).begin(), context.Shape(0).end(), result.begin());
  result.back() = std::max(ListSize(context, "cats_int64s"), ListSize(context, "cats_strings"));
  context.SetShape(0, result);
}

void TreeClassifier(NodeContext& context) {
  context.SetElement(0, LabelElement(context));
  if (context.op().since >= 3 &&
      !CheckForms(context, {"nodes_values", "nodes_hitrates", "class_weights", "base_values"})) {
    return;
  }
  if (!CheckTreeNodes(context) || !CheckSameLengths(context, {"class_treeids", "class_nodeids", "class_ids",
                                                              "class_weights", "class_weights_as_tensor"})) {
    return;
  }
  if (context.op().since >= 3 && !CheckRank(context, 0, 2)) return;
  const Dim rows = Rows(context);
  const int classes = std::max(ListSize(context, "classlabels_strings"), ListSize(context, "classlabels_int64s"));
  if (classes == 0 && context.op().since >= 3) {
    FailAttribute(context, "classlabels_int64s", "missing", "given, or 'classlabels_strings'");
    return;
  }
  context.SetShape(0, {rows});
  context.SetShape(1, {rows, context.op().since >= 3 ? Dim(classes) : Dim()});
}

namespace {

/// Produces a score for each row and target.
void SetTargets(NodeContext& context) {
  if (!CheckRank(context, 0, 2)) return;
  const Dim rows = context.HasRank(0) ? context.Shape(0)[0] : Dim();
  const auto targets = CountOf(context, "n_targets", 0);
  if (targets) context.SetShape(0, {rows, context.HasAttribute("n_targets") ? Dim(*targets) : Dim()});
}

}  // namespace

void TreeRegressor(NodeContext& context) {
  if (context.op().since >= 3 &&
      !CheckForms(context, {"nodes_values", "nodes_hitrates", "target_weights", "base_values"})) {
    return;
  }
  if (CheckTreeNodes(context) && CheckSameLengths(context, {"target_treeids", "target_nodeids", "target_ids",
                                                            "target_weights", "target_weights_as_tensor"})) {
    SetTargets(context);
  }
}

namespace {

/// An attribute of TreeEnsemble that has one element for each tree node.
struct PerNode {
  std::string_view attribute;
  int element;  ///< 0 means the element type of the input
};
constexpr PerNode kPerNode[] = {
    {"nodes_featureids", onnx::TensorProto::INT64},   {"nodes_hitrates", 0},
    {"nodes_modes", onnx::TensorProto::UINT8},        {"nodes_truenodeids", onnx::TensorProto::INT64},
    {"nodes_falsenodeids", onnx::TensorProto::INT64}, {"nodes_trueleafs", onnx::TensorProto::INT64},
    {"nodes_falseleafs", onnx::TensorProto::INT64},   {"nodes_missing_value_tracks_true", onnx::TensorProto::INT64},
};

/// Reports an error if the attribute contains a tensor whose element type differs from that of the input.
bool CheckElement(NodeContext& context, std::string_view name) {
  const onnx::AttributeProto* const attribute = context.Attribute(name);
  if (attribute == nullptr || context.Element(0) == 0 || attribute->t().data_type() == context.Element(0)) return true;
  return FailAttribute(context, name, Keyword(attribute->t().data_type()),
                       fmt::format("{}, as the input", Keyword(context.Element(0))));
}

}  // namespace

void TreeEnsemble(NodeContext& context) {
  for (const std::string_view name : {"nodes_splits", "leaf_weights", "leaf_targetids"}) {
    if (context.HasAttribute(name)) continue;
    FailAttribute(context, name, "missing", "given");
    return;
  }
  if (!CheckElement(context, "nodes_splits") || !CheckElement(context, "leaf_weights") ||
      !CheckElement(context, "membership_values")) {
    return;
  }
  const auto nodes = LengthOfAttribute(context, "nodes_splits");
  const auto leaves = nodes ? LengthOfAttribute(context, "leaf_weights") : std::nullopt;
  if (!leaves || !CheckLength(context, "leaf_targetids", *leaves)) return;
  for (const PerNode& row : kPerNode) {
    const onnx::AttributeProto* const attribute = context.Attribute(row.attribute);
    if (attribute == nullptr) continue;
    if (!CheckLength(context, row.attribute, *nodes)) return;
    const int element = attribute->type() == onnx::AttributeProto::TENSOR ? attribute->t().data_type() : row.element;
    if (row.element == 0 || element == row.element) continue;
    FailAttribute(context, row.attribute, Keyword(element), Keyword(row.element));
    return;
  }
  SetTargets(context);
}

/// Produces, for each row, a map from each class to its score.
void ZipMap(NodeContext& context) {
  if (context.Rank(0) != 1 && context.Rank(0) >= 0 && !CheckRank(context, 0, 2)) return;
  const int key = ListSize(context, "classlabels_int64s") > 0    ? onnx::TensorProto::INT64
                  : ListSize(context, "classlabels_strings") > 0 ? onnx::TensorProto::STRING
                                                                 : 0;
  Memory& memory = context.dims();
  const Type score{.kind = Kind::kTensor, .has_rank = true, .element_type = onnx::TensorProto::FLOAT};
  const Type map{.kind = Kind::kMap, .element_type = key, .element = memory.Keep(score)};
  context.SetOutput(0, {.kind = Kind::kSequence, .element = memory.Keep(map)});
}

/// Produces a score for each row and target.
void Regressor(NodeContext& context) {
  const Dim rows = Rows(context);
  const bool is_linear = context.name() == "LinearRegressor";
  const auto targets = is_linear ? CountOf(context, "targets", 1) : 1;
  if (targets) context.SetShape(0, {rows, *targets});
}

/// Concatenates the features of all inputs.
void FeatureVectorizer(NodeContext& context) {
  const Dim rows = Rows(context);
  Dim features = 0;
  if (const auto sizes = context.Ints("inputdimensions")) {
    for (const std::int64_t size : *sizes) features = context.dims().Add(features, size);
  } else {
    features = {};
  }
  context.SetShape(0, {rows, features});
}

}  // namespace onnxc::infer
