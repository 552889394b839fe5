// Elided weights are restored exactly, whatever their types, sizes and fields are, and however many tensors have the
// same bytes.
#include <fmt/format.h>
#include <onnxc/model_io.h>

#include <random>

#include "tables/element_types.h"
#include "tables/raw_data.h"
#include "testing/predicates.h"
#include "weights/weights_testing.h"

namespace onnxc::testing {
namespace {

class ElidedProperty : public InFolder {
 protected:
  using Random = std::mt19937_64;

  static std::size_t Below(Random& random, std::size_t count) { return random() % count; }

  /// A tensor of any type, with zeros, ones or random data in one of the possible fields. There are only a few shapes,
  /// so many tensors are similar.
  static onnx::TensorProto AnyTensor(Random& random, int index) {
    static const std::vector<std::vector<std::int64_t>> kShapes = {{1},    {2},  {4},     {2, 2}, {8},
                                                                   {2, 4}, {16}, {1, 16}, {3, 5}};
    onnx::TensorProto tensor;
    const ElementType* type = nullptr;
    while (type == nullptr || type->literal == Literal::kString || type->code == 0) {
      type = &kElementTypes[Below(random, kElementTypes.size())];
    }
    tensor.set_data_type(type->code);
    std::int64_t elements = 1;
    for (const std::int64_t dim : kShapes[Below(random, kShapes.size())]) {
      tensor.add_dims(dim);
      elements *= dim;
    }
    if (Below(random, 4) != 0) tensor.set_name(fmt::format("w{}", Below(random, 3) == 0 ? 0 : index));
    const bool is_zero = Below(random, 2) == 0;
    if (type->code == onnx::TensorProto::FLOAT && Below(random, 2) == 0) {
      for (std::int64_t i = 0; i < elements; ++i)
        tensor.add_float_data(is_zero ? 0 : static_cast<float>(Below(random, 3)));
    } else if (type->code == onnx::TensorProto::INT32 && Below(random, 2) == 0) {
      for (std::int64_t i = 0; i < elements; ++i)
        tensor.add_int32_data(is_zero ? 0 : static_cast<int>(Below(random, 3)));
    } else {
      std::string bytes(static_cast<std::size_t>((elements * type->bits + 7) / 8), '\0');
      if (!is_zero) std::ranges::generate(bytes, [&] { return static_cast<char>(Below(random, 2)); });
      tensor.set_raw_data(std::move(bytes));
    }
    return tensor;
  }

  static onnx::ModelProto AnyModel(Random& random) {
    onnx::ModelProto model;
    model.set_ir_version(10);
    onnx::GraphProto* const graph = model.mutable_graph();
    const std::size_t count = 1 + Below(random, 12);
    for (std::size_t i = 0; i < count; ++i) {
      const onnx::TensorProto tensor = AnyTensor(random, static_cast<int>(i));
      const bool is_constant = Below(random, 4) == 0;
      *(is_constant ? graph->add_node()->add_attribute()->mutable_t() : graph->add_initializer()) = tensor;
    }
    return model;
  }

  void WriteModel(const std::string& name, const onnx::ModelProto& model) const {
    std::string bytes;
    ASSERT_TRUE(testing::Ok(Encode(model, Format::kBinary, &bytes)));
    WriteAs(name, bytes);
  }
};

TEST_F(ElidedProperty, WeightsComeBack) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const onnx::ModelProto whole = AnyModel(random);
    WriteModel("whole.onnx", whole);
    for (const Elision elision : {Elision::kChecksum, Elision::kNothing}) {
      // The data come from the model: each byte is restored.
      onnx::ModelProto model = whole;
      ASSERT_EQ(Told(ElideWeights(&model, elision, 1)), "");
      ASSERT_EQ(Told(AttachWeights(&model, Path("whole.onnx"), Here())), "");
      ASSERT_EQ(Bytes(model), Bytes(whole));

      // The data come from the files that `extract` writes: the result is the model that `extract` leaves. Without
      // checksums, names identify the data.
      if (elision == Elision::kNothing) continue;
      for (const std::string file : {"w.data", "w.safetensors"}) {
        onnx::ModelProto outside = whole;
        const Diagnostics saved = Save(&outside, file, 1, true);
        if (!saved.ok()) {  // safetensors does not support all types
          ASSERT_EQ(file, "w.safetensors");
          continue;
        }
        model = whole;
        ASSERT_EQ(Told(ElideWeights(&model, elision, 1)), "");
        ASSERT_EQ(Told(AttachWeights(&model, Path(file), Here())), "") << file;
        ASSERT_EQ(Bytes(model), Bytes(outside)) << file;
      }
    }
  }
}

// Some tensors share ranges of the file: the model refers to the same ranges as before, and has the same bytes after
// `inline`.
TEST_F(ElidedProperty, OverlapsComeBack) {
  std::string bytes(4096, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i % 3);
  WriteAs("all.data", bytes);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    onnx::ModelProto model;
    for (std::size_t i = 0; i < 8; ++i) {
      onnx::TensorProto* const tensor = model.mutable_graph()->add_initializer();
      tensor->set_name(fmt::format("w{}", i));
      tensor->set_data_type(Below(random, 2) == 0 ? onnx::TensorProto::UINT8 : onnx::TensorProto::INT8);
      tensor->add_dims(static_cast<std::int64_t>(1 + Below(random, 64)));
      tensor->set_data_location(onnx::TensorProto::EXTERNAL);
      const auto add = [&](const char* key, const std::string& value) {
        onnx::StringStringEntryProto* const entry = tensor->add_external_data();
        entry->set_key(key);
        entry->set_value(value);
      };
      add("location", "all.data");
      add("offset", fmt::to_string(Below(random, 100)));
      add("length", fmt::to_string(tensor->dims(0)));
    }
    WriteModel("m.onnx", model);
    onnx::ModelProto inside = model;
    ASSERT_EQ(Told(InlineExternal(&inside, Here())), "");
    onnx::ModelProto elided = model;
    ASSERT_EQ(Told(ElideWeights(&elided, Elision::kChecksum, 1, Here())), "");
    ASSERT_EQ(Told(AttachWeights(&elided, Path("m.onnx"), Here())), "");
    ASSERT_EQ(Bytes(elided), Bytes(model));
    onnx::ModelProto moved = model;
    ASSERT_EQ(Told(Save(&moved, "moved.data", 1, true)), "");
    ASSERT_EQ(Told(InlineExternal(&moved, Here())), "");
    ASSERT_EQ(Bytes(moved), Bytes(inside));
  }
}

}  // namespace
}  // namespace onnxc::testing
