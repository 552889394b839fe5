#include "lower/taken_over.h"

#include <algorithm>
#include <utility>

namespace onnxc::lower {
namespace {

// The search for a correction reads the node with the mistake and the two nodes before it, but no nodes before these.
constexpr std::size_t kLookedAt = 3;

struct Pragmas {
  std::string before_header;  ///< contains all pragmas if there is no header
  std::string all;            ///< including a line for the header
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

TakingOver::TakingOver(PartListener& parts, const ModelBuilder& builder, const ReadVersion* before, Mode mode,
                       PartObserver* observer, ReadVersion* version)
    : parts_(parts), builder_(builder), before_(before), mode_(mode), observer_(observer), version_(version) {
  if (before == nullptr) return;
  version->parsed.places.BeginAt(before->parsed.places);
}

google::protobuf::RepeatedPtrField<onnx::NodeProto>* TakingOver::Nodes() const {
  onnx::FunctionProto* const function = builder_.function();
  return function != nullptr ? function->mutable_node() : version_->parsed.model->mutable_graph()->mutable_node();
}

bool TakingOver::PartCompleted(Context* part) {
  const std::size_t rule = part->getRuleIndex();
  const std::size_t place = version_->parsed.places.NextNumber();
  if (!parts_.PartCompleted(part)) return false;
  is_behind_node_ = rule == Grammar::RuleNode;
  if (rule == Grammar::RuleItemName && !syntax::IsBroken(part))
    Begin(static_cast<const Context*>(part->parent->parent));
  if (mode_ == Mode::kReporting) return true;
  if (rule == Grammar::RuleNode) Note(part, place);
  if (rule == Grammar::RuleItem && !version_->bodies.empty()) {
    version_->bodies.back().end = static_cast<const SyntaxToken*>(part->stop)->begin;
  }
  if (rule == Grammar::RuleItemsFile) version_->parsed.places.Share();
  return true;
}

// The pragmas before the header of the first item apply to all items.
void TakingOver::Begin(const Context* item) {
  Pragmas pragmas = PragmasOf(item);
  if (version_->bodies.empty()) version_->pragmas = std::move(pragmas.before_header);
  version_->bodies.push_back({.pragmas = version_->pragmas + "{}\n" + pragmas.all, .nodes = {}});
}

void TakingOver::Note(const Context* node, std::size_t place) {
  const std::size_t end = version_->parsed.places.NextNumber();
  version_->bodies.back().nodes.push_back(
      {First(node).begin, &*Nodes()->rbegin(), static_cast<std::uint32_t>(place), static_cast<std::uint32_t>(end)});
}

// Returns how many nodes, beginning with the node `first`, are the same in both texts. `next` is the offset of that
// node in the new text. The parser recognizes the end of a node by the first token of the next node, so the complete
// next node must be the same, too.
std::size_t TakingOver::CountCommon(const ReadBody& body, std::size_t first, std::size_t next) const {
  const bool is_whole = next + version_->same.end >= version_->text.size() || body.end < version_->same.begin;
  if (is_whole && mode_ == Mode::kQuiet) return body.nodes.size() - first;
  const auto beyond =
      is_whole ? body.nodes.end() : std::ranges::upper_bound(body.nodes, version_->same.begin, {}, &ReadNode::begin);
  const auto begun = static_cast<std::size_t>(beyond - body.nodes.begin());  // nodes that begin in the common part
  return begun > first + kLookedAt ? begun - first - kLookedAt : 0;
}

void TakingOver::Take(const ReadBody& body, std::size_t first, std::size_t count, std::ptrdiff_t shift) {
  version_->is_of_others = true;
  const auto by = static_cast<std::size_t>(shift);  // wraps around if the shift is negative
  SourceMap& places = version_->parsed.places;
  std::vector<ReadNode>& taken = version_->bodies.back().nodes;
  auto* const nodes = Nodes();
  // Memory for the whole body, and for a few new nodes, is reserved at once: a larger list would be a copy, and an
  // arena never frees what it has allocated.
  constexpr std::size_t kNew = 64;
  const std::size_t rest = body.nodes.size() - first;
  const std::size_t all = static_cast<std::size_t>(nodes->size()) + rest;
  if (static_cast<std::size_t>(nodes->Capacity()) < all) nodes->Reserve(static_cast<int>(all + kNew));
  if (mode_ == Mode::kQuiet && taken.capacity() < all) taken.reserve(all + kNew);
  for (std::size_t at = first; at < first + count;) {
    const ReadNode& begin = body.nodes[at];
    const std::size_t end = EndOfRun(body, at, first + count);
    const std::size_t place = places.Take(before_->parsed.places, begin.first_place, body.nodes[end - 1].end_place, by);
    const auto place_by = static_cast<std::uint32_t>(place - begin.first_place);  // wraps around, too
    for (; at < end; ++at) {
      const ReadNode& node = body.nodes[at];
      // The nodes of a model are never changed.
      nodes->UnsafeArenaAddAllocated(const_cast<onnx::NodeProto*>(node.message));
      if (mode_ == Mode::kReporting) continue;
      taken.push_back({node.begin + by, node.message, node.first_place + place_by, node.end_place + place_by});
    }
  }
}

// Returns the end of the nodes from `at` whose entries in the source map follow each other, and are all shared or all
// not shared.
std::size_t TakingOver::EndOfRun(const ReadBody& body, std::size_t at, std::size_t end) const {
  const std::size_t shared = before_->parsed.places.CountOfShared();
  const auto follows = [&](const ReadNode& node, const ReadNode& next) {
    return next.first_place == node.end_place && next.first_place != shared;
  };
  while (++at < end && follows(body.nodes[at - 1], body.nodes[at])) continue;
  return at;
}

std::size_t TakingOver::ContinueAt(std::size_t next) {
  if (!is_behind_node_ || before_ == nullptr || !builder_.is_in_item() || version_->bodies.empty()) return next;
  const bool is_end = next + version_->same.end >= version_->text.size();
  if (!is_end && next >= version_->same.begin) return next;
  const std::ptrdiff_t shift = is_end ? static_cast<std::ptrdiff_t>(version_->text.size() - before_->text.size()) : 0;
  const std::size_t place = next - static_cast<std::size_t>(shift);  // in the older text
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
  if (observer_ != nullptr) observer_->TakeOver({place, behind}, static_cast<std::size_t>(shift));
  return behind + static_cast<std::size_t>(shift);
}

}  // namespace onnxc::lower
