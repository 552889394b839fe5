// Implements ParsePartial(): one pass fills the model and the index.
#include "symbols/partial.h"

#include <memory>
#include <utility>

#include "lower/partial.h"
#include "symbols/builder.h"

namespace onnxc {
namespace {

class IndexingObserver final : public lower::PartObserver {
 public:
  IndexingObserver(std::string_view text, const lower::ReadVersion* before)
      : text_(text), before_(before == nullptr ? nullptr : &before->parsed.symbols) {
    Restart();
  }
  void Observe(const lower::Context* part, bool is_function) override { builder_->Add(part, is_function); }
  void TakeOver(SourceRange range, std::size_t by) override { builder_->TakeOver(range, by); }
  void Restart() override { builder_ = std::make_unique<SymbolIndexBuilder>(text_, before_); }
  [[nodiscard]] SymbolIndex Finish() { return builder_->Finish(); }

 private:
  std::string_view text_;
  const SymbolIndex* before_;
  std::unique_ptr<SymbolIndexBuilder> builder_;
};

/// A version that reuses nodes creates few new messages, and its arena lives long, so small blocks waste less memory.
google::protobuf::ArenaOptions OptionsOf(const lower::ReadVersion* before) {
  google::protobuf::ArenaOptions options = ModelArena();
  if (before == nullptr) return options;
  constexpr std::size_t kSmallest = std::size_t{4} << 10;
  options.max_block_size = options.start_block_size;
  options.start_block_size = kSmallest;
  return options;
}

void SetSymbols(SymbolIndex symbols, PartialModel* read) {
  read->symbols = std::move(symbols);
  read->messages = MessagesOf(read->symbols, *read->model, read->places);
}

}  // namespace

lower::ReadVersion ReadVersionOf(std::string_view text, const lower::ReadVersion* before, const PartialOptions& options,
                                 WithSymbols symbols, lower::Expected expected, CommonEnds same) {
  auto arena = std::make_unique<google::protobuf::Arena>(OptionsOf(before));
  if (symbols == WithSymbols::kNo) {
    return lower::ReadParts(text, std::move(arena), before, nullptr, options, expected, same);
  }
  IndexingObserver observer(text, before);
  lower::ReadVersion version = lower::ReadParts(text, std::move(arena), before, &observer, options, expected, same);
  SetSymbols(observer.Finish(), &version.parsed);
  return version;
}

void AddSymbols(lower::ReadVersion* version, const lower::ReadVersion* before, const PartialOptions& options) {
  const auto expected = version->parsed.diagnostics.ok() ? lower::Expected::kNoErrors : lower::Expected::kErrors;
  IndexingObserver observer(version->text, before);
  auto arena = std::make_unique<google::protobuf::Arena>(OptionsOf(before));
  (void)lower::ReadParts(version->text, std::move(arena), before, &observer, options, expected);
  SetSymbols(observer.Finish(), &version->parsed);
}

PartialModel ParsePartial(std::string_view text, const PartialOptions& options) {
  return std::move(ReadVersionOf(text, nullptr, options, WithSymbols::kYes, lower::Expected::kNoErrors).parsed);
}

}  // namespace onnxc
