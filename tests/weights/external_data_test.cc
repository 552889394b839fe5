// Moving data between a model and a separate file.
#include <onnxc/checker.h>
#include <onnxc/model_io.h>
#include <onnxc/printer.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <fstream>

#include "testing/predicates.h"
#include "weights/layout.h"
#include "weights/weights_testing.h"

namespace onnxc::testing {

using weights::LayOut;
using weights::Slot;

namespace {

namespace fs = std::filesystem;

// A weight in the graph, in a branch, in an attribute and in a function; strings and sparse tensors.
const std::string kExternalModel = R"(<ir_version: 10, opset_import: ["" : 21, "d" : 1]>
    g (float[2] x, bool c) => (float[2] y) <
      float[2] w = {1, 2},
      int4[3] nibbles = {225, 3},
      string[1] words = {"word"},
      sparse_tensor(float[4]) s = {1: 5, 2: 6}
    > {
      k = Constant <value = float16[4] {1.0, 2.0, 3.0, 4.0}> ()
      b = If(c) <
        then_branch = t () => (float[2] a) <float[2] w2 = {3, 4}> { a = Add(x, w2) },
        else_branch = e () => (float[2] b) { b = Neg(x) }>
      z = Add(b, w)
      y = d.f(z)
    }
    <domain: "d", opset_import: ["" : 21]>
    f (a) => (b) { k = Constant <value = float[2] {5, 6}> () b = Mul(a, k) })";

using ExternalData = InFolder;

const onnx::TensorProto& Initializer(const onnx::ModelProto& model, int index = 0) {
  return model.graph().initializer(index);
}
std::string Entry(const onnx::TensorProto& tensor, const std::string& key) {
  for (const auto& entry : tensor.external_data()) {
    if (entry.key() == key) return entry.value();
  }
  return "none";
}

TEST_F(ExternalData, GoToOneFileAndBack) {
  const onnx::ModelProto before = ModelOf("# onnxc: raw\n" + kExternalModel);
  onnx::ModelProto model = before;
  ASSERT_EQ(Told(Save(&model, "w.data")), "");
  const auto& branch = model.graph().node(1).attribute(0).g().initializer(0);
  const auto& constant = model.graph().node(0).attribute(0).t();
  const auto& in_function = model.functions(0).node(0).attribute(0).t();
  for (const onnx::TensorProto* tensor :
       {&Initializer(model), &Initializer(model, 1), &branch, &constant, &in_function}) {
    EXPECT_EQ(tensor->data_location(), onnx::TensorProto::EXTERNAL);
    EXPECT_EQ(Entry(*tensor, "location"), "w.data");
    EXPECT_TRUE(tensor->raw_data().empty());
    EXPECT_EQ(std::stoull(Entry(*tensor, "offset")) % 4096, 0u);
  }
  EXPECT_EQ(Entry(Initializer(model), "length"), "8");
  EXPECT_EQ(Entry(Initializer(model, 1), "length"), "2");
  EXPECT_EQ(Initializer(model, 2).string_data(0), "word");
  EXPECT_FALSE(model.graph().sparse_initializer(0).values().has_data_location());
  EXPECT_EQ(CountFiles(), 1u);
  const std::size_t at = std::stoull(Entry(branch, "offset"));
  EXPECT_EQ(Contents("w.data").substr(at, 8), std::string("\0\0\x40\x40\0\0\x80\x40", 8));
  EXPECT_TRUE(testing::Ok(CheckModel(model, {.directory = folder().string()})));
  ASSERT_EQ(Told(InlineExternal(&model, Here())), "");
  EXPECT_EQ(Bytes(model), Bytes(before));
}

TEST_F(ExternalData, OfTypedFieldsAreThoseOfRawData) {
  onnx::ModelProto raw = ModelOf("# onnxc: raw\n" + kExternalModel);
  onnx::ModelProto typed = ModelOf(kExternalModel);
  ASSERT_EQ(Told(Save(&raw, "raw.data")), "");
  ASSERT_EQ(Told(Save(&typed, "typed.data")), "");
  EXPECT_EQ(Contents("raw.data"), Contents("typed.data"));
  for (const char* type :
       {"double", "int64", "uint64", "uint32", "int32", "int16", "uint8", "int8", "complex64", "bool"}) {
    const std::string text = std::string("g () => () <") + type + "[2] a = {1, 0" +
                             (std::string(type) == "complex64" ? ", 2, 3" : "") + "}> {}";
    onnx::ModelProto a = ModelOf("# onnxc: raw\n" + text);
    onnx::ModelProto b = ModelOf(text);
    const std::string bytes = Initializer(a).raw_data();
    ASSERT_EQ(Told(Save(&b, "b.data", 1, true)), "") << type;
    EXPECT_EQ(Contents("b.data"), bytes) << type;
  }
}

TEST_F(ExternalData, ThePendingFileMayMove) {
  onnx::ModelProto model = ModelOf(kExternalModel);
  PendingFile file;
  ASSERT_EQ(Told(SavePending(&model, &file)), "");
  EXPECT_EQ(CountFiles(), 0u);
  PendingFile moved(std::move(file));
  PendingFile assigned;
  assigned = std::move(moved);
  EXPECT_EQ(CountFiles(), 0u);
  EXPECT_EQ(Told(assigned.Commit()), "");
  EXPECT_EQ(CountFiles(), 1u);
  EXPECT_EQ(Told(InlineExternal(&model, Here())), "");
  EXPECT_EQ(Told(assigned.Commit()), "");  // calling it again has no effect
  EXPECT_EQ(CountFiles(), 1u);
}

// Signals are blocked only while files have temporary names.
TEST_F(ExternalData, AreWrittenWithTheModelAndSignalsComeThroughAgain) {
  onnx::ModelProto model = ModelOf(kExternalModel);
  PendingFile file;
  ASSERT_EQ(Told(SavePending(&model, &file)), "");
  const std::string_view bytes = "model";
  ASSERT_EQ(Told(WriteFile((folder() / "m.onnx").string(), {&bytes, 1}, &file)), "");
  EXPECT_EQ(CountFiles(), 2u);
  sigset_t blocked;
  ASSERT_EQ(::pthread_sigmask(SIG_BLOCK, nullptr, &blocked), 0);
  EXPECT_EQ(::sigismember(&blocked, SIGINT), 0);
}

// The weights are not written if the model cannot be written.
TEST_F(ExternalData, AreNotWrittenWhereTheModelIsNot) {
  onnx::ModelProto model = ModelOf(kExternalModel);
  {
    PendingFile file;
    ASSERT_EQ(Told(SavePending(&model, &file)), "");
    const std::string_view bytes = "model";
    EXPECT_FALSE(WriteFile("/dev/full", {&bytes, 1}, &file).ok());
  }
  EXPECT_EQ(CountFiles(), 0u);
}

TEST_F(ExternalData, SmallOnesStayOrComeBack) {
  onnx::ModelProto model = ModelOf("g () => () <float[2] small = {1, 2}, float[3] large = {1, 2, 3}> {}");
  ASSERT_EQ(Told(Save(&model, "all.data", 1)), "");
  ASSERT_EQ(Told(Save(&model, "large.data", 12)), "");
  EXPECT_EQ(Initializer(model, 0).raw_data().size(), 8u);
  EXPECT_FALSE(Initializer(model, 0).has_data_location());
  EXPECT_EQ(Entry(Initializer(model, 1), "location"), "large.data");
  EXPECT_EQ(Contents("large.data").size(), 12u);
  ASSERT_EQ(Told(Save(&model, "none.data", 13)), "");
  EXPECT_FALSE(fs::exists(folder() / "none.data"));
  EXPECT_EQ(Initializer(model, 1).raw_data().size(), 12u);
}

TEST_F(ExternalData, WithoutWholeDataStayAsTheyAre) {
  for (const char* text :
       {"g () => () <float[3] w = {1, 2}> {}", "g () => () <float[3] w = {}> {}",
        "g () => () <uint8[2] w = {300, 1}> {}", "g () => () <float[0] w = {}> {}",
        "g () => () <@{name: \"w\", dims: [1], data_type: 99, raw_data: \"x\"} = > {}",
        "g () => () <@{name: \"w\", dims: [1], data_type: 1, raw_data: \"xxxx\", float_data: [1]} = > {}",
        "g () => () <@{name: \"w\", dims: [1], data_type: 1, float_data: [1], int32_data: [1]} = > {}",
        "g () => () <@{name: \"w\", dims: [1], data_type: 1, raw_data: \"xxxx\", external_data: [{key: \"location\", "
        "value: \"x\"}]} = > {}",
        "g () => () <float6e2m3[2] w = {64, 1}> {}", "g () => () <float6e2m3[4] w = {1, 2, 3}> {}",
        "g () => () <@{name: \"w\", dims: [-1], data_type: 1, raw_data: \"xxxx\"} = > {}"}) {
    const onnx::ModelProto before = ModelOf(text);
    onnx::ModelProto model = before;
    EXPECT_EQ(Told(Save(&model, "w.data", 0)), "") << text;
    EXPECT_EQ(Bytes(model), Bytes(before)) << text;
    EXPECT_EQ(CountFiles(), 0u);
    EXPECT_EQ(Told(ElideWeights(&model, Elision::kChecksum, 0)), "") << text;
    EXPECT_EQ(Bytes(model), Bytes(before)) << text;
  }
}

TEST_F(ExternalData, ThatStandInTheTensorTooAreAnError) {
  WriteAs("w.bin", "12345678");
  const std::string refusal =
      R"(graph.initializer[0] "w": the data are external, but the tensor contains data as well [external-with-data])";
  onnx::ModelProto model = ModelOf(R"(g () => () <float[2] w = ["location": "w.bin"]> {})");
  model.mutable_graph()->mutable_initializer(0)->add_float_data(7);
  const onnx::ModelProto before = model;
  for (const std::uint64_t threshold : {1u, 100u}) EXPECT_EQ(Told(Save(&model, "new.data", threshold)), refusal);
  EXPECT_EQ(Told(InlineExternal(&model, Here())), refusal);
  EXPECT_EQ(Told(ElideWeights(&model, Elision::kChecksum, 1, Here())), refusal);
  EXPECT_EQ(Bytes(model), Bytes(before));
  EXPECT_EQ(CountFiles(), 1u);
  onnx::ModelProto elided = ModelOf(R"(g () => () <float[2] w = ["elided": ""]> {})");
  elided.mutable_graph()->mutable_initializer(0)->set_raw_data("87654321");
  EXPECT_EQ(Told(AttachWeights(&elided, Path("w.bin"), Here())), refusal);
}

/// In raw_data, three bytes contain four elements; in int32_data, an entry contains one element.
TEST_F(ExternalData, OfSixBitsAreAStreamOfBits) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"float6e2m3[1] w = {1}", "\x01"},
      {"float6e2m3[2] w = {1, 2}", {"\x81\x00", 2}},
      {"float6e3m2[3] w = {1, 2, 3}", {"\x81\x30\x00", 3}},
      {"float6e2m3[4] w = {1, 2, 3, 63}", "\x81\x30\xfc"},
      {"float6e2m3[5] w = {1, 2, 3, 63, 5}", "\x81\x30\xfc\x05"}};
  for (const auto& [weight, bytes] : cases) {
    onnx::ModelProto model = ModelOf("g () => () <" + weight + "> {}");
    ASSERT_EQ(Told(Save(&model, "w.data", 1, true)), "") << weight;
    EXPECT_EQ(Contents("w.data"), bytes) << weight;
  }
}

TEST(Layout, PutsLargeTensorsWhereAnySystemCanMapThem) {
  onnx::TensorProto tensor;
  std::vector<Slot> slots;
  for (const std::uint64_t size : {1u, 5000u, 1048576u, 1u, 1048577u, 1048575u})
    slots.push_back({.tensor = &tensor, .size = size});
  LayOut(&slots);
  std::vector<std::uint64_t> offsets;
  for (const Slot& slot : slots) offsets.push_back(slot.offset);
  EXPECT_EQ(offsets, (std::vector<std::uint64_t>{0, 4096, 65536, 1114112, 1179648, 2228224 + 4096}));
}

TEST_F(ExternalData, AreNeverWrittenElsewhere) {
  WriteAs("old.data", "old");
  WriteAs("twin.data", "old");
  fs::create_hard_link(folder() / "twin.data", folder() / "hard.data");
  fs::create_symlink("old.data", folder() / "link.data");
  fs::create_symlink("new.data", folder() / "dangling.data");
  fs::create_directory(folder() / "folder");
  const std::string no_name =
      "must be a file name without a folder, because the file is written in the model's folder [cannot-write]";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", no_name},
      {".", no_name},
      {"..", no_name},
      {"/tmp/w.data", no_name},
      {"../w.data", no_name},
      {"folder/w.data", no_name},
      {std::string("w\0x", 3), no_name},
      {"link.data", "is a symbolic link [cannot-write]"},
      {"dangling.data", "is a symbolic link [cannot-write]"},
      {"hard.data", "has several hard links [cannot-write]"},
      {"folder", "is not a regular file [cannot-write]"},
      {std::string(300, 'x'), "File name too long [cannot-write]"},
  };
  for (const auto& [name, refusal] : cases) {
    onnx::ModelProto model = ModelOf("g () => () <float[2] w = {1, 2}> {}");
    const std::string told = Told(Save(&model, name, 1, true));
    EXPECT_TRUE(told.ends_with(refusal)) << told;
  }
  onnx::ModelProto model = ModelOf("g () => () <float[2] w = {1, 2}> {}");
  EXPECT_EQ(Told(Save(&model, "old.data")),
            "cannot write: 'old.data' exists already; name it to replace it [cannot-write]");
  EXPECT_EQ(Contents("old.data"), "old");
  EXPECT_EQ(CountFiles(), 6u);
  fs::permissions(folder() / "old.data", fs::perms(0600));
  EXPECT_EQ(Told(Save(&model, "old.data", 1, true)), "");
  EXPECT_EQ(fs::status(folder() / "old.data").permissions(), fs::perms(0600));
  EXPECT_EQ(Contents("old.data").size(), 8u);
}

TEST_F(ExternalData, LeaveNothingWithoutACommit) {
  onnx::ModelProto model = ModelOf("g () => () <float[2] w = {1, 2}> {}");
  {
    PendingFile file;
    ASSERT_TRUE(testing::Ok(SavePending(&model, &file)));
    EXPECT_FALSE(fs::exists(folder() / "w.data"));
  }
  EXPECT_EQ(CountFiles(), 0u);
}

TEST_F(ExternalData, MayComeFromTheFileThatIsReplaced) {
  onnx::ModelProto model = ModelOf("g () => () <float[2] a = {1, 2}, float[2] b = {3, 4}> {}");
  ASSERT_EQ(Told(Save(&model, "w.data")), "");
  const std::string bytes = Contents("w.data");
  model.mutable_graph()->mutable_initializer()->SwapElements(0, 1);
  ASSERT_EQ(Told(Save(&model, "w.data", 1, true)), "");
  EXPECT_EQ(Contents("w.data").substr(0, 8), bytes.substr(4096));
  EXPECT_EQ(Contents("w.data").substr(4096), bytes.substr(0, 8));
}

TEST_F(ExternalData, AreFoundMissingBeforeAnythingIsWritten) {
  onnx::ModelProto model = ModelOf(R"(g () => () <float[2] w = ["location": "none.bin"]> {})");
  EXPECT_EQ(
      Told(Save(&model, "w.data")),
      R"(graph.initializer[0] "w".external_data["location"]: the file 'none.bin' does not exist [external-file])");
  EXPECT_EQ(CountFiles(), 0u);
}

TEST_F(ExternalData, ThatNoFileHoldsAreNotRead) {
  { std::ofstream(Path("w.bin")) << ""; }
  fs::resize_file(folder() / "w.bin", 3u << 30);
  onnx::ModelProto model = ModelOf(R"(g () => () <float[3, 268435456] w = ["location": "w.bin"]> {})");
  const std::string told = Told(InlineExternal(&model, Here()));
  EXPECT_NE(told.find("bytes are more than one protobuf file can hold (2 GiB - 1); --save-as-external"),
            std::string::npos)
      << told;
  EXPECT_TRUE(Initializer(model).raw_data().empty());
}

/// File descriptors are not kept open, because a model may have a file for each tensor.
TEST_F(ExternalData, MayBeInMoreFilesThanCanBeOpen) {
  rlimit limit = {};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &limit), 0);
  const rlimit few{.rlim_cur = 64, .rlim_max = limit.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  onnx::ModelProto model = ModelOf("g () => () {}");
  for (int i = 0; i < 100; ++i) {
    const std::string name = "w" + std::to_string(i);
    WriteAs(name, "1234");
    onnx::TensorProto* tensor = model.mutable_graph()->add_initializer();
    *tensor = ModelOf("g () => () <float[1] w = [\"location\": \"" + name + "\"]> {}").graph().initializer(0);
  }
  EXPECT_EQ(Told(Save(&model, "all.data")), "");
  EXPECT_EQ(Contents("all.data").size(), 99u * 4096 + 4);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &limit), 0);
}

}  // namespace
}  // namespace onnxc::testing
