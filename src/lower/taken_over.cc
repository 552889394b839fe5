#include "lower/taken_over.h"

#include <algorithm>
#include <utility>

namespace onnxc::lower {
namespace {

std::size_t CommonBegin(std::string_view a, std::string_view b) {
  return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

std::size_t CommonEnd(std::string_view a, std::string_view b) {
  return static_cast<std::size_t>(std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend()).first - a.rbegin());
}

struct Pragmas {
  std::string before_header;  ///< all of them where there is no header
  std::string all;            ///< with a line for the header
};

Pragmas PragmasOf(const Context* item) {
  Pragmas pragmas;
  bool is_behind_header = false;
  for (const auto* part : ChildrenOf<Context>(item)) {
    const SyntaxToken& first = First(part);
    if (part->getRuleIndex() == Grammar::RuleHeader) {
      is_behind_header = true;
      pragmas.all += "<>\n";
    }
    if (first.type != Grammar::PRAGMA) continue;
    if (!is_behind_header) pragmas.before_header.append(first.text).append("\n");
    pragmas.all.append(first.text).append("\n");
  }
  return pragmas;
}

}  // namespace

TakingOver::TakingOver(PartListener& parts, const ModelBuilder& builder, const ReadVersion* before,
                       ReadVersion* version)
    : parts_(parts), builder_(builder), before_(before), version_(version) {
  if (before == nullptr) return;
  same_begin_ = CommonBegin(before->text, version->text);
  same_end_ = CommonEnd(before->text.substr(same_begin_), version->text.substr(same_begin_));
}

google::protobuf::RepeatedPtrField<onnx::NodeProto>* TakingOver::Nodes() const {
  onnx::FunctionProto* const function = builder_.function();
  return function != nullptr ? function->mutable_node() : version_->parsed.model->mutable_graph()->mutable_node();
}

bool TakingOver::PartCompleted(Context* part) {
  const std::size_t rule = part->getRuleIndex();
  const std::size_t place = version_->places.size();
  if (!parts_.PartCompleted(part)) return false;
  is_behind_node_ = rule == Grammar::RuleNode;
  if (rule == Grammar::RuleItemName) Begin(static_cast<const Context*>(part->parent->parent));
  if (rule == Grammar::RuleNode) Note(part, place);
  if (rule == Grammar::RuleItem && !version_->bodies.empty()) {
    version_->bodies.back().end = static_cast<const SyntaxToken*>(part->stop)->begin;
  }
  return true;
}

// The pragmas before the header of the first item hold in all of them.
void TakingOver::Begin(const Context* item) {
  Pragmas pragmas = PragmasOf(item);
  if (version_->bodies.empty()) version_->pragmas = std::move(pragmas.before_header);
  version_->bodies.push_back({.pragmas = version_->pragmas + "{}\n" + pragmas.all, .nodes = {}});
}

void TakingOver::Note(const Context* node, std::size_t place) {
  ReadBody& body = version_->bodies.back();
  body.nodes.push_back({First(node).begin, &*Nodes()->rbegin(), place});
  body.end_place = version_->places.size();
}

// How many nodes, beginning with the node `first`, are the same in both texts; `next` is its offset in the new one. The
// parser sees the end of a node by the first token of the next node, so the whole next node must be the same, too.
std::size_t TakingOver::CountCommon(const ReadBody& body, std::size_t first, std::size_t next) const {
  if (next + same_end_ >= version_->text.size()) return body.nodes.size() - first;
  if (body.end < same_begin_) return body.nodes.size() - first;
  const auto beyond = std::ranges::upper_bound(body.nodes, same_begin_, {}, &ReadNode::begin);
  const auto begun = static_cast<std::size_t>(beyond - body.nodes.begin());  // in what is the same
  return begun > first + 2 ? begun - first - 2 : 0;
}

void TakingOver::Take(const ReadBody& body, std::size_t first, std::size_t count, std::ptrdiff_t shift) {
  version_->has_symbols = false;
  const auto by = static_cast<std::size_t>(shift);  // wraps around where the shift is negative
  const auto end = first + count;
  const std::size_t first_place = body.nodes[first].first_place;
  const std::size_t end_place = end < body.nodes.size() ? body.nodes[end].first_place : body.end_place;
  const std::size_t moved = version_->places.size() - first_place;  // wraps around too
  for (std::size_t at = first_place; at < end_place; ++at) {
    ReadPlace place = before_->places[at];
    place.range = {place.range.begin + by, place.range.end + by};
    version_->places.push_back(place);
    version_->parsed.places.Set(*place.message, place.range, place.field, place.index);
  }
  ReadBody& taken = version_->bodies.back();
  auto* const nodes = Nodes();
  nodes->Reserve(nodes->size() + static_cast<int>(count));
  for (std::size_t at = first; at < end; ++at) {
    const ReadNode& node = body.nodes[at];
    nodes->UnsafeArenaAddAllocated(const_cast<onnx::NodeProto*>(node.message));  // nobody changes the nodes of a model
    taken.nodes.push_back({node.begin + by, node.message, node.first_place + moved});
  }
  taken.end_place = version_->places.size();
}

std::size_t TakingOver::ContinueAt(std::size_t next) {
  if (!is_behind_node_ || before_ == nullptr) return next;
  const bool is_end = next + same_end_ >= version_->text.size();
  if (!is_end && next >= same_begin_) return next;
  const std::ptrdiff_t shift = is_end ? static_cast<std::ptrdiff_t>(version_->text.size() - before_->text.size()) : 0;
  const std::size_t place = next - static_cast<std::size_t>(shift);  // in the text before
  const auto body = std::ranges::upper_bound(before_->bodies, place, {}, &ReadBody::end);
  if (body == before_->bodies.end()) return next;
  const auto node = std::ranges::lower_bound(body->nodes, place, {}, &ReadNode::begin);
  if (node == body->nodes.end() || node->begin != place || body->pragmas != version_->bodies.back().pragmas)
    return next;
  const auto first = static_cast<std::size_t>(node - body->nodes.begin());
  const std::size_t count = CountCommon(*body, first, next);
  if (count == 0) return next;
  Take(*body, first, count, shift);
  const std::size_t behind = first + count < body->nodes.size() ? body->nodes[first + count].begin : body->end;
  return behind + static_cast<std::size_t>(shift);
}

}  // namespace onnxc::lower
