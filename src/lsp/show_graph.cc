#include "lsp/show_graph.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "diff/changed_nodes.h"
#include "draw/drawn_nodes.h"
#include "draw/part.h"
#include "lsp/spelling.h"
#include "print/brief.h"
#include "source/report.h"

namespace onnxc::lsp {
namespace {

/// Returns the text that is searched when the user looks for a node: the node's name, operator, attributes, outputs and
/// inputs.
std::string WordsOf(const onnx::NodeProto& node) {
  const std::string domain = node.domain().empty() ? "" : node.domain() + ".";
  std::string words = fmt::format("{}\n{}{}\n", node.name(), domain, node.op_type());
  for (const onnx::AttributeProto& attribute : node.attribute()) {
    words += fmt::format("{} = {}\n", attribute.name(), Brief(attribute));
  }
  return words + fmt::format("{}\n{}", fmt::join(node.output(), "\n"), fmt::join(node.input(), "\n"));
}

/// A drawing of a graph or of a function.
class Drawing {
 public:
  Drawing(const Snapshot& snapshot, const google::protobuf::Message& body)
      : snapshot_(snapshot),
        graph_(dynamic_cast<const onnx::GraphProto*>(&body)),
        function_(dynamic_cast<const onnx::FunctionProto*>(&body)) {}

  [[nodiscard]] const Nodes& nodes() const { return graph_ != nullptr ? graph_->node() : function_->node(); }

  [[nodiscard]] Json Whole() { return graph_ != nullptr ? DrawDot(*graph_, &drawn_) : DrawDot(*function_, &drawn_); }

  /// Draws the nodes from `first` up to but not including `last`. If these nodes and the nodes in their subgraphs are
  /// more than `most`, subgraphs are shown only by name.
  [[nodiscard]] Json Part(int first, int last, std::size_t most) {
    const onnx::GraphProto part = graph_ != nullptr ? PartOf(*graph_, first, last) : PartOf(*function_, first, last);
    std::vector<const onnx::NodeProto*> originals;
    for (int i = first; i < last; ++i) {
      ForEachNode(nodes()[i], [&](const onnx::NodeProto& node) { originals.push_back(&node); });
    }
    DrawOptions options;
    if (originals.size() > most) options.depth = 0;
    DrawnNodes drawn;
    std::string dot = DrawDot(part, &drawn, options);
    auto original = originals.begin();
    ForEachNode(part.node(), [&](const onnx::NodeProto& copy) {
      if (const auto name = drawn.find(&copy); name != drawn.end()) drawn_.emplace(*original, name->second);
      ++original;
    });
    return dot;
  }

  /// Returns the name of a node in the drawing, or null if the node is not drawn.
  [[nodiscard]] Json NameOf(const onnx::NodeProto& node) const {
    const auto found = drawn_.find(&node);
    return found == drawn_.end() ? Json() : Json(found->second);
  }

  /// Returns WordsOf() for each drawn node.
  [[nodiscard]] Json Words() const {
    Json words = Json::object();
    for (const auto& [node, name] : drawn_) words[name] = WordsOf(*node);
    return words;
  }

  /// Returns the ranges of the drawn nodes in the text.
  [[nodiscard]] Json Places() const {
    Json places = Json::object();
    for (const auto& [node, name] : drawn_) {
      if (const SourceRange* const range = snapshot_.parsed().places.Find(*node)) {
        places[name] = snapshot_.RangeOf(*range);
      }
    }
    return places;
  }

  /// Returns the drawn nodes that differ from another version of the text.
  [[nodiscard]] Json ChangesSince(const std::string& before) const {
    Json changes = Json::object();
    const PartialModel old = ParsePartial(before);
    const ChangedNodes changed = FindChangedNodes(*old.model, *snapshot_.parsed().model);
    for (const onnx::NodeProto& node : nodes()) {
      const auto outer = drawn_.find(&node);
      if (outer == drawn_.end()) continue;
      ForEachNode(node, [&](const onnx::NodeProto& inner) {
        const auto change = changed.find(&inner);
        if (change == changed.end()) return;
        const auto name = drawn_.find(&inner);
        // Otherwise the node is in a subgraph that is not drawn, and the outer node is marked as changed.
        const bool is_drawn = name != drawn_.end();
        const bool is_added = is_drawn && change->second == NodeChange::kAdded;
        changes.emplace((is_drawn ? name : outer)->second, is_added ? "added" : "changed");
      });
    }
    return changes;
  }

 private:
  const Snapshot& snapshot_;
  const onnx::GraphProto* graph_;        // null if this is a function
  const onnx::FunctionProto* function_;  // null if this is a graph
  DrawnNodes drawn_;
};

/// Returns the index of the last node that begins at or before an offset of the text, or 0 if there is none.
int NodeAt(std::size_t offset, const Nodes& nodes, const SourceMap& places) {
  for (int i = 1; i < nodes.size(); ++i) {
    const SourceRange* const range = places.Find(nodes[i]);
    if (range != nullptr && range->begin > offset) return i - 1;
  }
  return std::max(0, nodes.size() - 1);
}

bool Holds(std::string_view text, std::string_view word) {
  const auto is_same = [](char a, char b) { return Lower(a) == Lower(b); };
  return std::search(text.begin(), text.end(), word.begin(), word.end(), is_same) != text.end() || word.empty();
}

/// Returns the first node at or after `first` that contains the word, or a node with the word in its subgraphs. After
/// the last node, the search continues at the beginning of the list. Returns null if no node contains the word.
const onnx::NodeProto* FindNode(const Nodes& nodes, int first, std::string_view word, int* place) {
  for (int i = 0; i < nodes.size(); ++i) {
    *place = (first + i) % nodes.size();
    const onnx::NodeProto* found = nullptr;
    ForEachNode(nodes[*place], [&](const onnx::NodeProto& node) {
      if (found == nullptr && Holds(WordsOf(node), word)) found = &node;
    });
    if (found != nullptr) return found;
  }
  return nullptr;
}

std::size_t NumberIn(const Json& object, const char* pointer, std::size_t otherwise) {
  const Json& number = Optional(object, pointer);
  const bool is_count = number.is_number_integer() && number.get<std::int64_t>() >= 0;
  return is_count ? number.get<std::size_t>() : otherwise;
}

/// Draws the requested part, and adds its number to the result.
void DrawPart(const Json& place, const Snapshot& snapshot, std::size_t most, Drawing* drawing, Json* picture) {
  const Nodes& nodes = drawing->nodes();
  const std::vector<int> parts = DivideIntoParts(nodes, most);
  const auto end_of = [&](std::size_t part) { return part + 1 < parts.size() ? parts[part + 1] : nodes.size(); };
  const auto part_of = [&](int node) {
    return static_cast<std::size_t>(std::ranges::upper_bound(parts, node) - parts.begin()) - 1;
  };
  const int at = NodeAt(snapshot.OffsetOf(Member(place, "position")), nodes, snapshot.parsed().places);
  std::size_t part = std::min(NumberIn(place, "/part", part_of(at)), parts.size() - 1);
  const Json& word = Optional(place, "/find");
  const onnx::NodeProto* found = nullptr;
  int node = 0;
  if (word.is_string()) {
    found = FindNode(nodes, end_of(part) % std::max(1, nodes.size()), word.get<std::string>(), &node);
    if (found != nullptr) part = part_of(node);
  }
  (*picture)["dot"] = drawing->Part(parts[part], end_of(part), most);
  (*picture)["part"] = part;
  (*picture)["parts"] = parts.size();
  if (!word.is_string()) return;
  Json name = found == nullptr ? Json() : Json(drawing->NameOf(*found));
  if (found != nullptr && name.is_null())
    name = drawing->NameOf(nodes[node]);  // the node is in a subgraph that is not
                                          // drawn
  (*picture)["found"] = std::move(name);
}

}  // namespace

Json ShowGraph(const Workspace& workspace, const Json& place) {
  const auto snapshot = workspace.OpenAt(StringMember(place, "uri"));
  const PartialModel& read = snapshot->parsed();
  SymbolId scope = read.symbols.ScopeAt(snapshot->OffsetOf(Member(place, "position")));
  if (scope == kNoSymbol && !read.symbols.scopes().empty()) scope = 0;
  if (scope == kNoSymbol || read.messages[scope] == nullptr) return nullptr;
  const TextScope& drawn = read.symbols.scopes()[scope];
  Json picture = {{"title", fmt::format("Picture of {}", Quoted(drawn.name))},
                  {"range", snapshot->RangeOf(drawn.range)}};
  Drawing drawing(*snapshot, *read.messages[scope]);
  const std::size_t most = NumberIn(place, "/most", 0);
  if (most == 0) {
    picture["dot"] = drawing.Whole();
  } else {
    DrawPart(place, *snapshot, most, &drawing, &picture);
  }
  picture["nodes"] = drawing.Places();
  picture["words"] = drawing.Words();
  const Json& before = Optional(place, "/before");
  if (before.is_string()) picture["changed"] = drawing.ChangesSince(before.get<std::string>());
  return picture;
}

}  // namespace onnxc::lsp
