#include <fmt/format.h>
#include <gmock/gmock.h>
#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>
#include <onnxc/model_io.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <string>

#include "source/report.h"
#include "testing/predicates.h"
#include "testing/random_model.h"
#include "wire/wire.h"

namespace onnxc {

using wire::IsWireFormat;
using wire::Tag;

namespace {

constexpr Format kProtobufFormats[] = {Format::kBinary, Format::kTextProto, Format::kJson};

/// Returns the only finding of a run.
Diagnostic Only(const Diagnostics& found) {
  EXPECT_EQ(found.items().size(), 1u);
  return found.empty() ? Diagnostic{} : found.items().front();
}

onnx::ModelProto RichModel() {
  onnx::ModelProto model;
  model.set_ir_version(0);  // present, with its default value
  model.add_opset_import()->set_domain("");
  onnx::GraphProto& graph = *model.mutable_graph();
  graph.set_name("a \"b\"\n\xc3\xa4");
  onnx::AttributeProto& attribute = *graph.add_node()->add_attribute();
  attribute.set_s(std::string("\0\xff", 2));
  attribute.set_i(std::numeric_limits<std::int64_t>::min());
  for (const float value : {0.1f, std::numeric_limits<float>::denorm_min(), std::numeric_limits<float>::infinity()}) {
    attribute.add_floats(value);
  }
  onnx::TensorProto& tensor = *graph.add_initializer();
  tensor.add_double_data(0.1);
  tensor.set_raw_data(std::string(300, '\x80'));
  return model;
}

TEST(Codec, EveryFormatComesBack) {
  const onnx::ModelProto model = RichModel();
  for (const Format format : kProtobufFormats) {
    std::string bytes;
    ASSERT_EQ(RenderText(Encode(model, format, &bytes), SourceText("", "")), "");
    EXPECT_EQ(DetectFormat(bytes, "-", Kind::kModel), format);
    onnx::ModelProto back;
    ASSERT_TRUE(testing::Ok(Decode(bytes, format, &back)));
    EXPECT_EQ(back.SerializeAsString(), model.SerializeAsString());
  }
}

TEST(Codec, EveryKindComesBackEmpty) {
  ForEachKind([](const auto& row) {
    typename std::decay_t<decltype(row)>::Message message;
    for (const Format format : kProtobufFormats) {
      std::string bytes;
      if (row.kind == Kind::kModel && format == Format::kBinary) continue;
      ASSERT_TRUE(testing::Ok(Encode(message, format, &bytes))) << row.word;
      EXPECT_TRUE(testing::Ok(Decode(bytes, format, &message))) << row.word;
      EXPECT_EQ(message.ByteSizeLong(), 0u) << row.word;
    }
  });
}

TEST(Codec, NamesWhatAFormatCannotCarry) {
  onnx::ModelProto no_utf8;
  no_utf8.set_producer_name("\xff");
  std::string bytes;
  EXPECT_EQ(Only(Encode(no_utf8, Format::kJson, &bytes)).kind, DiagnosticKind::kLossyFormat);
  EXPECT_EQ(bytes, "");
  EXPECT_TRUE(testing::Ok(Encode(no_utf8, Format::kTextProto, &bytes)));
  EXPECT_TRUE(testing::Ok(Encode(no_utf8, Format::kBinary, &bytes)));

  onnx::ModelProto unknown;
  unknown.set_ir_version(8);
  unknown.GetReflection()->MutableUnknownFields(&unknown)->AddVarint(1000, 1);
  EXPECT_EQ(Only(Encode(unknown, Format::kJson, &bytes)).kind, DiagnosticKind::kLossyFormat);
  EXPECT_EQ(Only(Encode(unknown, Format::kTextProto, &bytes)).kind, DiagnosticKind::kLossyFormat);
}

TEST(Codec, NegativeZerosComeBack) {
  onnx::AttributeProto attribute;
  attribute.set_f(-0.0f);
  for (const float value : {-0.0f, -0.5f, 0.0f, -0.0f}) attribute.add_floats(value);
  attribute.set_s("-0, -0");
  attribute.set_name("\\\" -0\n");
  attribute.mutable_t()->add_double_data(-0.0);
  for (const Format format : {Format::kJson, Format::kTextProto}) {
    std::string bytes;
    ASSERT_TRUE(testing::Ok(Encode(attribute, format, &bytes)));
    onnx::AttributeProto back;
    ASSERT_TRUE(testing::Ok(Decode(bytes, format, &back)));
    EXPECT_EQ(back.SerializeAsString(), attribute.SerializeAsString()) << bytes;
  }
}

// A SavedModel of TensorFlow looks like a model with a version, but has messages in the field in which a model has the
// name of its producer.
TEST(Codec, RefusesWhatIsMostlyForeign) {
  onnx::ModelProto model;
  model.set_ir_version(1);
  model.set_producer_name(std::string("\x0a\x80\x01\x00\xff", 5) + std::string(200, '\x03') + std::string(1, '\0'));
  EXPECT_EQ(Only(Decode(model.SerializeAsString(), Format::kBinary, &model)).kind, DiagnosticKind::kNotTheKind);
}

TEST(Codec, NamesASequenceOfTensors) {
  onnx::TensorProto element;
  for (int i = 0; i < 100; ++i) element.add_float_data(0.5f);
  element.add_dims(100);
  element.set_data_type(onnx::TensorProto::FLOAT);
  const std::string bytes = element.SerializeAsString();
  const std::string sequence = std::string("\x10\x01", 2) + Tag(3, bytes.size()) + bytes;
  onnx::TensorProto tensor;
  const Diagnostics found = Decode(sequence, Format::kBinary, &tensor);
  ASSERT_EQ(found.items().size(), 1u);
  EXPECT_THAT(found.items()[0].message, ::testing::HasSubstr("they may be a sequence"));
}

TEST(Codec, UnknownFieldsOfALaterVersionAreKept) {
  onnx::ModelProto model;
  model.set_ir_version(99);
  model.GetReflection()->MutableUnknownFields(&model)->AddVarint(1000, 1);
  onnx::ModelProto back;
  EXPECT_TRUE(testing::Ok(Decode(model.SerializeAsString(), Format::kBinary, &back)));
  EXPECT_EQ(back.SerializeAsString(), model.SerializeAsString());
}

// A graph with a name and a node of the schema is a graph, even if a later version has added most of its bytes. A
// GraphDef of TensorFlow is none: its nodes have strings in the same fields, but also attributes of other types.
TEST(Codec, TellsGraphsFromWhatLooksLikeThem) {
  onnx::GraphProto graph;
  graph.set_name("g");
  graph.add_node()->set_op_type("Relu");
  onnx::NodeProto* const later = graph.add_node();
  later->set_op_type("Later");
  const std::string many(200, 'x');
  later->GetReflection()->MutableUnknownFields(later)->AddLengthDelimited(1000, many);
  onnx::GraphProto back;
  EXPECT_TRUE(testing::Ok(Decode(graph.SerializeAsString(), Format::kBinary, &back)));
  EXPECT_EQ(back.SerializeAsString(), graph.SerializeAsString());

  const auto field = [](int number, const std::string& bytes) { return Tag(number, bytes.size()) + bytes; };
  const std::string value = field(2, field(6, many));
  const std::string node =
      field(1, "x") + field(2, "Placeholder") + field(4, "/cpu:0") + field(5, field(1, "T") + value);
  const std::string graph_def = field(1, node) + field(2, "library");
  EXPECT_EQ(Only(Decode(graph_def, Format::kBinary, &back)).kind, DiagnosticKind::kNotTheKind);
}

TEST(Codec, RefusesWhatIsNotTheKind) {
  const std::string good = RichModel().SerializeAsString();
  onnx::ModelProto model;
  for (std::size_t size = 0; size < good.size(); ++size) {
    const Diagnostics found = Decode(std::string_view(good).substr(0, size), Format::kBinary, &model);
    if (!found.ok()) {
      EXPECT_EQ(Only(found).message, "these bytes are not a valid model");
      EXPECT_EQ(model.ByteSizeLong(), 0u);
    } else {
      EXPECT_TRUE(IsWireFormat(std::string_view(good).substr(0, size))) << size;  // cut between two fields
    }
  }
  onnx::GraphProto graph;
  graph.add_node()->set_op_type("Relu");
  EXPECT_EQ(Only(Decode(graph.SerializeAsString(), Format::kBinary, &model)).kind, DiagnosticKind::kNotTheKind);
}

// Models have strings in the fields in which nodes and attributes have other strings, types and graphs.
TEST(Codec, TakesNoPartForAModel) {
  constexpr std::uint64_t kSeeds = 2000;
  const auto check = [](const google::protobuf::Message& part) {
    onnx::ModelProto model;
    const Diagnostics found = Decode(part.SerializeAsString(), Format::kBinary, &model);
    ASSERT_EQ(found.items().size(), 1u) << part.DebugString();
    EXPECT_EQ(found.items()[0].kind, DiagnosticKind::kNotTheKind) << part.DebugString();
  };
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    testing::RandomValues values(seed);
    onnx::NodeProto node;
    testing::RandomModel(&values).Fill(&node, 1);
    node.add_input("x");
    check(node);
    onnx::AttributeProto attribute;
    testing::RandomModel(&values).Fill(&attribute, 1);
    attribute.set_name("a");
    check(attribute);
  }
  for (const std::string_view domain : {"", "ai.onnx", "com.microsoft"}) {
    onnx::NodeProto node;
    node.add_input("x");
    node.add_output("y");
    node.set_op_type("Add");
    node.set_domain(std::string(domain));
    node.set_overload("");
    check(node);
  }
}

// A message with contents shows that a model is one, even behind empty ones and beside fields of other types.
TEST(Codec, TakesAModelWithUnknownFieldsForAModel) {
  for (const int number : {onnx::ModelProto::kOpsetImportFieldNumber, onnx::ModelProto::kGraphFieldNumber,
                           onnx::ModelProto::kTrainingInfoFieldNumber, onnx::ModelProto::kFunctionsFieldNumber,
                           onnx::ModelProto::kConfigurationFieldNumber}) {
    const auto* const field = onnx::ModelProto::descriptor()->FindFieldByNumber(number);
    onnx::ModelProto model;
    const auto& reflection = *model.GetReflection();
    google::protobuf::Message* part = nullptr;
    for (int i = 0; i < 2 && field->is_repeated(); ++i) part = reflection.AddMessage(&model, field);
    if (part == nullptr) part = reflection.MutableMessage(&model, field);
    for (int i = 0; part->ByteSizeLong() == 0; ++i) {
      const auto* const text = part->GetDescriptor()->field(i);
      if (text->type() == google::protobuf::FieldDescriptor::TYPE_STRING && !text->is_repeated()) {
        part->GetReflection()->SetString(part, text, "a");
      }
      if (text->message_type() == onnx::GraphProto::descriptor()) {
        part->GetReflection()->MutableMessage(part, text);
      }
    }
    model.mutable_unknown_fields()->AddFixed32(onnx::ModelProto::kConfigurationFieldNumber, 3);
    onnx::ModelProto read;
    EXPECT_TRUE(Decode(model.SerializeAsString(), Format::kBinary, &read).ok()) << model.DebugString();
    EXPECT_EQ(read.SerializeAsString(), model.SerializeAsString());
  }
}

TEST(Codec, SaysWhenItIsTooDeep) {
  onnx::TypeProto type;
  onnx::TypeProto* inner = &type;
  for (int i = 0; i < 100; ++i) inner = inner->mutable_sequence_type()->mutable_elem_type();
  std::string bytes;
  EXPECT_EQ(Only(Encode(type, Format::kBinary, &bytes)).kind, DiagnosticKind::kNestingTooDeep);
  onnx::TypeProto back;
  EXPECT_EQ(Only(Decode(type.SerializeAsString(), Format::kBinary, &back)).kind, DiagnosticKind::kNestingTooDeep);

  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "sequence_type { elem_type {";
  EXPECT_FALSE(Decode(text, Format::kTextProto, &back).ok());
  EXPECT_FALSE(Decode("{\"sequenceType\":" + std::string(100'000, '['), Format::kJson, &back).ok());
  EXPECT_FALSE(Decode(std::string(100'000, '['), Format::kJson, &back).ok());
}

TEST(Codec, BlamesThePlace) {
  onnx::ModelProto model;
  const std::string text = "ir_version: 7\n\t\xc3\xa4graph { }";
  EXPECT_EQ(Decode(text, Format::kTextProto, &model).items()[0].range.begin, text.find("\xc3"));
  const std::string unknown = "ir_version: 7\n\tgraph { bogus: 1 }";
  EXPECT_EQ(Only(Decode(unknown, Format::kTextProto, &model)).range.begin, unknown.find("bogus"));
  EXPECT_EQ(model.ByteSizeLong(), 0u);
  const std::string json = "{\"irVersion\": 7,\n x}";
  EXPECT_EQ(Only(Decode(json, Format::kJson, &model)).range.begin, json.find('x'));
  EXPECT_EQ(Only(Decode("{\"bogus\": 7}", Format::kJson, &model)).range, (SourceRange{1, 8}));
  const std::string list = R"({"graph": {"node": [{"op_type": "]\""}, {"opType" : 5}]}})";
  EXPECT_EQ(Only(Decode(list, Format::kJson, &model)).range.begin, list.find('5'));
}

// Each input is rejected with a message, and with a place if protobuf reports one; the message object stays empty.
TEST(Codec, RefusesHostileText) {
  struct Case {
    std::string text;
    std::string place;  // the text from the reported place on; "" if there is no place
  };
  const auto times = [](int count, std::string_view part) {
    std::string text;
    for (int i = 0; i < count; ++i) text += part;
    return text;
  };
  const std::string deep = times(60, "graph { node { attribute { g { ") + "name: \"x\"";
  const Case textprotos[] = {
      {"ir_version: \"8\"", "\"8\""},
      {"ir_version: 8.5", "8.5"},
      {"ir_version: 9223372036854775808", "9223372036854775808"},
      {"ir_version: [8]", "[8]"},
      {"ir_version: 8 ir_version: 9", "ir_version: 9"},
      {"ir_version { }", "{ }"},
      {"graph: 1", "1"},
      {"graph { node { op_type: Relu } }", "Relu"},
      {"graph { node { attribute { type: BOGUS } } }", "BOGUS"},
      {"graph { initializer { data_type: FLOAT } }", "FLOAT"},
      {"graph { initializer { raw_data: 1 } }", "1"},
      {"producer_name: \"open", ""},
      {"producer_name: \"\\xzz\"", "zz\""},
      {"graph {", ""},
      {"graph { ] }", "] }"},
      {"bogus: 1", "bogus"},
      {"[type.googleapis.com/onnx.GraphProto] { }", ""},
      {"[no.extension]: 1", ""},
      {"1: 8", "1: 8"},
      {std::string("ir_version: 8\0", 14), std::string("\0", 1)},
      {"graph { name: \"g\" } \x01", "\x01"},
      {deep, ""},
      {times(100'000, "graph {"), ""},
      {times(100'000, "graph <"), ""},
  };
  for (const Case& item : textprotos) {
    onnx::ModelProto model;
    const Diagnostics found = Decode(item.text, Format::kTextProto, &model);
    ASSERT_FALSE(found.ok()) << item.text;
    EXPECT_EQ(model.ByteSizeLong(), 0u);
    const Diagnostic& first = found.items().front();
    EXPECT_EQ(first.kind, DiagnosticKind::kMalformedTextProto);
    if (item.place.empty()) continue;
    ASSERT_LE(first.range.begin, item.text.size()) << item.text << ": " << first.message;
    EXPECT_TRUE(std::string_view(item.text).substr(first.range.begin).starts_with(item.place))
        << item.text << ": " << first.message << " at " << first.range.begin;
  }
  const std::string json_values[] = {"\"x\"", "8.5", "9223372036854775808", "[8]", "{}", "true", "1e400", "nul"};
  std::vector<std::string> jsons = {"{",
                                    "{]",
                                    "{\"graph\": 1}",
                                    "{\"graph\": {\"node\": {\"0\": 1}}}",
                                    "{\"irVersion\": 9,}",
                                    "{\"irVersion\": 8} x",
                                    "{\"graph\": {\"initializer\": [{\"rawData\": \"***\"}]}}",
                                    "{\"producerName\": \"\xff\"}",
                                    "{\"producerName\": \"\\ud800\"}",
                                    "{\"bogus\": 1}",
                                    "{\"@type\": \"x\", \"[ext]\": 1}",
                                    times(100'000, "{\"graph\":"),
                                    "{\"graph\": {\"node\": [" + times(100'000, "[")};
  for (const std::string& value : json_values) jsons.push_back("{\"irVersion\": " + value + "}");
  for (const std::string& text : jsons) {
    onnx::ModelProto model;
    const Diagnostics found = Decode(text, Format::kJson, &model);
    EXPECT_FALSE(found.ok()) << text.substr(0, 200) << model.DebugString();
    EXPECT_EQ(model.ByteSizeLong(), 0u);
    ASSERT_EQ(found.items().size(), 1u);
    EXPECT_EQ(found.items().front().kind, DiagnosticKind::kMalformedJson);
    EXPECT_THAT(found.items().front().message, ::testing::Not(::testing::HasSubstr("json.exception")));
  }
}

// Null means that a field is absent.
TEST(Codec, ReadsEveryFormOfJson) {
  const auto read = [](const std::string& text) {
    onnx::ModelProto model;
    EXPECT_TRUE(testing::Ok(Decode(text, Format::kJson, &model))) << text;
    return model;
  };
  EXPECT_EQ(read(R"({"producerName": null, "graph": null})").ByteSizeLong(), 0u);
  for (const char* version : {"8", "8.0", "8e0", R"("8")"}) {
    EXPECT_EQ(read(fmt::format(R"({{"irVersion": {}}})", version)).ir_version(), 8) << version;
  }
  onnx::ModelProto model;
  const Diagnostics found = Decode(R"({"irVersion": true})", Format::kJson, &model);
  ASSERT_EQ(found.items().size(), 1u);
  EXPECT_EQ(found.items()[0].kind, DiagnosticKind::kMalformedJson);
}

// If a field has two values, protobuf uses the last one.
TEST(Codec, RefusesAFieldThatJsonSetsTwice) {
  for (const std::string twice : {"{\"graph\": {\"name\": \"a\",\n \"name\": \"b\"}}",
                                  "{\"irVersion\": 8, \"graph\": {\"name\": \"\"}, \"ir_version\": 9}"}) {
    onnx::ModelProto model;
    const Diagnostic found = Only(Decode(twice, Format::kJson, &model));
    EXPECT_EQ(found.kind, DiagnosticKind::kDuplicateJsonKey);
    const std::string_view blamed = std::string_view(twice).substr(found.range.begin);
    EXPECT_TRUE(blamed == "\"name\": \"b\"}}" || blamed == "\"ir_version\": 9}") << blamed;
  }
  onnx::ModelProto model;
  EXPECT_TRUE(testing::Ok(Decode("{\"opsetImport\": [{\"version\": 1}, {\"version\": 2}]}", Format::kJson, &model)));
}

TEST(Codec, FindsPlacesInTimeLinearInTheText) {
  constexpr int kErrors = 40'000;
  for (const std::string separator : {"\n", "\t"}) {
    std::string text = "producer_name:";
    for (int i = 0; i < kErrors; ++i) text += separator + "\"\\q\"";
    onnx::ModelProto model;
    ParseOptions options;
    options.max_diagnostics = kErrors;
    const auto start = std::chrono::steady_clock::now();
    const Diagnostics found = Decode(text, Format::kTextProto, &model, options);
    EXPECT_LT(std::chrono::steady_clock::now() - start,
              std::chrono::seconds(2));  // this would take ten seconds if the text were read again for each error
    ASSERT_EQ(found.items().size(), static_cast<std::size_t>(kErrors));
    for (std::size_t i = 0; i < kErrors; ++i) ASSERT_EQ(text.at(found.items()[i].range.begin), 'q') << i;
  }
}

TEST(Codec, SpeaksTextToo) {
  onnx::NodeProto node;
  ASSERT_TRUE(testing::Ok(Decode("y = Relu(x)", Format::kText, &node)));
  EXPECT_EQ(node.op_type(), "Relu");
  std::string text;
  ASSERT_TRUE(testing::Ok(Encode(node, Format::kText, &text)));
  EXPECT_THAT(text, ::testing::HasSubstr("y = Relu"));
}

TEST(Codec, SaysNothingItself) {
  ::testing::internal::CaptureStderr();
  onnx::ModelProto model;
  std::string bytes;
  model.set_producer_name("\xff");
  for (const Format format : kProtobufFormats) {
    (void)Encode(model, format, &bytes);
    (void)Decode(bytes, format, &model);
    (void)Decode("\xff\xfe garbage", format, &model);
    (void)Decode("{\"ir_version\": \"x\"}", format, &model);
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace onnxc
