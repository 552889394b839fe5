// A rename changes the name and nothing else.
#include <gtest/gtest.h>
#include <onnxc/checker.h>
#include <onnxc/parser.h>
#include <onnxc/printer.h>
#include <onnxc/rename.h>

#include <algorithm>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "edit/names.h"
#include "lsp/right_texts.h"
#include "symbols/tokens.h"
#include "testing/name_places.h"
#include "testing/predicates.h"
#include "testing/proto.h"

namespace onnxc::lsp::rename_test {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

/// Gives the strings that `from` became `to` in `*after` their old name again.
void Restore(const Message& before, const std::string& from, const std::string& to, Message* after) {
  const auto* const reflection = before.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection->ListFields(before, &fields);
  for (const FieldDescriptor* const field : fields) {
    const bool is_list = field->is_repeated();
    const int count = is_list ? reflection->FieldSize(before, field) : 1;
    if (is_list ? reflection->FieldSize(*after, field) != count : !reflection->HasField(*after, field)) continue;
    for (int i = 0; i < count; ++i) {
      if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
        Restore(
            is_list ? reflection->GetRepeatedMessage(before, field, i) : reflection->GetMessage(before, field), from,
            to,
            is_list ? reflection->MutableRepeatedMessage(after, field, i) : reflection->MutableMessage(after, field));
      }
      if (field->cpp_type() != FieldDescriptor::CPPTYPE_STRING) continue;
      const auto get = [&](const Message& message) {
        return is_list ? reflection->GetRepeatedString(message, field, i) : reflection->GetString(message, field);
      };
      if (get(before) != from || get(*after) != to) continue;
      if (is_list) {
        reflection->SetRepeatedString(after, field, i, from);
      } else {
        reflection->SetString(after, field, from);
      }
    }
  }
}

std::multiset<DiagnosticKind> ErrorsOf(const onnx::ModelProto& model) {
  const Diagnostics errors = CheckModel(model).ErrorsOnly();
  std::multiset<DiagnosticKind> kinds;
  for (const Diagnostic& error : errors.items()) kinds.insert(error.kind);
  return kinds;
}

/// Renames what is at a place of the text. Returns the new text, or nothing if the server refuses.
std::optional<std::string> Renamed(RightText* document, SourceRange range, const std::string& name) {
  const Json edit = document->Ask("textDocument/rename", {range.begin, range.begin}, {{"newName", name}});
  if (!edit.contains("changes")) return std::nullopt;
  return document->AfterEdit(edit);
}

/// If only one thing in the model has this name, returns the text in which the command renamed it; "" if the command
/// refuses. Returns nothing if the command cannot rename the same thing.
std::optional<std::string> RenamedByCommand(const std::string& text, const onnx::ModelProto& model,
                                            const std::string& from, const std::string& to) {
  const edit::Names names(model);
  const auto is_it = [&](const edit::Entity& entity) { return entity.name == from; };
  const auto found = std::ranges::find_if(names.entities(), is_it);
  if (std::ranges::count_if(names.entities(), is_it) != 1 || found->kind > edit::EntityKind::kDimension ||
      found->kind == edit::EntityKind::kNode) {
    return std::nullopt;
  }
  return RenameText(text, {.rules = {{from, to}}, .kinds = {static_cast<NameKind>(found->kind)}}).text;
}

// Renames each name at each place where it appears.
TEST(Rename, ChangesNothingButTheName) {
  constexpr const char* kNames[] = {"renamed", "float", "seq", "a name", "nan", "7", "Relu", "a\"b", "é"};
  std::mt19937 random(32);  // NOLINT(cert-msc51-cpp): a fixed seed, so that the names are the same each time
  std::size_t made = 0;
  std::size_t compared = 0;
  for (const std::string& text : RightTexts()) {
    RightText document(text);
    onnx::ModelProto before;
    ASSERT_TRUE(testing::Ok(Parse(text, &before, {.tell_functions_apart = true}))) << text;
    const auto errors = ErrorsOf(before);
    for (const TextToken& token : TokensIn(text, {0, text.size()})) {
      if (token.kind == TokenKind::kMark) continue;
      const char* const name = kNames[random() % std::size(kNames)];
      const Json old = document.Ask("textDocument/prepareRename", {token.range.begin, token.range.begin});
      if (!old.contains("placeholder")) continue;
      const std::string from = old["placeholder"];
      const std::optional<std::string> after = Renamed(&document, token.range, name);
      SCOPED_TRACE("'" + from + "' to '" + name + "'\n" + text + "\n==>\n" + after.value_or(""));
      if (from != name) {
        const std::optional<std::string> commanded = RenamedByCommand(text, before, from, name);
        compared += commanded ? 1 : 0;
        EXPECT_EQ(after.value_or(""), commanded.value_or(after.value_or("")));
      }
      if (!after) continue;
      ++made;
      onnx::ModelProto model;
      ASSERT_TRUE(testing::Ok(Parse(*after, &model, {.tell_functions_apart = true})));
      EXPECT_EQ(ErrorsOf(model), errors);
      Restore(before, from, name, &model);
      EXPECT_EQ(testing::Bytes(model), testing::Bytes(before));
    }
  }
  EXPECT_GT(made, 500u);
  EXPECT_GT(compared, 500u);
  RecordProperty("renames", static_cast<int>(made));
}

// The names of models that have names in each place of the schema, also in places that are not in the index of symbols.
TEST(Rename, AgreesWithTheCommandInEveryPlace) {
  using testing::Meaning;
  const testing::NamesByMeaning names = {{Meaning::kValue, "value"},
                                         {Meaning::kNode, "node"},
                                         {Meaning::kFunction, "Function"},
                                         {Meaning::kDimension, "dimension"},
                                         {Meaning::kDomain, "domain"}};
  std::set<std::pair<const FieldDescriptor*, const FieldDescriptor*>> seen;
  int compared = 0;
  for (const testing::StringPlace& string : testing::AllStringPlaces()) {
    const auto name = names.find(string.meaning);
    if (name == names.end()) continue;
    if (!seen.insert({string.place.empty() ? nullptr : string.place.back(), string.field}).second) continue;
    onnx::ModelProto model = testing::ModelWithNames(names);
    testing::AddString(string, name->second, names.at(Meaning::kDomain), &model);
    const std::string text = Print(model).text;
    const std::optional<std::string> commanded = RenamedByCommand(text, model, name->second, "renamed");
    if (!commanded) continue;
    RightText document(text);
    const PartialModel parsed = ParsePartial(text);
    const auto is_it = [&](const Symbol& symbol) { return symbol.name == name->second; };
    const auto symbol = std::ranges::find_if(parsed.symbols.symbols(), is_it);
    ASSERT_NE(symbol, parsed.symbols.symbols().end());
    EXPECT_EQ(Renamed(&document, parsed.symbols.occurrences()[symbol->first].range, "renamed"), commanded)
        << testing::ToString(string) << "\n"
        << text;
    EXPECT_NE(*commanded, "");
    ++compared;
  }
  EXPECT_GT(compared, 10);
}

}  // namespace
}  // namespace onnxc::lsp::rename_test
