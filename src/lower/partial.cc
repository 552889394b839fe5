#include "lower/partial.h"

#include "lower/model.h"
#include "syntax/parse.h"

namespace onnxc::lower {
namespace {

/// Hands parts to the builder, then to the observer, until somebody wants to stop.
class Observed final : public PartListener {
 public:
  Observed(ModelBuilder* builder, PartObserver* observer, const std::atomic<bool>* stop)
      : builder_(builder), observer_(observer), stop_(stop) {}
  bool PartCompleted(Context* part) override {
    const bool goes_on = builder_->PartCompleted(part);
    observer_->Observe(part, builder_->function() != nullptr);
    return goes_on && !IsStopped(stop_);
  }

  static bool IsStopped(const std::atomic<bool>* stop) {
    return stop != nullptr && stop->load(std::memory_order_relaxed);
  }

 private:
  ModelBuilder* builder_;
  PartObserver* observer_;
  const std::atomic<bool>* stop_;
};

Context* ItemsFile(Grammar& parser) { return parser.itemsFile(); }

}  // namespace

Diagnostics ParseWholeParts(std::string_view text, onnx::ModelProto* model, SourceMap* places, PartObserver* observer,
                            const PartialOptions& options) {
  ModelSink sink(model);
  {
    Lowering lowering(places, options.threads);
    ModelBuilder builder(sink, true, lowering);
    Observed observed(&builder, observer, options.stop);
    if (syntax::ParseQuietly(text, &ItemsFile, observed) || Observed::IsStopped(options.stop)) return {};
  }
  model->Clear();
  places->Clear();
  observer->Restart();
  Diagnostics diagnostics;
  Lowering lowering(&diagnostics, options.max_diagnostics, places);
  ModelBuilder builder(sink, true, lowering);
  Observed observed(&builder, observer, options.stop);
  syntax::ParseReporting(text, &ItemsFile, observed, &diagnostics);
  diagnostics.Finish(options.max_diagnostics);
  return diagnostics;
}

}  // namespace onnxc::lower
