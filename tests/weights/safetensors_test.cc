// A malformed safetensors file supplies no data, whatever is wrong with it; and data of another type or shape are never
// attached, whatever supplies them.
#include <gtest/gtest.h>
#include <onnxc/external_data.h>
#include <onnxc/model_file.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "external/external_entries.h"
#include "tables/raw_data.h"
#include "weights/weights_testing.h"

namespace onnxc::testing {
namespace {

const std::string kSafetensorsData(28, 'd');  // 24 bytes of `w`, and 4 of `v`

std::string FileWith(const std::string& header, const std::string& data = kSafetensorsData) {
  const std::uint64_t size = header.size();
  std::string bytes(sizeof(size), '\0');
  std::memcpy(bytes.data(), &size, sizeof(size));
  return bytes + header + data;
}

/// The entry of a tensor: its keys and values in JSON. An empty value means that the key is missing.
struct HeaderEntry {
  std::string dtype = R"("F32")";
  std::string shape = "[2,3]";
  std::string offsets = "[0,24]";
  std::string more = "";

  [[nodiscard]] std::string Json() const {
    std::string json;
    const auto add = [&](const std::string& key, const std::string& value) {
      if (!value.empty()) json += (json.empty() ? "\"" : ",\"") + key + "\":" + value;
    };
    add("dtype", dtype);
    add("shape", shape);
    add("data_offsets", offsets);
    return "{" + json + more + "}";
  }
};

const HeaderEntry kOtherEntry = {.dtype = R"("U8")", .shape = "[4]", .offsets = "[24,28]"};

std::string HeaderOf(const std::string& w, const std::string& v = kOtherEntry.Json(),
                     const std::string& metadata = R"({"format":"pt"})") {
  return R"({"__metadata__":)" + metadata + R"(,"w":)" + w + R"(,"v":)" + v + "}";
}

class Safetensors : public InFolder {
 protected:
  /// What is said when the data of `w` are taken from the file; "" if they are attached.
  std::string Attach(const std::string& bytes, onnx::ModelProto* model) const {
    WriteAs("w.safetensors", bytes);
    *model = ModelOf(R"(g () => () <float[2, 3] w = ["elided": ""]> {})");
    return Told(AttachWeights(model, Path("w.safetensors"), Here()));
  }

  void ExpectRefused(const std::string& bytes) const {
    onnx::ModelProto model;
    const std::string told = Attach(bytes, &model);
    EXPECT_TRUE(told.starts_with("cannot read: 'w.safetensors' is not a safetensors file: ")) << told << "\n" << bytes;
    EXPECT_TRUE(told.ends_with(" [cannot-read]")) << told;
    EXPECT_FALSE(FindElided(model).ok());
  }

  void ExpectAttached(const std::string& bytes) const {
    onnx::ModelProto model;
    EXPECT_EQ(Attach(bytes, &model), "") << bytes;
    EXPECT_EQ(Told(InlineExternal(&model, Here())), "");
    EXPECT_EQ(model.graph().initializer(0).raw_data(), kSafetensorsData.substr(0, 24)) << bytes;
  }
};

const std::vector<std::string> kWrongValues = {"",
                                               "null",
                                               "true",
                                               "0",
                                               "6",
                                               "-1",
                                               "1.5",
                                               "1e3",
                                               "\"\"",
                                               "\"x\"",
                                               "[]",
                                               "{}",
                                               "[null]",
                                               "[true]",
                                               "[\"2\"]",
                                               "[[2,3]]",
                                               "[{}]",
                                               "[-2,-3]",
                                               "[2.0,3]",
                                               "[2,3e0]",
                                               "[-0,24]",
                                               "[24,0]",
                                               "[0,23]",
                                               "[1,25]",
                                               "[4,28]",
                                               "[0,28]",
                                               "[0,24,24]",
                                               "[24]",
                                               "[2,3,2]",
                                               "[2,4]",
                                               "[6,0]",
                                               "[0]",
                                               "[24,28]",
                                               "[0,1e30]",
                                               "[0,18446744073709551615]",
                                               "[0,18446744073709551616]",
                                               "[18446744073709551615]",
                                               "[18446744073709551615,2]",
                                               "[4294967296,4294967296]",
                                               "\"f32\"",
                                               "\"F16\"",
                                               "\"F64\"",
                                               "\"I8\"",
                                               "\"U64\"",
                                               "\"F4\"",
                                               "\"F6_E2M3\"",
                                               "\"BOOL\"",
                                               "\"BF16\"",
                                               "\"C64\"",
                                               "\"FLOAT\"",
                                               "\"F32 \"",
                                               "\"F32\\u0000\""};

TEST_F(Safetensors, AreReadIfTheyAreRight) {
  ExpectAttached(FileWith(HeaderOf(HeaderEntry().Json())));
  ExpectAttached(FileWith(HeaderOf(HeaderEntry().Json()) + "   \n\t "));
  ExpectAttached(FileWith(HeaderOf(HeaderEntry{.more = R"(,"more":[1])"}.Json())));
  ExpectAttached(FileWith(HeaderOf(HeaderEntry().Json(), kOtherEntry.Json(), "{}")));
  ExpectAttached(FileWith(R"({"v":)" + kOtherEntry.Json() + R"(,"w":)" + HeaderEntry().Json() + "}"));
  ExpectAttached(FileWith(R"({"w":)" + HeaderEntry().Json() + "}", kSafetensorsData.substr(0, 24)));
  ExpectAttached(FileWith(HeaderOf(HeaderEntry().Json(), HeaderEntry{R"("F32")", "[]", "[24,28]"}.Json())));
  ExpectAttached(FileWith(HeaderOf(HeaderEntry().Json(), HeaderEntry{R"("F4")", "[8]", "[24,28]"}.Json())));
  ExpectAttached(FileWith(HeaderOf(
      HeaderEntry().Json(), kOtherEntry.Json() + R"(,"e":)" + HeaderEntry{R"("F64")", "[0,7]", "[24,24]"}.Json())));
}

// Each field of each tensor has each wrong value in turn, even if the data of this tensor are not needed.
TEST_F(Safetensors, NoFieldMayBeWrong) {
  for (const std::string& value : kWrongValues) {
    ExpectRefused(FileWith(HeaderOf(value.empty() ? "null" : value)));
    ExpectRefused(FileWith(HeaderOf(HeaderEntry{.dtype = value}.Json())));
    ExpectRefused(FileWith(HeaderOf(HeaderEntry{.shape = value}.Json())));
    ExpectRefused(FileWith(HeaderOf(HeaderEntry{.offsets = value}.Json())));
    ExpectRefused(FileWith(HeaderOf(HeaderEntry().Json(), value.empty() ? "1" : value)));
    const bool is_right = value == "\"I8\"" || value == "\"BOOL\"";
    if (!is_right)
      ExpectRefused(
          FileWith(HeaderOf(HeaderEntry().Json(), HeaderEntry{value, kOtherEntry.shape, kOtherEntry.offsets}.Json())));
    ExpectRefused(
        FileWith(HeaderOf(HeaderEntry().Json(), HeaderEntry{kOtherEntry.dtype, value, kOtherEntry.offsets}.Json())));
    if (value == kOtherEntry.offsets) continue;
    ExpectRefused(
        FileWith(HeaderOf(HeaderEntry().Json(), HeaderEntry{kOtherEntry.dtype, kOtherEntry.shape, value}.Json())));
  }
}

TEST_F(Safetensors, MetadataAreStrings) {
  for (const std::string& value : kWrongValues) {
    if (value.empty()) continue;
    if (value != "{}") ExpectRefused(FileWith(HeaderOf(HeaderEntry().Json(), kOtherEntry.Json(), value)));
    if (value.starts_with('"')) continue;
    ExpectRefused(FileWith(HeaderOf(HeaderEntry().Json(), kOtherEntry.Json(), R"({"a":"b","c":)" + value + "}")));
  }
}

TEST_F(Safetensors, KeysAreUnique) {
  const std::string w = R"("w":)" + HeaderEntry().Json();
  const std::string v = R"("v":)" + kOtherEntry.Json();
  ExpectRefused(FileWith("{" + w + "," + v + "," + w + "}"));
  ExpectRefused(FileWith("{" + w + "," + v + R"(,"\u0077":)" + HeaderEntry().Json() + "}"));
  ExpectRefused(FileWith(R"({"__metadata__":{},"__metadata__":{},)" + w + "," + v + "}"));
  ExpectRefused(FileWith(HeaderOf(HeaderEntry().Json(), kOtherEntry.Json(), R"({"a":"b","a":"c"})")));
  for (const std::string more :
       {R"(,"dtype":"F32")", R"(,"shape":[3,2])", R"(,"data_offsets":[0,24])", R"(,"x":1,"x":1)"}) {
    ExpectRefused(FileWith(HeaderOf(HeaderEntry{.more = more}.Json())));
  }
}

TEST_F(Safetensors, TheDataAreCoveredOnce) {
  const std::string header = HeaderOf(HeaderEntry().Json());
  for (const std::string& data :
       {std::string(), kSafetensorsData.substr(1), kSafetensorsData + "d", kSafetensorsData + kSafetensorsData}) {
    ExpectRefused(FileWith(header, data));
  }
  const std::string longer(40, 'd');
  for (const std::string offsets : {"[25,29]", "[20,24]", "[0,4]", "[36,40]", "[23,27]"}) {
    const std::string with_gap =
        HeaderOf(HeaderEntry().Json(), HeaderEntry{kOtherEntry.dtype, kOtherEntry.shape, offsets}.Json());
    ExpectRefused(FileWith(with_gap));
    ExpectRefused(FileWith(with_gap, longer));
  }
}

TEST_F(Safetensors, TheHeaderIsOneJsonObject) {
  const std::string header = HeaderOf(HeaderEntry().Json());
  for (const std::string& wrong :
       {std::string(), std::string("1"), "[" + header + "]", header.substr(1), header.substr(0, header.size() - 1),
        header + header, header + "x", " " + header, "\xef\xbb\xbf" + header, header + std::string(1, '\0'),
        "// c\n" + header, std::string("{\"w\":NaN}"), std::string("\"w\""), std::string("null")}) {
    ExpectRefused(FileWith(wrong));
  }
  ExpectRefused("");
  for (std::size_t i = 1; i < FileWith(header).size(); i += 5) ExpectRefused(FileWith(header).substr(0, i));
  for (const std::uint64_t size : {std::uint64_t{0}, std::uint64_t{1}, header.size() - 1, header.size() + 1,
                                   std::uint64_t{100'000'001}, std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
    std::string bytes = FileWith(header);
    std::memcpy(bytes.data(), &size, sizeof(size));
    ExpectRefused(bytes);
  }
}

TEST_F(Safetensors, TheHeaderIsUtf8) {
  for (const std::string wrong : {"\xff", "\xc3", "\xed\xa0\x80", "\xc0\x80", "\x01"}) {
    ExpectRefused(FileWith(HeaderOf(HeaderEntry().Json(), kOtherEntry.Json(), R"({"a":")" + wrong + "\"}")));
    ExpectRefused(FileWith("{\"" + wrong + "\":" + kOtherEntry.Json() + ",\"w\":" + HeaderEntry().Json() + "}"));
    ExpectRefused(FileWith(HeaderOf(HeaderEntry{.dtype = "\"F32" + wrong + "\""}.Json())));
  }
}

TEST_F(Safetensors, DeepNestingIsRefused) {
  for (const int depth : {4, 1000, 1'000'000}) {
    for (const auto& [open, close] : {std::pair("[", "]"), std::pair("{\"a\":", "}")}) {
      std::string nested;
      for (int i = 0; i < depth; ++i) nested += open;
      nested += "1";
      for (int i = 0; i < depth; ++i) nested += close;
      ExpectRefused(FileWith(nested));
      ExpectRefused(FileWith(HeaderOf(HeaderEntry{.more = ",\"x\":" + nested}.Json())));
      ExpectRefused(FileWith(HeaderOf(HeaderEntry().Json(), kOtherEntry.Json(), R"({"a":)" + nested + "}")));
    }
  }
}

// Many objects after one with many keys: the time is linear.
TEST_F(Safetensors, ManyKeysTakeLinearTime) {
  std::string metadata = "{";
  for (int i = 0; i < 100'000; ++i) metadata += "\"" + std::to_string(i) + "\":\"\",";
  metadata += R"("end":""})";
  std::string more;
  for (int i = 0; i < 100'000; ++i)
    more += R"(,"n)" + std::to_string(i) + R"(":{"dtype":"U8","shape":[0],"data_offsets":[0,0]})";
  ExpectAttached(FileWith(HeaderOf(HeaderEntry().Json(), kOtherEntry.Json() + more, metadata)));
}

// A random change of a header leads to an error, or to the right data.
TEST_F(Safetensors, RandomChangesAttachNothingWrong) {
  std::mt19937 random(1);  // NOLINT(cert-msc51-cpp): the test repeats
  const std::string header = HeaderOf(HeaderEntry().Json());
  for (int i = 0; i < 3000; ++i) {
    std::string changed = header;
    const std::size_t at = random() % header.size();
    switch (random() % 3) {
      case 0: changed[at] = static_cast<char>(random() % 128); break;
      case 1: changed.erase(at, 1 + random() % 4); break;
      default: changed.insert(at, header.substr(random() % header.size(), 1 + random() % 8));
    }
    SCOPED_TRACE(::testing::PrintToString(changed));
    onnx::ModelProto model;
    if (!Attach(FileWith(changed), &model).empty()) continue;
    ASSERT_EQ(Told(InlineExternal(&model, Here())), "") << changed;
    EXPECT_EQ(model.graph().initializer(0).raw_data(), kSafetensorsData.substr(0, 24)) << changed;
  }
}

// ---- types and shapes

/// A model with the tensor `w` of this type, as an initializer or in a Constant node. `data` are in the syntax of
/// texts.
std::string WithTensor(const std::string& type, bool is_constant, const std::string& data) {
  return is_constant ? "g () => (y) { y = Constant <value = " + type + " = " + data + "> () }"
                     : "g () => () <" + type + " y = " + data + "> {}";
}

const onnx::TensorProto& TensorOf(const onnx::ModelProto& model) {
  return model.graph().node().empty() ? model.graph().initializer(0) : model.graph().node(0).attribute(0).t();
}

/// Where the data come from.
enum class Supply { kInSafetensors, kInModel, kInText, kInFileBeside, kInFileElsewhere };

class AttachedTypes : public InFolder {
 protected:
  /// Writes the model as a supply, and returns the path of the file.
  std::string Write(onnx::ModelProto model, Supply supply) const {
    const bool is_elsewhere = supply == Supply::kInFileElsewhere;
    if (is_elsewhere) std::filesystem::create_directories(Path("sub"));
    if (supply == Supply::kInSafetensors) {
      EXPECT_EQ(Told(Save(&model, "w.safetensors", 1, /*replace=*/true)), "");
      return Path("w.safetensors");
    }
    if (supply == Supply::kInFileBeside || is_elsewhere) {
      PendingFile file;
      EXPECT_EQ(Told(SaveExternal(&model,
                                  {.source = Here(),
                                   .directory = is_elsewhere ? Path("sub") : folder().string(),
                                   .file_name = "w.data",
                                   .size_threshold = 1,
                                   .replace = true},
                                  &file)),
                "");
      EXPECT_EQ(Told(file.Commit()), "");
    }
    const std::string path = Path(is_elsewhere ? "sub/w.onnx" : supply == Supply::kInText ? "w.onnxtxt" : "w.onnx");
    EXPECT_EQ(Told(SaveModel(model, path)), "");
    return path;
  }
};

TEST_F(AttachedTypes, OnlyEqualOnesAreAttached) {
  const std::vector<std::string> types = {
      "float[2, 3]",        "float[3, 2]",   "float[6]",         "float[1, 6]",        "float[6, 1]",
      "float[2, 3, 1]",     "int32[2, 3]",   "uint32[2, 3]",     "uint32[3, 2]",       "float[2, 2]",
      "int64[3]",           "uint8[24]",     "float8e4m3fn[24]", "float8e4m3fnuz[24]", "float8e5m2[24]",
      "float8e5m2fnuz[24]", "float8e8m0[24]"};
  for (const Supply supply :
       {Supply::kInSafetensors, Supply::kInModel, Supply::kInText, Supply::kInFileBeside, Supply::kInFileElsewhere}) {
    for (const std::string& stored : types) {
      for (const bool is_constant : {false, true}) {
        onnx::ModelProto complete = ModelOf(WithTensor(stored, is_constant, R"(["elided": ""])"));
        auto& tensor = const_cast<onnx::TensorProto&>(TensorOf(complete));
        const std::string bytes(*DataSize(tensor), 'w');
        ClearData(&tensor);
        tensor.set_raw_data(bytes);
        const std::string path = Write(complete, supply);
        for (const std::string& wanted : types) {
          onnx::ModelProto model = ModelOf(WithTensor(wanted, is_constant, R"(["elided": ""])"));
          const std::string told = Told(AttachWeights(&model, path, Here()));
          if (wanted != stored) {
            EXPECT_TRUE(told.ends_with("[weights-other-type]") || told.ends_with("[weights-other-size]"))
                << path << " " << stored << " for " << wanted << ": " << told;
            continue;
          }
          EXPECT_EQ(told, "") << path << " " << stored;
          EXPECT_EQ(Told(InlineExternal(&model, Here())), "");
          EXPECT_EQ(TensorOf(model).raw_data(), bytes);
        }
      }
    }
  }
}

// A checksum decides: the bytes are the right ones, even if the file says that they have another shape.
TEST_F(AttachedTypes, AChecksumIdentifiesTheBytes) {
  const onnx::ModelProto full = ModelOf("# onnxc: raw\ng () => () <float[3, 2] y = {1, 2, 3, 4, 5, 6}> {}");
  for (const Supply supply : {Supply::kInSafetensors, Supply::kInModel, Supply::kInFileBeside}) {
    const std::string path = Write(full, supply);
    for (const bool is_same : {true, false}) {
      onnx::ModelProto model = ModelOf(std::string("# onnxc: raw\ng () => () <float[2, 3] y = {1, 2, 3, 4, 5, ") +
                                       (is_same ? "6}> {}" : "7}> {}"));
      const std::string bytes = model.graph().initializer(0).raw_data();
      ASSERT_EQ(Told(ElideWeights(&model, Elision::kChecksum, 1)), "");
      EXPECT_EQ(Told(AttachWeights(&model, path, Here())).empty(), is_same) << path;
      if (!is_same) continue;
      EXPECT_EQ(Told(InlineExternal(&model, Here())), "");
      EXPECT_EQ(model.graph().initializer(0).raw_data(), bytes);
    }
  }
}

}  // namespace
}  // namespace onnxc::testing
