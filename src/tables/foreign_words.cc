#include "tables/foreign_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <span>
#include <utility>

#include "tables/element_types.h"

namespace onnxc {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

std::string Lower(std::string_view word) {
  std::string lower(word);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  return lower;
}

// Converts `0x1F`, `0b101` or `0o17` to a decimal number. Returns nothing for any other word.
std::optional<NumberAdvice> AdviseOtherBase(std::string_view word) {
  const std::string_view sign = word.starts_with('-') ? "-" : "";
  word.remove_prefix(sign.size());
  if (word.size() < 3 || word[0] != '0') return std::nullopt;
  const char mark = static_cast<char>(word[1] | 0x20);
  const int base = mark == 'x' ? 16 : mark == 'b' ? 2 : mark == 'o' ? 8 : 0;
  if (base == 0) return std::nullopt;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(word.data() + 2, word.data() + word.size(), value, base);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  const std::string_view name = base == 16 ? "hexadecimal" : base == 2 ? "binary" : "octal";
  return NumberAdvice{fmt::format("{}{}", sign, value),
                      fmt::format("{} numbers are not allowed: write {}{}", name, sign, value)};
}

struct TypeAlias {
  std::string_view word;
  std::string_view type;
};
constexpr TypeAlias kTypeAliases[] = {
    {"int", "int64"},
    {"long", "int64"},
    {"longlong", "int64"},
    {"short", "int16"},
    {"char", "int8"},
    {"byte", "uint8"},
    {"uint", "uint64"},
    {"ulong", "uint64"},
    {"ushort", "uint16"},
    {"uchar", "uint8"},
    {"size_t", "uint64"},
    {"integer", "int64"},
    {"float32", "float"},
    {"fp32", "float"},
    {"f32", "float"},
    {"single", "float"},
    {"real", "float"},
    {"float_32", "float"},
    {"tf32", "float"},
    {"float64", "double"},
    {"fp64", "double"},
    {"f64", "double"},
    {"half", "float16"},
    {"fp16", "float16"},
    {"f16", "float16"},
    {"float_16", "float16"},
    {"bf16", "bfloat16"},
    {"bfloat", "bfloat16"},
    {"bfloat_16", "bfloat16"},
    {"boolean", "bool"},
    {"i1", "bool"},
    {"i4", "int4"},
    {"i8", "int8"},
    {"i16", "int16"},
    {"i32", "int32"},
    {"i64", "int64"},
    {"s8", "int8"},
    {"s16", "int16"},
    {"s32", "int32"},
    {"s64", "int64"},
    {"u4", "uint4"},
    {"u8", "uint8"},
    {"u16", "uint16"},
    {"u32", "uint32"},
    {"u64", "uint64"},
    {"qint4", "int4"},
    {"qint8", "int8"},
    {"qint16", "int16"},
    {"qint32", "int32"},
    {"quint4", "uint4"},
    {"quint8", "uint8"},
    {"quint16", "uint16"},
    {"int_64", "int64"},
    {"int_32", "int32"},
    {"int8_t", "int8"},
    {"int16_t", "int16"},
    {"int32_t", "int32"},
    {"int64_t", "int64"},
    {"uint8_t", "uint8"},
    {"uint16_t", "uint16"},
    {"uint32_t", "uint32"},
    {"uint64_t", "uint64"},
    {"str", "string"},
    {"text", "string"},
    {"complex", "complex64"},
    {"cfloat", "complex64"},
    {"cdouble", "complex128"},
    {"c64", "complex64"},
    {"c128", "complex128"},
    {"float8", ""},
    {"fp8", ""},
    {"float8_e4m3fn", "float8e4m3fn"},
    {"float8_e5m2", "float8e5m2"},
    {"float8_e4m3fnuz", "float8e4m3fnuz"},
    {"float8_e5m2fnuz", "float8e5m2fnuz"},
    {"f8e4m3fn", "float8e4m3fn"},
    {"f8e5m2", "float8e5m2"},
    {"float4_e2m1", "float4e2m1"},
    {"fp4", "float4e2m1"},
    {"sequence", "seq"},
    {"list", "seq"},
    {"vector", "seq"},
    {"dict", "map"},
    {"dictionary", "map"},
    {"option", "optional"},
    {"sparsetensor", "sparse_tensor"},
    {"sparse", "sparse_tensor"},
};

struct Alias {
  std::string_view word;  // in lower case
  std::string_view name;
};
/// Names that other frameworks use for attributes. Several rows may have the same word, for attributes of different
/// operators. A row of one of these names does not apply: `dims` may mean `perm`, and so may `axes`, but `axis` does
/// not.
constexpr Alias kAttributeAliases[] = {
    {"padding", "pads"},
    {"pad", "pads"},
    {"dilation", "dilations"},
    {"stride", "strides"},
    {"kernel_size", "kernel_shape"},
    {"kernel", "kernel_shape"},
    {"ksize", "kernel_shape"},
    {"pool_size", "kernel_shape"},
    {"groups", "group"},
    {"num_groups", "group"},
    {"dim", "axis"},
    {"dim", "axes"},
    {"dims", "axes"},
    {"dims", "perm"},
    {"axis", "axes"},
    {"axes", "perm"},
    {"permutation", "perm"},
    {"order", "perm"},
    {"keepdim", "keepdims"},
    {"keep_dims", "keepdims"},
    {"eps", "epsilon"},
    {"negative_slope", "alpha"},
    {"slope", "alpha"},
    {"dtype", "to"},
    {"type", "to"},
    {"p", "ratio"},
    {"rate", "ratio"},
    {"transpose_a", "transA"},
    {"transpose_b", "transB"},
    {"trans_a", "transA"},
    {"trans_b", "transB"},
    {"block_size", "blocksize"},
    {"upscale_factor", "blocksize"},
    {"hidden", "hidden_size"},
    {"units", "hidden_size"},
    {"size", "hidden_size"},
    {"val", "value"},
};
/// Words that other frameworks use as values of attributes. Several rows may have the same word, for attributes that
/// accept different words.
constexpr Alias kChoiceAliases[] = {
    {"zeros", "constant"},
    {"zero", "constant"},
    {"replicate", "edge"},
    {"circular", "wrap"},
    {"bilinear", "linear"},
    {"trilinear", "linear"},
    {"bicubic", "cubic"},
    {"linear", "bilinear"},
    {"cubic", "bicubic"},
    {"same", "SAME_UPPER"},
    {"sum", "add"},
    {"prod", "mul"},
    {"multiply", "mul"},
    {"amax", "max"},
    {"maximum", "max"},
    {"amin", "min"},
    {"minimum", "min"},
    {"average", "avg"},
    {"bidir", "bidirectional"},
    {"backward", "reverse"},
    {"unidirectional", "forward"},
    {"reflection", "reflect"},
    {"reflect", "reflection"},
    {"replicate", "border"},
    {"constant", "zeros"},
};
/// Names that other frameworks use for operators with the same inputs and the same meaning.
constexpr Alias kOperatorAliases[] = {
    {"multiply", "Mul"},
    {"times", "Mul"},
    {"subtract", "Sub"},
    {"minus", "Sub"},
    {"divide", "Div"},
    {"plus", "Add"},
    {"addition", "Add"},
    {"biasadd", "Add"},
    {"bmm", "MatMul"},
    {"mm", "MatMul"},
    {"dot", "MatMul"},
    {"batchmatmul", "MatMul"},
    {"permute", "Transpose"},
    {"view", "Reshape"},
    {"cat", "Concat"},
    {"concatenate", "Concat"},
    {"convolution", "Conv"},
    {"layernorm", "LayerNormalization"},
    {"instancenorm", "InstanceNormalization"},
    {"groupnorm", "GroupNormalization"},
    {"avgpool", "AveragePool"},
    {"avgpool2d", "AveragePool"},
    {"globalavgpool", "GlobalAveragePool"},
    {"maximum", "Max"},
    {"minimum", "Min"},
    {"power", "Pow"},
    {"negative", "Neg"},
    {"negate", "Neg"},
    {"absolute", "Abs"},
    {"squareroot", "Sqrt"},
    {"logarithm", "Log"},
    {"ln", "Log"},
    {"exponential", "Exp"},
    {"silu", "Swish"},
    {"conv_transpose", "ConvTranspose"},
    {"deconv", "ConvTranspose"},
    {"deconvolution", "ConvTranspose"},
    {"hardswish", "HardSwish"},
    {"leaky_relu", "LeakyRelu"},
    {"repeat", "Tile"},
    {"broadcast", "Expand"},
    {"broadcastto", "Expand"},
    {"astype", "Cast"},
    {"const", "Constant"},
    {"clamp", "Clip"},
    {"arange", "Range"},
    {"rmsnorm", "RMSNormalization"},
};

/// Names that other frameworks use for operators with a similar purpose, but with other inputs.
constexpr Alias kRelatedOperators[] = {
    {"linear", "Gemm"},
    {"dense", "Gemm"},
    {"fullyconnected", "Gemm"},
    {"fc", "Gemm"},
    {"addmm", "Gemm"},
    {"innerproduct", "Gemm"},
    {"batchnorm", "BatchNormalization"},
    {"batchnorm2d", "BatchNormalization"},
    {"adaptiveavgpool2d", "GlobalAveragePool"},
    {"embedding", "Gather"},
    {"lookup", "Gather"},
    {"select", "Gather"},
    {"index", "Gather"},
    {"padding", "Pad"},
    {"cond", "If"},
    {"while", "Loop"},
    {"for", "Loop"},
    {"interpolate", "Resize"},
    {"upsample", "Resize"},
    {"scatter", "ScatterElements"},
    {"chunk", "Split"},
    {"sort", "TopK"},
    {"argsort", "TopK"},
    {"flip", "Slice"},
    {"stridedslice", "Slice"},
    {"zeros", "ConstantOfShape"},
    {"ones", "ConstantOfShape"},
    {"full", "ConstantOfShape"},
    {"relu6", "Clip"},
    {"hardtanh", "Clip"},
    {"zeropad", "Pad"},
};

/// Names of functions of other frameworks that need several operators.
constexpr Alias kComposedOperators[] = {
    {"silu", "Sigmoid and Mul"},       {"swish", "Sigmoid and Mul"},
    {"rsqrt", "Sqrt and Reciprocal"},  {"square", "Mul"},
    {"log1p", "Add and Log"},          {"expm1", "Exp and Sub"},
    {"stack", "Unsqueeze and Concat"}, {"glu", "Split, Sigmoid and Mul"},
};

std::string_view Find(std::span<const Alias> aliases, std::string_view word) {
  const std::string lower = Lower(word);
  const auto row = std::ranges::find(aliases, std::string_view(lower), &Alias::word);
  return row == aliases.end() ? std::string_view() : row->name;
}

/// Like Find(), for the name of an operator: '_' and a number of dimensions at the end make no difference, as in
/// `batch_matmul` and `BatchNorm2d`.
std::string_view FindOperatorIn(std::span<const Alias> aliases, std::string_view word) {
  if (const std::string_view found = Find(aliases, word); !found.empty()) return found;
  std::string plain(WithoutDimensions(word));
  std::erase(plain, '_');
  return Find(aliases, plain);
}

}  // namespace

std::string_view ChoiceOf(std::string_view word, std::span<const std::string_view> choices) {
  const std::string lower = Lower(word);
  for (const Alias& row : kChoiceAliases) {
    if (row.word == lower && std::ranges::find(choices, row.name) != choices.end()) return row.name;
  }
  return "";
}

std::string_view AttributeOf(std::string_view word, const std::function<bool(std::string_view)>& is_one) {
  const std::string lower = Lower(word);
  for (const Alias& row : kAttributeAliases) {
    if (row.word == lower && is_one(row.name)) return row.name;
  }
  return "";
}

std::string_view WithoutDimensions(std::string_view word) {
  const bool has_letter = word.size() > 3 && (word.back() == 'd' || word.back() == 'D');
  const char digit = has_letter ? word[word.size() - 2] : '0';
  return digit >= '1' && digit <= '3' ? word.substr(0, word.size() - 2) : word;
}

std::string_view OperatorOf(std::string_view word) { return FindOperatorIn(kOperatorAliases, word); }

std::string_view RelatedOperator(std::string_view word) { return FindOperatorIn(kRelatedOperators, word); }

std::string_view ComposedOperators(std::string_view word) { return FindOperatorIn(kComposedOperators, word); }

bool IsWellFormedNumber(std::string_view word) {
  std::size_t at = word.starts_with('-') ? 1 : 0;
  const auto digits = [&] {
    const std::size_t first = at;
    while (at < word.size() && IsDigit(word[at])) ++at;
    return at > first;
  };
  if (!digits()) return false;
  if (at < word.size() && word[at] == '.') {
    ++at;
    (void)digits();
  }
  if (at < word.size() && (word[at] | 0x20) == 'e') {
    ++at;
    if (at < word.size() && (word[at] == '+' || word[at] == '-')) ++at;
    if (!digits()) return false;
  }
  return at == word.size();
}

std::optional<NumberAdvice> AdviseNumber(std::string_view word) {
  constexpr std::size_t kLongest = 64;
  if (word.size() < 2 || word.size() > kLongest || IsWellFormedNumber(word)) return std::nullopt;
  if (std::optional<NumberAdvice> advice = AdviseOtherBase(word)) return advice;
  const auto advise = [](std::string_view number, std::string_view why) {
    return NumberAdvice{std::string(number), fmt::format("{}: write {}", why, number)};
  };
  const bool is_negative = word.front() == '-';
  const std::string_view magnitude = word.substr(is_negative ? 1 : 0);
  if (magnitude.starts_with('.')) {
    const std::string number = fmt::format("{}0{}", is_negative ? "-" : "", magnitude);
    if (IsWellFormedNumber(number)) return advise(number, "a digit must come before the '.'");
  }
  if (word.front() == '+') {
    std::string number(word.substr(1));
    if (number.starts_with('.')) number.insert(0, "0");
    if (IsWellFormedNumber(number) || number == "inf" || number == "nan")
      return advise(number, "a number cannot begin with '+'");
  }
  std::string without(word);
  std::erase(without, '_');
  if (without.size() < word.size() && IsWellFormedNumber(without))
    return advise(without, "a number cannot contain '_'");
  without = word;
  std::erase(without, '\'');
  if (without.size() < word.size() && IsWellFormedNumber(without))
    return advise(without, "a number cannot contain '''");
  for (const std::string_view suffix :
       {"ull", "ul", "ll", "lf", "f32", "f64", "f16", "i64", "i32", "f", "l", "u", "d", "h"}) {
    const std::string lower = Lower(word);
    if (!lower.ends_with(suffix)) continue;
    const std::string_view number = word.substr(0, word.size() - suffix.size());
    if (IsWellFormedNumber(number)) return advise(number, "a number has no suffix");
  }
  if (word.ends_with('%') && IsWellFormedNumber(word.substr(0, word.size() - 1))) {
    return NumberAdvice{"", "percentages are not allowed"};
  }
  return std::nullopt;
}

std::string_view ElementTypeOf(std::string_view word) {
  const std::string lower = Lower(word);
  const auto* row = std::ranges::find(kTypeAliases, std::string_view(lower), &TypeAlias::word);
  return row == std::end(kTypeAliases) ? std::string_view() : row->type;
}

int CodeOfElementType(std::string_view word) {
  const std::string lower = Lower(word);
  const ElementType* type = FindElementType(lower);
  if (type == nullptr) type = FindElementType(ElementTypeOf(lower));
  return type == nullptr ? 0 : type->code;
}

std::optional<std::string_view> ConstantOf(std::string_view word) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 14> kConstants = {{{"true", "1"},
                                                                                                {"True", "1"},
                                                                                                {"TRUE", "1"},
                                                                                                {"false", "0"},
                                                                                                {"False", "0"},
                                                                                                {"FALSE", "0"},
                                                                                                {"None", ""},
                                                                                                {"null", ""},
                                                                                                {"nil", ""},
                                                                                                {"nullptr", ""},
                                                                                                {"NULL", ""},
                                                                                                {"undefined", ""},
                                                                                                {"nothing", ""},
                                                                                                {"_", ""}}};
  for (const auto& [spelling, value] : kConstants) {
    if (spelling == word) return value;
  }
  return std::nullopt;
}

bool IsImportKey(std::string_view word) {
  constexpr std::string_view kOthers[] = {"import", "imports", "op_version", "onnx_version"};
  return word.starts_with("opset") || word.ends_with("opset") || word.ends_with("opsets") ||
         std::ranges::find(kOthers, word) != std::end(kOthers);
}

}  // namespace onnxc
