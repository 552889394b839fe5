// ParsePartial(): one pass fills the model and the index.
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

}  // namespace

PartialModel ParsePartial(std::string_view text, const PartialOptions& options) {
  PartialModel result;
  result.arena = std::make_unique<google::protobuf::Arena>(ModelArena());
  result.model = google::protobuf::Arena::CreateMessage<onnx::ModelProto>(result.arena.get());
  IndexingObserver observer;
  result.diagnostics = lower::ParseWholeParts(text, result.model, &result.places, &observer, options);
  result.symbols = observer.Finish();
  result.messages = MessagesOf(result.symbols, *result.model, result.places);
  return result;
}

}  // namespace onnxc
