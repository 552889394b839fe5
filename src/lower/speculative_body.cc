#include "lower/speculative_body.h"

#include <system_error>
#include <utility>

#include "lower/node.h"
#include "source/parallel.h"

namespace onnxc::lower {
namespace {

constexpr std::size_t kNowhereInText = std::string_view::npos;

/// Returns whether the line that ends at `end` is an annotation or a comment, which belongs to the node on the next
/// line.
bool IsAnnotation(std::string_view text, std::size_t end) {
  const std::size_t line = end == 0 ? 0 : text.rfind('\n', end - 1) + 1;
  const std::size_t first = text.find_first_not_of(" \t", line);
  return first < end && (text[first] == '@' || text[first] == '#');
}

/// Searches for a line after `from` that has the same indentation as the line at `like` and can begin a node. Returns
/// the offset of the first token of that line, or kNowhereInText if there is no such line.
std::size_t LineLike(std::string_view text, std::size_t like, std::size_t from) {
  constexpr std::size_t kFarthest = std::size_t{1} << 16;
  constexpr std::string_view kBlanks = " \t";
  const std::size_t line = text.find_last_not_of(kBlanks, like - 1) + 1;
  if (line == 0 || text[line - 1] != '\n') return kNowhereInText;
  const std::string_view before = text.substr(line - 1, like - line + 1);  // the line break and the indentation
  const std::string_view area = text.substr(from, kFarthest);
  for (std::size_t at = 0; (at = area.find(before, at)) != kNowhereInText; ++at) {
    const std::size_t first = at + before.size();
    if (first == area.size()) break;
    const bool begins_node = std::string_view(" \t\r\n#})]>,").find(area[first]) == kNowhereInText;
    if (begins_node && !IsAnnotation(text, from + at)) return from + first;
  }
  return kNowhereInText;
}

}  // namespace

std::unique_ptr<SpeculativeBody> SpeculativeBody::Begin(std::string_view text, std::size_t first,
                                                        const Lowering& lowering) {
  if (PartsFor(text.size() - first, lowering.threads()) == 1) return nullptr;
  const std::size_t begin = LineLike(text, first, first + (text.size() - first) / 2);
  if (begin == kNowhereInText) return nullptr;
  try {
    return std::make_unique<SpeculativeBody>(text, begin, lowering);
  } catch (const std::system_error&) {
    return nullptr;
  }
}

SpeculativeBody::SpeculativeBody(std::string_view text, std::size_t begin, const Lowering& lowering)
    : text_(text), begin_(begin), lowering_(lowering), thread_([this] { Run(); }) {}

void SpeculativeBody::Run() noexcept {
  try {
    end_ = syntax::ParseNodes(text_, begin_, *this);
  } catch (...) {  // out of memory: the parser of the first thread handles it
    end_ = std::nullopt;
  }
}

bool SpeculativeBody::PartCompleted(Context* part) {
  {
    const DepthGuard guard(lowering_, 2, First(part).range());  // a node in a graph in a model
    BuildNode(static_cast<const Grammar::NodeContext*>(part), lowering_, nodes_.BeginNode());
  }
  if (lowering_.failed()) return false;
  nodes_.EndNode();
  return graph_.node().empty() && !is_unwanted_.load(std::memory_order_relaxed);
}

std::optional<std::size_t> SpeculativeBody::Take(GraphBytes* sink, Lowering* lowering) {
  thread_.Join();
  if (!end_) return std::nullopt;
  sink->Append(std::move(nodes_));
  if (lowering_.has_external_data()) lowering->NoteExternalData();
  return end_;
}

bool ReadingAhead::PartCompleted(Context* part) {
  if (!builder_.PartCompleted(part)) return false;
  if (part->getRuleIndex() == Grammar::RuleItem) {
    ahead_.reset();  // the guessed node was after the end of the graph
    may_begin_ = false;
  } else if (part->getRuleIndex() == Grammar::RuleNode && bytes_.graph() != nullptr &&
             std::exchange(may_begin_, false)) {
    ahead_ = SpeculativeBody::Begin(text_, First(part).begin, lowering_);
  }
  return true;
}

std::size_t ReadingAhead::ContinueAt(std::size_t next) {
  if (ahead_ == nullptr || next < ahead_->begin()) return next;
  const std::unique_ptr<SpeculativeBody> ahead = std::move(ahead_);
  return next == ahead->begin() ? ahead->Take(bytes_.graph(), &lowering_).value_or(next) : next;
}

}  // namespace onnxc::lower
