#include "tables/choices.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "tables/declared_operator.h"
#include "tables/signatures.h"

namespace onnxc {
namespace {

constexpr std::string_view kStandard;
constexpr std::string_view kMl = "ai.onnx.ml";
constexpr std::string_view kTraining = "ai.onnx.preview.training";
constexpr std::string_view kRuntime = "com.microsoft";

template <typename... Words>
constexpr std::array<std::string_view, 8> List(Words... words) {
  return {words...};
}

struct Row {
  std::string_view domain;
  std::array<std::string_view, 8> operators;
  std::string_view attribute;
  int since;  ///< the first version of the operators that accepts these words
  std::array<std::string_view, 8> words;
};

constexpr auto kAutoPad = List("NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID");
constexpr auto kTransform = List("NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT");
constexpr auto kActivation = List("relu", "gelu", "silu", "swiglu", "identity");
constexpr auto kCache = List("NONE", "PER_TENSOR", "PER_CHANNEL");
constexpr auto kConvolution = List("none", "silu", "swish");
constexpr auto kUpdate = List("gated_delta", "linear", "gated", "delta");
constexpr auto kKernel = List("LINEAR", "POLY", "RBF", "SIGMOID");

/// The rows of one attribute are sorted by `since`, the newest first. The words are those of the operators'
/// documentation.
constexpr Row kRows[] = {
    {kStandard, List("AveragePool", "Conv", "ConvInteger", "ConvTranspose"), "auto_pad", 1, kAutoPad},
    {kStandard, List("LpPool", "MaxPool", "QLinearConv"), "auto_pad", 1, kAutoPad},
    {kStandard, List("BitShift"), "direction", 1, List("LEFT", "RIGHT")},
    {kStandard, List("Cast", "CastLike"), "round_mode", 1, List("up", "down", "nearest")},
    {kStandard, List("CausalConvWithState"), "activation", 1, List("none", "silu", "swish")},
    {kStandard, List("DepthToSpace", "SpaceToDepth"), "mode", 1, List("DCR", "CRD")},
    {kStandard, List("GRU", "LSTM", "RNN"), "direction", 1, List("forward", "reverse", "bidirectional")},
    {kStandard, List("Gelu"), "approximate", 1, List("none", "tanh")},
    {kStandard, List("GridSample"), "mode", 20, List("linear", "nearest", "cubic")},
    {kStandard, List("GridSample"), "mode", 1, List("bilinear", "nearest", "bicubic")},
    {kStandard, List("GridSample"), "padding_mode", 1, List("zeros", "border", "reflection")},
    {kStandard, List("ImageDecoder"), "pixel_format", 1, List("RGB", "BGR", "Grayscale")},
    {kStandard, List("LinearAttention"), "update_rule", 1, List("gated_delta", "linear", "gated", "delta")},
    {kStandard, List("NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss"), "reduction", 1,
     List("mean", "none", "sum")},
    {kStandard, List("Pad"), "mode", 19, List("constant", "reflect", "edge", "wrap")},
    {kStandard, List("Pad"), "mode", 1, List("constant", "reflect", "edge")},
    {kStandard, List("Resize"), "coordinate_transformation_mode", 19,
     List("half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric",
          "tf_crop_and_resize")},
    {kStandard, List("Resize"), "coordinate_transformation_mode", 13,
     List("half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_crop_and_resize")},
    {kStandard, List("Resize"), "coordinate_transformation_mode", 1,
     List("half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_half_pixel_for_nn",
          "tf_crop_and_resize")},
    {kStandard, List("Resize"), "keep_aspect_ratio_policy", 1, List("stretch", "not_larger", "not_smaller")},
    {kStandard, List("Resize"), "mode", 11, List("nearest", "linear", "cubic")},
    {kStandard, List("Resize"), "mode", 1, List("nearest", "linear")},
    {kStandard, List("Resize"), "nearest_mode", 1, List("round_prefer_floor", "round_prefer_ceil", "floor", "ceil")},
    {kStandard, List("RoiAlign"), "coordinate_transformation_mode", 1, List("half_pixel", "output_half_pixel")},
    {kStandard, List("RoiAlign"), "mode", 1, List("avg", "max")},
    {kStandard, List("ScatterElements", "ScatterND"), "reduction", 18, List("none", "add", "mul", "max", "min")},
    {kStandard, List("ScatterElements", "ScatterND"), "reduction", 1, List("none", "add", "mul")},
    {kStandard, List("StringNormalizer"), "case_change_action", 1, List("NONE", "LOWER", "UPPER")},
    {kStandard, List("TensorScatter"), "mode", 1, List("linear", "circular")},
    {kStandard, List("TfIdfVectorizer"), "mode", 1, List("TF", "IDF", "TFIDF")},
    {kStandard, List("Upsample"), "mode", 7, List("nearest", "linear")},
    {kStandard, List("Upsample"), "mode", 1, List("nearest", "bilinear")},
    {kMl, List("CastMap"), "cast_to", 1, List("TO_FLOAT", "TO_INT64", "TO_STRING")},
    {kMl, List("CastMap"), "map_form", 1, List("DENSE", "SPARSE")},
    {kMl, List("LinearClassifier", "LinearRegressor", "SVMClassifier", "SVMRegressor"), "post_transform", 1,
     kTransform},
    {kMl, List("TreeEnsembleClassifier", "TreeEnsembleRegressor"), "post_transform", 1, kTransform},
    {kMl, List("Normalizer"), "norm", 1, List("MAX", "L1", "L2")},
    {kMl, List("SVMClassifier", "SVMRegressor"), "kernel_type", 1, kKernel},
    {kMl, List("TreeEnsembleClassifier", "TreeEnsembleRegressor"), "nodes_modes", 1,
     List("BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ", "LEAF")},
    {kMl, List("TreeEnsembleRegressor"), "aggregate_function", 1, List("SUM", "AVERAGE", "MIN", "MAX")},
    {kTraining, List("Momentum"), "mode", 1, List("nesterov", "standard")},
    {kRuntime, List("AttnLSTM", "DynamicQuantizeLSTM"), "direction", 1, List("forward", "reverse", "bidirectional")},
    {kRuntime, List("CDist"), "metric", 1, List("sqeuclidean", "euclidean")},
    {kRuntime, List("CausalConvWithState", "VarlenCausalConvWithState"), "activation", 1, kConvolution},
    {kRuntime, List("ConvTransposeWithDynamicPads", "FusedConv", "MaxpoolWithMask", "NhwcConv"), "auto_pad", 1,
     kAutoPad},
    {kRuntime, List("NhwcFusedConv", "NhwcMaxPool", "QLinearAveragePool", "QLinearConv"), "auto_pad", 1, kAutoPad},
    {kRuntime, List("CropAndResize"), "mode", 1, List("bilinear", "nearest")},
    {kRuntime, List("DynamicSparseAttention", "SparsePagedAttention"), "attention_mode", 1,
     List("selected_only", "local_plus_selected")},
    {kRuntime, List("DynamicSparseAttention", "SparsePagedAttention"), "selected_kv_source", 1,
     List("main", "auxiliary")},
    {kRuntime, List("GatedDeltaNet"), "beta_activation", 1, List("none", "sigmoid")},
    {kRuntime, List("GatedDeltaNet"), "gate_activation", 1, List("none", "qwen")},
    {kRuntime, List("GatedDeltaNet", "LinearAttention"), "update_rule", 1, kUpdate},
    {kRuntime, List("GatedRMSNorm"), "activation", 1, List("silu", "swish", "sigmoid")},
    {kRuntime, List("GridSample"), "mode", 1, List("bilinear", "nearest", "bicubic")},
    {kRuntime, List("GridSample"), "padding_mode", 1, List("zeros", "border", "reflection")},
    {kRuntime, List("GroupQueryAttention", "PagedAttention", "SparsePagedAttention"), "k_quant_type", 1, kCache},
    {kRuntime, List("GroupQueryAttention", "PagedAttention", "SparsePagedAttention"), "v_quant_type", 1, kCache},
    {kRuntime, List("MoE", "QMoE"), "activation_type", 1, kActivation},
    {kRuntime, List("PackedSparseAttentionIndexer", "SparseAttentionIndexer"), "policy_mode", 1, List("qsa", "csa")},
    {kRuntime, List("Pad"), "mode", 1, List("constant", "reflect", "edge")},
    {kRuntime, List("PagedAttention"), "kv_cache_layout", 1, List("SEPARATE", "LATENT")},
    {kRuntime, List("QMoE"), "quant_type", 1, List("int", "fp4", "nvfp4", "fp8", "wfp4afp8")},
    {kRuntime, List("SparsePagedAttention"), "auxiliary_cache_layout", 1, List("contiguous")},
};

bool IsOf(const Row& row, const Operator& op, std::string_view attribute) {
  return row.attribute == attribute && row.domain == kOperatorDomains[op.domain] &&
         std::ranges::find(row.operators, kOperatorWords[op.name]) != row.operators.end();
}

std::span<const std::string_view> WordsOf(const Row& row) {
  const auto count = std::ranges::find(row.words, std::string_view()) - row.words.begin();
  return std::span(row.words).first(static_cast<std::size_t>(count));
}

}  // namespace

std::span<const std::string_view> ChoicesOf(const Operator& op, std::string_view attribute) {
  if (op.declared != nullptr) {
    const auto found = std::ranges::find(op.declared->attributes, attribute,
                                         [](const OperatorAttribute& formal) { return Word(formal); });
    if (found == op.declared->attributes.end()) return {};
    return op.declared->choices[static_cast<std::size_t>(found - op.declared->attributes.begin())];
  }
  for (const Row& row : kRows) {
    if (op.since >= row.since && IsOf(row, op, attribute)) return WordsOf(row);
  }
  return {};
}

bool IsChoice(const Operator& op, std::string_view attribute, std::string_view word) {
  if (word.empty()) return true;
  if (op.declared != nullptr) {
    const auto words = ChoicesOf(op, attribute);
    return words.empty() || std::ranges::find(words, word) != words.end();
  }
  bool is_known = false;
  for (const Row& row : kRows) {
    if (!IsOf(row, op, attribute)) continue;
    const auto words = WordsOf(row);
    if (std::ranges::find(words, word) != words.end()) return true;
    is_known = true;
  }
  return !is_known;
}

}  // namespace onnxc
