// If tensors share ranges of a file, a small file must not become a large one.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <onnxc/model_io.h>

#include <filesystem>

#include "testing/predicates.h"
#include "weights/weights_testing.h"

namespace onnxc::testing {
namespace {

constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20;

/// `count` tensors of `size` bytes; the first is at the beginning of big.data, and each begins `step` bytes after the
/// previous one.
std::string Sharing(int count, std::uint64_t size, std::uint64_t step) {
  std::string text = "# onnxc: raw\n<ir_version: 10, opset_import: [\"\" : 21]>\ng () => () <\n";
  for (int i = 0; i < count; ++i) {
    text += fmt::format("  {}uint8[{}] w{} = [\"location\": \"big.data\", \"offset\": \"{}\", \"length\": \"{}\"]\n",
                        i == 0 ? "" : ", ", size, i, static_cast<std::uint64_t>(i) * step, size);
  }
  return text + "> {}";
}

class SharedRanges : public InFolder {
 protected:
  void WriteBig(std::uint64_t size) const {
    std::string bytes(size, '\0');
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 7 + i / 251);
    WriteAs("big.data", bytes);
  }
  [[nodiscard]] std::uint64_t SizeOf(const std::string& name) const { return std::filesystem::file_size(Path(name)); }
};

// In a file that onnxc writes, the ranges overlap as before.
TEST_F(SharedRanges, StayShared) {
  WriteBig(2 * kMegabyte);
  onnx::ModelProto model = ModelOf(Sharing(100, kMegabyte, 1000));
  ASSERT_EQ(Told(Save(&model, "w.data")), "");
  EXPECT_EQ(SizeOf("w.data"), kMegabyte + 99 * 1000);
  EXPECT_EQ(Contents("w.data"), Contents("big.data").substr(0, kMegabyte + 99 * 1000));
  EXPECT_EQ(model.graph().initializer(3).external_data(1).value(), "3000");
  // Extracts twice: the second run keeps the ranges that the first run shared.
  ASSERT_EQ(Told(Save(&model, "again.data")), "");
  EXPECT_EQ(Contents("again.data"), Contents("w.data"));
}

TEST_F(SharedRanges, ThatOnlyTouchAreApart) {
  WriteBig(10'000);
  onnx::ModelProto model = ModelOf(Sharing(2, 5000, 5000));
  ASSERT_EQ(Told(Save(&model, "w.data")), "");
  EXPECT_EQ(model.graph().initializer(1).external_data(1).value(), "8192");
  const std::string bytes = Contents("w.data");
  EXPECT_EQ(bytes.substr(0, 5000), Contents("big.data").substr(0, 5000));
  EXPECT_EQ(bytes.substr(8192), Contents("big.data").substr(5000));
}

// If the data of each tensor are read separately, there is a limit in proportion to the size of the file.
TEST_F(SharedRanges, AreNotCopiedWithoutEnd) {
  WriteBig(10 * kMegabyte);
  const std::string text = Sharing(50, 9 * kMegabyte, 4096);
  const std::string told =
      "tensors share ranges of 'big.data'; separate copies would take more than 4 times the shared bytes (see "
      "--max-copies) "
      "[weights-shared]";
  onnx::ModelProto model = ModelOf(text);
  EXPECT_EQ(Told(InlineExternal(&model, Here())), "graph.initializer[4] \"w4\": " + told);
  model = ModelOf(text);
  EXPECT_EQ(Told(Save(&model, "w.safetensors")), "graph.initializer[4] \"w4\": " + told);
  model = ModelOf(text);
  EXPECT_THAT(Told(ElideWeights(&model, Elision::kChecksum, 1, Here())), ::testing::HasSubstr(told));
  model = ModelOf(text);
  EXPECT_EQ(Told(ElideWeights(&model, Elision::kNothing, 1, Here())), "");

  ExternalDataOptions more = Here();
  more.max_copies = 100;
  model = ModelOf(Sharing(10, 9 * kMegabyte, 4096));
  EXPECT_EQ(Told(InlineExternal(&model, more)), "");
  EXPECT_EQ(model.graph().initializer(9).raw_data(), Contents("big.data").substr(9 * 4096, 9 * kMegabyte));
}

// One range is read once for its checksum, however many tensors use it; a few copies, or copies of a few bytes, are
// allowed.
TEST_F(SharedRanges, OfUsualModelsAreFine) {
  WriteBig(10 * kMegabyte);
  onnx::ModelProto model = ModelOf(Sharing(200, 9 * kMegabyte, 0));
  EXPECT_EQ(Told(ElideWeights(&model, Elision::kChecksum, 1, Here())), "");
  model = ModelOf(Sharing(2, 10 * kMegabyte, 0));
  EXPECT_EQ(Told(InlineExternal(&model, Here())), "");
  model = ModelOf(Sharing(1000, 4096, 0));
  EXPECT_EQ(Told(InlineExternal(&model, Here())), "");
}

// Without checksums, it is unknown which data belong to which tensor.
TEST_F(SharedRanges, AreNotGuessed) {
  WriteBig(20'000);
  onnx::ModelProto model = ModelOf(Sharing(2, 8192, 0));
  ASSERT_EQ(Told(ElideWeights(&model, Elision::kNothing, 1)), "");
  EXPECT_EQ(
      Told(AttachWeights(&model, Path("big.data"), Here())),
      R"(graph.initializer[0] "w0": the tensor 'w0': 'big.data' contains no tensor names, and no checksum identifies the data)"
      "; the same applies to 1 more tensor; a text that 'print --weights elide' writes contains checksums, which "
      "identify the data "
      "[weights-layout]");
}

// Many elided tensors whose data are one tensor of another model.
TEST_F(SharedRanges, FillGapsOnlySoOften) {
  onnx::ModelProto model = ModelOf("g () => () <uint8[1] w = {1}> {}");
  onnx::TensorProto* tensor = model.mutable_graph()->mutable_initializer(0);
  tensor->set_dims(0, 8 * kMegabyte);
  tensor->clear_int32_data();
  tensor->set_raw_data(std::string(8 * kMegabyte, 'a'));
  std::string bytes;
  ASSERT_TRUE(testing::Ok(Encode(model, Format::kBinary, &bytes)));
  WriteAs("source.onnx", bytes);
  ASSERT_EQ(Told(ElideWeights(&model, Elision::kChecksum)), "");
  const onnx::TensorProto gap = model.graph().initializer(0);
  for (int i = 0; i < 100; ++i) *model.mutable_graph()->add_initializer() = gap;
  EXPECT_NE(Told(AttachWeights(&model, Path("source.onnx"), Here())).find("more than 4 times"), std::string::npos);
}

}  // namespace
}  // namespace onnxc::testing
