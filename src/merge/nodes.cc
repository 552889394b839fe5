#include "merge/nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "diff/equality.h"
#include "source/free_names.h"
#include "source/names.h"

namespace onnxc::merge {
namespace {

using diff::At;
using diff::Body;

/// Pairs nodes by the names of their first outputs, and the others by their own names.
diff::Matching MatchNames(const Body& before, const Body& after) {
  diff::Matching pairs(At(before.nodes.size()), At(after.nodes.size()));
  const auto pair_by = [&](auto name_of) {
    NameMap<int> places;
    for (int i = 0; i < pairs.after_size(); ++i) {
      if (pairs.BeforeOf(i) < 0) places.emplace(name_of(after.nodes[i]), i);
    }
    for (int i = 0; i < pairs.before_size(); ++i) {
      const std::string_view name = name_of(before.nodes[i]);
      const auto found = name.empty() ? places.end() : places.find(name);
      if (found != places.end() && pairs.AreFree(i, found->second)) pairs.Pair(i, found->second);
    }
  };
  pair_by(&NameOf);
  pair_by([](const onnx::NodeProto& node) -> std::string_view { return node.name(); });
  return pairs;
}

/// Pairs the nodes of the base with those of a version.
diff::Matching MatchVersion(const Body& before, const Body& after, std::vector<bool>* doubtful) {
  diff::Matching pairs = MatchNames(before, after);
  const diff::Matching matched = diff::MatchBodies(before, after, diff::Counterparts(nullptr), true).nodes;
  for (int i = 0; i < pairs.before_size(); ++i) {
    const int by_name = pairs.AfterOf(i);
    const int by_use = matched.AfterOf(i);
    if (by_name >= 0) {
      if (by_use != by_name && !matched.AreFree(i, by_name)) (*doubtful)[At(i)] = true;
    } else if (by_use >= 0 && pairs.AreFree(i, by_use) &&
               std::ranges::equal(before.nodes[i].input(), after.nodes[by_use].input())) {
      pairs.Pair(i, by_use);
    }
  }
  return pairs;
}

/// Returns the keys by which nodes that both versions have added are paired. The keys of other nodes are different.
std::vector<std::string> KeysOfNodes(const Body& body, const diff::Matching& from_base) {
  std::vector<std::string> keys;
  for (int i = 0; i < body.nodes.size(); ++i) {
    const onnx::NodeProto& node = body.nodes[i];
    const bool is_new = from_base.BeforeOf(i) < 0;
    const std::string name = NameOf(node).empty() ? node.SerializePartialAsString() : std::string(NameOf(node));
    keys.push_back(is_new ? "new " + name : fmt::format("{}", from_base.BeforeOf(i)));
  }
  return keys;
}

/// The definition of a value: an output of a node, or an input or initializer of the body.
struct Definition {
  int entry = -1;  ///< of the node; -1 for inputs and initializers
  int output = 0;
  bool operator==(const Definition&) const = default;
};

/// The values that a version of a body defines, and the entries of its nodes.
class Scope {
 public:
  /// `entries` has the entry of each node.
  Scope(const Body& body, const std::vector<int>& entries) : body_(body) {
    for (const std::string_view input : body.inputs) values_.try_emplace(input);
    for (const onnx::TensorProto* tensor : body.initializers) values_.try_emplace(tensor->name());
    for (int i = 0; i < body.nodes.size(); ++i) {
      const auto& outputs = body.nodes[i].output();
      for (int k = 0; k < outputs.size(); ++k) values_.try_emplace(outputs[k], Definition{entries[At(i)], k});
    }
  }

  [[nodiscard]] const Body& body() const { return body_; }
  [[nodiscard]] std::optional<Definition> Find(std::string_view name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  const Body& body_;
  NameMap<Definition> values_;
};

NameSet FreeNamesOf(const onnx::NodeProto& node) {
  NameSet names;
  ForEachFreeName(node, [&](const std::string& name, auto&&...) { names.insert(name); });
  return names;
}

std::vector<int> EntriesIn(const std::vector<Entry>& entries, int Entry::*version, int count) {
  std::vector<int> list(At(count), -1);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].*version >= 0) list[At(entries[i].*version)] = static_cast<int>(i);
  }
  return list;
}

class Meanings {
 public:
  Meanings(const ThreeBodies& versions, const Body& merged, const MergedNodes& nodes)
      : nodes_(nodes),
        base_(versions.base, EntriesIn(nodes.entries, &Entry::base, versions.base.nodes.size())),
        ours_(versions.ours, EntriesIn(nodes.entries, &Entry::ours, versions.ours.nodes.size())),
        theirs_(versions.theirs, EntriesIn(nodes.entries, &Entry::theirs, versions.theirs.nodes.size())),
        merged_(merged, nodes.kept),
        places_(nodes.entries.size(), -1) {
    for (std::size_t i = 0; i < nodes.kept.size(); ++i) places_[At(nodes.kept[i])] = static_cast<int>(i);
  }

  std::vector<OtherValue> Run() {
    for (const Side side : {Side::kOurs, Side::kTheirs}) {
      for (std::size_t i = 0; i < nodes_.kept.size(); ++i) ReadNode(side, static_cast<int>(i));
      ReadOutputs(side);
    }
    return std::move(found_);
  }

 private:
  [[nodiscard]] const Scope& Of(Side side) const { return side == Side::kOurs ? ours_ : theirs_; }

  void ReadNode(Side side, int merged) {
    const Entry& entry = nodes_.entries[At(nodes_.kept[At(merged)])];
    const int index = entry.In(side);
    if (index < 0) return;
    const NameSet now = FreeNamesOf(merged_.body().nodes[merged]);
    const NameSet before = entry.base < 0 ? NameSet() : FreeNamesOf(base_.body().nodes[entry.base]);
    NameSet seen;
    ForEachFreeName(Of(side).body().nodes[index], [&](const std::string& name, auto&&...) {
      if (now.contains(name) && seen.insert(name).second) Read(side, name, before.contains(name), merged, index);
    });
  }

  void ReadOutputs(Side side) {
    const NameSet before(base_.body().outputs.begin(), base_.body().outputs.end());
    const NameSet now(merged_.body().outputs.begin(), merged_.body().outputs.end());
    const auto& outputs = Of(side).body().outputs;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (now.contains(outputs[i])) Read(side, outputs[i], before.contains(outputs[i]), -1, static_cast<int>(i));
    }
  }

  void Read(Side side, std::string_view name, bool was_read, int merged, int index) {
    const auto meant = Of(side).Find(name);
    const bool is_unchanged = was_read && meant == base_.Find(name);
    if (!is_unchanged && !IsMeant(side, name, meant)) found_.push_back({side, merged, index, name});
  }

  /// Returns whether the name means in the merged body what it means in the version.
  [[nodiscard]] bool IsMeant(Side side, std::string_view name, std::optional<Definition> meant) const {
    const auto now = merged_.Find(name);
    if (now == meant) return !now || IsCertain(side, now->entry);
    if (!now || !meant) return false;
    if (meant->entry >= 0 && places_[At(meant->entry)] >= 0) return false;  // this value has another name now
    if (now->entry < 0) return true;
    // The other version computes the value in another way, unless the name now means a value that this version knows by
    // another name.
    const int node = nodes_.entries[At(now->entry)].In(side);
    if (node < 0) return true;
    const auto& outputs = Of(side).body().nodes[node].output();
    return now->output < outputs.size() && outputs[now->output] == name;
  }

  /// Returns whether the merged node is certainly that of the version.
  [[nodiscard]] bool IsCertain(Side side, int entry) const {
    if (entry < 0 || !nodes_.entries[At(entry)].is_doubtful) return true;
    const onnx::NodeProto& node = Of(side).body().nodes[nodes_.entries[At(entry)].In(side)];
    return diff::SameMessage(node, merged_.body().nodes[places_[At(entry)]]);
  }

  const MergedNodes& nodes_;
  const Scope base_;
  const Scope ours_;
  const Scope theirs_;
  const Scope merged_;
  std::vector<int> places_;  // of the entries in the merged list; -1: the node is not kept
  std::vector<OtherValue> found_;
};

}  // namespace

std::string_view NameOf(const onnx::NodeProto& node) {
  for (const std::string& output : node.output()) {
    if (!output.empty()) return output;
  }
  return node.name();
}

Pairs MatchNodes(const ThreeBodies& versions) {
  std::vector<bool> doubtful(At(versions.base.nodes.size()));
  diff::Matching to_ours = MatchVersion(versions.base, versions.ours, &doubtful);
  diff::Matching to_theirs = MatchVersion(versions.base, versions.theirs, &doubtful);
  diff::Matching added = MatchKeys(KeysOfNodes(versions.ours, to_ours), KeysOfNodes(versions.theirs, to_theirs));
  return {std::move(to_ours), std::move(to_theirs), std::move(added), std::move(doubtful)};
}

std::vector<OtherValue> FindOtherValues(const ThreeBodies& versions, const Body& merged, const MergedNodes& nodes) {
  return Meanings(versions, merged, nodes).Run();
}

}  // namespace onnxc::merge
