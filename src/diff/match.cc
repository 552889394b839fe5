#include "diff/match.h"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <utility>

#include "diff/fingerprint.h"

namespace onnxc::diff {
namespace {

std::string_view FirstOutput(const onnx::NodeProto& node) {
  for (const std::string& name : node.output()) {
    if (!name.empty()) return name;
  }
  return {};
}

// Finds counterparts, beginning with the certain ones. Each later step uses the pairs that were already found.
class Matcher {
 public:
  Matcher(const Body& before, const Body& after, const Counterparts& outer, bool use_names)
      : before_(before),
        after_(after),
        outer_(outer),
        use_names_(use_names),
        old_wiring_(before),
        new_wiring_(after),
        match_{{before.inputs.size(), after.inputs.size()},
               {At(before.nodes.size()), At(after.nodes.size())},
               {before.initializers.size(), after.initializers.size()}} {
    const NameSet new_outputs(after.outputs.begin(), after.outputs.end());
    for (const std::string_view name : before.outputs) {
      if (new_outputs.contains(name)) common_outputs_.insert(name);
    }
  }

  BodyMatch Run() {
    MatchInputs();
    MatchByFingerprints(Detail::kAll);
    trusts_names_ = use_names_ && NamesHold();
    if (trusts_names_) MatchByNames();
    MatchByFingerprints(Detail::kShape);
    MatchNeighbours();
    if (use_names_ && !trusts_names_) MatchByNames();
    MatchReplaced();
    MatchInitializers();
    return std::move(match_);
  }

 private:
  /// The elements of both lists that have the same key and no counterpart. A key of 0 is ignored. If there are several
  /// elements, those with equal names are paired first. Then the others are paired in order if their number is the same
  /// in both lists.
  struct Group {
    std::vector<int> before;
    std::vector<int> after;
  };
  template <typename NameOf>
  static void PairEqual(const std::vector<Hash>& before, const std::vector<Hash>& after, Matching* matching,
                        NameOf same_name) {
    std::unordered_map<Hash, Group> groups;
    for (std::size_t i = 0; i < after.size(); ++i) {
      if (after[i] != 0 && matching->BeforeOf(static_cast<int>(i)) < 0) {
        groups[after[i]].after.push_back(static_cast<int>(i));
      }
    }
    std::vector<Group*> in_order;
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (before[i] == 0 || matching->AfterOf(static_cast<int>(i)) >= 0) continue;
      const auto found = groups.find(before[i]);
      if (found == groups.end()) continue;
      if (found->second.before.empty()) in_order.push_back(&found->second);
      found->second.before.push_back(static_cast<int>(i));
    }
    for (Group* group : in_order) PairGroup(group, matching, same_name);
  }

  template <typename NameOf>
  static void PairGroup(Group* group, Matching* matching, NameOf name_of) {
    if (group->before.size() > 1 || group->after.size() > 1) {
      NameMap<int> named;
      for (const int after : group->after) named.emplace(name_of(after, true), after);
      for (const int before : group->before) {
        const std::string_view name = name_of(before, false);
        const auto found = name.empty() ? named.end() : named.find(name);
        if (found != named.end() && matching->AreFree(before, found->second)) matching->Pair(before, found->second);
      }
      std::erase_if(group->before, [&](int before) { return matching->AfterOf(before) >= 0; });
      std::erase_if(group->after, [&](int after) { return matching->BeforeOf(after) >= 0; });
    }
    if (group->before.size() != group->after.size()) return;
    for (std::size_t i = 0; i < group->before.size(); ++i) matching->Pair(group->before[i], group->after[i]);
  }

  void PairNodes(const std::vector<Hash>& before, const std::vector<Hash>& after) {
    PairEqual(before, after, &match_.nodes, [this](int node, bool is_after) {
      if (!use_names_) return std::string_view();
      return FirstOutput((is_after ? after_ : before_).nodes[node]);
    });
  }

  // ---- inputs

  void MatchInputs() {
    if (!use_names_ && before_.inputs.size() == after_.inputs.size()) {
      for (int i = 0; i < match_.inputs.before_size(); ++i) match_.inputs.Pair(i, i);
    }
    if (use_names_) {
      PairEqual(HashAll(before_.inputs), HashAll(after_.inputs), &match_.inputs,
                [](int, bool) { return std::string_view(); });
    }
    MatchInputsByType();
  }

  /// Pairs the remaining inputs of the same type, in their order.
  void MatchInputsByType() {
    std::unordered_map<Hash, std::vector<int>> left;  // the remaining new inputs by type, in reverse order
    for (int i = match_.inputs.after_size(); i-- > 0;) {
      if (match_.inputs.BeforeOf(i) < 0) left[TypeHash(after_.input_types[At(i)])].push_back(i);
    }
    int next = 0;
    for (int i = 0; i < match_.inputs.before_size(); ++i) {
      if (match_.inputs.AfterOf(i) >= 0) continue;
      std::vector<int>& alike = left[TypeHash(before_.input_types[At(i)])];
      while (!alike.empty() && alike.back() < next) alike.pop_back();
      if (alike.empty()) continue;
      match_.inputs.Pair(i, alike.back());
      next = alike.back() + 1;
    }
  }

  static std::vector<Hash> HashAll(const std::vector<std::string_view>& names) {
    std::vector<Hash> hashes;
    for (const std::string_view name : names) hashes.push_back(name.empty() ? 0 : HashOf(name) | 1);
    return hashes;
  }

  // ---- nodes

  /// Returns the hashes for the values of one side; see Leaves.
  Leaves LeavesOf(const Body& body, const Wiring& wiring, bool is_after, Detail detail) const {
    enum : Hash { kNode = 2, kInput, kFreeInput, kInitializer, kOuter, kNowhere, kOutput };
    Leaves leaves;
    for (int i = 0; i < body.nodes.size(); ++i) {
      const int pair = is_after ? (match_.nodes.BeforeOf(i) < 0 ? -1 : i) : match_.nodes.AfterOf(i);
      leaves.nodes.push_back(pair < 0 ? 0 : Mix(kNode, At(pair)));
      leaves.looks.push_back(NodeHash(body.nodes[i], detail));
    }
    for (const Wiring::Value& value : wiring.values()) {
      Hash hash = 0;
      if (value.input >= 0) {
        const int pair = is_after ? (match_.inputs.BeforeOf(value.input) < 0 ? -1 : value.input)
                                  : match_.inputs.AfterOf(value.input);
        hash = pair < 0 ? Mix(kFreeInput, HashOf(value.name)) : Mix(kInput, At(pair));
      } else if (value.initializer >= 0) {
        hash = Mix(kInitializer, TensorHash(*body.initializers[At(value.initializer)], detail));
      } else if (value.definition.node < 0) {
        const auto name = is_after ? value.name : outer_.Of(value.name);
        hash = name ? Mix(kOuter, HashOf(*name)) : kNowhere;
      }
      leaves.values.push_back(hash);
      const bool by_name = use_names_ && value.output >= 0 && common_outputs_.contains(value.name);
      const Hash output = by_name ? HashOf(value.name) : static_cast<Hash>(value.output);
      leaves.destinations.push_back(value.output < 0 ? 0 : Mix(kOutput, output));
    }
    return leaves;
  }

  void FindFingerprints(Detail detail) {
    old_prints_ = FingerprintsOf(old_wiring_, LeavesOf(before_, old_wiring_, false, detail));
    new_prints_ = FingerprintsOf(new_wiring_, LeavesOf(after_, new_wiring_, true, detail));
  }

  void MatchByFingerprints(Detail detail) {
    FindFingerprints(detail);
    const auto both = [](const Fingerprints& prints) {
      std::vector<Hash> hashes;
      for (std::size_t i = 0; i < prints.upstream.size(); ++i) {
        const bool is_known = prints.upstream[i] != 0 && prints.downstream[i] != 0;
        hashes.push_back(is_known ? Mix(prints.upstream[i], prints.downstream[i]) : 0);
      }
      return hashes;
    };
    PairNodes(both(old_prints_), both(new_prints_));
    PairNodes(old_prints_.upstream, new_prints_.upstream);
    PairNodes(old_prints_.downstream, new_prints_.downstream);
  }

  /// Returns whether at least half of the nodes that are already matched have kept the name of their first output.
  bool NamesHold() const {
    int pairs = 0;
    int same = 0;
    for (int before = 0; before < before_.nodes.size(); ++before) {
      const int after = match_.nodes.AfterOf(before);
      if (after < 0) continue;
      ++pairs;
      if (FirstOutput(before_.nodes[before]) == FirstOutput(after_.nodes[after])) ++same;
    }
    return same * 2 >= pairs;
  }

  /// Matches nodes with the same operator that have an output of the same name, or the same node name.
  void MatchByNames() {
    const auto hash_all = [](const Body& body, auto name_of) {
      std::vector<Hash> hashes;
      for (const onnx::NodeProto& node : body.nodes) {
        const std::string_view name = name_of(node);
        hashes.push_back(name.empty() ? 0 : Mix(OperatorHash(node), HashOf(name)));
      }
      return hashes;
    };
    const auto node_name = [](const onnx::NodeProto& node) -> std::string_view { return node.name(); };
    PairNodes(hash_all(before_, FirstOutput), hash_all(after_, FirstOutput));
    PairNodes(hash_all(before_, node_name), hash_all(after_, node_name));
  }

  /// Matches two nodes with the same operator in two cases: they read the same output of two matched nodes, and no
  /// other node does so at the same input; or two matched nodes read the same output of them at the same input.
  void MatchNeighbours() {
    std::vector<int> found;  // indices of old nodes
    for (int before = 0; before < before_.nodes.size(); ++before) {
      if (match_.nodes.AfterOf(before) >= 0) found.push_back(before);
    }
    for (int before = 0; before < match_.inputs.before_size(); ++before) {
      const int after = match_.inputs.AfterOf(before);
      if (after >= 0) MatchUses(old_wiring_.UsesOfInput(before), new_wiring_.UsesOfInput(after), &found);
    }
    for (std::size_t next = 0; next < found.size(); ++next) {
      const int before = found[next];
      const int after = match_.nodes.AfterOf(before);
      MatchSources(before, after, &found);
      const auto outputs =
          static_cast<int>(std::min(old_wiring_.writes(before).size(), new_wiring_.writes(after).size()));
      for (int i = 0; i < outputs; ++i) {
        MatchUses(old_wiring_.UsesOf({before, i}), new_wiring_.UsesOf({after, i}), &found);
      }
    }
  }

  void MatchSources(int before, int after, std::vector<int>* found) {
    const auto& old_reads = old_wiring_.reads(before);
    const auto& new_reads = new_wiring_.reads(after);
    for (std::size_t i = 0; i < std::min(old_reads.size(), new_reads.size()); ++i) {
      const Port& old_source = old_wiring_.values()[At(old_reads[i])].definition;
      const Port& new_source = new_wiring_.values()[At(new_reads[i])].definition;
      if (old_source.node < 0 || new_source.node < 0 || old_source.index != new_source.index) continue;
      if (!match_.nodes.AreFree(old_source.node, new_source.node)) continue;
      if (OperatorHash(before_.nodes[old_source.node]) != OperatorHash(after_.nodes[new_source.node])) continue;
      match_.nodes.Pair(old_source.node, new_source.node);
      found->push_back(old_source.node);
    }
  }

  void MatchUses(std::span<const Port> old_uses, std::span<const Port> new_uses, std::vector<int>* found) {
    struct Users {
      int before = -1;
      int after = -1;
      int count = 0;  // on both sides
    };
    std::unordered_map<Hash, std::size_t> places;  // indices in `users`
    std::vector<Users> users;                      // in the order of the old graph
    for (const Port& use : old_uses) {
      if (match_.nodes.AfterOf(use.node) >= 0) continue;
      const Hash hash = Mix(OperatorHash(before_.nodes[use.node]), At(use.index));
      const auto [place, is_new] = places.emplace(hash, users.size());
      Users& entry = is_new ? users.emplace_back() : users[place->second];
      entry.before = use.node;
      ++entry.count;
    }
    if (users.empty()) return;
    for (const Port& use : new_uses) {
      if (match_.nodes.BeforeOf(use.node) >= 0) continue;
      const auto place = places.find(Mix(OperatorHash(after_.nodes[use.node]), At(use.index)));
      if (place == places.end()) continue;
      users[place->second].after = use.node;
      ++users[place->second].count;
    }
    for (const Users& entry : users) {
      const bool is_unique = entry.count == 2 && entry.before >= 0 && entry.after >= 0;
      if (!is_unique || !match_.nodes.AreFree(entry.before, entry.after)) continue;
      match_.nodes.Pair(entry.before, entry.after);
      found->push_back(entry.before);
    }
  }

  /// Matches nodes with different operators that read the same values. If names are reliable, the first outputs of the
  /// two nodes must also have equal names.
  void MatchReplaced() {
    FindFingerprints(Detail::kShape);
    const auto keys = [this](const Body& body, const Wiring& wiring, const Fingerprints& prints) {
      std::vector<Hash> hashes;
      for (int i = 0; i < body.nodes.size(); ++i) {
        const std::string_view name = FirstOutput(body.nodes[i]);
        const bool is_vague = !trusts_names_ && wiring.reads(i).empty();
        const Hash inputs = is_vague ? 0 : prints.inputs[At(i)];
        hashes.push_back(trusts_names_ && inputs != 0 ? Mix(inputs, HashOf(name)) : inputs);
      }
      return hashes;
    };
    PairNodes(keys(before_, old_wiring_, old_prints_), keys(after_, new_wiring_, new_prints_));
  }

  // ---- initializers

  void MatchInitializers() {
    if (trusts_names_) MatchInitializersByName();
    MatchInitializersByUse();
    if (use_names_ && !trusts_names_) MatchInitializersByName();
    const auto hash_all = [](const Body& body) {
      std::vector<Hash> hashes;
      for (const onnx::TensorProto* tensor : body.initializers) hashes.push_back(TensorHash(*tensor, Detail::kAll));
      return hashes;
    };
    PairEqual(hash_all(before_), hash_all(after_), &match_.initializers, [](int, bool) { return std::string_view(); });
  }

  void MatchInitializersByName() {
    const auto hash_all = [](const Body& body) {
      std::vector<std::string_view> names;
      for (const onnx::TensorProto* tensor : body.initializers) names.push_back(tensor->name());
      return HashAll(names);
    };
    PairEqual(hash_all(before_), hash_all(after_), &match_.initializers, [](int, bool) { return std::string_view(); });
  }

  /// Matches initializers that are the same input of matched nodes.
  void MatchInitializersByUse() {
    for (int before = 0; before < before_.nodes.size(); ++before) {
      const int after = match_.nodes.AfterOf(before);
      if (after < 0) continue;
      const auto& old_reads = old_wiring_.reads(before);
      const auto& new_reads = new_wiring_.reads(after);
      for (std::size_t i = 0; i < std::min(old_reads.size(), new_reads.size()); ++i) {
        const int old_tensor = old_wiring_.values()[At(old_reads[i])].initializer;
        const int new_tensor = new_wiring_.values()[At(new_reads[i])].initializer;
        if (old_tensor < 0 || new_tensor < 0 || !match_.initializers.AreFree(old_tensor, new_tensor)) continue;
        match_.initializers.Pair(old_tensor, new_tensor);
      }
    }
  }

  const Body& before_;
  const Body& after_;
  const Counterparts& outer_;
  const bool use_names_;
  bool trusts_names_ = false;
  const Wiring old_wiring_;
  const Wiring new_wiring_;
  BodyMatch match_;
  NameSet common_outputs_;
  Fingerprints old_prints_;
  Fingerprints new_prints_;
};

}  // namespace

std::vector<bool> Matching::FindStaying() const {
  // `tails[k]` is the end of the best sequence of k + 1 pairs.
  std::vector<int> tails;
  std::vector<int> previous(after_of_.size(), -1);
  for (int before = 0; before < before_size(); ++before) {
    const int after = AfterOf(before);
    if (after < 0) continue;
    const auto place =
        std::lower_bound(tails.begin(), tails.end(), after, [&](int tail, int value) { return AfterOf(tail) < value; });
    if (place != tails.begin()) previous[At(before)] = *(place - 1);
    place == tails.end() ? tails.push_back(before) : void(*place = before);
  }
  std::vector<bool> stays(before_of_.size());
  if (tails.empty()) return stays;
  for (int before = tails.back(); before >= 0; before = previous[At(before)]) stays[At(AfterOf(before))] = true;
  return stays;
}

Matching::Disorder Matching::FindDisorder() const {
  const std::vector<bool> stays = FindStaying();
  Disorder disorder;
  for (int after = 0; after < after_size(); ++after) {
    if (BeforeOf(after) < 0 || stays[At(after)]) continue;
    if (disorder.count++ == 0) disorder.first = after;
  }
  return disorder;
}

BodyMatch MatchBodies(const Body& before, const Body& after, const Counterparts& outer, bool use_names) {
  return Matcher(before, after, outer, use_names).Run();
}

}  // namespace onnxc::diff
