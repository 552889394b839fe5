#include "fuzz/mutate/words.h"

#include <fmt/format.h>
#include <google/protobuf/descriptor.h>
#include <onnxc/proto.h>

#include <cctype>
#include <set>

#include "old_schemas/onnx_v1.pb.h"
#include "old_schemas/onnx_v2.pb.h"
#include "old_schemas/torch_2018.pb.h"
#include "tables/attribute_types.h"
#include "tables/element_types.h"
#include "tables/operators.h"

namespace onnxc::fuzz {
namespace {

using google::protobuf::Descriptor;

/// Words that are in none of the compiler's tables: punctuation, special numbers, pragmas, and the limits of number
/// ranges.
constexpr std::string_view kTokens[] = {"(",
                                        ")",
                                        "[",
                                        "]",
                                        "{",
                                        "}",
                                        "<",
                                        ">",
                                        ",",
                                        ":",
                                        "=",
                                        "=>",
                                        ".",
                                        "?",
                                        "@",
                                        "@{",
                                        "\"",
                                        "b\"",
                                        "#",
                                        "\n",
                                        "'",
                                        ";",
                                        "seq(",
                                        "optional(",
                                        "map(string, ",
                                        "sparse_tensor(",
                                        "opaque(",
                                        "inf",
                                        "-inf",
                                        "nan",
                                        "Infinity",
                                        "nan0x7fc00001",
                                        "# onnxc: raw\n",
                                        "# onnxc: typed\n",
                                        "# onnxc: functions\n",
                                        "# onnxc: set domain\n",
                                        "# onnxc: unset type\n",
                                        "# onnxc: set NodeProto.domain, unset OperatorSetIdProto.domain\n",
                                        "@doc_string \"d\" ",
                                        "@{op_type: \"A\"}",
                                        "@metadata_props [\"k\": \"v\"] ",
                                        "@unknown_fields b\"\\xa2\\x06\\x01x\" ",
                                        "ir_version: 10",
                                        "opset_import: [\"\" : 20]",
                                        "\\\"",
                                        "\\x00",
                                        "g () => () {}",
                                        "float[2] {1, 2}",
                                        "[\"location\": \"f\"]",
                                        "0",
                                        "1",
                                        "-1",
                                        "-0",
                                        "127",
                                        "255",
                                        "65536",
                                        "2147483648",
                                        "-2147483649",
                                        "4294967296",
                                        "9223372036854775807",
                                        "-9223372036854775808",
                                        "18446744073709551615",
                                        "99999999999999999999",
                                        "1.5",
                                        "1e",
                                        "1e39",
                                        "1e-400",
                                        "3.4028236e38",
                                        "0.1",
                                        "- 5",
                                        "007",
                                        "1.2.3"};

/// The names of the fields and enumerators of a message, and of all messages that it can contain.
void AddSchema(const Descriptor* type, std::set<const Descriptor*>* seen, std::set<std::string>* words) {
  if (!seen->insert(type).second) return;
  for (int i = 0; i < type->field_count(); ++i) {
    words->emplace(type->field(i)->name());
    const auto* values = type->field(i)->enum_type();
    for (int k = 0; values != nullptr && k < values->value_count(); ++k) words->emplace(values->value(k)->name());
    if (const Descriptor* member = type->field(i)->message_type()) AddSchema(member, seen, words);
  }
}

std::vector<std::string> AllWords() {
  std::set<std::string> words(std::begin(kTokens), std::end(kTokens));
  for (const ElementType& type : kElementTypes) words.emplace(type.keyword);
  for (const AttributeType& type : kAttributeTypes) words.emplace(type.keyword);
  std::set<const Descriptor*> seen;
  for (const Descriptor* const root :
       {onnx::ModelProto::descriptor(), onnx::SequenceProto::descriptor(), onnx::MapProto::descriptor(),
        onnx::OptionalProto::descriptor(), old::onnx_v1::GraphProto::descriptor(),
        old::onnx_v2::ModelProto::descriptor(), old::torch_2018::ModelProto::descriptor()}) {
    AddSchema(root, &seen, &words);
  }
  for (const char* name : {"Add", "If", "Loop", "Constant", "Cast", "Conv", "ArrayFeatureExtractor", "Adam"})
    words.insert(name);
  for (const std::string_view domain : kOperatorDomains) words.insert(fmt::format("\"{}\"", domain));
  return {words.begin(), words.end()};
}

}  // namespace

const std::vector<std::string>& Words() {
  static const std::vector<std::string> words = AllWords();
  return words;
}

std::string Dictionary() {
  std::string text = "# Written by fuzz_seeds.\n";
  for (const std::string& word : Words()) {
    text += '"';
    for (const char c : word) {
      const auto byte = static_cast<unsigned char>(c);
      if (std::isprint(byte) != 0 && c != '"' && c != '\\') {
        text += c;
      } else {
        text += fmt::format("\\x{:02x}", byte);
      }
    }
    text += "\"\n";
  }
  return text;
}

}  // namespace onnxc::fuzz
