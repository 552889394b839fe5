// Converts old models to the current schema: samples with golden files, and each field of each old schema.
#include "old/convert.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>
#include <onnxc/checker.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>

#include "old/conversion.h"
#include "old/mappings.h"
#include "testing/folder.h"
#include "testing/old_message.h"
#include "testing/paths.h"
#include "testing/predicates.h"

namespace onnxc::old {
namespace {

namespace fs = std::filesystem;
namespace pb = google::protobuf;
using pb::Descriptor;
using pb::FieldDescriptor;

using testing::NewOldMessage;
using testing::ReadWhole;

const fs::path kFolder = fs::path(testing::kTestdata) / "old";

bool Blesses() { return std::getenv("ONNXC_BLESS") != nullptr; }

void ExpectGolden(const fs::path& path, const std::string& actual) {
  const std::string expected = fs::exists(path) ? ReadWhole(path) : "";
  if (actual == expected) return;
  if (!Blesses()) {
    ADD_FAILURE() << actual << path << " differs; ONNXC_BLESS=1 rewrites it";
  } else if (actual.empty()) {
    fs::remove(path);
  } else {
    std::ofstream(path, std::ios::binary) << actual;
  }
}

// ---- samples: NAME.SCHEMA.textproto gives NAME.SCHEMA.converted, and NAME.SCHEMA.findings where there are any

std::vector<std::string> Samples() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".textproto") names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

Schema SchemaOf(const std::string& name) {
  const std::string word = name.substr(name.find('.') + 1);
  const auto row = std::ranges::find(kSchemas, word, &SchemaRow::word);
  if (row == kSchemas.end()) throw std::invalid_argument(name);
  return row->schema;
}

ConvertOptions OptionsFor(Schema schema, bool allow_loss = false) {
  ConvertOptions options{.allow_loss = allow_loss};
  if (schema == Schema::kOnnx01) {
    EXPECT_TRUE(pb::TextFormat::ParseFromString(
        "tensor_type { elem_type: 1 shape { dim { dim_value: 1 } dim { dim_value: 1 } dim { dim_value: 5 } dim { "
        "dim_value: 5 } } }",
        &options.input_types["x"]));
  }
  return options;
}

class OldSample : public ::testing::TestWithParam<std::string> {};

TEST_P(OldSample, Converts) {
  const Schema schema = SchemaOf(GetParam());
  const std::string text = ReadWhole(kFolder / (GetParam() + ".textproto"));
  const std::unique_ptr<pb::Message> root = NewOldMessage(schema);
  ASSERT_TRUE(pb::TextFormat::ParseFromString(text, root.get()));
  const std::string bytes = root->SerializeAsString();

  onnx::ModelProto model;
  Diagnostics found = Convert(bytes, schema, OptionsFor(schema), &model);
  onnx::ModelProto from_text;
  (void)Convert(text, schema, OptionsFor(schema), &from_text);
  EXPECT_EQ(model.SerializeAsString(), from_text.SerializeAsString());

  const SourceText name("model", "");
  std::string findings = RenderText(found, name);
  if (!found.ok()) {
    found = Convert(bytes, schema, OptionsFor(schema, true), &model);
    findings += "--allow-loss:\n" + RenderText(found, name);
  }
  std::string printed;
  if (found.ok()) {
    ASSERT_TRUE(testing::Ok(Encode(model, Format::kText, &printed)));
    findings += "check:\n" + RenderText(CheckModel(model), name);
  }
  ExpectGolden(kFolder / (GetParam() + ".converted"), printed);
  ExpectGolden(kFolder / (GetParam() + ".findings"), findings);
}

INSTANTIATE_TEST_SUITE_P(Golden, OldSample, ::testing::ValuesIn(Samples()), [](const auto& sample) {
  std::string name = sample.param;
  std::ranges::replace_if(
      name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

// ---- each field of each old schema

struct Counts {
  int messages = 0;
  int fields = 0;
  int kept = 0;
};

/// The current message to which the old message is converted.
const Descriptor* Today(const Descriptor& old_message) {
  static const std::map<std::string, std::string, std::less<>> kRenamed = {
      {"TypeProto.TensorTypeProto", "TypeProto.Tensor"},
      {"TypeProto.TensorShapeProto", "TensorShapeProto"},
      {"TypeProto.TensorShapeProto.Dimension", "TensorShapeProto.Dimension"},
      {"TypeProto.SparseTensorTypeProto", "TypeProto.SparseTensor"},
      {"TypeProto.SpecialBlob", "TypeProto.Opaque"},
  };
  const std::string_view name = NameInSchema(old_message.full_name());
  const auto renamed = kRenamed.find(name);
  return onnx::ModelProto::descriptor()->file()->pool()->FindMessageTypeByName(
      "onnx." + (renamed == kRenamed.end() ? std::string(name) : renamed->second));
}

void Count(Schema schema, const Descriptor& message, Counts* counts) {
  if (message.name() == "DeviceOption")
    return;  // DeviceOption is a message of caffe2, whose bytes are kept as metadata
  ++counts->messages;
  const Descriptor* const today = Today(message);
  for (int i = 0; i < message.field_count(); ++i) {
    const FieldDescriptor& field = *message.field(i);
    ++counts->fields;
    const FieldDescriptor* const same = today == nullptr ? nullptr : today->FindFieldByNumber(field.number());
    const bool is_kept = same != nullptr && IsKept(field, *same);
    const bool is_mapped = FindMapping(schema, NameInSchema(field.full_name())) != nullptr;
    EXPECT_TRUE(is_kept || is_mapped) << field.full_name() << " is neither kept nor in the table";
    counts->kept += static_cast<int>(!is_mapped);
  }
  for (int i = 0; i < message.nested_type_count(); ++i) Count(schema, *message.nested_type(i), counts);
}

Counts CountAll(Schema schema) {
  Counts counts;
  const pb::FileDescriptor& file = *NewOldMessage(schema)->GetDescriptor()->file();
  for (int i = 0; i < file.message_type_count(); ++i) Count(schema, *file.message_type(i), &counts);
  return counts;
}

TEST(OldFields, AreKeptMappedOrRefused) {
  const Counts v1 = CountAll(Schema::kOnnx01);
  const Counts v2 = CountAll(Schema::kOnnx02);
  const Counts torch = CountAll(Schema::kTorch);
  EXPECT_EQ(v1.messages, 5);
  EXPECT_EQ(v1.fields, 38);
  EXPECT_EQ(v2.messages, 13);
  EXPECT_EQ(v2.fields, 58);
  EXPECT_EQ(torch.messages, 16);
  EXPECT_EQ(torch.fields, 94);
  std::cout << "kept, of all fields: 0.1 " << v1.kept << "/" << v1.fields << ", 0.2 " << v2.kept << "/" << v2.fields
            << ", torch " << torch.kept << "/" << torch.fields << "\n";
}

TEST(OldFields, EachRowIsAboutAFieldOrAValueThatThereIs) {
  for (const Mapping& row : Mappings()) {
    const pb::FileDescriptor& file = *NewOldMessage(row.schema)->GetDescriptor()->file();
    const std::string name = std::string(file.package()) + "." + std::string(row.field);
    const std::string in_pool = name.substr(0, name.rfind('.'));
    const bool is_value = file.pool()->FindEnumTypeByName(in_pool) != nullptr &&
                          file.pool()->FindEnumTypeByName(in_pool)->FindValueByName(name.substr(name.rfind('.') + 1));
    EXPECT_TRUE(file.pool()->FindFieldByName(name) != nullptr || is_value) << row.field;
    EXPECT_FALSE(row.becomes.empty()) << row.field;
  }
}

// ---- unusual values in all fields

class Filler {
 public:
  Filler(Schema schema, unsigned seed) : schema_(schema), random_(seed) {}

  /// Sets fields that are kept, at any depth.
  void FillKept(pb::Message* message, int depth) {
    const Descriptor& descriptor = *message->GetDescriptor();
    std::set<const pb::OneofDescriptor*> chosen;
    for (int i = 0; i < descriptor.field_count(); ++i) {
      const FieldDescriptor& field = *descriptor.field(i);
      if (FindMapping(schema_, NameInSchema(field.full_name())) != nullptr || Below(3) == 0) continue;
      // The fields that form a oneof in the current schema, so that only one of them can be set.
      const Descriptor* const today = Today(descriptor);
      const pb::OneofDescriptor* const choice =
          today == nullptr ? nullptr : today->FindFieldByNumber(field.number())->containing_oneof();
      if (choice != nullptr && !chosen.insert(choice).second) continue;
      const int count = field.is_repeated() ? 1 + static_cast<int>(Below(2)) : 1;
      for (int k = 0; k < count; ++k) Set(message, field, depth);
    }
  }

  void Set(pb::Message* message, const FieldDescriptor& field, int depth) {
    const pb::Reflection& r = *message->GetReflection();
    static constexpr std::int64_t kOdd[] = {0, 1, -1, INT64_MAX, INT64_MIN, 128, 0x100};
    static const std::string kTexts[] = {"", "a", std::string("\0", 1), "\xFF", "\xF0\x9F\x92\xA9", "a.b/c\n"};
    const bool list = field.is_repeated();
    switch (field.cpp_type()) {
      case FieldDescriptor::CPPTYPE_MESSAGE: {
        if (depth == 0) return;
        pb::Message* const child = list ? r.AddMessage(message, &field) : r.MutableMessage(message, &field);
        return FillKept(child, depth - 1);
      }
      case FieldDescriptor::CPPTYPE_STRING: {
        const std::string& text = kTexts[Below(6)];
        return list ? r.AddString(message, &field, text) : r.SetString(message, &field, text);
      }
      case FieldDescriptor::CPPTYPE_INT64: {
        const std::int64_t value = kOdd[Below(7)];
        return list ? r.AddInt64(message, &field, value) : r.SetInt64(message, &field, value);
      }
      case FieldDescriptor::CPPTYPE_FLOAT:
        return list ? r.AddFloat(message, &field, -0.0F) : r.SetFloat(message, &field, -0.0F);
      case FieldDescriptor::CPPTYPE_ENUM: {
        const int values = std::min(10, field.enum_type()->value_count());  // not SPECIAL
        return r.SetEnum(message, &field,
                         field.enum_type()->value(static_cast<int>(Below(static_cast<unsigned>(values)))));
      }
      case FieldDescriptor::CPPTYPE_DOUBLE: return r.AddDouble(message, &field, 1e-320);
      case FieldDescriptor::CPPTYPE_INT32:
        return list ? r.AddInt32(message, &field, INT32_MIN) : r.SetInt32(message, &field, INT32_MIN);
      case FieldDescriptor::CPPTYPE_UINT64: return r.AddUInt64(message, &field, UINT64_MAX);
      default: FAIL() << field.full_name();
    }
  }

  unsigned Below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }

 private:
  Schema schema_;
  std::mt19937 random_;
};

TEST(OldFields, ThatAreKeptKeepOddValues) {
  for (const Schema schema : {Schema::kOnnx02, Schema::kTorch}) {
    for (unsigned seed = 0; seed < 300; ++seed) {
      SCOPED_TRACE(fmt::format("schema {}, seed {}", static_cast<int>(schema), seed));
      const std::unique_ptr<pb::Message> root = NewOldMessage(schema);
      Filler(schema, seed).FillKept(root.get(), 7);
      const FieldDescriptor& version = *root->GetDescriptor()->FindFieldByName("ir_version");
      root->GetReflection()->SetInt64(root.get(), &version, schema == Schema::kTorch ? 0x103 : 1);
      onnx::ModelProto expected;
      ASSERT_TRUE(expected.ParseFromString(root->SerializeAsString()));
      onnx::ModelProto model;
      const Diagnostics found = Convert(root->SerializeAsString(), schema, {}, &model);
      // Clears the parts that are not kept: the version, the import and the types of attributes.
      expected.set_ir_version(1);
      const auto imports = expected.opset_import();
      const bool has_types = Upgrade(&expected).ok();
      EXPECT_EQ(found.ok(), has_types) << RenderText(found, SourceText("model", ""));
      if (!has_types) continue;
      if (schema == Schema::kTorch) {
        expected.set_ir_version(10);
        *expected.mutable_opset_import() = imports;
      }
      EXPECT_EQ(model.SerializeAsString(), expected.SerializeAsString()) << root->DebugString();
    }
  }
}

/// Sets the fields that lead from `message` to a message of the type with this name. Returns that message, or null if
/// there is no path.
pb::Message* MakeWay(pb::Message* message, std::string_view name, std::set<const Descriptor*>* seen) {
  const Descriptor& descriptor = *message->GetDescriptor();
  if (NameInSchema(descriptor.full_name()) == name) return message;
  if (!seen->insert(&descriptor).second) return nullptr;
  for (int i = 0; i < descriptor.field_count(); ++i) {
    const FieldDescriptor& field = *descriptor.field(i);
    const std::string_view full = NameInSchema(field.full_name());
    const bool is_way = full != "ModelProto.annotations" && full != "ModelProto.methods" &&
                        !full.ends_with("blob_lists") && !full.ends_with("plans") && !full.ends_with("annotations");
    if (field.cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE || !is_way) continue;
    pb::Message* const child = field.is_repeated() ? message->GetReflection()->AddMessage(message, &field)
                                                   : message->GetReflection()->MutableMessage(message, &field);
    if (pb::Message* const found = MakeWay(child, name, seen)) return found;
    if (field.is_repeated()) {
      message->GetReflection()->RemoveLast(message, &field);
    } else {
      message->GetReflection()->ClearField(message, &field);
    }
  }
  return nullptr;
}

/// Adds all metadata of a message, at any depth, to `entries`.
void Collect(const pb::Message& message, std::map<std::string, std::string>* entries) {
  if (message.GetDescriptor() == onnx::StringStringEntryProto::descriptor()) {
    const auto& entry = static_cast<const onnx::StringStringEntryProto&>(message);
    entries->emplace(entry.key(), entry.value());
  }
  std::vector<const FieldDescriptor*> fields;
  message.GetReflection()->ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    if (!field->is_repeated()) {
      Collect(message.GetReflection()->GetMessage(message, field), entries);
      continue;
    }
    for (int i = 0; i < message.GetReflection()->FieldSize(message, field); ++i) {
      Collect(message.GetReflection()->GetRepeatedMessage(message, field, i), entries);
    }
  }
}

TEST(OldFields, ThatBecomeMetadataAreThere) {
  int rows = 0;
  for (const Mapping& row : Mappings()) {
    if (row.fate != Fate::kMetadata) continue;
    for (unsigned seed = 0; seed < 20; ++seed) {
      SCOPED_TRACE(fmt::format("{}, seed {}", row.field, seed));
      const std::unique_ptr<pb::Message> root = NewOldMessage(row.schema);
      if (row.schema == Schema::kTorch) static_cast<torch_2018::ModelProto&>(*root).set_ir_version(0x103);
      std::set<const Descriptor*> seen;
      pb::Message* const holder = MakeWay(root.get(), row.field.substr(0, row.field.rfind('.')), &seen);
      ASSERT_NE(holder, nullptr) << row.field;
      const std::string name(row.field.substr(row.field.rfind('.') + 1));
      Filler(row.schema, seed).Set(holder, *holder->GetDescriptor()->FindFieldByName(name), 2);
      onnx::ModelProto model;
      const Diagnostics found = Convert(root->SerializeAsString(), row.schema, {}, &model);
      ASSERT_TRUE(testing::Ok(found)) << row.field << RenderText(found, SourceText("model", "")) << root->DebugString();
      std::map<std::string, std::string> entries;
      Collect(model, &entries);
      const std::string shown(row.becomes.substr(0, row.becomes.find('`', 1) + 1));
      std::string key = shown.substr(1, shown.size() - 2);
      EXPECT_TRUE(entries.contains(key)) << key << " of " << row.field << "\n" << model.DebugString();
    }
    ++rows;
  }
  EXPECT_EQ(rows, 17);
}

TEST(OldFields, ThatNoSchemaKnowsAreErrors) {
  for (const SchemaRow& schema : kSchemas) {
    for (const char* const name : {"GraphProto", "NodeProto", "AttributeProto", "TensorProto"}) {
      const std::unique_ptr<pb::Message> root = NewOldMessage(schema.schema);
      std::set<const Descriptor*> seen;
      pb::Message* const holder = MakeWay(root.get(), name, &seen);
      ASSERT_NE(holder, nullptr) << name;
      holder->GetReflection()->MutableUnknownFields(holder)->AddVarint(1000, 7);
      onnx::ModelProto model;
      const Diagnostics found = Convert(root->SerializeAsString(), schema.schema, {}, &model);
      ASSERT_FALSE(found.ok()) << name;
      EXPECT_THAT(found.items().front().message, ::testing::HasSubstr("the old schema does not know it"));
      EXPECT_FALSE(found.items().front().path.empty() && holder != root.get());
    }
  }
}

// ---- damaged bytes

/// The bytes after some of them are changed, removed or doubled.
std::string Damaged(std::string bytes, std::mt19937* random) {
  const auto below = [&](std::size_t limit) {
    return static_cast<std::size_t>((*random)() % std::max<std::size_t>(1, limit));
  };
  for (std::size_t changes = 1 + below(4); changes > 0 && !bytes.empty(); --changes) {
    const std::size_t at = below(bytes.size());
    const std::size_t length = 1 + below(std::min<std::size_t>(16, bytes.size() - at));
    switch (below(4)) {
      case 0: bytes[at] = static_cast<char>((*random)()); break;
      case 1: bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8))); break;
      case 2: bytes.erase(at, length); break;
      default: bytes.insert(below(bytes.size()), bytes.substr(at, length)); break;
    }
  }
  return bytes;
}

TEST(OldMutants, GiveAModelOrAFinding) {
  std::mt19937 random(1);
  const char* const wanted = std::getenv("ONNXC_OLD_MUTANTS");
  const int count = wanted == nullptr ? 300 : std::atoi(wanted);
  int models = 0;
  for (const std::string& sample : Samples()) {
    const Schema schema = SchemaOf(sample);
    const std::unique_ptr<pb::Message> root = NewOldMessage(schema);
    ASSERT_TRUE(pb::TextFormat::ParseFromString(ReadWhole(kFolder / (sample + ".textproto")), root.get()));
    const std::string bytes = root->SerializeAsString();
    for (int i = 0; i < count; ++i) {
      SCOPED_TRACE(fmt::format("{}, mutant {}", sample, i));
      onnx::ModelProto model;
      const Diagnostics found = Convert(Damaged(bytes, &random), schema, OptionsFor(schema, i % 2 == 0), &model);
      EXPECT_LT(model.ByteSizeLong(), 100 * bytes.size());
      std::string text;
      if (!found.ok()) {
        EXPECT_EQ(model.ByteSizeLong(), 0) << "a model is left of bytes that are wrong";
      } else if (Encode(model, Format::kText, &text).ok()) {
        onnx::ModelProto back;
        ASSERT_TRUE(testing::Ok(Decode(text, Format::kText, &back))) << text;
        EXPECT_EQ(back.SerializeAsString(), model.SerializeAsString());
        ++models;
      }
    }
  }
  EXPECT_GT(models, count / 4) << "so few mutants say nothing";
}

// ---- the document

// ---- messages

/// Returns the findings of a conversion, each as `path: message`.
std::string FindingsOf(const std::string& text, Schema schema, const ConvertOptions& options = {}) {
  onnx::ModelProto model;
  std::string lines;
  const Diagnostics found = Convert(text, schema, options, &model);
  for (const Diagnostic& item : found.items()) lines += fmt::format("{}: {}\n", item.path, item.message);
  return lines;
}

TEST(OldMessages, OutputsOfUnknownOperatorsHaveNoType) {
  ConvertOptions options;
  ASSERT_TRUE(pb::TextFormat::ParseFromString("tensor_type { elem_type: 1 shape {} }", &options.input_types["x"]));
  const std::string graph = R"(name: "g" input: "x" output: "y" node { input: "x" output: "y" op_type: ")";
  EXPECT_EQ(FindingsOf(graph + R"(Unknown" })", Schema::kOnnx01, options),
            "graph.output[0]: the output 'y' has no type: the operator that computes it is unknown\n");
  EXPECT_EQ(FindingsOf(graph + R"(Relu" })", Schema::kOnnx01, options), "");
}

TEST(OldMessages, LongChainsOfAliasesAreNamed) {
  std::string text =
      R"(ir_version: 259 graph { name: "g" initializer { name: "w0" data_type: FLOAT dims: 1 float_data: 1 })";
  for (int i = 1; i <= 10; ++i) text += fmt::format(R"( initializer {{ name: "w{}" alias: "w{}" }})", i, i - 1);
  EXPECT_EQ(FindingsOf(text + " }", Schema::kTorch),
            "graph.initializer[9] \"w9\".alias: more than 8 aliases form a chain that begins at 'w8'\n"
            "graph.initializer[10] \"w10\".alias: more than 8 aliases form a chain that begins at 'w9'\n");
  EXPECT_EQ(FindingsOf(R"(ir_version: 259 graph { name: "g" initializer { name: "a" alias: "b" } })", Schema::kTorch),
            "graph.initializer[0] \"a\".alias: 'b' is no initializer with data\n");
}

TEST(OldMessages, ChunksOfSpecialDataAreNamedAsSuch) {
  std::string text = R"(ir_version: 259 graph { name: "g")";
  for (int i = 0; i < 2; ++i) {
    text += fmt::format(R"( initializer {{ name: "w" data_type: SPECIAL dims: 2
                            segment {{ begin: {} end: {} chuck_num: 2 chuck_id: {} }} }})",
                        i, i + 1, i);
  }
  EXPECT_EQ(FindingsOf(text + " }", Schema::kTorch),
            "graph.initializer[0]: w cannot be converted: chunks of SPECIAL data have no elements; use --allow-loss to "
            "leave it out\n");
}

TEST(OldMessages, PathsLeadIntoGraphsInAttributes) {
  const std::string text = R"(ir_version: 1 graph { name: "g" node { op_type: "A" output: "y" attribute { name: "body"
      g { name: "b" node { op_type: "B" output: "z" attribute { name: "k" i: 1 f: 1 } } } } } })";
  EXPECT_EQ(FindingsOf(text, Schema::kOnnx02).substr(0, 64),
            std::string(R"(graph.node[0].attribute["body"].g.node[0].attribute["k"]: )")
                .append(kNoAttributeType)
                .append("\n")
                .substr(0, 64));
}

TEST(OldFormats, TheDocumentShowsTheTable) {
  const fs::path path = fs::path(testing::kDocs) / "old-formats.md";
  std::string document = ReadWhole(path);
  for (const SchemaRow& schema : kSchemas) {
    std::string table = "| field | becomes |\n|---|---|\n";
    for (const Mapping& row : Mappings()) {
      if (row.schema != schema.schema) continue;
      std::string what(row.becomes);
      if (row.fate == Fate::kRefused) what = "refused: " + what;
      if (row.fate == Fate::kMetadata) what = "metadata " + what;
      table += "| `" + std::string(row.field) + "` | " + what + " |\n";
    }
    const std::string begin = "<!-- " + std::string(schema.word) + " -->\n";
    const std::size_t at = document.find(begin);
    ASSERT_NE(at, std::string::npos) << schema.word;
    const std::size_t end = document.find("<!-- end -->", at);
    if (Blesses()) document.replace(at + begin.size(), end - at - begin.size(), table);
    EXPECT_EQ(document.substr(at + begin.size(), document.find("<!-- end -->", at) - at - begin.size()), table);
  }
  if (Blesses()) std::ofstream(path, std::ios::binary) << document;
}

}  // namespace
}  // namespace onnxc::old
