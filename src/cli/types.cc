#include "cli/types.h"

#include <google/protobuf/arena.h>
#include <onnxc/arena.h>
#include <onnxc/infer.h>
#include <onnxc/parser.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "source/names.h"

namespace onnxc::cli {
namespace {

using google::protobuf::Message;
using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

/// Walks over the nodes that get comments, including those in subgraphs. Calls enter(nodes, owner) for each list of
/// nodes. Calls visit(node, position, owner) for each node, before the walk over the subgraphs of this node.
template <typename Enter, typename Visit>
void Walk(const Nodes& nodes, const Message& owner, const Enter& enter, const Visit& visit) {
  enter(nodes, owner);
  for (std::size_t i = 0; const onnx::NodeProto& node : nodes) {
    visit(node, i++, owner);
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (attribute.has_g()) Walk(attribute.g().node(), attribute.g(), enter, visit);
      for (const onnx::GraphProto& graph : attribute.graphs()) Walk(graph.node(), graph, enter, visit);
    }
  }
}
template <typename Enter, typename Visit>
void WalkAll(const onnx::ModelProto& model, const Enter& enter, const Visit& visit) {
  Walk(model.graph().node(), model.graph(), enter, visit);
  for (const onnx::FunctionProto& function : model.functions()) Walk(function.node(), function, enter, visit);
}
template <typename Proto, typename Enter, typename Visit>
void WalkAll(const Proto& body, const Enter& enter, const Visit& visit) {
  Walk(body.node(), body, enter, visit);
}
constexpr auto kNothing = [](const auto&...) {};

/// Limits the size of types in comments, because short nodes can repeat a long shape. After the limit is reached, types
/// are written as `?`.
constexpr std::size_t RoomFor(std::size_t text_size) {
  constexpr std::size_t kSome = std::size_t{1} << 20;  // bytes for the types of all comments ...
  constexpr std::size_t kForEachByte = 16;             // ... and additional bytes for each byte of the text
  return kSome + kForEachByte * text_size;
}

/// The types of the outputs of all nodes of a message.
class TypeComments final : public NodeComments {
 public:
  /// The message and the inference must outlive the comments.
  template <typename Proto>
  TypeComments(const Proto& message, const Inference& inference) : inference_(inference) {
    WalkAll(
        message, [&](const Nodes& nodes, const Message& owner) { Add(nodes, owner); }, kNothing);
    room_ = RoomFor(least_text_);
  }

  /// Sets the limit for a message whose text without comments has this size.
  void SetRoom(std::size_t text_size) { room_ = RoomFor(text_size); }
  /// Returns whether the limit was reached. If SetRoom() was not called, the limit is that of the shortest possible
  /// text, so the limit for the actual text may be higher.
  [[nodiscard]] bool IsFull() const { return room_ == 0; }

  void Append(const Message& owner, std::size_t node, std::string* text) const override {
    const auto body = bodies_.find(&owner);
    if (body == bodies_.end()) return;
    const std::size_t start = text->size();
    const std::size_t end = body->second.ends[node];
    const std::size_t begin = node == 0 ? 0 : body->second.ends[node - 1];
    bool is_known = false;
    for (std::size_t i = begin; i < end; ++i) {
      const ValueType* const type = body->second.types[i];
      if (i > begin) text->append(", ");
      type == nullptr ? text->push_back('?') : AppendType(*type, text);
      is_known = is_known || (type != nullptr && type->kind != ValueType::Kind::kUnknown);
    }
    if (!is_known) text->resize(start);
  }

 private:
  struct Body {
    std::vector<const ValueType*> types;  ///< types of the outputs of all nodes; null if there is no type
    std::vector<std::uint32_t> ends;      ///< for each node: the index after the types of its outputs
  };

  /// Most values are in the order of the outputs, and their names refer to the same strings in memory. These values are
  /// found by comparing addresses. The other values are looked up by name.
  void Add(const Nodes& nodes, const Message& owner) {
    const std::span<const InferredValue> values = inference_.ValuesOf(owner);
    NameMap<const ValueType*> by_name;
    const auto look_up = [&](const std::string& name) {
      if (by_name.empty()) {
        for (const InferredValue& value : values) by_name.insert_or_assign(value.name, &value.type);
      }
      const auto found = by_name.find(name);
      return found == by_name.end() ? nullptr : found->second;
    };
    const auto is_of = [](const std::string& name) {
      return [&name](const InferredValue& value) { return value.name.data() == name.data(); };
    };
    auto next = values.begin();
    const bool has_output = !nodes.empty() && !nodes[0].output().empty();
    if (has_output) next = std::find_if(next, values.end(), is_of(nodes[0].output(0)));
    Body& body = bodies_[&owner];
    body.ends.reserve(static_cast<std::size_t>(nodes.size()));
    body.types.reserve(values.size());
    for (const onnx::NodeProto& node : nodes) {
      constexpr std::size_t kLeastNode = sizeof("\n= ()") - 1;
      least_text_ += kLeastNode;
      for (const std::string& output : node.output()) {
        const bool is_next = next != values.end() && is_of(output)(*next);
        body.types.push_back(is_next ? &(next++)->type : look_up(output));
        least_text_ += output.size();
      }
      body.ends.push_back(static_cast<std::uint32_t>(body.types.size()));
    }
  }

  void AppendType(const ValueType& type, std::string* text) const {
    const std::size_t begin = text->size();
    if (room_ > 0) AppendText(type, text);
    if (TakeRoom(text->size() - begin)) return;
    text->resize(begin);
    text->push_back('?');
  }

  /// Subtracts the size from the limit. Returns false if the limit was not higher than the size.
  bool TakeRoom(std::size_t size) const {
    std::size_t left = room_;
    while (!room_.compare_exchange_weak(left, left - std::min(left, size))) {
    }
    return left > size;
  }

  const Inference& inference_;
  std::unordered_map<const Message*, Body> bodies_;
  std::size_t least_text_ = 0;             // lower bound of the bytes of the nodes' text
  mutable std::atomic<std::size_t> room_;  // bytes that are left for types
};

/// Returns the text with a comment at the end of each node's last line. `message` must be the parse result of `text`.
template <typename Proto>
std::string Insert(std::string_view text, const Proto& message, const SourceMap& places, const NodeComments& types) {
  std::map<std::size_t, std::string> comments;  // the key is the offset of the line break after the comment
  const auto add = [&](const onnx::NodeProto& node, std::size_t position, const Message& owner) {
    const SourceRange* const range = places.Find(node);
    if (range == nullptr || *range == kNowhere) return;
    std::string comment;
    types.Append(owner, position, &comment);
    const std::size_t end = std::min(text.find('\n', range->end), text.size());
    // The comment is written only if nothing follows the node on its line.
    const bool is_last = text.substr(range->end, end - range->end).find_first_not_of(" \t,") == std::string_view::npos;
    if (!comment.empty() && is_last) comments.emplace(end, std::move(comment));
  };
  WalkAll(message, kNothing, add);
  std::string result;
  std::size_t copied = 0;
  for (const auto& [offset, comment] : comments) {
    result.append(text, copied, offset - copied).append("  # ").append(comment);
    copied = offset;
  }
  return result.append(text, copied);
}

/// Parses the text of a Proto, infers the types of its values, and returns the text with these types as comments.
template <typename Proto>
std::string WithComments(std::string text) {
  google::protobuf::Arena arena;
  auto* const proto = NewIn<Proto>(&arena);
  SourceMap places;
  if (!Parse(text, proto, {.source_map_out = &places}).ok()) return text;
  const Inference inference = InferTypes(*proto, {.source_map = &places});
  TypeComments comments(*proto, inference);
  comments.SetRoom(text.size());
  return Insert(text, *proto, places, comments);
}

template <typename Proto>
Diagnostics PrintTyped(const Proto& message, PrintOptions options, std::string* text) {
  if (options.dialect == Dialect::kOnnxc) {
    const Inference inference = InferTypes(message);
    const TypeComments comments(message, inference);
    options.comments = &comments;
    Diagnostics found = Encode(message, Format::kText, text, options);
    if (!comments.IsFull()) return found;
  }
  // Infers the types from the printed text instead, for one of two reasons: a text in the reference dialect contains
  // less than the message, or the limit for types was reached and the limit for the actual text may be higher.
  options.comments = nullptr;
  Diagnostics found = Encode(message, Format::kText, text, options);
  if (found.ok()) *text = WithComments<Proto>(std::move(*text));
  return found;
}

}  // namespace

Diagnostics PrintWithTypes(const Message& message, const PrintOptions& options, std::string* text) {
  if (const auto* const model = dynamic_cast<const onnx::ModelProto*>(&message)) {
    return PrintTyped(*model, options, text);
  }
  if (const auto* const graph = dynamic_cast<const onnx::GraphProto*>(&message)) {
    return PrintTyped(*graph, options, text);
  }
  if (const auto* const function = dynamic_cast<const onnx::FunctionProto*>(&message)) {
    return PrintTyped(*function, options, text);
  }
  return Encode(message, Format::kText, text, options);
}

}  // namespace onnxc::cli
