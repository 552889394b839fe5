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

/// Returns the name that identifies a member of a list, or "" if there is none. A node is known by what it computes.
std::string KeyOf(const Message& message) {
  if (const auto* node = MessageCast<onnx::NodeProto>(message); node != nullptr && node->output_size() > 0) {
    return node->output(0);
  }
  if (const auto* function = MessageCast<onnx::FunctionProto>(message)) {
    return JoinedKey({function->domain(), function->name(), function->overload()});
  }
  if (const auto* tensor = MessageCast<onnx::SparseTensorProto>(message)) return tensor->values().name();
  const FieldDescriptor* const key = diff::KeyField(*message.GetDescriptor());
  if (key == nullptr || key->cpp_type() != FieldDescriptor::CPPTYPE_STRING) return "";
  return "=" + message.GetReflection()->GetString(message, key);
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
      if (field->message_type() == nullptr) continue;
      if (field->is_repeated()) {
        List(before, after, *field);
      } else if (reflection.HasField(after, field)) {
        Members(reflection.GetMessage(before, field), reflection.GetMessage(after, field));
      }
    }
  }

 private:
  void List(const Message& before, const Message& after, const FieldDescriptor& field) {
    const auto members = [&](const Message& message) {
      std::vector<const Message*> all;
      const int size = message.GetReflection()->FieldSize(message, &field);
      for (int i = 0; i < size; ++i) all.push_back(&message.GetReflection()->GetRepeatedMessage(message, &field, i));
      return all;
    };
    const std::vector<const Message*> old_members = members(before);
    const std::vector<const Message*> new_members = members(after);
    if (old_members.empty() || before_.Find(*old_members[0]) < 0) return;  // its members are not elements
    const auto hashes = [](const std::vector<const Message*>& all) {
      Keys made;
      for (const Message* message : all) made.push_back(std::to_string(onnxc::HashOf(wire::ToWire(*message))));
      return made;
    };
    const Keys old_hashes = hashes(old_members);
    const Keys new_hashes = hashes(new_members);
    const Matching matching = Match(old_members, new_members, old_hashes, new_hashes);
    for (int i = 0; i < matching.before_size(); ++i) {
      if (matching.AfterOf(i) < 0) continue;
      const auto old_index = static_cast<std::size_t>(i);
      const auto new_index = static_cast<std::size_t>(matching.AfterOf(i));
      const bool is_equal = old_hashes[old_index] == new_hashes[new_index];
      Pair(*old_members[old_index], *new_members[new_index], is_equal);
      Members(*old_members[old_index], *new_members[new_index]);
    }
  }

  void Pair(const Message& before, const Message& after, bool is_equal) {
    const int old_element = before_.Find(before);
    const int new_element = after_.Find(after);
    pairs_->after_of[static_cast<std::size_t>(old_element)] = new_element;
    pairs_->before_of[static_cast<std::size_t>(new_element)] = old_element;
    pairs_->is_equal[static_cast<std::size_t>(old_element)] = is_equal;
  }

  static Matching Match(const std::vector<const Message*>& before, const std::vector<const Message*>& after,
                        const Keys& old_hashes, const Keys& new_hashes) {
    Matching matching(before.size(), after.size());
    const std::vector<std::string_view> old_lines(old_hashes.begin(), old_hashes.end());
    const std::vector<std::string_view> new_lines(new_hashes.begin(), new_hashes.end());
    for (const format::Pair& pair : format::MatchLines(old_lines, new_lines)) {
      matching.Pair(static_cast<int>(pair.old_line), static_cast<int>(pair.new_line));
    }
    const auto keys = [](const std::vector<const Message*>& all) {
      Keys made;
      for (const Message* message : all) made.push_back(KeyOf(*message));
      return made;
    };
    MatchKeys(old_hashes, new_hashes, &matching);
    MatchKeys(keys(before), keys(after), &matching);
    MatchNeighbours(before, after, &matching);
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

  static void MatchNeighbours(const std::vector<const Message*>& before, const std::vector<const Message*>& after,
                              Matching* matching) {
    const auto match = [&](int old_index, int new_index) {
      if (old_index < 0 || new_index < 0 || old_index >= matching->before_size() ||
          new_index >= matching->after_size() || !matching->AreFree(old_index, new_index)) {
        return;
      }
      const auto& old_member = *before[static_cast<std::size_t>(old_index)];
      const auto& new_member = *after[static_cast<std::size_t>(new_index)];
      if (AreAlike(old_member, new_member)) matching->Pair(old_index, new_index);
    };
    match(0, 0);
    for (int i = 0; i < matching->before_size(); ++i) {
      if (matching->AfterOf(i) >= 0) match(i + 1, matching->AfterOf(i) + 1);
    }
    match(matching->before_size() - 1, matching->after_size() - 1);
    for (int i = matching->before_size() - 1; i >= 0; --i) {
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
