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
  void Observe(const lower::Context* part, bool is_function) override { builder_->Add(part, is_function); }
  void Restart() override { builder_ = std::make_unique<SymbolIndexBuilder>(); }
  [[nodiscard]] SymbolIndex Finish() { return builder_->Finish(); }

 private:
  std::unique_ptr<SymbolIndexBuilder> builder_ = std::make_unique<SymbolIndexBuilder>();
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

void Finish(IndexingObserver* observer, PartialModel* read) {
  read->symbols = observer->Finish();
  read->messages = MessagesOf(read->symbols, *read->model, read->places);
}

}  // namespace

lower::ReadVersion ReadVersionOf(std::string_view text, const lower::ReadVersion* before,
                                 const PartialOptions& options) {
  IndexingObserver observer;
  auto arena = std::make_unique<google::protobuf::Arena>(OptionsOf(before));
  lower::ReadVersion version = lower::ReadParts(text, std::move(arena), before, &observer, options);
  if (version.has_symbols) Finish(&observer, &version.parsed);
  return version;
}

void FindSymbols(const PartialOptions& options, lower::ReadVersion* version) {
  IndexingObserver observer;
  lower::ObserveParts(*version, &observer, options);
  Finish(&observer, &version->parsed);
  version->has_symbols = true;
}

PartialModel ParsePartial(std::string_view text, const PartialOptions& options) {
  return std::move(ReadVersionOf(text, nullptr, options).parsed);
}

}  // namespace onnxc
