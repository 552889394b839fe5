#include "edit/pairs.h"

#include <algorithm>
#include <string>
#include <utility>

#include "diff/key_field.h"
#include "diff/match.h"
#include "format/match_lines.h"
#include "source/message_cast.h"
#include "source/names.h"
#include "wire/message.h"

namespace onnxc::edit {
namespace {

using diff::Matching;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using Keys = std::vector<std::string>;

/// Returns the first output of a node that has a name; "" if there is none, or if the member is no node.
std::string ResultOf(const Message& message) {
  const auto* node = MessageCast<onnx::NodeProto>(message);
  if (node == nullptr) return "";
  const auto result = std::ranges::find_if(node->output(), [](const std::string& name) { return !name.empty(); });
  return result == node->output().end() ? "" : *result;
}

/// Returns what identifies a member of a list, or "" if there is nothing: a name; of a node, also its
/// operator and output.
std::string KeyOf(const Message& message) {
  if (const auto* node = MessageCast<onnx::NodeProto>(message)) {
    const std::string result = ResultOf(message);
    return result.empty() ? "" : JoinedKey({node->name(), node->op_type(), result});
  }
  if (const auto* function = MessageCast<onnx::FunctionProto>(message)) {
    return JoinedKey({function->domain(), function->name(), function->overload()});
  }
  if (const auto* tensor = MessageCast<onnx::SparseTensorProto>(message)) return tensor->values().name();
  const FieldDescriptor* const key = diff::KeyField(*message.GetDescriptor());
  if (key == nullptr || key->cpp_type() != FieldDescriptor::CPPTYPE_STRING) return "";
  return "=" + message.GetReflection()->GetString(message, key);
}

/// Returns the names that a node has besides those of its outputs, which may be new; "" if the member is no node.
std::string CallOf(const Message& message) {
  const auto* node = MessageCast<onnx::NodeProto>(message);
  if (node == nullptr) return "";
  std::string key = JoinedKey({node->name(), node->domain(), node->op_type(), node->overload()});
  for (const std::string& input : node->input()) key += JoinedKey({input});
  return key;
}

/// Returns whether members without a common key can be two versions of one element.
bool AreAlike(const Message& before, const Message& after) {
  const auto* old_node = MessageCast<onnx::NodeProto>(before);
  const auto* new_node = MessageCast<onnx::NodeProto>(after);
  return old_node == nullptr || new_node == nullptr || old_node->op_type() == new_node->op_type();
}

class Pairing {
 public:
  Pairing(const Outline& before, const Outline& after, Pairs* pairs) : before_(before), after_(after), pairs_(pairs) {}

  /// Pairs the elements inside of two versions of a message.
  void Members(const Message& before, const Message& after) {
    const auto& reflection = *before.GetReflection();
    std::vector<const FieldDescriptor*> fields;
    reflection.ListFields(before, &fields);
    for (const FieldDescriptor* field : fields) {
      if (field->message_type() == nullptr || IsListOfValues(*field)) continue;
      if (field->is_repeated()) {
        Lists(before, after, {field});
      } else if (reflection.HasField(after, field)) {
        Members(reflection.GetMessage(before, field), reflection.GetMessage(after, field));
      }
    }
    std::vector<const FieldDescriptor*> of_values;
    for (int i = 0; i < before.GetDescriptor()->field_count(); ++i) {
      if (IsListOfValues(*before.GetDescriptor()->field(i))) of_values.push_back(before.GetDescriptor()->field(i));
    }
    if (!of_values.empty()) Lists(before, after, of_values);
  }

 private:
  /// A value moves between such lists: what was computed in the middle becomes an output.
  static bool IsListOfValues(const FieldDescriptor& field) {
    return field.is_repeated() && field.message_type() == onnx::ValueInfoProto::descriptor();
  }

  /// The members of some lists of a message.
  struct Listed {
    std::vector<const Message*> members;
    std::vector<int> ends;  ///< where the members of each list end
    Keys hashes;
    Keys keys;
    Keys calls;    ///< CallOf()
    Keys results;  ///< ResultOf()

    /// Returns the keys, or hashes, preceded by the number of the list.
    [[nodiscard]] Keys InLists(const Keys& of_members) const {
      Keys made;
      for (std::size_t list = 0; list < ends.size(); ++list) {
        for (int i = BeginOf(list); i < ends[list]; ++i) {
          const std::string& key = of_members[static_cast<std::size_t>(i)];
          made.push_back(key.empty() ? "" : std::to_string(list) + key);
        }
      }
      return made;
    }
    [[nodiscard]] int BeginOf(std::size_t list) const { return list == 0 ? 0 : ends[list - 1]; }
  };

  static Listed ListOf(const Message& message, const std::vector<const FieldDescriptor*>& fields) {
    Listed listed;
    for (const FieldDescriptor* field : fields) {
      const int size = message.GetReflection()->FieldSize(message, field);
      for (int i = 0; i < size; ++i) {
        const Message& member = message.GetReflection()->GetRepeatedMessage(message, field, i);
        listed.members.push_back(&member);
        listed.hashes.push_back(std::to_string(onnxc::HashOf(wire::ToWire(member))));
        listed.keys.push_back(KeyOf(member));
        listed.calls.push_back(CallOf(member));
        listed.results.push_back(ResultOf(member));
      }
      listed.ends.push_back(static_cast<int>(listed.members.size()));
    }
    return listed;
  }

  void Lists(const Message& before, const Message& after, const std::vector<const FieldDescriptor*>& fields) {
    const Listed old_lists = ListOf(before, fields);
    if (old_lists.members.empty() || before_.Find(*old_lists.members[0]) < 0) return;  // its members are not elements
    const Listed new_lists = ListOf(after, fields);
    const Matching matching = Match(old_lists, new_lists);
    for (int i = 0; i < matching.before_size(); ++i) {
      if (matching.AfterOf(i) < 0) continue;
      const auto old_index = static_cast<std::size_t>(i);
      const auto new_index = static_cast<std::size_t>(matching.AfterOf(i));
      const Message& old_member = *old_lists.members[old_index];
      const Message& new_member = *new_lists.members[new_index];
      Pair(old_member, new_member, old_lists.hashes[old_index] == new_lists.hashes[new_index]);
      Members(old_member, new_member);
    }
  }

  void Pair(const Message& before, const Message& after, bool is_equal) {
    const int old_element = before_.Find(before);
    const int new_element = after_.Find(after);
    pairs_->after_of[static_cast<std::size_t>(old_element)] = new_element;
    pairs_->before_of[static_cast<std::size_t>(new_element)] = old_element;
    pairs_->is_equal[static_cast<std::size_t>(old_element)] = is_equal;
  }

  static Matching Match(const Listed& before, const Listed& after) {
    Matching matching(before.members.size(), after.members.size());
    const Keys old_hashes = before.InLists(before.hashes);
    const Keys new_hashes = after.InLists(after.hashes);
    const std::vector<std::string_view> old_lines(old_hashes.begin(), old_hashes.end());
    const std::vector<std::string_view> new_lines(new_hashes.begin(), new_hashes.end());
    for (const format::Pair& pair : format::MatchLines(old_lines, new_lines)) {
      matching.Pair(static_cast<int>(pair.old_line), static_cast<int>(pair.new_line));
    }
    MatchKeys(old_hashes, new_hashes, &matching);
    MatchKeys(before.InLists(before.keys), after.InLists(after.keys), &matching);
    MatchKeys(before.keys, after.keys, &matching);
    MatchKeys(before.calls, after.calls, &matching);
    for (std::size_t list = 0; list < before.ends.size(); ++list) MatchNeighbours(before, after, list, &matching);
    MatchOperators(before, after, &matching);
    // Last, because another node than before can compute a value: its operator and inputs say more than its output.
    MatchKeys(before.results, after.results, &matching);
    return matching;
  }

  static void MatchKeys(const Keys& before, const Keys& after, Matching* matching) {
    NameMap<std::vector<int>> free;  // the first one is at the end
    for (int i = matching->before_size() - 1; i >= 0; --i) {
      const std::string& key = before[static_cast<std::size_t>(i)];
      if (matching->AfterOf(i) < 0 && !key.empty()) free[key].push_back(i);
    }
    for (int i = 0; i < matching->after_size(); ++i) {
      if (matching->BeforeOf(i) >= 0) continue;
      const auto found = free.find(after[static_cast<std::size_t>(i)]);
      if (found == free.end() || found->second.empty()) continue;
      matching->Pair(found->second.back(), i);
      found->second.pop_back();
    }
  }

  /// Pairs nodes with the same operator between nodes that are paired, in their order.
  static void MatchOperators(const Listed& before, const Listed& after, Matching* matching) {
    Keys old_lines;
    Keys new_lines;
    for (int i = 0; i < matching->before_size(); ++i) {
      const auto* node = MessageCast<onnx::NodeProto>(*before.members[static_cast<std::size_t>(i)]);
      if (node == nullptr) return;
      old_lines.push_back(matching->AfterOf(i) < 0 ? node->op_type() : '\n' + std::to_string(i));
    }
    for (int i = 0; i < matching->after_size(); ++i) {
      const auto* node = MessageCast<onnx::NodeProto>(*after.members[static_cast<std::size_t>(i)]);
      const int old = matching->BeforeOf(i);
      new_lines.push_back(old < 0 ? node->op_type() : '\n' + std::to_string(old));
    }
    const std::vector<std::string_view> old_views(old_lines.begin(), old_lines.end());
    const std::vector<std::string_view> new_views(new_lines.begin(), new_lines.end());
    for (const format::Pair& pair : format::MatchLines(old_views, new_views)) {
      const auto old_index = static_cast<int>(pair.old_line);
      const auto new_index = static_cast<int>(pair.new_line);
      if (matching->AreFree(old_index, new_index)) matching->Pair(old_index, new_index);
    }
  }

  static void MatchNeighbours(const Listed& before, const Listed& after, std::size_t list, Matching* matching) {
    const int old_begin = before.BeginOf(list);
    const int old_end = before.ends[list];
    const int new_begin = after.BeginOf(list);
    const int new_end = after.ends[list];
    const auto match = [&](int old_index, int new_index) {
      if (old_index < old_begin || new_index < new_begin || old_index >= old_end || new_index >= new_end ||
          !matching->AreFree(old_index, new_index)) {
        return;
      }
      const Message& old_member = *before.members[static_cast<std::size_t>(old_index)];
      const Message& new_member = *after.members[static_cast<std::size_t>(new_index)];
      if (AreAlike(old_member, new_member)) matching->Pair(old_index, new_index);
    };
    match(old_begin, new_begin);
    for (int i = old_begin; i < old_end; ++i) {
      if (matching->AfterOf(i) >= 0) match(i + 1, matching->AfterOf(i) + 1);
    }
    match(old_end - 1, new_end - 1);
    for (int i = old_end - 1; i >= old_begin; --i) {
      if (matching->AfterOf(i) >= 0) match(i - 1, matching->AfterOf(i) - 1);
    }
  }

  const Outline& before_;
  const Outline& after_;
  Pairs* pairs_;
};

}  // namespace

Pairs PairElements(const Outline& before, const Outline& after) {
  Pairs pairs{std::vector<int>(before.size(), -1), std::vector<int>(after.size(), -1),
              std::vector<bool>(before.size(), false)};
  pairs.after_of[0] = 0;
  pairs.before_of[0] = 0;
  Pairing(before, after, &pairs).Members(*before.at(0).message, *after.at(0).message);
  return pairs;
}

}  // namespace onnxc::edit
