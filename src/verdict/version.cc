#include "verdict/version.h"

#include <algorithm>
#include <utility>

#include "source/report.h"
#include "verdict/judge.h"

namespace onnxc::verdict {
namespace {

using lower::ReadBody;
using lower::ReadVersion;
using onnx::ModelProto;
using onnx::NodeProto;

constexpr int kMostNodes = 100;  // if more nodes have changed, the whole text is checked

/// Returns the body of the model's graph, or null if it has no nodes.
const ReadBody* GraphBody(const ReadVersion& version) {
  const auto& graph = version.parsed.model->graph();
  const auto is_it = [&](const ReadBody& body) {
    return !body.nodes.empty() && graph.node_size() > 0 && body.nodes.front().message == &graph.node(0);
  };
  const auto found = std::ranges::find_if(version.bodies, is_it);
  return found == version.bodies.end() ? nullptr : &*found;
}

/// Returns where the node `index` begins, or the end of the body for the index after the last node.
std::size_t BeginOf(const ReadBody& body, int index) {
  const auto at = static_cast<std::size_t>(index);
  return at < body.nodes.size() ? body.nodes[at].begin : body.end;
}

/// Returns whether both models have the same numbers of parts, apart from the graph's nodes. If the texts of these
/// parts are also the same, so are the parts.
bool HaveSameParts(const ModelProto& a, const ModelProto& b) {
  const auto& graph = a.graph();
  const auto& other = b.graph();
  return a.has_graph() == b.has_graph() && a.opset_import_size() == b.opset_import_size() &&
         graph.input_size() == other.input_size() && graph.output_size() == other.output_size() &&
         graph.initializer_size() == other.initializer_size() &&
         graph.sparse_initializer_size() == other.sparse_initializer_size() &&
         graph.value_info_size() == other.value_info_size() &&
         std::ranges::equal(a.functions(), b.functions(), {}, &onnx::FunctionProto::node_size,
                            &onnx::FunctionProto::node_size);
}

/// Returns whether both nodes compute the same; their names may differ.
bool DoTheSame(const NodeProto& a, const NodeProto& b) {
  if (&a == &b) return true;
  if (a.op_type() != b.op_type() || a.domain() != b.domain() || a.overload() != b.overload()) return false;
  return std::ranges::equal(a.input(), b.input()) && std::ranges::equal(a.output(), b.output()) &&
         std::ranges::equal(a.attribute(), b.attribute(), [](const auto& x, const auto& y) {
           return x.SerializeAsString() == y.SerializeAsString();
         });
}

bool AreSame(const NodeProto& a, const NodeProto& b) { return a.name() == b.name() && DoTheSame(a, b); }

/// Pairs the graphs in the attributes of two equal nodes, unless both nodes are the same object.
template <typename Pairs>
void PairGraphs(const NodeProto& before, const NodeProto& now, Pairs* pairs) {
  if (&before == &now) return;
  const auto pair = [pairs](const onnx::GraphProto& a, const onnx::GraphProto& b) {
    pairs->emplace(&b, &a);
    for (int i = 0; i < std::min(a.node_size(), b.node_size()); ++i) PairGraphs(a.node(i), b.node(i), pairs);
  };
  for (int i = 0; i < std::min(before.attribute_size(), now.attribute_size()); ++i) {
    const auto& a = before.attribute(i);
    const auto& b = now.attribute(i);
    if (a.has_g() && b.has_g()) pair(a.g(), b.g());
    for (int j = 0; j < std::min(a.graphs_size(), b.graphs_size()); ++j) pair(a.graphs(j), b.graphs(j));
  }
}

const InferredValue* FindIn(std::span<const InferredValue> values, std::string_view name) {
  const auto found = std::ranges::find(values, name, &InferredValue::name);
  return found == values.end() ? nullptr : &*found;
}

}  // namespace

// Nodes of both versions that are the same are usually the same message object, except for the first and the last
// nodes, which are parsed again in each version.
std::optional<Version::Change> Version::FindChange(const ReadVersion& now, CommonEnds same) const {
  constexpr int kReadAgain = 4;
  const ReadBody* const body = GraphBody(read_);
  if (body == nullptr || !HaveSameParts(model(), *now.parsed.model)) return std::nullopt;
  const auto& before = graph().node();
  const auto& after = now.parsed.model->graph().node();
  const int fewest = std::min(before.size(), after.size());
  int first = fewest > 0 && AreSame(before[0], after[0]) ? 1 : 0;
  while (first < fewest && &before[first] == &after[first]) ++first;
  const auto is_same_behind = [&](int rest) {
    const NodeProto& a = before[before.size() - rest - 1];
    const NodeProto& b = after[after.size() - rest - 1];
    return &a == &b || (rest < kReadAgain && AreSame(a, b));
  };
  int rest = 0;
  while (rest < fewest - first && is_same_behind(rest)) ++rest;
  const int end = before.size() - rest;
  const int now_end = after.size() - rest;
  if (end - first > kMostNodes || now_end - first > kMostNodes) return std::nullopt;
  Change change{.nodes = {.model = now.parsed.model, .begin = first, .end = end},
                .range = {BeginOf(*body, first), BeginOf(*body, end)},
                .shift = static_cast<std::ptrdiff_t>(now.text.size() - read_.text.size())};
  const std::string_view head = read_.text.substr(0, change.range.begin);
  const std::string_view tail = read_.text.substr(change.range.end);
  if (now.text.size() < head.size() + tail.size()) return std::nullopt;
  const CommonEnds known = {std::min(same.begin, head.size()), std::min(same.end, tail.size())};
  const bool is_text_same =
      now.text.substr(known.begin).starts_with(head.substr(known.begin)) &&
      now.text.substr(0, now.text.size() - known.end).ends_with(tail.substr(0, tail.size() - known.end));
  if (!is_text_same) return std::nullopt;
  for (int i = first; i < now_end; ++i) change.nodes.nodes.push_back(&after[i]);
  return change;
}

std::optional<Version::Change> Version::Compare(const ReadVersion& now, CommonEnds same) const {
  std::optional<Change> change = FindChange(now, same);
  // Without inference, nothing would check the types that other nodes get from these nodes.
  if (!change || types_ == nullptr) return std::nullopt;
  {
    const std::lock_guard lock(mutex_);
    if (!names_) names_.emplace(model());
  }
  std::optional<check::ReadNames> read = names_->ReadBy(change->nodes);
  if (!read) return std::nullopt;
  change->read = *std::move(read);
  return change;
}

/// Returns whether the finding says that an input or a value of the graph is unused. Such a finding disappears if a
/// node of the graph reads an unknown name, because that may be a misspelling of the unused name.
bool Version::IsOfUnusedInGraph(const Diagnostic& finding) const {
  const ReadBody& body = *GraphBody(read_);
  return finding.kind == DiagnosticKind::kUnusedInput ||
         (finding.kind == DiagnosticKind::kUnusedValue && finding.range.begin >= body.nodes.front().begin &&
          finding.range.begin < body.end);
}

/// Returns whether one of the first nodes holds graphs and contains the place.
bool Version::IsInGraphOfNode(SourceRange place, int first_nodes) const {
  const ReadBody& body = *GraphBody(read_);
  return std::ranges::any_of(names_->nodes_with_graphs(), [&](int node) {
    return node < first_nodes && BeginOf(body, node) <= place.begin && place.begin < BeginOf(body, node + 1);
  });
}

/// Returns the findings outside of the changed nodes, with their places in the other version. Returns nothing if there
/// is a finding inside of the changed nodes that a check of only these nodes does not look for.
std::optional<Diagnostics> Version::FoundBeside(const Change& change) const {
  const auto move = [&](SourceRange* range) {
    if (*range == kNowhere || range->end <= change.range.begin) return true;
    if (range->begin < change.range.end) return false;
    range->begin += static_cast<std::size_t>(change.shift);
    range->end += static_cast<std::size_t>(change.shift);
    return true;
  };
  Diagnostics moved;
  for (Diagnostic finding : found_.items()) {
    if (!change.read.unknown.empty() && IsOfUnusedInGraph(finding)) {
      const bool is_value = finding.kind == DiagnosticKind::kUnusedValue;
      if (is_value && IsInGraphOfNode(finding.range, change.nodes.begin)) return std::nullopt;
      continue;
    }
    const bool is_moved = move(&finding.range);
    if (!is_moved && finding.kind == DiagnosticKind::kUnusedValue) continue;
    if (!is_moved || !std::ranges::all_of(finding.notes, move, [](Note& note) { return &note.range; }) ||
        !std::ranges::all_of(finding.fix_its, move, [](FixIt& fix_it) { return &fix_it.range; })) {
      return std::nullopt;
    }
    moved.Add(std::move(finding));
  }
  return moved;
}

const InferredValue* Version::ValueOf(std::size_t name) const {
  const std::span<const InferredValue> known = types_->ValuesOf(graph());
  return name < known.size() && known[name].name == names_->names()[name].name ? &known[name] : nullptr;
}

/// Infers the types of the changed nodes' outputs, unless that was done before. Returns false if the types of other
/// nodes must be inferred again.
bool Version::Infer(const Operators& operators, Change* change) const {
  if (change->inferred) return true;
  // The contents of a constant were computed only if a node needed them, and that node may have been replaced.
  const auto knows_contents = [this](const std::string& input) {
    const check::GraphName* const name = input.empty() ? nullptr : names_->Find(input);
    const InferredValue* const value =
        name == nullptr ? nullptr : ValueOf(static_cast<std::size_t>(name - names_->names().data()));
    return value != nullptr && value->constant != nullptr;
  };
  const auto& nodes = change->nodes.nodes;
  for (int i = change->nodes.begin; i < change->nodes.end; ++i) {
    const NodeProto& node = graph().node(i);
    if (std::ranges::any_of(node.input(), knows_contents) &&
        std::ranges::none_of(nodes, [&](const NodeProto* other) { return DoTheSame(node, *other); })) {
      return false;
    }
  }
  std::vector<InferredValue> given;
  for (const std::size_t at : change->read.of_others) {
    const InferredValue* const value = ValueOf(at);
    if (value == nullptr) return false;
    given.push_back(*value);
  }
  const std::lock_guard lock(mutex_);
  change->inferred = infer::InferAgain(*change->nodes.model, nodes, given, *types_, operators);
  if (change->inferred && !HaveSameTypes(*change)) change->inferred.reset();
  return change->inferred.has_value();
}

/// Returns whether the values that other nodes read have the same types as before.
bool Version::HaveSameTypes(const Change& change) const {
  NameSet others = change.read.unknown;  // names whose values may have another type now
  for (const NodeProto* const node : change.nodes.nodes) {
    const auto is_other = [&](const std::string& input) { return others.contains(input); };
    const bool reads_others = std::ranges::any_of(node->input(), is_other);
    for (const std::string& output : node->output()) {
      const check::GraphName* const name = output.empty() ? nullptr : names_->Find(output);
      if (name == nullptr || name->node < 0) continue;  // no other node reads it
      if (!reads_others && DoTheSame(*node, graph().node(name->node))) continue;
      const InferredValue* const value = ValueOf(static_cast<std::size_t>(name - names_->names().data()));
      const InferredValue* const found = FindIn(change.inferred->values, output);
      if (value != nullptr && found != nullptr && infer::AreSame(*value, *found)) continue;
      if (check::GraphNames::IsReadElsewhere(*name, change.read)) return false;
      others.insert(output);
    }
  }
  return true;
}

std::optional<Diagnostics> Version::CheckAgain(Change* change, const CheckOptions& rules) const {
  if (!rules.infer) return std::nullopt;
  std::optional<Diagnostics> found = FoundBeside(*change);
  if (!found) return std::nullopt;
  auto here = names_->Check(change->nodes, change->read, rules);
  if (!here) return std::nullopt;
  // If there are errors, no types are inferred. The types of constants are compared nevertheless; they are the same.
  const bool is_sure =
      here->ok() ? Infer(rules.operators, change) && !change->inferred->has_findings : types_->diagnostics.empty();
  if (!is_sure) return std::nullopt;
  found->Append(*std::move(here));
  return found;
}

std::optional<Version::Types> Version::InferAgain(Change change, const Operators& operators) const {
  if (!Infer(operators, &change)) return std::nullopt;
  const ModelProto& other = *change.nodes.model;
  Types types{.change = std::move(change)};
  for (int i = 0; i < other.functions_size(); ++i) {
    types.before.emplace(&other.functions(i), &model().functions(i));
    for (int j = 0; j < other.functions(i).node_size(); ++j) {
      PairGraphs(model().functions(i).node(j), other.functions(i).node(j), &types.before);
    }
  }
  const auto& [of_other, begin, end, nodes] = types.change.nodes;
  const int grown = other.graph().node_size() - graph().node_size();
  for (int i = 0; i < begin; ++i) PairGraphs(graph().node(i), other.graph().node(i), &types.before);
  for (int i = end; i < graph().node_size(); ++i) {
    PairGraphs(graph().node(i), other.graph().node(i + grown), &types.before);
  }
  return types;
}

std::span<const InferredValue> Version::ValuesOf(const Types& types,
                                                 const google::protobuf::Message& graph_or_function) const {
  const auto found = types.before.find(&graph_or_function);
  return types_->ValuesOf(found == types.before.end() ? graph_or_function : *found->second);
}

const InferredValue* Version::Find(const Types& types, std::string_view name) const {
  if (const InferredValue* const other = FindIn(types.change.inferred->values, name)) return other;
  const check::GraphName* const known = names_->Find(name);
  const auto& replaced = types.change.nodes;
  if (known == nullptr || (known->node >= replaced.begin && known->node < replaced.end)) return nullptr;
  return ValueOf(static_cast<std::size_t>(known - names_->names().data()));
}

Diagnostics CheckVersion(const std::shared_ptr<const void>& owner, const ReadVersion& read, const std::string& path,
                         CheckOptions rules, const Earlier<const Version*>& before, Checked* checked) {
  const PartialModel& parsed = read.parsed;
  const auto check = [&](const google::protobuf::Message& message, CheckOptions all) {
    if (before.version != nullptr && !read.bodies.empty()) {
      checked->change = before.version->Compare(read, before.same);
    }
    if (checked->change) {
      if (auto again = before.version->CheckAgain(&*checked->change, all)) return *std::move(again);
    }
    std::optional<Inference> inferred;
    all.inference_out = &inferred;
    Diagnostics found = Check(message, all);
    if (inferred) checked->types = std::make_shared<const Inference>(*std::move(inferred));
    const bool is_whole = found.ok() && found.suppressed() == 0 && !read.bodies.empty();
    if (is_whole) checked->version = std::make_shared<const Version>(owner, read, found, checked->types);
    return found;
  };
  return CheckRead(read.text, path, &parsed.places, std::move(rules), *parsed.model, parsed.diagnostics, check,
                   read.rare_parts);
}

}  // namespace onnxc::verdict
