// Removing weights, and supplying them again.
#include <onnxc/checker.h>
#include <onnxc/model_io.h>
#include <onnxc/printer.h>

#include "testing/predicates.h"
#include "weights/weights_testing.h"

namespace onnxc::testing {
namespace {

const std::string kModel = R"(# onnxc: raw
<ir_version: 10, opset_import: ["" : 21]>
    g (float[2] x) => (float[2] y) <float[2] w = {1, 2}, float[2] "" = {7, 8}> {
      k = Constant <value = float[2] {3, 4}> ()
      z = Add(x, w)
      y = Mul(z, k)
    })";
constexpr const char* kChecksumOfW = "sha256:f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b";

class Elided : public InFolder {
 protected:
  [[nodiscard]] onnx::ModelProto ElidedModel(Elision elision = Elision::kChecksum) const {
    onnx::ModelProto model = ModelOf(kModel);
    EXPECT_EQ(Told(ElideWeights(&model, elision, 1, Here())), "");
    return model;
  }

  [[nodiscard]] std::string Attach(onnx::ModelProto* model, const std::string& name) const {
    return Told(AttachWeights(model, Path(name), Here()));
  }

  void WriteModel(const std::string& name, const onnx::ModelProto& model) const {
    std::string bytes;
    ASSERT_TRUE(testing::Ok(Encode(model, FormatOfSuffix(name).value(), &bytes)));
    WriteAs(name, bytes);
  }
};

TEST_F(Elided, TellsItsChecksum) {
  // The checksum of zeros, as computed by sha256sum.
  onnx::ModelProto model = ModelOf("g () => () <uint8[64] w = {" + [] {
    std::string zeros = "0";
    for (int i = 1; i < 64; ++i) zeros += ", 0";
    return zeros;
  }() + "}> {}");
  ASSERT_EQ(Told(ElideWeights(&model, Elision::kChecksum, 64)), "");
  const onnx::TensorProto& tensor = model.graph().initializer(0);
  ASSERT_EQ(tensor.external_data_size(), 1);
  EXPECT_EQ(tensor.external_data(0).key(), "elided");
  EXPECT_EQ(tensor.external_data(0).value(), kChecksumOfW);
  EXPECT_EQ(tensor.data_location(), onnx::TensorProto::EXTERNAL);
  EXPECT_TRUE(tensor.int32_data().empty());
}

TEST_F(Elided, IsTheSameWhereverTheDataAre) {
  onnx::ModelProto external = ModelOf(kModel);
  ASSERT_EQ(Told(Save(&external, "w.data")), "");
  ASSERT_EQ(Told(ElideWeights(&external, Elision::kChecksum, 1, Here())), "");
  EXPECT_EQ(Bytes(external), Bytes(ElidedModel()));
}

TEST_F(Elided, LeavesSmallTensors) {
  onnx::ModelProto model = ModelOf(kModel);
  ASSERT_EQ(Told(ElideWeights(&model, Elision::kChecksum, 9)), "");
  EXPECT_EQ(Bytes(model), Bytes(ModelOf(kModel)));
}

TEST_F(Elided, HasATextThatTheReferenceReadsAndNobodyTakesForAModel) {
  const onnx::ModelProto model = ElidedModel();
  const PrintResult printed = Print(model);
  ASSERT_TRUE(testing::Ok(printed.diagnostics));
  EXPECT_EQ(Bytes(ModelOf(printed.text)), Bytes(model));
  EXPECT_TRUE(testing::Ok(Print(model, {.dialect = Dialect::kReference}).diagnostics));
  const std::string told = Told(CheckModel(model).ErrorsOnly());
  EXPECT_NE(told.find("and of 2 more tensors are elided; supply them with --weights FILE [external-elided]"),
            std::string::npos)
      << told;
  EXPECT_EQ(told.find("elided", told.find("[external-elided]") + 17), std::string::npos)
      << "one error is for all: " << told;
  EXPECT_EQ(
      Told(FindElided(model)),
      R"(graph.node[0].attribute["value"].t: the data of this tensor and of 2 more tensors are elided; supply them with --weights FILE [external-elided])");
  onnx::ModelProto copy = model;
  EXPECT_FALSE(InlineExternal(&copy, Here()).ok());
  EXPECT_FALSE(Save(&copy, "w.data").ok());
  EXPECT_EQ(CountFiles(), 0u);
}

TEST_F(Elided, IsSuppliedByTheFileThatExtractWrites) {
  onnx::ModelProto external = ModelOf(kModel);
  ASSERT_EQ(Told(Save(&external, "w.data")), "");
  onnx::ModelProto model = ElidedModel();
  EXPECT_EQ(Attach(&model, "w.data"), "");
  EXPECT_EQ(Bytes(model), Bytes(external));
  // Without checksums, only the order could identify the data.
  model = ElidedModel(Elision::kNothing);
  EXPECT_EQ(
      Attach(&model, "w.data"),
      R"(graph.node[0].attribute["value"].t: this tensor: 'w.data' contains no tensor names, and no )"
      "checksum identifies the data; the same applies to 2 more tensors; a text that 'print --weights elide' writes "
      "contains checksums, which identify the data [weights-layout]");
}

TEST_F(Elided, IsSuppliedBySafetensors) {
  onnx::ModelProto external = ModelOf(kModel);
  ASSERT_EQ(Told(Save(&external, "w.safetensors")), "");
  const std::string bytes = Contents("w.safetensors");
  EXPECT_NE(bytes.find(R"("w":{"dtype":"F32","shape":[2],"data_offsets":[)"), std::string::npos);
  EXPECT_NE(bytes.find(R"("k":{)"), std::string::npos) << "the value's name";
  EXPECT_NE(bytes.find(R"("graph.initializer[1]":{)"), std::string::npos);
  onnx::ModelProto model = ElidedModel();
  EXPECT_EQ(Attach(&model, "w.safetensors"), "");
  EXPECT_EQ(Bytes(model), Bytes(external));
  ASSERT_EQ(Told(InlineExternal(&model, Here())), "");
  EXPECT_EQ(Bytes(model), Bytes(ModelOf(kModel)));
}

TEST_F(Elided, IsSuppliedByAnotherModel) {
  WriteModel("raw.onnx", ModelOf(kModel));
  WriteModel("raw.onnxtxt", ModelOf(kModel));
  for (const char* source : {"raw.onnx", "raw.onnxtxt"}) {
    for (const Elision elision : {Elision::kChecksum, Elision::kNothing}) {
      onnx::ModelProto model = ElidedModel(elision);
      EXPECT_EQ(Attach(&model, source), "");
      EXPECT_EQ(Bytes(model), Bytes(ModelOf(kModel))) << source;
    }
  }
  // A checksum identifies the data even if the tensor has another name; a name alone does not.
  onnx::ModelProto renamed = ElidedModel();
  renamed.mutable_graph()->mutable_initializer(0)->set_name("renamed");
  EXPECT_EQ(Attach(&renamed, "raw.onnx"), "");
  EXPECT_EQ(renamed.graph().initializer(0).raw_data(), ModelOf(kModel).graph().initializer(0).raw_data());
  renamed = ElidedModel(Elision::kNothing);
  renamed.mutable_graph()->mutable_initializer(0)->set_name("renamed");
  EXPECT_EQ(
      Attach(&renamed, "raw.onnx"),
      R"(graph.initializer[0] "renamed": the tensor 'renamed': 'raw.onnx' has no tensor with the same name; )"
      "a text that 'print --weights elide' writes contains checksums, which identify the data [weights-not-found]\n"
      "graph.initializer[1]: this tensor: its data cannot be found in 'raw.onnx', because the tensor has no name or "
      "shares its name with another tensor; "
      "a text that 'print --weights elide' writes contains checksums, which identify the data [weights-ambiguous]");
}

TEST_F(Elided, IsSuppliedByAModelWithExternalData) {
  onnx::ModelProto external = ModelOf(kModel);
  ASSERT_EQ(Told(Save(&external, "w.data")), "");
  WriteModel("external.onnx", external);
  std::filesystem::create_directory(folder() / "other");
  for (const Elision elision : {Elision::kChecksum, Elision::kNothing}) {
    onnx::ModelProto model = ElidedModel(elision);
    EXPECT_EQ(Attach(&model, "external.onnx"), "");
    EXPECT_EQ(Bytes(model), Bytes(external));
    model = ElidedModel(elision);
    EXPECT_EQ(Told(AttachWeights(&model, Path("external.onnx"), {.directory = Path("other")})), "");
    EXPECT_EQ(Bytes(model), Bytes(ModelOf(kModel)));
  }
}

TEST_F(Elided, StringsComeFromModelsOnly) {
  onnx::ModelProto model = ModelOf(R"(g () => () <string[1] s = ["elided": ""]> {})");
  WriteAs("s.data", "x");
  EXPECT_EQ(Attach(&model, "s.data"),
            "graph.initializer[0] \"s\": the tensor 's': only a model can supply its data, not a file of raw data or a "
            "safetensors file [weights-need-model]");
  WriteModel("s.onnx", ModelOf(R"(g () => () <string[1] s = {"x"}> {})"));
  EXPECT_EQ(Attach(&model, "s.onnx"), "");
  EXPECT_EQ(model.graph().initializer(0).string_data(0), "x");
}

TEST_F(Elided, IsNotSuppliedByOtherData) {
  onnx::ModelProto other = ModelOf(kModel);
  other.mutable_graph()->mutable_initializer(0)->set_raw_data("12345678");
  WriteModel("other.onnx", other);
  onnx::ModelProto external = other;
  ASSERT_EQ(Told(Save(&external, "w.data")), "");
  ASSERT_EQ(Told(InlineExternal(&external, Here())), "");
  ASSERT_EQ(Told(Save(&external, "w.safetensors")), "");
  const std::string path = R"(graph.initializer[0] "w": the tensor 'w': )";
  onnx::ModelProto model = ElidedModel();
  EXPECT_EQ(Attach(&model, "w.data"),
            path + "the checksum of the data in 'w.data' at offset 4096 does not match [weights-checksum]");
  model = ElidedModel();
  EXPECT_NE(Attach(&model, "w.safetensors").find("does not match [weights-checksum]"), std::string::npos);
  model = ElidedModel();
  EXPECT_EQ(Attach(&model, "other.onnx"),
            path + "'other.onnx' has no tensor with the same checksum [weights-not-found]");
  WriteAs("w.data", "short");
  model = ElidedModel();
  EXPECT_NE(Attach(&model, "w.data")
                .find("'w.data' has only 5 bytes, but 8 are needed from offset 0; the same applies to 2 more tensors"),
            std::string::npos)
      << Attach(&model, "w.data");
  WriteAs("broken.onnx", "no model");
  EXPECT_NE(Attach(&model, "broken.onnx").find("broken.onnx' cannot supply weights: "), std::string::npos);
  EXPECT_TRUE(Attach(&model, "broken.onnx").ends_with("[weights-malformed]"));
  WriteModel("shape.onnx", ModelOf("g () => () <float[1, 2] w = {1, 2}> {}"));
  model = ElidedModel(Elision::kNothing);
  EXPECT_NE(
      Attach(&model, "shape.onnx").find(path + "the matching tensor in 'shape.onnx' has a different type or shape"),
      std::string::npos);
  EXPECT_NE(Attach(&model, "none.onnx"), "");
  EXPECT_EQ(Attach(&model, "none.data"), "cannot read: 'none.data' does not exist [cannot-read]");
}

TEST_F(Elided, IsSuppliedFromTheFolderOfTheModelOnly) {
  std::filesystem::create_directory(folder() / "other");
  onnx::ModelProto external = ModelOf(kModel);
  ASSERT_EQ(Told(Save(&external, "w.data")), "");
  onnx::ModelProto model = ElidedModel();
  const ExternalDataOptions other{.directory = Path("other")};
  EXPECT_EQ(Told(AttachWeights(&model, Path("w.data"), other)),
            "cannot read: the weights '" + Path("w.data") + "' are not in the model's directory [cannot-read]");
  std::filesystem::create_symlink("../w.data", folder() / "other" / "w.data");
  EXPECT_EQ(Told(AttachWeights(&model, Path("other/w.data"), other)),
            "cannot read: 'w.data' is a symbolic link, or is in a folder that is one [cannot-read]");
}

TEST_F(Elided, IsNotSuppliedByAModelThatHasNoDataItself) {
  onnx::ModelProto model = ElidedModel(Elision::kNothing);
  const std::string before = Bytes(model);
  WriteModel("elided.onnx", model);
  EXPECT_NE(Attach(&model, "elided.onnx")
                .find("'elided.onnx' has no tensor with the same name; the same applies to 1 more tensor"),
            std::string::npos);
  WriteModel("other.onnx", ModelOf("g () => () <double[2] w = {1, 2}> {}"));
  EXPECT_NE(Attach(&model, "other.onnx")
                .find("the matching tensor in 'other.onnx' has a different type or shape [weights-other-type]"),
            std::string::npos);
  EXPECT_EQ(Attach(&model, "none.onnx"),
            "cannot read: '" + Path("none.onnx") + "': cannot read: No such file or directory [cannot-read]");
  EXPECT_EQ(Bytes(model), before);
}

TEST_F(Elided, MalformedMarksAreRefused) {
  for (const char* entries : {R"("elided": "sha256:12")", R"("elided": "md5:0")",
                              R"("elided": "", "location": "w.data")", R"("elided": "", "elided": "")"}) {
    onnx::ModelProto model = ModelOf(std::string("g () => () <float[2] w = [") + entries + "]> {}");
    WriteAs("w.data", "12345678");
    EXPECT_NE(Attach(&model, "w.data"), "") << entries;
    EXPECT_FALSE(CheckModel(model, {.directory = folder().string()}).ok()) << entries;
  }
}

TEST_F(Elided, SafetensorsMustHaveTheTensor) {
  const auto with_entry = [](const std::string& entry) {
    const std::string header = "{\"__metadata__\":{\"a\":\"b\"}," + entry + "}";
    std::string bytes(8, '\0');
    bytes[0] = static_cast<char>(header.size());
    return bytes + header + "12345678";
  };
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"("w":{"dtype":"F64","shape":[1],"data_offsets":[0,8]})",
       R"(graph.initializer[0] "w": the tensor 'w': 'w.safetensors' stores 8 bytes of type F64 for this tensor, but 8 bytes of type F32 are needed [weights-other-size])"},
      {R"("v":{"dtype":"F32","shape":[1],"data_offsets":[4,8]},"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]})",
       R"(graph.initializer[0] "w": the tensor 'w': 'w.safetensors' stores 4 bytes of type F32 for this tensor, but 8 bytes of type F32 are needed [weights-other-size])"},
      {R"("v":{"dtype":"F32","shape":[2],"data_offsets":[0,8]})",
       R"(graph.initializer[0] "w": the tensor 'w': 'w.safetensors' contains no tensor named 'w' [weights-missing])"},
      {R"("w":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]})",
       R"(graph.initializer[0] "w": the tensor 'w': the matching tensor in 'w.safetensors' has a different type or shape [weights-other-type])"},
      {R"("w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]})", ""},
  };
  for (const auto& [entry, refusal] : cases) {
    WriteAs("w.safetensors", with_entry(entry));
    onnx::ModelProto model = ModelOf(R"(g () => () <float[2] w = ["elided": ""]> {})");
    EXPECT_EQ(Attach(&model, "w.safetensors"), refusal) << entry;
  }
}

TEST_F(Elided, SafetensorsCallWhatIsNoUtf8ByItsPath) {
  onnx::ModelProto before = ModelOf("# onnxc: raw\ng () => () <float[2] v = {1, 2}, float[2] w = {3, 4}> {}");
  before.mutable_graph()->mutable_initializer(0)->set_name("\xfe");
  before.mutable_graph()->mutable_initializer(1)->set_name("\xff");
  onnx::ModelProto model = before;
  ASSERT_EQ(Told(Save(&model, "w.safetensors")), "");
  model = before;
  ASSERT_EQ(Told(ElideWeights(&model, Elision::kChecksum, 1)), "");
  ASSERT_EQ(Attach(&model, "w.safetensors"), "");
  ASSERT_EQ(Told(InlineExternal(&model, Here())), "");
  EXPECT_EQ(Bytes(model), Bytes(before));
  // Without a checksum, the path of a tensor does not identify its data, because after an edit another tensor may have
  // this path.
  model = before;
  ASSERT_EQ(Told(ElideWeights(&model, Elision::kNothing, 1)), "");
  EXPECT_TRUE(Attach(&model, "w.safetensors").ends_with("[weights-ambiguous]"));
}

TEST_F(Elided, SafetensorsCannotHoldAllTypes) {
  onnx::ModelProto model = ModelOf("g () => () <int4[2] w = {1}> {}");
  EXPECT_EQ(Told(Save(&model, "w.safetensors")),
            R"(graph.initializer[0] "w": the safetensors format has no type for int4 [safetensors-type])");
  model = ModelOf("g () => () <float[1] __metadata__ = {1}> {}");
  EXPECT_EQ(Told(Save(&model, "w.safetensors")),
            "graph.initializer[0] \"__metadata__\": the tensor name '__metadata__' "
            "is reserved or already used in the safetensors file [safetensors-name]");
  EXPECT_EQ(CountFiles(), 0u);
}

TEST_F(Elided, OfASkeletonNothingIsRead) {
  onnx::ModelProto model = ModelOf(R"(g () => () <float[2] w = ["location": "/none"], string[1] s = {"x"}> {})");
  EXPECT_EQ(Told(ElideWeights(&model, Elision::kNothing, 1)), "");
  EXPECT_EQ(Bytes(model),
            Bytes(ModelOf(R"(g () => () <float[2] w = ["elided": ""], string[1] s = ["elided": ""]> {})")));
}

}  // namespace
}  // namespace onnxc::testing
