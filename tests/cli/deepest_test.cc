// Messages nested as deeply as protobuf reads them, through each field of the schema that is recursive: each subcommand
// treats them like flat ones. It refuses those with one level more. The fields come from the descriptors.
#include <fmt/format.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>
#include <onnxc/kind.h>
#include <onnxc/model_io.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/calls.h"
#include "cli/program.h"
#include "tables/attribute_types.h"
#include "tables/limits.h"
#include "testing/folder.h"
#include "testing/predicates.h"
#include "testing/proto.h"

namespace onnxc {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using Path = std::vector<const FieldDescriptor*>;

/// The fields of a type that contain messages.
Path MessagesIn(const Descriptor* type) {
  Path fields;
  for (int i = 0; i < type->field_count(); ++i) {
    if (type->field(i)->message_type() != nullptr) fields.push_back(type->field(i));
  }
  return fields;
}

/// Returns the shortest path of fields to each type that messages of this type can contain, also to the type itself.
std::map<const Descriptor*, Path> PathsFrom(const Descriptor* type) {
  std::map<const Descriptor*, Path> paths = {{type, {}}};
  for (std::deque<const Descriptor*> next = {type}; !next.empty(); next.pop_front()) {
    for (const FieldDescriptor* const field : MessagesIn(next.front())) {
      Path path = paths.at(next.front());
      path.push_back(field);
      if (paths.emplace(field->message_type(), std::move(path)).second) next.push_back(field->message_type());
    }
  }
  return paths;
}

std::optional<Path> PathBetween(const Descriptor* from, const Descriptor* to) {
  const std::map<const Descriptor*, Path> paths = PathsFrom(from);
  const auto found = paths.find(to);
  return found == paths.end() ? std::nullopt : std::optional(found->second);
}

/// A way into a circle of fields, which can be followed again and again.
struct Nest {
  std::size_t number;
  std::string kind;  ///< a word of `--kind`
  const Descriptor* root;
  Path way;
  Path circle;

  /// Returns the field from one level to the next; the root is level 1.
  [[nodiscard]] const FieldDescriptor* Field(std::size_t level) const {
    return level <= way.size() ? way[level - 1] : circle[(level - 1 - way.size()) % circle.size()];
  }
};

std::ostream& operator<<(std::ostream& stream, const Nest& nest) {
  stream << nest.kind;
  for (const FieldDescriptor* const field : nest.way) stream << "." << field->name();
  stream << " (";
  for (const FieldDescriptor* const field : nest.circle) stream << "." << field->name();
  return stream << ")*";
}

/// Returns all nests in a kind of file: each recursive field, in each of the other fields through which it is reached.
/// In parts of models, each recursive field is reached only once.
template <typename Row>
void AddNests(const Row& row, std::vector<Nest>* nests) {
  const Descriptor* const root = Row::Message::descriptor();
  std::set<std::set<const FieldDescriptor*>> circles;
  for (const auto& [type, path] : PathsFrom(root)) {
    for (const FieldDescriptor* const recursive : MessagesIn(type)) {
      const std::optional<Path> back = PathBetween(recursive->message_type(), type);
      if (!back) continue;
      Path circle = {recursive};
      circle.insert(circle.end(), back->begin(), back->end());
      if (!circles.insert({circle.begin(), circle.end()}).second) continue;
      if (row.kind != Kind::kModel) {
        nests->push_back({nests->size(), std::string(row.word), root, path, circle});
        continue;
      }
      for (const auto& [outer, to_outer] : PathsFrom(root)) {
        for (const FieldDescriptor* const entry : MessagesIn(outer)) {
          const std::optional<Path> inside = PathBetween(entry->message_type(), type);
          if (!inside || PathBetween(type, outer)) continue;  // `outer` is outside of the circle
          const bool is_in_circle = PathBetween(type, entry->message_type()).has_value();
          if (!is_in_circle) continue;  // a field on the way
          Path way = to_outer;
          way.push_back(entry);
          way.insert(way.end(), inside->begin(), inside->end());
          nests->push_back({nests->size(), std::string(row.word), root, way, circle});
        }
      }
    }
  }
}

std::vector<Nest> Nests() {
  std::vector<Nest> nests;
  ForEachKind([&](const auto& row) { AddNests(row, &nests); });
  return nests;
}

/// Sets what makes an element of a model valid. `inside` is the field of the message that will be set, or null.
void Name(Message* message, std::size_t level, const FieldDescriptor* inside) {
  if (auto* const node = dynamic_cast<onnx::NodeProto*>(message)) {
    node->set_op_type("Op");
    node->set_domain("d");
    node->add_output(fmt::format("deep{}", level));
  }
  if (auto* const attribute = dynamic_cast<onnx::AttributeProto*>(message)) {
    attribute->set_name("a");
    attribute->set_type(onnx::AttributeProto::INT);
    for (const AttributeType& type : kAttributeTypes) {
      if (inside != nullptr && type.field == inside->number()) {
        attribute->set_type(static_cast<onnx::AttributeProto::AttributeType>(type.code));
      }
    }
  }
  if (auto* const function = dynamic_cast<onnx::FunctionProto*>(message)) {
    function->set_domain("d");
    onnx::OperatorSetIdProto* const import = function->add_opset_import();
    import->set_domain("d");
    import->set_version(1);
  }
  for (const char* const name : {"name", "key_type", "elem_type"}) {
    const FieldDescriptor* const field = message->GetDescriptor()->FindFieldByName(name);
    if (field == nullptr || field->is_repeated() || message->GetReflection()->HasField(*message, field)) continue;
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_STRING) {
      message->GetReflection()->SetString(message, field, fmt::format("deep{}", level));
    } else if (field->cpp_type() == FieldDescriptor::CPPTYPE_INT32) {
      message->GetReflection()->SetInt32(message, field, onnx::TensorProto::INT64);
    }
  }
}

/// Returns a message of this number of levels.
std::unique_ptr<Message> Make(const Nest& nest, std::size_t levels) {
  std::unique_ptr<Message> root(google::protobuf::MessageFactory::generated_factory()->GetPrototype(nest.root)->New());
  if (auto* const model = dynamic_cast<onnx::ModelProto*>(root.get())) {
    *model = testing::ParseText<onnx::ModelProto>(
        "<ir_version: 10, opset_import: [\"\" : 21, \"d\" : 1]>\n"
        "g (float[N, 2] x) => (float[N, 2] y) <float[2] w = {1, 2}> { a = Relu (x) y = Mul (a, w) }\n"
        "<domain: \"d\", opset_import: [\"\" : 21, \"d\" : 1]> f (x) => (y) { a = Relu (x) y = Neg (a) }\n");
  }
  Message* message = root.get();
  for (std::size_t level = 1; level < levels; ++level) {
    const FieldDescriptor* const field = nest.Field(level);
    Name(message, level, field);
    message = field->is_repeated() ? message->GetReflection()->AddMessage(message, field)
                                   : message->GetReflection()->MutableMessage(message, field);
  }
  Name(message, levels, nullptr);
  return root;
}

/// Writes a message with the name of each field, which texts allow for every message. `quote` stands around the names,
/// so that the result can also be JSON.
std::string Record(const Message& message, std::string_view quote = "") {
  const auto* const reflection = message.GetReflection();
  Path fields;
  reflection->ListFields(message, &fields);
  std::string text;
  for (const FieldDescriptor* const field : fields) {
    const auto value = [&](int i) {
      if (field->message_type() != nullptr) {
        return Record(field->is_repeated() ? reflection->GetRepeatedMessage(message, field, i)
                                           : reflection->GetMessage(message, field),
                      quote);
      }
      if (field->enum_type() != nullptr) return fmt::to_string(reflection->GetEnumValue(message, field));
      std::string scalar;
      google::protobuf::TextFormat::PrintFieldValueToString(message, field, i, &scalar);
      return scalar;
    };
    std::string values = field->is_repeated() ? "" : value(-1);
    for (int i = 0; field->is_repeated() && i < reflection->FieldSize(message, field); ++i) {
      values += (i == 0 ? "" : ", ") + value(i);
    }
    text += fmt::format("{}{}{}{}: {}", text.empty() ? "" : ", ", quote, field->name(), quote,
                        field->is_repeated() ? "[" + values + "]" : values);
  }
  return "{" + text + "}";
}

/// The forms of a file, and how deep protobuf reads them: it does not count the outermost message, except in JSON.
/// onnxc itself cannot write those of messages that are nested too deeply.
struct Form {
  std::string_view file;
  std::size_t deepest;  ///< levels, including the outermost message
  std::string (*write)(const Message& message, Kind kind);
};
constexpr Form kForms[] = {
    {"f.onnx", kMaxDepth + 1, [](const Message& message, Kind) { return message.SerializePartialAsString(); }},
    {"f.textproto", kMaxDepth + 1,
     [](const Message& message, Kind) {
       std::string text;
       google::protobuf::TextFormat::PrintToString(message, &text);
       return text;
     }},
    {"f.json", kMaxDepth, [](const Message& message, Kind) { return Record(message, "\""); }},
    {"record.onnxtxt", kMaxDepth + 1, [](const Message& message, Kind) { return "@" + Record(message); }},
    {"native.onnxtxt", kMaxDepth + 1,
     [](const Message& message, Kind kind) {
       std::string text;
       WithKind(kind, [&](const auto& row) {
         using Proto = typename std::decay_t<decltype(row)>::Message;
         if (!Encode(dynamic_cast<const Proto&>(message), Format::kText, &text).ok()) text = "@" + Record(message);
       });
       return text;
     }},
};

/// Returns the kinds of the findings that a command has shown.
std::set<std::string> KindsIn(std::string_view shown) {
  std::set<std::string> kinds;
  for (std::size_t at = shown.find(" ["); at != std::string_view::npos; at = shown.find(" [", at + 1)) {
    const std::size_t end = shown.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-", at + 2);
    if (end == std::string_view::npos || shown.substr(end, 2) != "]\n") continue;
    kinds.emplace(shown.substr(at + 2, end - at - 2));
  }
  return kinds;
}

class Deepest : public ::testing::TestWithParam<Nest> {};

TEST_P(Deepest, IsReadAndOneLevelMoreIsNot) {
  const Nest& nest = GetParam();
  const Kind kind = FindKind(nest.kind).value();
  const testing::Folder folder;
  for (const Form& form : kForms) {
    std::size_t flat = form.deepest;  // ends at the same field
    while (flat > nest.way.size() + 1 + 3 * nest.circle.size()) flat -= nest.circle.size();
    const auto write = [&](std::string_view name, std::size_t levels) {
      folder.Write(std::string(name).append(form.file), form.write(*Make(nest, levels), kind));
    };
    write("flat", flat);
    write("deep", form.deepest);
    write("deeper", form.deepest + 1);
  }
  folder.Write("model.onnxtxt",
               "<ir_version: 10, opset_import: [\"\" : 21]>\ng (float[N] x) => (float[N] y) { y = Neg (x) }\n");
  folder.Write("elided.onnxtxt",
               "<ir_version: 10, opset_import: [\"\" : 21]>\n"
               "g (float[2] x) => (float[2] y) <float[2] w = [\"elided\": \"\"]> { y = Mul (x, w) }\n");
  folder.Write("data.safetensors", std::string("\2\0\0\0\0\0\0\0{}", 10));
  std::size_t at = nest.number;  // each call reads a third of the nests, and of these all forms
  for (const testing::Call& call : testing::kCalls) {
    const Form& form = kForms[at % std::size(kForms)];
    if (at++ % 3 != 0) continue;
    std::string words(call.words);
    if (kind != Kind::kModel) {
      if (words.find(".onnxtxt ") != std::string::npos || words.ends_with(" model.onnxtxt")) continue;  // reads a model
      const auto command = std::ranges::find(cli::kCommands, words.substr(0, words.find(' ')),
                                             [](const auto* each) { return each->name; });
      if (cli::MakeProgram(**command).app->get_option_no_throw("--kind") == nullptr) continue;
      words += " --kind " + nest.kind;
    }
    const auto run = [&](const std::string& level) {
      return testing::RunOnnxc(folder, testing::With(words, level + std::string(form.file)));
    };
    SCOPED_TRACE(fmt::format("onnxc {} with {}", words, form.file));
    const bool reports_errors_by_2 = words.starts_with("diff") || words.starts_with("merge");
    const testing::Outcome like_flat = run("flat");
    const testing::Outcome deep = run("deep");
    EXPECT_EQ(deep.status, like_flat.status) << deep.err << "\nflat:\n" << like_flat.err;
    EXPECT_EQ(KindsIn(deep.err), KindsIn(like_flat.err)) << deep.err << "\nflat:\n" << like_flat.err;
    const bool is_refused = like_flat.status == 2 || KindsIn(like_flat.err).contains("not-the-kind");
    if (is_refused) continue;  // the call is not for this kind of file
    const testing::Outcome deeper = run("deeper");
    EXPECT_EQ(deeper.status, reports_errors_by_2 ? 2 : 1) << deeper.err;
    EXPECT_NE(deeper.err.find("messages are nested too deeply"), std::string::npos) << deeper.err;
  }
}

INSTANTIATE_TEST_SUITE_P(Each, Deepest, ::testing::ValuesIn(Nests()));

}  // namespace
}  // namespace onnxc
