#include "verdict/version.h"

#include <algorithm>
#include <utility>

#include "infer/again.h"
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

/// Returns whether both models have the same number of parts besides the graph's nodes. If their texts are the same
/// too, the parts are the same.
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

/// Pairs the graphs in the attributes of two equal nodes, unless both are one message.
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
std::optional<Version::Region> Version::Compare(const ReadVersion& now) const {
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
  Region region{.begin = first,
                .end = before.size() - rest,
                .range = {BeginOf(*body, first), BeginOf(*body, before.size() - rest)},
                .shift = static_cast<std::ptrdiff_t>(now.text.size() - read_.text.size())};
  const int now_end = after.size() - rest;
  if (region.end - first > kMostNodes || now_end - first > kMostNodes) return std::nullopt;
  const std::string_view head = read_.text.substr(0, region.range.begin);
  const std::string_view tail = read_.text.substr(region.range.end);
  const bool is_text_same =
      now.text.size() >= head.size() + tail.size() && now.text.starts_with(head) && now.text.ends_with(tail);
  if (!is_text_same) return std::nullopt;
  for (int i = first; i < now_end; ++i) region.nodes.push_back(&after[i]);
  return region;
}

/// Returns the findings outside of the region. Sets `*is_sure` to false if the region contains findings that the check
/// of the region does not find again.
Diagnostics Version::FoundBeside(const Region& region, bool* is_sure) const {
  const auto move = [&](SourceRange* range) {
    if (*range == kNowhere || range->end <= region.range.begin) return true;
    if (range->begin < region.range.end) return false;
    range->begin += static_cast<std::size_t>(region.shift);
    range->end += static_cast<std::size_t>(region.shift);
    return true;
  };
  Diagnostics moved;
  for (Diagnostic finding : found_.items()) {
    const bool is_moved = move(&finding.range);
    if (!is_moved && finding.kind == DiagnosticKind::kUnusedValue) continue;
    *is_sure = *is_sure && is_moved &&
               std::ranges::all_of(finding.notes, move, [](Note& note) { return &note.range; }) &&
               std::ranges::all_of(finding.fix_its, move, [](FixIt& fix_it) { return &fix_it.range; });
    moved.Add(std::move(finding));
  }
  return moved;
}

const InferredValue* Version::ValueOf(std::size_t name) const {
  const std::span<const InferredValue> known = types_->ValuesOf(graph());
  return name < known.size() && known[name].name == names_->names()[name].name ? &known[name] : nullptr;
}

std::optional<std::vector<InferredValue>> Version::InferRegion(const Region& region, std::span<const std::size_t> read,
                                                               const ModelProto& model,
                                                               const Operators& operators) const {
  // The contents of a constant were computed only if a node needed them, and that node may have been replaced.
  const auto knows_contents = [this](const std::string& input) {
    const check::GraphName* const name = input.empty() ? nullptr : names_->Find(input);
    const InferredValue* const value =
        name == nullptr ? nullptr : ValueOf(static_cast<std::size_t>(name - names_->names().data()));
    return value != nullptr && value->constant != nullptr;
  };
  for (int i = region.begin; i < region.end; ++i) {
    const NodeProto& node = graph().node(i);
    if (std::ranges::any_of(node.input(), knows_contents) &&
        std::ranges::none_of(region.nodes, [&](const NodeProto* other) { return DoTheSame(node, *other); })) {
      return std::nullopt;
    }
  }
  std::vector<InferredValue> given;
  for (const std::size_t at : read) {
    const InferredValue* const value = ValueOf(at);
    if (value == nullptr) return std::nullopt;
    given.push_back(*value);
  }
  auto values = infer::InferAgain(model, region.nodes, given, *types_, operators);
  if (!values) return std::nullopt;
  NameMap<int> read_here;  // reads by the nodes that were replaced
  for (int i = region.begin; i < region.end; ++i) {
    for (const std::string& input : graph().node(i).input()) ++read_here[input];
  }
  NameSet others;  // values that may have another type now
  for (const NodeProto* const node : region.nodes) {
    const auto is_other = [&](const std::string& input) { return others.contains(input); };
    const bool reads_others = std::ranges::any_of(node->input(), is_other);
    for (const std::string& output : node->output()) {
      const check::GraphName* const name = output.empty() ? nullptr : names_->Find(output);
      if (name == nullptr || name->node < 0) continue;  // no other node reads it
      if (!reads_others && DoTheSame(*node, graph().node(name->node))) continue;
      const InferredValue* const value = ValueOf(static_cast<std::size_t>(name - names_->names().data()));
      const InferredValue* const found = FindIn(*values, output);
      if (value != nullptr && found != nullptr && infer::AreSame(*value, *found)) continue;
      const auto here = read_here.find(output);
      if (name->reads > (here == read_here.end() ? 0 : here->second)) return std::nullopt;
      others.insert(output);
    }
  }
  return values;
}

std::optional<Diagnostics> Version::CheckAgain(const ReadVersion& now, const CheckOptions& rules) const {
  if (now.text == read_.text && !check::NamesFile(model())) return found_;
  const std::optional<Region> region = Compare(now);
  // Without inference, nothing would check the types that other nodes get from these nodes.
  if (!region || !rules.infer || types_ == nullptr) return std::nullopt;
  bool is_sure = true;
  Diagnostics found = FoundBeside(*region, &is_sure);
  if (!is_sure) return std::nullopt;
  const std::lock_guard lock(mutex_);
  if (!names_) names_.emplace(model());
  const auto read = names_->Exchange(region->begin, region->end, region->nodes);
  if (!read) return std::nullopt;
  const auto here = names_->Check(region->begin, region->end, region->nodes, *read, rules);
  if (!here) return std::nullopt;
  if (!InferRegion(*region, *read, *now.parsed.model, rules.operators)) return std::nullopt;
  found.Append(*here);
  return found;
}

std::optional<Version::Types> Version::InferAgain(const ReadVersion& now, const Operators& operators) const {
  const std::optional<Region> region = Compare(now);
  if (!region || types_ == nullptr) return std::nullopt;
  const std::lock_guard lock(mutex_);
  if (!names_) names_.emplace(model());
  const auto read = names_->Exchange(region->begin, region->end, region->nodes);
  if (!read) return std::nullopt;
  auto values = InferRegion(*region, *read, *now.parsed.model, operators);
  if (!values) return std::nullopt;
  Types types{.others = *std::move(values), .begin = region->begin, .end = region->end};
  const ModelProto& other = *now.parsed.model;
  for (int i = 0; i < other.functions_size(); ++i) {
    types.before.emplace(&other.functions(i), &model().functions(i));
    for (int j = 0; j < other.functions(i).node_size(); ++j) {
      PairGraphs(model().functions(i).node(j), other.functions(i).node(j), &types.before);
    }
  }
  const int grown = other.graph().node_size() - graph().node_size();
  for (int i = 0; i < region->begin; ++i) PairGraphs(graph().node(i), other.graph().node(i), &types.before);
  for (int i = region->end; i < graph().node_size(); ++i) {
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
  if (const InferredValue* const other = FindIn(types.others, name)) return other;
  const check::GraphName* const known = names_->Find(name);
  if (known == nullptr || (known->node >= types.begin && known->node < types.end)) return nullptr;
  return ValueOf(static_cast<std::size_t>(known - names_->names().data()));
}

Diagnostics CheckVersion(const std::shared_ptr<const void>& owner, const ReadVersion& read, const std::string& path,
                         CheckOptions rules, const Version* before, std::shared_ptr<const Version>* now,
                         std::shared_ptr<const Inference>* types) {
  const PartialModel& parsed = read.parsed;
  const auto check = [&](const google::protobuf::Message& message, CheckOptions all) {
    if (before != nullptr && !read.bodies.empty()) {
      if (auto again = before->CheckAgain(read, all)) return *std::move(again);
    }
    std::optional<Inference> inferred;
    all.inference_out = &inferred;
    Diagnostics found = Check(message, all);
    auto inference = inferred ? std::make_shared<const Inference>(*std::move(inferred)) : nullptr;
    const bool is_whole = found.ok() && found.suppressed() == 0 && !read.bodies.empty();
    if (is_whole && now != nullptr) *now = std::make_shared<const Version>(owner, read, found, inference);
    if (types != nullptr) *types = std::move(inference);
    return found;
  };
  return CheckRead(read.text, path, parsed.places, std::move(rules), *parsed.model, parsed.diagnostics, check);
}

}  // namespace onnxc::verdict
