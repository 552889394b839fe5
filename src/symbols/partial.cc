// Implements ParsePartial(): one pass fills the model and the index.
#include "lower/partial.h"

#include "symbols/builder.h"

namespace onnxc {
namespace {

class IndexingObserver final : public lower::PartObserver {
 public:
  void Observe(const lower::Context* part, bool is_function) override { builder_.Add(part, is_function); }
  void Restart() override { builder_ = SymbolIndexBuilder(); }
  [[nodiscard]] SymbolIndex Finish() { return builder_.Finish(); }

 private:
  SymbolIndexBuilder builder_;
};

}  // namespace

PartialModel ParsePartial(std::string_view text, const PartialOptions& options) {
  IndexingObserver observer;
  PartialModel read = lower::ReadParts(text, &observer, options);
  read.symbols = observer.Finish();
  read.messages = MessagesOf(read.symbols, *read.model, read.places);
  return read;
}

}  // namespace onnxc
