// The inference functions of operators: one row for each property of the result, and one row for each kind of error.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <onnxc/infer.h>
#include <onnxc/parser.h>

#include <span>
#include <string>

#include "infer/context.h"
#include "testing/predicates.h"

namespace onnxc {
namespace {

/// A model with one node: the version of the operators, the texts that declare the inputs and initializers, and the
/// text of the node, whose outputs are y and z.
struct Example {
  int version;
  std::string_view inputs;
  std::string_view initializers;
  std::string_view node;
  std::string_view expected;  ///< the types of y and z, or a rule and a part of its message
};

std::string Text(const Example& example) {
  return fmt::format(
      R"(<ir_version: 10, opset_import: ["" : {}, "ai.onnx.ml" : 5, "ai.onnx.preview.training" : 1, "com.microsoft" : 1]>
      g ({}) => (y) <{}> {{ {} }})",
      example.version, example.inputs, example.initializers, example.node);
}

Inference Infer(const Example& example, onnx::ModelProto* model) {
  const Diagnostics read = Parse(Text(example), model);
  EXPECT_TRUE(testing::Ok(read)) << Text(example) << (read.empty() ? "" : read.items()[0].message);
  return InferTypes(*model);
}

constexpr Example kTypes[] = {
    // element by element
    {21, "float[N, 3] x", "", "y = Relu(x)", "float[N, 3]"},
    {21, "float[N, 1] a, int64[1, M] b", "", "y = Equal(b, b)", "bool[1, M]"},
    {21, "bool[N, 1] c, float[4] x", "", "y = Where(c, x, x)", "float[N, 4]"},
    {6, "float[2, 3] a, float[3] b", "", "y = Add<broadcast = 1>(a, b)", "float[2, 3]"},
    {21, "string[N] a, string[2, 1] b", "", "y = StringConcat(a, b)", "string[2, N]"},
    // products
    {21, "float[B, N, 4] a, float[4, 5] b", "", "y = MatMul(a, b)", "float[B, N, 5]"},
    {21, "float[4] a, float[2, 4, 5] b", "", "y = MatMul(a, b)", "float[2, 5]"},
    {21, "uint8[N, 4] a, uint8[4, 5] b", "", "y = MatMulInteger(a, b)", "int32[N, 5]"},
    {21, "float[4, N] a, float[5, 4] b", "", "y = Gemm<transA = 1, transB = 1>(a, b)", "float[N, 5]"},
    {21, "float[B, N, K] a, float[B, K, M] b", "", "y = Einsum<equation = \"bij,bjk->bik\">(a, b)", "float[B, N, M]"},
    {21, "float[2, 3, 3] a", "", "y = Einsum<equation = \"...ii->...i\">(a)", "float[2, 3]"},
    {21, "float[2, 3, 3] x", "", "y = Det(x)", "float[2]"},
    // windows
    {21, "float[N, 3, 8, W] x, float[6, 3, 3, 3] w", "", "y = Conv<pads = [1, 1, 1, 1]>(x, w)", "float[N, 6, 8, W]"},
    {21, "float[N, 3, 8, W] x, float[6, 3, 3, 3] w", "", "y = Conv<auto_pad = \"SAME_UPPER\", strides = [2, 1]>(x, w)",
     "float[N, 6, 4, W]"},
    {21, "float[1, 4, 5, 5] x, float[4, 2, 3, 3] w", "", "y = ConvTranspose<group = 2, strides = [2, 2]>(x, w)",
     "float[1, 4, 11, 11]"},
    {22, "float[1, 3, 7, 7] x", "", "y, z = MaxPool<kernel_shape = [2, 2], strides = [2, 2], ceil_mode = 1>(x)",
     "float[1, 3, 4, 4]; int64[1, 3, 4, 4]"},
    {21, "float[N, 3, H, W] x", "", "y = GlobalAveragePool(x)", "float[N, 3, 1, 1]"},
    {21, "float[1, 20, 9] x", "int64[2] s = {5, 5}, int64[2] b = {2, 2}", "y = Col2Im(x, s, b)", "float[1, 5, 5, 5]"},
    {21, "float[1, 1, 1, 1] x, int64[1, 1, 1, 1] i", "",
     "y = MaxUnpool<kernel_shape = [1, 1], pads = [2, 2, 2, 2]>(x, i)", "float[1, 1, ?, ?]"},
    {21, "float[N, C, H, W] x, float[R, 4] r, int64[R] i", "", "y = RoiAlign<output_height = 2>(x, r, i)",
     "float[R, C, 2, 1]"},
    // normalisation
    {21, "float[N, 3, H] x, float[3] s", "", "y = BatchNormalization(x, s, s, s, s)", "float[N, 3, H]"},
    {21, "float16[N, M, 4] x, float16[4] s", "", "y, z = LayerNormalization(x, s)", "float16[N, M, 4]; float[N, M, 1]"},
    {21, "float[N, 4] x", "", "y, z = Dropout(x)", "float[N, 4]; bool[N, 4]"},
    // reduction
    {21, "float[N, 3, M] x", "int64[1] a = {1}", "y = ReduceSum(x, a)", "float[N, 1, M]"},
    {21, "float[N, 3, M] x, int64[2] a", "", "y = ReduceSum<keepdims = 0>(x, a)", "float[?]"},
    {11, "float[N, 3] x", "", "y = ReduceMax<axes = [-1], keepdims = 0>(x)", "float[N]"},
    {21, "float[N, 3] x", "", "y = ArgMax<axis = 1, keepdims = 0>(x)", "int64[N]"},
    {21, "float[N, C, D] x, int64[N, D] t", "", "y = SoftmaxCrossEntropyLoss<reduction = \"none\">(x, t)",
     "float[N, D]"},
    {21, "float[N, C] x, int64[N] t", "", "y = NegativeLogLikelihoodLoss(x, t)", "float"},
    // recurrent nets
    {21, "float[S, B, 4] x, float[2, 20, 4] w, float[2, 20, 5] r", "",
     "y, z = LSTM<direction = \"bidirectional\", hidden_size = 5>(x, w, r)", "float[S, 2, B, 5]; float[2, B, 5]"},
    // another shape
    {21, "float[N, 6] x", "int64[3] s = {0, 2, -1}", "y = Reshape(x, s)", "float[N, 2, 3]"},
    {21, "float[N, 1, 4] x", "int64[1] a = {1}", "y = Squeeze(x, a)", "float[N, 4]"},
    {11, "float[N, 4] x", "", "y = Unsqueeze<axes = [0, 3]>(x)", "float[1, N, 4, 1]"},
    {21, "float[N, M, 4] x", "", "y = Transpose<perm = [2, 0, 1]>(x)", "float[4, N, M]"},
    {21, "float[N, 8, H, W] x", "", "y = DepthToSpace<blocksize = 2>(x)", "float[N, 2, 2*H, 2*W]"},
    // movement
    {21, "float[N, 2] a, float[M, 2] b", "", "y = Concat<axis = 0>(a, b)", "float[N + M, 2]"},
    {21, "float[N, 7] x", "", "y, z = Split<axis = 1, num_outputs = 2>(x)", "float[N, 4]; float[N, 3]"},
    {21, "float[N, 9] x", "int64[1] s = {1}, int64[1] e = {-1}, int64[1] a = {1}, int64[1] t = {2}",
     "y = Slice(x, s, e, a, t)", "float[N, 4]"},
    {21, "float[N, 4] x", "int64[4] p = {0, 1, 0, 2}", "y = Pad(x, p)", "float[N, 7]"},
    {21, "float[N, 4] x", "int64[2] r = {3, 2}", "y = Tile(x, r)", "float[3*N, 8]"},
    {21, "float[N, 1] x", "int64[3] s = {2, 1, 5}", "y = Expand(x, s)", "float[2, N, 5]"},
    // positions
    {21, "float[N, 4, M] x, int64[2, 3] i", "", "y = Gather<axis = 1>(x, i)", "float[N, 2, 3, M]"},
    {21, "float[N, 4, M] x, int64[K, 2] i", "", "y = GatherND(x, i)", "float[K, M]"},
    {21, "float[N, 9] x", "int64[1] k = {3}", "y, z = TopK(x, k)", "float[N, 3]; int64[N, 3]"},
    {21, "float[N, 9] x", "", "y = NonZero(x)", "int64[2, ?]"},
    {21, "int64[N] i, float[2] v", "int64 d = {5}", "y = OneHot(i, d, v)", "float[N, 5]"},
    {21, "float[N, 9] x", "", "y, z = Unique<axis = 1>(x)", "float[N, ?]; int64[?]"},
    // element types
    {21, "float[N] x", "", "y = Cast<to = 7>(x)", "int64[N]"},
    {5, "float[N] x", "", "y = Cast<to = \"INT64\">(x)", "int64[N]"},
    {21, "float[N] x, float s", "", "y = QuantizeLinear(x, s)", "uint8[N]"},
    {21, "int8[N] x, float16 s", "", "y = DequantizeLinear(x, s)", "float16[N]"},
    // types from attributes and shapes
    {21, "float x", "", "y = Constant<value_ints = [1, 2]>()", "int64[2]"},
    {21, "float x", "int64[2] s = {2, 3}", "y = ConstantOfShape(s)", "float[2, 3]"},
    {21, "float x", "int64 a = {2}, int64 b = {9}, int64 c = {3}", "y = Range(a, b, c)", "int64[3]"},
    {21, "float x", "float a = {1}, float b = {5}, float c = {2}", "y = Range(a, b, c)", "float[2]"},
    {27, "float x", "float16 a = {1.0}, float16 b = {5.0}, float16 c = {2.0}", "y = Range(a, b, c)", "float16[?]"},
    // shapes that only a constant determines
    {21, "float[6] x, int64[] i", "", "y = GatherElements(x, i)", "float[]"},
    {21, "float[1, 1, 2, 2] x, int64[1, 1, 2, 2] i, int64[4] s", "", "y = MaxUnpool<kernel_shape = [2, 2]>(x, i, s)",
     "float[]"},
    {21, "float[N, M] x", "", "y = EyeLike<dtype = 7>(x)", "int64[N, M]"},
    // images, signals, attention
    {19, "float[N, 3, 4, 6] x", "float[4] s = {1, 1, 2, 0.5}", "y = Resize(x, , s)", "float[N, 3, 8, 3]"},
    {20, "float[N, C, H, W] x, float[N, 5, 6, 2] g", "", "y = GridSample(x, g)", "float[N, C, 5, 6]"},
    {20, "float[N, 16, 1] x", "", "y = DFT<onesided = 1>(x)", "float[N, 9, 2]"},
    {17, "float[N, 32, 1] x", "int64 s = {8}, int64 l = {16}", "y = STFT(x, s, , l)", "float[N, 3, 9, 2]"},
    {23, "float[B, 8, S, 64] q, float[B, 2, T, 64] k, float[B, 2, T, 32] v", "", "y = Attention(q, k, v)",
     "float[B, 8, S, 32]"},
    {23, "float[B, S, 64] q, float[B, T, 16] k", "", "y = Attention<q_num_heads = 8, kv_num_heads = 2>(q, k, k)",
     "float[B, S, 64]"},
    // sequences and strings
    {21, "float[N, 3] a, float[M, 3] b", "", "y = SequenceConstruct(a, b)", "seq(float[?, 3])"},
    {21, "seq(float[N, 3]) s, int64 i", "", "y = SequenceAt(s, i)", "float[N, 3]"},
    {21, "seq(float[N, 3]) s", "", "y = ConcatFromSequence<axis = 0, new_axis = 1>(s)", "float[?, N, 3]"},
    {21, "optional(float[N]) o", "", "y = OptionalGetElement(o)", "float[N]"},
    {20, "string[N] s", "", "y, z = StringSplit(s)", "string[N, ?]; int64[N]"},
    // ai.onnx.ml and training
    {21, "float[N, 4] x", "", "y = ai.onnx.ml.Scaler<offset = [0.5]>(x)", "float[N, 4]"},
    {21, "string[N] x", "", "y = ai.onnx.ml.LabelEncoder<keys_strings = [\"a\"], values_int64s = [1]>(x)", "int64[N]"},
    {21, "float[N, 4] x", "",
     "y, z = ai.onnx.ml.LinearClassifier<coefficients = [0.5], intercepts = [0.5, 1.5, 2.5], classlabels_ints = [0, 1, "
     "2]>(x)",
     "int64[N]; float[N, 3]"},
    {21, "float[N, 2] x", "", "y = ai.onnx.ml.ZipMap<classlabels_int64s = [0, 1]>(x)", "seq(map(int64, float))"},
    {21, "float r, int64 t, float[N] x, float[N] g, float[N] h", "",
     "y, z = ai.onnx.preview.training.Adagrad(r, t, x, g, h)", "float[N]; float[N]"},
    // operators of ONNX Runtime
    {21, "float[B, S, 8] x, float[8] b", "", "y = com.microsoft.BiasGelu(x, b)", "float[B, S, 8]"},
    {21, "float[B, S, 8] x, float[8] b", "", "y = com.microsoft.BiasSplitGelu(x, b)", "float[B, S, 4]"},
    {21, "float[B, N, 4] a, float[B, N, 5] b", "", "y = com.microsoft.FusedMatMul<transA = 1>(a, b)", "float[B, 4, 5]"},
    {21, "float[B, N, 4] a, float[5, 4] b", "", "y = com.microsoft.FusedMatMul<transB = 1>(a, b)", "float[B, N, 5]"},
    {21, "float[B, N, 32] a, uint8[4, 2, 8] b, float[8] s", "",
     "y = com.microsoft.MatMulNBits<K = 32, N = 4, block_size = 16>(a, b, s)", "float[B, N, 4]"},
    {21, "float[N, 8] a, int8[8, 4] b, float s", "", "y = com.microsoft.DynamicQuantizeMatMul(a, b, s)", "float[N, 4]"},
    {21, "uint8[N, 8] a, float s, uint8 q, uint8[4, 8] b", "", "y = com.microsoft.QGemm<transB = 1>(a, s, q, b, s, q)",
     "float[N, 4]"},
    {21, "uint8[N, 1, 4] a, float s, uint8 q, uint8[M, 4] b", "",
     "y = com.microsoft.QLinearAdd(a, s, q, b, s, q, s, q)", "uint8[N, M, 4]"},
    {21, "float[B, S, 8] x, float[8] g", "", "y, , , z = com.microsoft.SkipLayerNormalization(x, x, g)",
     "float[B, S, 8]; float[B, S, 8]"},
    {21, "int32[B, S] i, float[9, 8] w, float[9, 8] p, float[8] g", "",
     "y, z = com.microsoft.EmbedLayerNormalization(i, , w, p, , g, g)", "float[B, S, 8]; int32[B]"},
    {21, "float[B, S, 8] x, float[8, 20] w, float[20] b", "",
     "y, z = com.microsoft.Attention<num_heads = 2, qkv_hidden_sizes = [8, 8, 4]>(x, w, b)",
     "float[B, S, 4]; float[2, B, 2, S, 2]"},
    {21, "float[B, S, 8] x, float[8, 24] w, float[2, B, 2, P, 4] p", "",
     "y, z = com.microsoft.Attention<num_heads = 2>(x, w, , , p)", "float[B, S, 8]; float[2, B, 2, S + P, 4]"},
    {21, "float[B, S, 8] q, float[B, T, 8] k, float[B, T, 12] v", "",
     "y, z = com.microsoft.MultiHeadAttention<num_heads = 2>(q, k, v)", "float[B, S, 12]; float[B, 2, T, 4]"},
    {21, "float[B, S, 2, 3, 4] q", "", "y = com.microsoft.MultiHeadAttention<num_heads = 2>(q)", "float[B, S, 8]"},
    {21, "float[B, S, 32] q, int32[B] s, int32 n", "",
     "y, z = com.microsoft.GroupQueryAttention<num_heads = 4, kv_num_heads = 2>(q, , , , , s, n)",
     "float[B, S, 16]; float[B, 2, ?, 4]"},
    {21, "float[B, S, 8] x, int32[B] n", "", "y, z = com.microsoft.RemovePadding(x, n)", "float[?, 8]; int32[B, S]"},
    {21, "float[T, 8] x, int32[B, S] o", "", "y = com.microsoft.RestorePadding(x, o)", "float[B, S, 8]"},
};

constexpr Example kMistakes[] = {
    // sizes that do not fit 64 bits
    {21, "float[4611686018427387904, 4] x", "", "y = Flatten<axis = 0>(x)", "dimension-value"},
    {21, "float[9223372036854775807, 1] x, float[1, 1] b", "", "y = Concat<axis = 0>(x, b)", "dimension-value"},
    {21, "float[N] x", "int64[2] p = {9223372036854775807, 1}", "y = Pad(x, p)", "dimension-value"},
    {9, "float[2] v", "int64[2] i = {0, -1}, int64 d = {3}", "y = OneHot(i, d, v)", "operand-value"},
    {25, "float[2, 4, 3, 8] q, float[2, 4, 5, 8] k", "", "y, z = Attention(q, k, k)", "operand-value"},
    {21, "float[1, 1, 8] x", "", "y = MaxPool<kernel_shape = [2], pads = [2, 0]>(x)", "attributes-clash"},
    {21, "float[2, 3] a, float[4, 5] b", "", "y = MatMul(a, b)", "dimension-clash"},
    {21, "float[2, 3] a, float[4, 3] b", "", "y = Add(a, b)", "broadcast-clash"},
    {21, "float[1, 3, 8] x, float[6, 2, 3] w", "", "y = Conv(x, w)", "dimension-value"},
    {21, "float[1, 3, 8] x, float[6, 3, 3] w", "", "y = Conv<auto_pad = \"SAME_UPER\">(x, w)", "attribute-choice"},
    {21, "float[1, 3, 8] x, float[3] s", "", "y = Resize<mode = \"bilinear\">(x, , s)", "attribute-choice"},
    {18, "float[1, 3, 8] x, float[3] s", "",
     "y = Resize<coordinate_transformation_mode = \"half_pixel_symetric\">(x, , s)", "attribute-choice"},
    {21, "float[3, 8] x", "", "y = ai.onnx.ml.TreeEnsembleRegressor<nodes_modes = [\"LEAF\", \"BRANCH\"]>(x)",
     "attribute-choice"},
    {21, "float[1, 3, 8] x, float[6, 3, 3] w", "", "y = Conv<pads = [1]>(x, w)", "attribute-length"},
    {21, "float[1, 3, 8] x, float[6, 3, 3] w", "", "y = Conv<strides = [0]>(x, w)", "attribute-range"},
    {21, "float[3, 8] x", "", "y = MaxPool<kernel_shape = [2]>(x)", "rank-clash"},
    {21, "float[3, 8] x", "", "y = Softmax<axis = 2>(x)", "axis-range"},
    {21, "float[3, 8] x", "", "y = Transpose<perm = [0, 0]>(x)", "attribute-range"},
    {21, "float[3, 8] x, float[3, 7] w", "", "y = Concat<axis = 0>(x, w)", "dimension-clash"},
    {21, "float[3, 8] x", "int64[2] s = {5, -1}", "y = Reshape(x, s)", "operand-value"},
    {21, "float[3, 8] x", "int64[2] s = {5, 5}", "y = Reshape(x, s)", "operand-value"},
    {21, "float[3, 8] x", "int64[1] a = {0}", "y = Squeeze(x, a)", "dimension-value"},
    {21, "float[3, 8] x", "int64[2] s = {4, 5}", "y, z = Split<axis = 1>(x, s)", "dimension-value"},
    {21, "float[3, 8] x", "int64[3] p = {0, 1, 2}", "y = Pad(x, p)", "operand-size"},
    {21, "float[3, 8] x", "int64[1] k = {9}", "y, z = TopK(x, k)", "dimension-value"},
    {21, "float[3] x", "", "y = SequenceAt(x, x)", "operand-type"},
    {21, "float[3] x, float s, int8 p", "", "y = QuantizeLinear<output_dtype = 2>(x, s, p)", "attributes-clash"},
    {21, "float x", "", "y = Einsum<equation = \"-\">(x)", "attribute-range"},
    {21, "float[2] x", "", "y = Einsum<equation = \"a->a->\">(x)", "attribute-range"},
    {21, "float[1, 1, 1] x", "", "y = Einsum<equation = \"......a->...\">(x)", "attribute-range"},
    {21, "float[1, 1, 1] x", "", "y = Einsum<equation = \"...a->...a...\">(x)", "attribute-range"},
    {21, "float[3, 4] x", "int64[4] p = {-2, 0, -2, 0}", "y = Pad(x, p)", "dimension-value"},
    {21, "float[1, 1, 4, 4] x", "float[4] s = {1, 1, 0, 1}", "y = Resize(x, , s)", "operand-value"},
    {7, "float[1, 1, 4, 4] x", "", "y = Upsample<scales = [1.0, 1.0, -1.0, 1.0]>(x)", "attribute-range"},
    {21, "float[1, 3, 8] x, float[6, 3, 3] w, float[7] b", "", "y = Conv(x, w, b)", "dimension-clash"},
    {21, "float[1, 3, 8] x, float[6, 3, 3] w, float[6, 1] b", "", "y = Conv(x, w, b)", "rank-clash"},
    {21, "float[1, 3, 8] x, float[3, 3, 3] w, float[3] b", "", "y = ConvTranspose<group = 3>(x, w, b)",
     "dimension-value"},
    {21, "uint8[1, 3, 8] x, float s, uint8 p, uint8[6, 3, 3] w, int32[5] b", "",
     "y = QLinearConv(x, s, p, w, s, p, s, p, b)", "dimension-clash"},
    {22, "float[1, 1, 3, 3] x, float[1, 1, 2, 2] w, float[1, 8, 2, 2] o, float[2] b", "", "y = DeformConv(x, w, o, b)",
     "dimension-clash"},
    {21, "float x", "int64 a = {1}, int64 b = {9}, int64 c = {0}", "y = Range(a, b, c)", "operand-value"},
    {21, "float x", "float a = {1}, float b = {9}, float c = {0}", "y = Range(a, b, c)", "operand-value"},
    {21, "int64[1] s", "", "y = ConstantOfShape<value = float[2] {1, 2}>(s)", "attribute-range"},
    // sizes below 0
    {21, "float[2, 2] x", "int64[2] s = {-4, 6}", "y, z = Split<axis = 1>(x, s)", "operand-value"},
    {11, "float[2, 2] x", "", "y, z = Split<axis = 1, split = [-4, 6]>(x)", "attribute-range"},
    {21, "float[2, 4] x", "int64[2] s = {2, -3}", "y = CenterCropPad(x, s)", "operand-value"},
    {21, "float[1, 1, 2, 2] x, int64[1, 1, 2, 2] i", "int64[4] s = {1, 1, -4, 4}",
     "y = MaxUnpool<kernel_shape = [2, 2]>(x, i, s)", "operand-value"},
    {21, "float[1, 2, 3] t", "int64[4] s = {1, 1, -2, 2}", "y = AffineGrid(t, s)", "operand-value"},
    {21, "float[2, 4] x", "", "y = Multinomial<sample_size = -3>(x)", "attribute-range"},
    {21, "float[2, 4] x", "", "y = ai.onnx.ml.LinearRegressor<coefficients = [0.5], targets = -1>(x)",
     "attribute-range"},
    {21, "float[1, 1, 4, 4] x, float[2, 4] r, int64[2] i", "", "y = RoiAlign<output_width = -2>(x, r, i)",
     "attribute-range"},
    // errors that runtimes report only when they run the model
    {21, "float[2, 4, 8] x, float[2, 1] s", "", "y = GroupNormalization<num_groups = 2>(x, s, s)", "operand-size"},
    {21, "int8[3, 8] x, float[3, 3] s", "", "y = DequantizeLinear<block_size = 4>(x, s)", "dimension-value"},
    {21, "int8[3, 8] x, float[2, 2] s", "", "y = DequantizeLinear<block_size = 4>(x, s)", "dimension-clash"},
    {21, "float[2, 3, 8] x, float[7] s", "", "y = LayerNormalization(x, s)", "broadcast-clash"},
    {21, "float[2, 3, 8] x, float[8] s, float[7] b", "", "y = LayerNormalization(x, s, b)", "broadcast-clash"},
    {23, "float[2, 3, 8] x, float[7] s", "", "y = RMSNormalization(x, s)", "broadcast-clash"},
    {21, "float[2, 3, 8] x, float[2] s", "", "y = GroupNormalization<num_groups = 2>(x, s, s)", "dimension-value"},
    {21, "float[2, 4, 8] x, float[2] s", "", "y = GroupNormalization<num_groups = 2>(x, s, s)", "dimension-clash"},
    {18, "float[2, 4, 8] x, float[4] s", "", "y = GroupNormalization<num_groups = 2>(x, s, s)", "dimension-value"},
    {21, "float[2, 3, 8] x, float[7] s", "", "y = PRelu(x, s)", "broadcast-clash"},
    {21, "float[2, 1, 8] x, float[5, 8] s", "", "y = PRelu(x, s)", "broadcast-clash"},
    {21, "float[3, 8] x", "int64[1] i = {3}", "y = Gather(x, i)", "operand-value"},
    {21, "float[3, 8] x", "int64[1] i = {-4}", "y = Gather(x, i)", "operand-value"},
    {21, "float[3, 8] x", "int64[1, 1] i = {3}", "y = GatherElements(x, i)", "operand-value"},
    {21, "float[3, 8] x", "int64[1, 9] i = {0,0,0,0,0,0,0,0,0}", "y = GatherElements(x, i)", "dimension-value"},
    {21, "float[3, 8] x", "int64[1, 2] i = {1, 8}", "y = GatherND(x, i)", "operand-value"},
    {21, "float[3, 8] x", "int64[1, 3] i = {1, 7, 0}", "y = GatherND(x, i)", "dimension-value"},
    {21, "float[3, 8] x, float[1] u", "int64[1, 2] i = {1, 8}", "y = ScatterND(x, i, u)", "operand-value"},
    {21, "float[3, 8] x, float[1] u", "int64[1, 3] i = {1, 1, 1}", "y = ScatterND(x, i, u)", "dimension-value"},
    {21, "float[3, 8] x, float[1, 7] u", "int64[1, 1] i = {1}", "y = ScatterND(x, i, u)", "dimension-clash"},
    {21, "float[3, 8] x, float[1, 8] u", "int64[1, 1] i = {1}", "y = ScatterElements(x, i, u)", "dimension-clash"},
    {21, "float[3, 8] x, float[1, 1] u", "int64[1, 1] i = {9}", "y = ScatterElements(x, i, u)", "operand-value"},
    {21, "float[1, 3, 8] x, float[6, 3, 3] w", "", "y = Conv<auto_pad = \"SAME_UPPER\", pads = [1, 1]>(x, w)",
     "attributes-clash"},
    {21, "float[1, 3, 8] x, float[6, 3, 3] w", "", "y = Conv<auto_pad = \"VALID\", pads = [1, 1]>(x, w)",
     "attributes-clash"},
    {21, "float[1, 3, 8] x, float[3, 6, 3] w", "", "y = ConvTranspose<auto_pad = \"SAME_UPPER\", pads = [1, 1]>(x, w)",
     "attributes-clash"},
    {21, "float[3] a, float[3] b", "", "y = Mod(a, b)", "attribute-range"},
    {21, "float[5, 2, 3] x, float[1, 16, 3] w, float[1, 16, 4] r, float[1, 30] b", "",
     "y, z = LSTM<hidden_size = 4>(x, w, r, b)", "dimension-value"},
    {21, "float[5, 2, 3] x, float[1, 16, 3] w, float[1, 16, 4] r, int32[3] l", "",
     "y, z = LSTM<hidden_size = 4>(x, w, r, , l)", "dimension-clash"},
    {21, "float[5, 2, 3] x, float[1, 16, 3] w, float[1, 16, 4] r, float[1, 2, 5] h", "", "y, z = LSTM(x, w, r, , , h)",
     "dimension-clash"},
    {21, "float[5, 2, 3] x, float[1, 16, 3] w, float[1, 16, 4] r, float[1, 3, 4] c", "",
     "y, z = LSTM<hidden_size = 4>(x, w, r, , , , c)", "dimension-clash"},
    {21, "float[5, 2, 3] x, float[1, 16, 3] w, float[1, 16, 4] r, float[1, 11] p", "",
     "y, z = LSTM<hidden_size = 4>(x, w, r, , , , , p)", "dimension-value"},
    {21, "float[5, 2, 3] x, float[1, 12, 3] w, float[1, 12, 4] r, float[1, 32] b", "",
     "y, z = GRU<hidden_size = 4>(x, w, r, b)", "dimension-value"},
    {21, "float[5, 2, 3] x, float[1, 4, 3] w, float[1, 4, 4] r, float[2, 8] b", "", "y, z = RNN(x, w, r, b)",
     "dimension-clash"},
    {21, "uint8[2, 3] a, uint8[3, 4] b, uint8 p, uint8[5] q", "", "y = MatMulInteger(a, b, p, q)", "dimension-clash"},
    {21, "uint8[2, 3] a, uint8[3, 4] b, uint8[4] p", "", "y = MatMulInteger(a, b, p)", "dimension-clash"},
    {21, "float[1, 1, 3, 3] x", "int64[8] p = {0, 0, 0, 0, 0, 0, 3, 0}", "y = Pad<mode = \"reflect\">(x, p)",
     "dimension-value"},
    {10, "float[3] x", "", "y = Pad<mode = \"reflect\", pads = [3, 0]>(x)", "dimension-value"},
    {21, "float[1, 1, 8, 8] x", "", "y = MaxPool<kernel_shape = [2, 2], pads = [0, 0, 2, 0]>(x)", "attributes-clash"},
    {21, "float[1, 1, 8, 8] x", "", "y = AveragePool<kernel_shape = [1, 3], pads = [1, 0, 0, 0]>(x)",
     "attributes-clash"},
    {21, "float[4] a", "int64 i = {2}", "s = SequenceConstruct(a, a) y = SequenceAt(s, i)", "operand-value"},
    {21, "float[4] a", "int64 i = {-3}", "s = SequenceConstruct(a, a) y = SequenceErase(s, i)", "operand-value"},
    {21, "float[4] a", "int64 i = {3}", "s = SequenceConstruct(a, a) y = SequenceInsert(s, a, i)", "operand-value"},
    {21, "float[4] a", "int64 i = {0}", "s = SequenceEmpty() y = SequenceAt(s, i)", "operand-value"},
    {21, "float[N, 12] x", "int64[3] s = {0, 5, 2}", "y = Reshape(x, s)", "operand-value"},
    {21, "float[N, 12] x", "int64[3] s = {0, 5, -1}", "y = Reshape(x, s)", "operand-value"},
    {23, "float[1, 4, 2, 8] q, float[1, 3, 5, 8] k", "", "y = Attention(q, k, k)", "dimension-value"},
    {23, "float[1, 4, 2, 8] q, float[1, 2, 5, 8] k, float[1, 4, 5, 8] v", "", "y = Attention(q, k, v)",
     "dimension-clash"},
    {23, "float[1, 2, 32] q, float[1, 5, 24] k", "", "y = Attention<q_num_heads = 4, kv_num_heads = 3>(q, k, k)",
     "attribute-range"},
    {23, "float[1, 2, 32] q, float[1, 5, 40] k, float[1, 5, 32] v", "",
     "y = Attention<q_num_heads = 4, kv_num_heads = 4>(q, k, v)", "dimension-value"},
    {23, "float[1, 4, 2, 8] q, float[1, 4, 3, 8] k, float[3, 3] m", "", "y = Attention(q, k, k, m)", "dimension-value"},
    {23, "float[1, 4, 2, 8] q, float[1, 4, 3, 8] k, float[1, 3, 2, 3] m", "", "y = Attention(q, k, k, m)",
     "dimension-value"},
    {24, "float[1, 4, 2, 8] q, float[1, 4, 3, 8] k, float[2, 4] m", "", "y = Attention(q, k, k, m)", "dimension-value"},
    {23, "float[1, 4, 2, 8] q, float[1, 4, 3, 8] k, float[1, 4, 5, 7] p", "", "y, z = Attention(q, k, k, , p, p)",
     "dimension-clash"},
    {23, "float[1, 4, 2, 8] q, float[1, 4, 3, 8] k, float[1, 4, 5, 8] p, float[2, 3] m", "",
     "y, z = Attention(q, k, k, m, p, p)", "dimension-value"},
    {23, "float[1, 2, 8, 16] x, float[10, 7] c, float[10, 8] s, int64[1, 8] p", "", "y = RotaryEmbedding(x, c, s, p)",
     "dimension-value"},
    {23, "float[1, 2, 8, 16] x, float[10, 8] c, float[9, 8] s, int64[1, 8] p", "", "y = RotaryEmbedding(x, c, s, p)",
     "dimension-clash"},
    {23, "float[1, 2, 8, 16] x, float[10, 8] c, int64[1, 7] p", "", "y = RotaryEmbedding(x, c, c, p)",
     "dimension-clash"},
    {23, "float[1, 2, 8, 16] x, float[1, 7, 8] c", "", "y = RotaryEmbedding(x, c, c)", "dimension-clash"},
    {23, "float[1, 2, 8, 16] x, float[8, 8] c", "", "y = RotaryEmbedding(x, c, c)", "rank-clash"},
    {23, "float[1, 8, 32] x, float[10, 8] c, int64[1, 8] p", "", "y = RotaryEmbedding<num_heads = 3>(x, c, c, p)",
     "dimension-value"},
    {21, "float[3, 8] x, float[3] s, int8 p", "", "y = QuantizeLinear<axis = 0>(x, s, p)", "rank-clash"},
    {21, "float[3, 8] x, float[3] s, int8[3] p", "", "y = QuantizeLinear(x, s, p)", "dimension-clash"},
    {21, "int8[3, 8] x, float[3] s, int8[1] p", "", "y = DequantizeLinear<axis = 0>(x, s, p)", "dimension-clash"},
    {21, "int8[3, 8] x, float[3] s", "", "y = DequantizeLinear(x, s)", "dimension-clash"},
    {21, "uint8[3, 8] a, float s, uint8 p, uint8[8, 4] b, float[4] t, uint8[3] q", "",
     "y = QLinearMatMul(a, s, p, b, t, q, s, p)", "dimension-clash"},
    {21, "uint8[1, 3, 8] x, float s, uint8 p, uint8[6, 3, 3] w, float[5] t, uint8[5] q", "",
     "y = QLinearConv(x, s, p, w, t, q, s, p)", "dimension-clash"},
    {21, "float[1, 6, 2, 2] x", "", "y = DepthToSpace<blocksize = 2>(x)", "dimension-value"},
    {21, "float[1, 6, 3, 2] x", "", "y = SpaceToDepth<blocksize = 2>(x)", "dimension-value"},
    {21, "float x, bool[1] c", "", "y = Compress(x, c)", "rank-clash"},
    {21, "int64[3] x", "", "y = RandomNormalLike(x)", "attribute-range"},
    {21, "int64[3] x", "", "y = RandomNormalLike<dtype = 7>(x)", "attribute-range"},
    {21, "float[3] x", "", "y = RandomNormal<dtype = 7, shape = [3]>()", "attribute-range"},
    {21, "float[3] x", "", "y = Bernoulli<dtype = 8>(x)", "attribute-range"},
    {21, "float[2, 4] x", "", "y = ai.onnx.ml.Scaler<offset = [0.5, 0.5, 0.5], scale = [0.5, 0.5, 0.5]>(x)",
     "attribute-length"},
    {21, "string[2] x", "", "y = ai.onnx.ml.LabelEncoder<keys_strings = [\"a\", \"b\"], values_int64s = [1]>(x)",
     "attribute-length"},
    {21, "float[T, B, 4] x, float[1, 8, 4] w, float[1, 8, 8] r", "",
     "y = RNN<hidden_size = 8, activations = [\"Tanh\", \"Tanh\"]>(x, w, r)", "attribute-length"},
    {21, "float[T, B, 4] x, float[1, 24, 4] w, float[1, 24, 8] r", "",
     "y = GRU<hidden_size = 8, activations = [\"Tanh\"]>(x, w, r)", "attribute-length"},
    {21, "float[T, B, 4] x, float[2, 32, 4] w, float[2, 32, 8] r", "",
     "y = LSTM<hidden_size = 8, direction = \"bidirectional\", activations = [\"Sigmoid\", \"Tanh\", \"Tanh\"]>(x, w, "
     "r)",
     "attribute-length"},
    {21, "float[2, 4, 2] x", "", "y = ai.onnx.ml.Normalizer<norm = \"L1\">(x)", "rank-clash"},
    {21, "float[2, 4] x", "",
     "y = ai.onnx.ml.TreeEnsembleRegressor<nodes_treeids = [0, 0, 0], nodes_nodeids = [0, 1, 2], nodes_modes = "
     "[\"BRANCH_LEQ\", \"LEAF\"], nodes_featureids = [0, 0, 0], nodes_values = [0.5, 0.5, 0.5], nodes_truenodeids = "
     "[1, 0, 0], nodes_falsenodeids = [2, 0, 0], target_treeids = [0, 0], target_nodeids = [1, 2], target_ids = [0, "
     "0], target_weights = [1.0, 2.0], n_targets = 1>(x)",
     "attribute-length"},
    {21, "float[2, 4] x", "",
     "y = ai.onnx.ml.TreeEnsembleRegressor<nodes_treeids = [0, 0, 0], nodes_nodeids = [0, 1, 2], nodes_modes = "
     "[\"BRANCH_LEQ\", \"LEAF\", \"LEAF\"], nodes_featureids = [0, 0, 0], nodes_values = [0.5, 0.5, 0.5], "
     "nodes_truenodeids = [1, 0, 0], nodes_falsenodeids = [2, 0, 0], target_treeids = [0, 0], target_nodeids = [1, 2], "
     "target_ids = [0], target_weights = [1.0, 2.0], n_targets = 1>(x)",
     "attribute-length"},
    // operators of ONNX Runtime
    {21, "float[2, 3, 8] x, float[7] b", "", "y = com.microsoft.FastGelu(x, b)", "dimension-clash"},
    {21, "float[2, 3, 7] x, float[7] b", "", "y = com.microsoft.BiasSplitGelu(x, b)", "dimension-value"},
    {21, "float[3, 8] a, float[5, 7] b", "", "y = com.microsoft.FusedMatMul<transB = 1>(a, b)", "dimension-clash"},
    {21, "float[3, 31] a, uint8[4, 2, 8] b, float[8] s", "",
     "y = com.microsoft.MatMulNBits<K = 32, N = 4, block_size = 16>(a, b, s)", "dimension-value"},
    {21, "float[3, 32] a, uint8[4, 2, 9] b, float[8] s", "",
     "y = com.microsoft.MatMulNBits<K = 32, N = 4, block_size = 16>(a, b, s)", "dimension-value"},
    {21, "float[3, 32] a, uint8[4, 2, 8] b, float[7] s", "",
     "y = com.microsoft.MatMulNBits<K = 32, N = 4, block_size = 16>(a, b, s)", "dimension-value"},
    {21, "float[3, 32] a, uint8[4, 2, 8] b, float[8] s", "",
     "y = com.microsoft.MatMulNBits<K = 32, N = 4, block_size = 15>(a, b, s)", "attribute-range"},
    {21, "float[2, 3, 8] x, float[7] g", "", "y = com.microsoft.SkipLayerNormalization(x, x, g)", "dimension-clash"},
    {21, "float[2, 3, 8] x, float[8, 20] w, float[20] b", "", "y = com.microsoft.Attention<num_heads = 2>(x, w, b)",
     "dimension-value"},
    {21, "float[2, 3, 8] x, float[8, 24] w, float[24] b", "", "y = com.microsoft.Attention<num_heads = 3>(x, w, b)",
     "attribute-range"},
    {21, "float[2, 3, 8] q, float[2, 5, 6] k", "", "y = com.microsoft.MultiHeadAttention<num_heads = 2>(q, k, k)",
     "dimension-clash"},
    {21, "float[2, 3, 9] q", "", "y = com.microsoft.MultiHeadAttention<num_heads = 2>(q, q, q)", "dimension-value"},
    {21, "float[2, 3, 16] q, float[2, 3, 7] k, int32[2] s, int32 n", "",
     "y = com.microsoft.GroupQueryAttention<num_heads = 4, kv_num_heads = 2>(q, k, k, , , s, n)", "dimension-value"},
    {21, "float[2, 3, 16] q, int32[2] s, int32 n", "",
     "y = com.microsoft.GroupQueryAttention<num_heads = 4, kv_num_heads = 3>(q, q, q, , , s, n)", "attribute-range"},
};

/// Each of these nodes is valid, but similar to an error.
constexpr Example kRight[] = {
    {21, "float[2, 4] x", "int64[4] p = {-1, 0, -1, 0}", "y = Pad(x, p)", ""},
    {21,
     "float[5, 2, 3] x, float[1, 16, 3] w, float[1, 16, 4] r, float[1, 32] b, int32[2] l, float[1, 2, 4] h, "
     "float[1, 12] p",
     "", "y, z = LSTM<hidden_size = 4>(x, w, r, b, l, h, h, p)", ""},
    {21, "float[2, 5, 3] x, float[1, 4, 3] w, float[1, 4, 4] r, float[2, 1, 4] h", "",
     "y, z = RNN<layout = 1>(x, w, r, , , h)", ""},
    {21, "float[S, B, 3] x, float[1, 12, 3] w, float[1, 12, 4] r, float[D, K] b, int32[L] l", "",
     "y, z = GRU(x, w, r, b, l)", ""},
    {21, "uint8[2, 3] a, uint8[3, 4] b, uint8[2] p, uint8[4] q", "", "y = MatMulInteger(a, b, p, q)", ""},
    {21, "uint8[3] a, uint8[3, 4] b, uint8[1] p, uint8[1] q", "", "y = MatMulInteger(a, b, p, q)", ""},
    {21, "float[1, 1, 3, 3] x", "int64[8] p = {0, 0, 2, 0, 0, 0, 2, 0}", "y = Pad<mode = \"reflect\">(x, p)", ""},
    {21, "float[1, 1, 3, 3] x", "int64[8] p = {0, 0, 5, 0, 0, 0, 5, 0}", "y = Pad<mode = \"edge\">(x, p)", ""},
    {21, "float[1, 1, 8, 8] x", "", "y = MaxPool<kernel_shape = [2, 3], pads = [1, 2, 1, 2]>(x)", ""},
    {21, "float[4] a", "int64 i = {-2}, int64 j = {2}",
     "s = SequenceConstruct(a, a) t = SequenceInsert(s, a, j) y = SequenceAt(s, i)", ""},
    {21, "float[4] a", "int64 i = {5}", "s = SequenceConstruct(a, a) t = SequenceInsert(s, a) y = SequenceAt(t, i)",
     ""},
    {21, "float[N, 12] x", "int64[3] s = {0, 6, 2}", "y = Reshape(x, s)", ""},
    {21, "float[N, 12] x", "int64[3] s = {5, 0, 2}", "y = Reshape(x, s)", ""},
    {21, "float[0, 12] x", "int64[3] s = {0, 5, 2}", "y = Reshape(x, s)", ""},
    {21, "float[N, 12] x", "int64[3] s = {0, -1, 4}", "y = Reshape(x, s)", ""},
    {23, "float[1, 4, 2, 8] q, float[1, 2, 3, 8] k, float[1, 2, 3, 6] v, float[4, 2, 3] m", "",
     "y = Attention(q, k, v, m)", ""},
    {24, "float[1, 4, 2, 8] q, float[1, 4, 3, 8] k, float[2, 2] m", "", "y = Attention(q, k, k, m)", ""},
    {23, "float[1, 4, 2, 8] q, float[1, 4, 3, 8] k, float[1, 4, 5, 8] p, float[1, 1, 2, 8] m", "",
     "y, z = Attention(q, k, k, m, p, p)", ""},
    {23, "float[1, 2, 8, 16] x, float[10, 4] c, int64[1, 8] p", "",
     "y = RotaryEmbedding<rotary_embedding_dim = 8>(x, c, c, p)", ""},
    {23, "float[2, 8, 32] x, float[1, 8, 8] c", "", "y = RotaryEmbedding<num_heads = 2>(x, c, c)", ""},
    {21, "float[1, 3, 8] x, float[3, 3, 3] w, float[9] b", "", "y = ConvTranspose<group = 3>(x, w, b)", ""},
    {21, "uint8[1, 3, 8] x, uint8[6, 3, 3] w, uint8 p, uint8[6] q", "", "y = ConvInteger(x, w, p, q)", ""},
    {21, "float[2, 4] x", "", "y = ai.onnx.ml.Scaler<offset = [0.5], scale = [0.5, 0.5, 0.5, 0.5]>(x)", ""},
    {21, "float[2, 4, 8] x, float[4, 1] s, float[1, 4, 1] b", "", "y = GroupNormalization<num_groups = 2>(x, s, b)",
     ""},
    {21, "uint8[3, 8] a, float s, uint8 p, uint8[8, 4] b, float[4] t, uint8[1, 4] q", "",
     "y = QLinearMatMul(a, s, p, b, t, q, s, p)", ""},
    {21, "int8[3, 8] x, float s", "", "y = DequantizeLinear<block_size = 4>(x, s)", ""},
    {21, "int8[3, 8] x, float[1] s", "", "y = DequantizeLinear<block_size = 4>(x, s)", ""},
    {21, "float[2, 1, 1] x, float[2, 1] w", "", "y = Einsum<equation = \"...i,...->...i\">(x, w)", ""},
    {21, "float[2, 3, 8] x, float[3, 1] s", "", "y = LayerNormalization(x, s)", ""},
    {21, "float[2, 4, 8] x, float[4] s", "", "y = GroupNormalization<num_groups = 2>(x, s, s)", ""},
    {21, "float[2, C, 8] x, float[D] s", "", "y = GroupNormalization<num_groups = 2>(x, s, s)", ""},
    {21, "float[2, 3, 8] x, float[3, 1] s", "", "y = PRelu(x, s)", ""},
    {6, "float[2, 3, 8] x, float[3] s", "", "y = PRelu(x, s)", ""},
    {21, "float[3, 8] x", "int64[2] i = {2, -3}", "y = Gather(x, i)", ""},
    {21, "float[N, 8] x", "int64[1] i = {9}", "y = Gather(x, i)", ""},
    {21, "float[3, 8] x", "int64[9, 1] i = {0, 1, 2, 0, 1, 2, 0, 1, 2}", "y = GatherElements(x, i)", ""},
    {21, "float[3, 8] x", "int64[3, 1, 1] i = {7, -8, 0}", "y = GatherND<batch_dims = 1>(x, i)", ""},
    {21, "float[3, 8] x, float[1, 8] u", "int64[1, 1] i = {2}", "y = ScatterND(x, i, u)", ""},
    {21, "float[1, 3, 8] x, float[6, 3, 3] w", "", "y = Conv<auto_pad = \"NOTSET\", pads = [1, 1]>(x, w)", ""},
    {21, "float[1, 3, 8] x", "", "y = MaxPool<auto_pad = \"VALID\", pads = [1, 1], kernel_shape = [3]>(x)", ""},
    {21, "float[3] a", "", "y = Mod<fmod = 1>(a, a)", ""},
    {28, "float[3] a", "", "y = Mod(a, a)", ""},
    {21, "float[2, 4, 8] x, float s", "", "y = GroupNormalization<num_groups = 2>(x, s, s)", ""},
    {21, "float[3, 8] x, float s, int8[1] p", "", "y = QuantizeLinear(x, s, p)", ""},
    {21, "float[3, 8] x, float[S] s, int8 p", "", "y = QuantizeLinear(x, s, p)", ""},
    {21, "int8[3, 8] x, float[3, 2] s", "", "y = DequantizeLinear<block_size = 4>(x, s)", ""},
    {21, "uint8[3, 8] a, float s, uint8 p, uint8[8, 4] b, float[4] t", "", "y = QLinearMatMul(a, s, p, b, t, p, s, p)",
     ""},
    {21, "int8[3, 8] x, float[3, 3] s", "", "y = DequantizeLinear<block_size = 3>(x, s)", ""},
    {21, "int64[3] x", "", "y = RandomNormalLike<dtype = 1>(x)", ""},
    {21, "int64[3, 3] x", "", "y = EyeLike(x)", ""},
    {21, "float[2, 4] x", "", "y = ai.onnx.ml.Scaler<offset = [0.5], scale = [0.5]>(x)", ""},
};

TEST(InferOperators, TellTheTypesOfTheirOutputs) {
  for (const Example& example : kTypes) {
    onnx::ModelProto model;
    const Inference inference = Infer(example, &model);
    std::string types;
    for (const std::string_view name : {"y", "z"}) {
      const InferredValue* const value = inference.Find(model.graph(), name);
      if (value != nullptr) types += (types.empty() ? "" : "; ") + ToString(value->type);
    }
    EXPECT_EQ(types, example.expected) << Text(example)
                                       << (inference.diagnostics.empty() ? ""
                                                                         : inference.diagnostics.items()[0].message);
  }
}

TEST(InferOperators, TellMistakes) {
  for (const Example& example : kMistakes) {
    onnx::ModelProto model;
    const Inference inference = Infer(example, &model);
    ASSERT_EQ(inference.diagnostics.items().size(), 1U) << Text(example);
    EXPECT_EQ(Name(inference.diagnostics.items()[0].kind), example.expected) << Text(example);
  }
}

/// Makes each initializer of the example the default value of an input whose sizes are unknown, or, without defaults,
/// only such an input. Returns the types of all values, and the findings.
std::string InferWithInputs(const Example& example, bool has_defaults) {
  onnx::ModelProto model;
  EXPECT_TRUE(testing::Ok(Parse(Text(example), &model)));
  onnx::GraphProto& graph = *model.mutable_graph();
  const auto add_input = [&](const onnx::TensorProto& values, int rank) {
    onnx::ValueInfoProto& input = *graph.add_input();
    input.set_name(values.name());
    onnx::TypeProto::Tensor& type = *input.mutable_type()->mutable_tensor_type();
    type.set_elem_type(values.data_type());
    for (type.mutable_shape(); rank > 0; --rank) type.mutable_shape()->add_dim();
  };
  for (const onnx::TensorProto& tensor : graph.initializer()) add_input(tensor, tensor.dims_size());
  for (const onnx::SparseTensorProto& tensor : graph.sparse_initializer()) {
    add_input(tensor.values(), tensor.dims_size());
  }
  if (!has_defaults) graph.clear_initializer();
  if (!has_defaults) graph.clear_sparse_initializer();
  const Inference inference = InferTypes(model);
  std::string result;
  for (const InferredValue& value : inference.ValuesOf(graph)) {
    result += fmt::format("{} {}\n", ToString(value.type), value.name);
  }
  for (const Diagnostic& finding : inference.diagnostics.items()) result += finding.message + "\n";
  return result;
}

/// The caller may pass another value, so nothing about a default value may be used.
TEST(InferOperators, UseNoDefaultValueOfAnInput) {
  int count = 0;
  for (const std::span<const Example> examples :
       {std::span<const Example>(kTypes), std::span<const Example>(kMistakes), std::span<const Example>(kRight)}) {
    for (const Example& example : examples) {
      if (example.initializers.empty()) continue;
      ++count;
      EXPECT_EQ(InferWithInputs(example, true), InferWithInputs(example, false)) << Text(example);
    }
  }
  EXPECT_GT(count, 50);
}

/// Runtimes reject these pads, but the output sizes are certain.
TEST(InferOperators, PadsOfAPoolLeaveItsTypeAsItIs) {
  onnx::ModelProto model;
  const Inference inference =
      Infer({21, "float[1, 1, 8] x", "", "y = MaxPool<kernel_shape = [2], pads = [2, 0]>(x)", ""}, &model);
  const InferredValue* const value = inference.Find(model.graph(), "y");
  ASSERT_NE(value, nullptr);
  EXPECT_EQ(ToString(value->type), "float[1, 1, 9]");
}

TEST(InferOperators, TellNothingOfWhatIsRight) {
  for (const Example& example : kRight) {
    onnx::ModelProto model;
    const Inference inference = Infer(example, &model);
    EXPECT_TRUE(inference.diagnostics.empty()) << Text(example) << inference.diagnostics.items()[0].message;
  }
}

TEST(InferOperators, AllHaveAFunctionButThoseOfONNXRuntime) {
  for (const Operator& op : kOperators) {
    if (kOperatorDomains[op.domain] == kRuntimeDomain) continue;
    EXPECT_NE(infer::FindFunction(op), nullptr) << Word(op) << "-" << int{op.since};
  }
}

}  // namespace
}  // namespace onnxc
