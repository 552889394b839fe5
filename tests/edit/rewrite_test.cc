#include <gtest/gtest.h>
#include <onnxc/formatter.h>
#include <onnxc/parser.h>
#include <onnxc/rewrite.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "testing/model_texts.h"
#include "testing/proto.h"
#include "testing/random_message.h"
#include "testing/random_values.h"
#include "testing/sprinkled.h"
#include "wire/message.h"

namespace onnxc::testing {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

const ParseOptions kFast = {.max_diagnostics = 0, .tell_functions_apart = true};

/// A list of messages inside of a message.
struct List {
  Message* owner;
  const FieldDescriptor* field;

  [[nodiscard]] int size() const { return owner->GetReflection()->FieldSize(*owner, field); }
  [[nodiscard]] Message* at(int i) const { return owner->GetReflection()->MutableRepeatedMessage(owner, field, i); }
  void Swap(int one, int other) const { owner->GetReflection()->SwapElements(owner, field, one, other); }
  void Move(int from, int to) const {
    for (; from < to; ++from) Swap(from, from + 1);
    for (; from > to; --from) Swap(from, from - 1);
  }
  void Remove(int i) const {
    Move(i, size() - 1);
    owner->GetReflection()->RemoveLast(owner, field);
  }
  void Insert(const Message& message, int i) const {
    owner->GetReflection()->AddMessage(owner, field)->CopyFrom(message);
    Move(size() - 1, i);
  }
};

/// Adds all lists of messages that are not empty.
void FindLists(Message* message, std::vector<List>* lists) {
  std::vector<const FieldDescriptor*> fields;
  const auto& reflection = *message->GetReflection();
  reflection.ListFields(*message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (field->message_type() == nullptr) continue;
    if (!field->is_repeated()) {
      FindLists(reflection.MutableMessage(message, field), lists);
      continue;
    }
    lists->push_back({message, field});
    for (int i = 0; i < reflection.FieldSize(*message, field); ++i) {
      FindLists(reflection.MutableRepeatedMessage(message, field, i), lists);
    }
  }
}

/// Counts the members of all lists of messages, by the paths of the lists without indices.
void CountMembers(const Message& message, const std::string& path, std::map<std::string, int>* counts) {
  std::vector<const FieldDescriptor*> fields;
  const auto& reflection = *message.GetReflection();
  reflection.ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (field->message_type() == nullptr) continue;
    const std::string inside = path + "." + std::string(field->name());
    if (!field->is_repeated()) CountMembers(reflection.GetMessage(message, field), inside, counts);
    for (int i = 0; field->is_repeated() && i < reflection.FieldSize(message, field); ++i) {
      ++(*counts)[inside];
      CountMembers(reflection.GetRepeatedMessage(message, field, i), inside, counts);
    }
  }
}

/// Returns whether a list lost a member.
bool HasRemoved(const onnx::ModelProto& before, const onnx::ModelProto& after) {
  std::map<std::string, int> old_counts;
  std::map<std::string, int> new_counts;
  CountMembers(before, "", &old_counts);
  CountMembers(after, "", &new_counts);
  return std::ranges::any_of(old_counts, [&](const auto& count) { return new_counts[count.first] < count.second; });
}

enum class Kind { kField, kRemove, kInsert, kMove, kSeveral };

struct Edited {
  onnx::ModelProto model;
  Kind kind = Kind::kField;
  std::optional<SourceRange> place = {};  ///< the element that was removed or duplicated
  bool is_block = false;                  ///< the members of its list have their own lines
};

/// Makes one change, or several.
Edited EditAtRandom(const onnx::ModelProto& model, const SourceMap& places, std::uint64_t seed) {
  RandomValues random(seed);
  Edited edited{model};
  onnx::ModelProto copy = model;
  std::vector<List> lists;
  std::vector<List> old_lists;
  FindLists(&edited.model, &lists);
  FindLists(const_cast<onnx::ModelProto*>(&model), &old_lists);  // NOLINT(*-const-cast): only read
  edited.kind = static_cast<Kind>(lists.empty() ? 0 : random.Below(5));
  if (edited.kind == Kind::kField || edited.kind == Kind::kSeveral) {
    for (std::size_t i = edited.kind == Kind::kField ? 1 : 1 + random.Below(4); i > 0; --i) {
      ChangeAtRandom(&edited.model, random.Bits());
    }
    if (!Normalise(&edited.model)) edited.model = copy;
    return edited;
  }
  std::size_t number = random.Below(lists.size());
  for (int i = 0; i < 5 && lists[number].size() == 1; ++i) number = random.Below(lists.size());
  const List& list = lists[number];
  const int index = static_cast<int>(random.Below(static_cast<std::size_t>(list.size())));
  const SourceRange* const place = places.FindOwn(*old_lists[number].at(index), 0);
  if (place != nullptr && list.size() > 1) edited.place = *place;
  const std::string_view name = list.field->name();
  int equal = 0;  // which of equal members was removed or added is unknown
  for (int i = 0; i < list.size(); ++i) equal += Bytes(*list.at(i)) == Bytes(*list.at(index)) ? 1 : 0;
  if (name == "dim" || equal > 1) edited.place.reset();
  edited.is_block = name == "node" || name == "functions" || name == "initializer" || name == "value_info";
  if (edited.kind == Kind::kRemove) {
    list.Remove(index);
  } else if (edited.kind == Kind::kInsert) {
    const std::unique_ptr<Message> added(list.at(index)->New());
    added->CopyFrom(*list.at(index));
    if (random.OneIn(2)) ChangeAtRandom(added.get(), random.Bits());
    list.Insert(*added, index + 1);
  } else {
    list.Move(index, static_cast<int>(random.Below(static_cast<std::size_t>(list.size()))));
    edited.place.reset();
  }
  if (!Normalise(&edited.model)) edited.model = copy;
  return edited;
}

/// Returns the comments of the text that the other text does not have.
std::vector<std::string> Lost(const std::string& text, const std::string& other) {
  std::vector<std::string> before = CommentsIn(text);
  std::vector<std::string> after = CommentsIn(other);
  std::ranges::sort(before);
  std::ranges::sort(after);
  std::vector<std::string> lost;
  std::ranges::set_difference(before, after, std::back_inserter(lost));
  return lost;
}

/// The part of a text that a change of an element may touch: its lines and those of the two tokens before it and behind
/// it, such as a comma.
SourceRange Around(const std::string& text, SourceRange element) {
  const std::vector<SourceRange> tokens = TokensAndNumbersIn(text);
  std::size_t first = 0;
  while (first < tokens.size() && tokens[first].end <= element.begin) ++first;
  std::size_t last = first;
  while (last < tokens.size() && tokens[last].begin < element.end) ++last;
  const std::size_t begin = first < 2 ? 0 : tokens[first - 2].begin;
  const std::size_t end = last + 1 >= tokens.size() ? text.size() : tokens[last + 1].end;
  const std::size_t line = begin == 0 ? std::string::npos : text.rfind('\n', begin);
  return {line == std::string::npos ? 0 : line + 1, std::min(text.find('\n', end), text.size())};
}

struct Counts {
  int edits = 0;
  int wrong = 0;      ///< the text is not one of the changed model
  int lost = 0;       ///< comments
  int placed = 0;     ///< edits of one element whose place is known
  int elsewhere = 0;  ///< edits that changed other lines
  int unformatted = 0;
  int mixed = 0;  ///< the line ends were all CRLF, and are not
};

/// Returns whether a line outside of strings ends without a carriage return.
bool HasBareLineFeed(std::string_view text) {
  std::size_t end = 0;
  for (const SourceRange& token : TokensAndNumbersIn(text)) {
    for (std::size_t at = end; (at = text.find('\n', at)) < token.begin; ++at) {
      if (at == 0 || text[at - 1] != '\r') return true;
    }
    end = token.end;
  }
  return false;
}

void Try(const std::string& text, std::uint64_t seed, Counts* counts) {
  onnx::ModelProto model;
  SourceMap places;
  ASSERT_TRUE(Parse(text, &model, {.source_map_out = &places, .tell_functions_apart = true}).ok()) << text;
  const Edited edited = EditAtRandom(model, places, seed);
  const PrintResult result = Rewrite(text, edited.model);
  if (!result.ok()) return;
  ++counts->edits;
  const auto report = [&](const char* what) {
    if (std::getenv("ONNXC_SHOW") != nullptr) {
      std::printf("==== %s, seed %llu, kind %d\n%s\n---- becomes\n%s\n", what, static_cast<unsigned long long>(seed),
                  static_cast<int>(edited.kind), text.c_str(), result.text.c_str());
    }
  };
  onnx::ModelProto read;
  if (!Parse(result.text, &read, kFast).ok() || wire::ToWire(read) != wire::ToWire(edited.model)) {
    ++counts->wrong;
    report("wrong");
  }
  const SourceRange around = edited.place ? Around(text, *edited.place) : SourceRange{0, text.size()};
  const bool has_removed = HasRemoved(model, edited.model);
  for (const std::string& comment : Lost(text, result.text)) {
    const std::size_t at = text.find(comment);
    if (has_removed && at >= around.begin && at < around.end) continue;
    ++counts->lost;
    report(("lost " + comment).c_str());
  }
  const auto is_formatted = [](const std::string& some) {
    return FormatText(some, {.tell_functions_apart = true}).text == some;
  };
  const bool was_formatted = is_formatted(text);
  if (edited.place && (edited.is_block || !was_formatted)) {  // a formatted list may be broken into lines elsewhere
    const bool stays =
        result.text.starts_with(text.substr(0, around.begin)) && result.text.ends_with(text.substr(around.end));
    ++counts->placed;
    if (!stays) ++counts->elsewhere, report("elsewhere");
  }
  if (text.find("\r\n") != std::string::npos && !HasBareLineFeed(text) && HasBareLineFeed(result.text))
    ++counts->mixed, report("mixed");
  if (was_formatted && !is_formatted(result.text)) ++counts->unformatted, report("unformatted");
}

std::string Variant(const std::string& text, std::uint64_t seed) {
  RandomValues random(seed);
  switch (seed % 4) {
    case 0: return text;
    case 1: return Sprinkled(text, &random, 2 + random.Below(30));
    case 2: return FormatText(Sprinkled(text, &random, 2 + random.Below(30)), {.tell_functions_apart = true}).text;
    default: break;
  }
  std::string changed;
  const std::string with_lines = seed % 8 == 3 ? Sprinkled(text, &random, 2 + random.Below(30)) : text;
  for (const char c : FormatText(with_lines, {.tell_functions_apart = true}).text) {
    if (c == '\n') changed += '\r';
    changed += c;
  }
  onnx::ModelProto model;
  return Parse(changed, &model, kFast).ok() ? changed : text;
}

// A value that becomes an output, or is no longer one, takes the comments above it and behind it along.
TEST(Rewrite, ValuesTakeTheirCommentsToOtherLists) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    RandomValues random(seed);
    std::string text = "<ir_version: 8, opset_import: [\"\": 17]>\ng ";
    int number = 0;
    const auto write_list = [&](std::string_view open, std::string_view close) {
      text += open;
      const std::size_t count = 1 + random.Below(4);
      for (std::size_t i = 0; i < count; ++i) {
        const std::string name = {'v', static_cast<char>('a' + number++)};
        text += "\n   # above " + name + "\n   float[2] " + name + (i + 1 < count ? "," : "") + "  # behind " + name;
      }
      text += "\n" + std::string(close);
    };
    write_list("(", ") => ");
    write_list("(", ")\n");
    write_list("<", "> {\n}\n");
    onnx::ModelProto model;
    ASSERT_TRUE(Parse(text, &model).ok()) << text;
    onnx::GraphProto& graph = *model.mutable_graph();
    const std::array lists = {graph.mutable_input(), graph.mutable_output(), graph.mutable_value_info()};
    for (std::size_t moves = 1 + random.Below(3); moves > 0; --moves) {
      auto& from = *random.Pick(lists);
      auto& to = *random.Pick(lists);
      if (from.empty()) continue;
      const onnx::ValueInfoProto moved = from[static_cast<int>(random.Below(static_cast<std::size_t>(from.size())))];
      from.erase(std::ranges::find_if(from, [&](const auto& value) { return value.name() == moved.name(); }));
      *to.Add() = moved;
    }
    const std::string changed = Rewrite(text, model).text;
    for (int i = 0; i < number; ++i) {
      const std::string name = {'v', static_cast<char>('a' + i)};
      const std::size_t above = changed.find("# above " + name + "\n");
      const std::size_t value = changed.find("float[2] " + name);
      const std::size_t behind = changed.find("# behind " + name + "\n");
      ASSERT_TRUE(above < value && value < behind && behind != std::string::npos) << text << "becomes\n" << changed;
      const auto lines = [&](std::size_t from, std::size_t to) {
        return std::ranges::count(changed.substr(from, to - from), '\n');
      };
      EXPECT_EQ(lines(above, value), 1) << text << "becomes\n" << changed;
      EXPECT_EQ(lines(value, behind), 0) << text << "becomes\n" << changed;
    }
  }
}

TEST(Rewrite, AnyChange) {
  const std::uint64_t count = CountOfPositions(1000);
  std::vector<std::string> texts = ModelTexts();
  constexpr std::size_t kLongest = 8000;
  std::erase_if(texts, [](const std::string& text) { return text.size() > kLongest; });
  ASSERT_GT(texts.size(), 20U);
  Counts counts;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    RandomValues random(seed);
    Try(Variant(random.Pick(texts), seed), seed, &counts);
    if (HasFatalFailure()) return;
  }
  std::printf(
      "%d edits of %zu texts: %d wrong, %d comments lost, %d of %d with changes elsewhere, %d not formatted, %d with "
      "mixed line ends\n",
      counts.edits, texts.size(), counts.wrong, counts.lost, counts.elsewhere, counts.placed, counts.unformatted,
      counts.mixed);
  EXPECT_GT(static_cast<std::uint64_t>(counts.edits) * 10, count * 9);
  EXPECT_GT(static_cast<std::uint64_t>(counts.placed) * 20, count);
  EXPECT_EQ(counts.wrong, 0);
  EXPECT_EQ(counts.lost, 0);
  // Such texts write members in another order than the printer, or had comments between the removed tokens.
  EXPECT_LE(counts.elsewhere * 20, counts.placed);
  EXPECT_EQ(counts.unformatted, 0);
  EXPECT_EQ(counts.mixed, 0);
}

}  // namespace
}  // namespace onnxc::testing
