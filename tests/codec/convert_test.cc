// Converts every kind of message between all formats: each format is recognized by its content, and nothing is lost.
#include <gtest/gtest.h>
#include <onnxc/model_io.h>

#include <string>

#include "testing/predicates.h"
#include "testing/proto.h"
#include "testing/random_message.h"
#include "testing/roundtrip.h"

namespace onnxc {
namespace {

using google::protobuf::Message;
using google::protobuf::TextFormat;
using testing::Bytes;

struct FormatCase {
  Format format;
  const char* name;
};

constexpr FormatCase kFormats[] = {
    {Format::kText, "x.onnxtxt"},
    {Format::kBinary, "x.pb"},
    {Format::kTextProto, "x.textproto"},
    {Format::kJson, "x.json"},
};

struct Sample {
  Kind kind;
  const char* textproto;
};

// Values that are difficult in each format: present default values, the limits of ranges, bytes, and names that are not
// identifiers.
constexpr Sample kSamples[] = {
    {Kind::kModel, R"(ir_version: 0 producer_name: "" opset_import { version: 17 }
         graph { name: "/g" node { input: "" input: "a:0" output: "\"" op_type: "Relu" domain: "" } doc_string: "\n" }
         metadata_props { key: "k" } functions { name: "f" domain: "d" overload: "o" })"},
    {Kind::kModel,
     R"(functions { name: "f" domain: "d" input: "x" node { op_type: "N" } opset_import { domain: "" } })"},
    {Kind::kGraph,
     R"(name: "g" input { name: "x" type { tensor_type { elem_type: 1 shape { dim { dim_param: "N" } } } } }
         initializer { dims: 2 data_type: 7 name: "w" int64_data: -9223372036854775808 int64_data: 9223372036854775807 }
         sparse_initializer { values { dims: 1 data_type: 1 float_data: inf name: "s" } dims: 3
                              indices { dims: 1 data_type: 7 int64_data: 2 } }
         quantization_annotation { tensor_name: "x" })"},
    {Kind::kFunction, R"(name: "f" input: "x" output: "y" attribute: "a" opset_import { domain: "" version: 18 }
         attribute_proto { name: "alpha" type: FLOAT f: 1e-45 } value_info { name: "v" } domain: "dom.ain")"},
    {Kind::kNode, R"(input: "x" output: "y" op_type: "If" attribute { name: "then_branch" type: GRAPH g { name: "t" } }
         attribute { name: "r" ref_attr_name: "outer" type: INTS } overload: "over" doc_string: "{\"a\": 1}")"},
    {Kind::kAttribute, R"(name: "a" type: STRINGS strings: "" strings: "\000\377" strings: "# c" doc_string: "")"},
    {Kind::kAttribute, R"(name: "name" type: FLOATS floats: 0.1 floats: 3.4028235e38 floats: -inf)"},
    {Kind::kAttribute, R"(name: "t" type: TENSOR t { data_type: 10 int32_data: 15360 })"},
    {Kind::kType, R"(sequence_type { elem_type { optional_type { elem_type { tensor_type { elem_type: 9 } } } } })"},
    {Kind::kType, R"(map_type { key_type: 8 value_type { tensor_type { elem_type: 1 shape { } } } } denotation: "d")"},
    {Kind::kTensor,
     R"(dims: 2 dims: 1 data_type: 11 raw_data: "\000\000\000\000\000\000\360?\377\377\377\377\377\377\377\177")"},
    {Kind::kTensor, R"(dims: 2 data_type: 8 name: "input_0" string_data: "\377" string_data: "")"},
    {Kind::kTensor, R"(dims: 1 data_type: 1 data_location: EXTERNAL external_data { key: "location" value: "w.bin" })"},
    {Kind::kShape, R"(dim { dim_param: "N" denotation: "DATA_BATCH" } dim { dim_value: 3 } dim { })"},
};

std::string Encoded(const Message& message, Format format) {
  std::string bytes;
  const Diagnostics found = Encode(message, format, &bytes);
  EXPECT_TRUE(testing::Ok(found)) << RenderText(found, SourceText("", ""));
  return bytes;
}

TEST(Convert, EveryFormatBecomesEveryOther) {
  for (const Sample& sample : kSamples) {
    const auto message = testing::NewMessage(sample.kind);
    ASSERT_TRUE(TextFormat::ParseFromString(sample.textproto, message.get())) << sample.textproto;
    for (const FormatCase& from : kFormats) {
      const std::string input = Encoded(*message, from.format);
      for (const FormatCase& to : kFormats) {
        SCOPED_TRACE(std::string(sample.textproto) + "\n" + from.name + " to " + to.name + ":\n" + input);
        // The file has the wrong suffix for its input format; the content must be decisive.
        for (const char* name : {"-", from.name, to.name}) {
          EXPECT_EQ(DetectFormat(input, name, sample.kind), from.format) << name;
        }
        const auto read = testing::NewMessage(sample.kind);
        ASSERT_TRUE(testing::Ok(Decode(input, from.format, read.get())));
        const std::string output = Encoded(*read, to.format);
        EXPECT_EQ(output, Encoded(*message, to.format));
        const auto back = testing::NewMessage(sample.kind);
        ASSERT_TRUE(testing::Ok(Decode(output, to.format, back.get()))) << output;
        EXPECT_EQ(Bytes(*back), Bytes(*message)) << output;
      }
    }
  }
}

bool HasUnknownFields(const Message& message) { return !message.GetReflection()->GetUnknownFields(message).empty(); }

// Every message that a format can represent is recognized and read back.
TEST(Convert, MessagesAtRandom) {
  constexpr std::uint64_t kSeeds = 150;
  int count = 0;
  ForEachKind([&](const auto& row) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
      const auto message = testing::NewMessage(row.kind);
      testing::FillAtRandom(message.get(), seed);
      for (const FormatCase& format : kFormats) {
        std::string bytes;
        if (!Encode(*message, format.format, &bytes).ok())
          continue;  // reports that the format cannot represent the message
        const auto back = testing::NewMessage(row.kind);
        EXPECT_EQ(DetectFormat(bytes, format.name, row.kind), format.format)
            << row.word << " " << seed << " " << format.name << "\n"
            << bytes.substr(0, 200);
        // Bytes with random unknown fields may be mistaken for another kind of message. The error then names that kind.
        const bool is_noise = format.format == Format::kBinary && HasUnknownFields(*message);
        if (!Decode(bytes, format.format, back.get()).ok() && is_noise) continue;
        EXPECT_EQ(Bytes(*back), Bytes(*message)) << row.word << " " << seed << " " << format.name;
        ++count;
      }
    }
  });
  EXPECT_GT(count, 3000);
}

}  // namespace
}  // namespace onnxc
