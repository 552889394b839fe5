#include "cli/types.h"

#include <google/protobuf/arena.h>
#include <onnxc/arena.h>
#include <onnxc/infer.h>
#include <onnxc/parser.h>

#include <algorithm>
#include <map>

#include "source/names.h"

namespace onnxc::cli {
namespace {

using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;
using Types = NameMap<const ValueType*>;

/// The comments, by the offset of the line break that they stand in front of.
class Comments {
 public:
  Comments(std::string_view text, const SourceMap& places, const Inference& inference)
      : text_(text), places_(places), inference_(inference), room_(kSome + kForEachByte * text.size()) {}

  void AddNodes(const Nodes& nodes, const google::protobuf::Message& owner) {
    Types types;
    for (const InferredValue& value : inference_.ValuesOf(owner)) types.insert_or_assign(value.name, &value.type);
    for (const onnx::NodeProto& node : nodes) {
      AddNode(node, types);
      for (const onnx::AttributeProto& attribute : node.attribute()) {
        if (attribute.has_g()) AddNodes(attribute.g().node(), attribute.g());
        for (const onnx::GraphProto& graph : attribute.graphs()) AddNodes(graph.node(), graph);
      }
    }
  }

  [[nodiscard]] std::string Insert() const {
    std::string result;
    std::size_t copied = 0;
    for (const auto& [offset, comment] : comments_) {
      result.append(text_, copied, offset - copied).append("  # ").append(comment);
      copied = offset;
    }
    return result.append(text_, copied);
  }

 private:
  void AddNode(const onnx::NodeProto& node, const Types& types) {
    const SourceRange* const range = places_.Find(node);
    if (range == nullptr || *range == kNowhere) return;
    std::string words;
    bool is_known = false;
    for (const std::string& output : node.output()) {
      const auto found = types.find(output);
      words += words.empty() ? "" : ", ";
      words += found == types.end() ? "?" : TypeBehind(*found->second);
      is_known = is_known || (found != types.end() && found->second->kind != ValueType::Kind::kUnknown);
    }
    const std::size_t end = std::min(text_.find('\n', range->end), text_.size());
    // Behind the node stands nothing else in its line, and no other node ends there.
    const bool is_last = text_.substr(range->end, end - range->end).find_first_not_of(" \t,") == std::string_view::npos;
    if (is_known && is_last) comments_.emplace(end, words);
  }

  /// Types become `?` where there is no room left: short nodes would repeat a long shape.
  std::string TypeBehind(const ValueType& type) {
    if (room_ == 0) return "?";
    std::string text = ToString(type);
    room_ -= std::min(room_, text.size());
    return room_ == 0 ? "?" : text;
  }

  static constexpr std::size_t kSome = std::size_t{1} << 20;  ///< bytes that all types may take in comments ...
  static constexpr std::size_t kForEachByte = 16;             ///< ... and how many more for each byte of the text

  std::string_view text_;
  const SourceMap& places_;
  const Inference& inference_;
  std::size_t room_;
  std::map<std::size_t, std::string> comments_;
};

void AddAll(const onnx::ModelProto& model, Comments* comments) {
  comments->AddNodes(model.graph().node(), model.graph());
  for (const onnx::FunctionProto& function : model.functions()) comments->AddNodes(function.node(), function);
}
void AddAll(const onnx::GraphProto& graph, Comments* comments) { comments->AddNodes(graph.node(), graph); }
void AddAll(const onnx::FunctionProto& function, Comments* comments) { comments->AddNodes(function.node(), function); }

template <typename Proto>
std::string WithComments(const std::string& text) {
  google::protobuf::Arena arena;
  auto* const proto = NewIn<Proto>(&arena);
  SourceMap places;
  if (!Parse(text, proto, {.source_map = &places}).ok()) return text;
  const Inference inference = InferTypes(*proto, {.source_map = &places});
  Comments comments(text, places, inference);
  AddAll(*proto, &comments);
  return comments.Insert();
}

}  // namespace

std::string WithTypeComments(const std::string& text, Kind kind) {
  switch (kind) {
    case Kind::kModel: return WithComments<onnx::ModelProto>(text);
    case Kind::kGraph: return WithComments<onnx::GraphProto>(text);
    case Kind::kFunction: return WithComments<onnx::FunctionProto>(text);
    default: return text;
  }
}

}  // namespace onnxc::cli
