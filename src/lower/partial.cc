#include "lower/partial.h"

#include <onnxc/arena.h>

#include <memory>

#include "lower/model.h"
#include "syntax/parse.h"

namespace onnxc::lower {
namespace {

bool IsStopped(const std::atomic<bool>* stop) { return stop != nullptr && stop->load(std::memory_order_relaxed); }

/// Passes parts to the builder, then to the observer, until a caller wants to stop.
class Observed final : public PartListener {
 public:
  Observed(ModelBuilder* builder, PartObserver* observer, const std::atomic<bool>* stop)
      : builder_(builder), observer_(observer), stop_(stop) {}
  bool PartCompleted(Context* part) override {
    const bool goes_on = builder_->PartCompleted(part);
    if (observer_ != nullptr) observer_->Observe(part, builder_->function() != nullptr);
    return goes_on && !IsStopped(stop_);
  }

 private:
  ModelBuilder* builder_;
  PartObserver* observer_;
  const std::atomic<bool>* stop_;
};

PartialModel Empty() {
  PartialModel read;
  read.arena = std::make_unique<google::protobuf::Arena>(ModelArena());
  read.model = NewIn<onnx::ModelProto>(read.arena.get());
  return read;
}

/// Parses without error recovery. Returns false if there is an error or a caller wants to stop.
bool ReadRight(std::string_view text, PartObserver* observer, const PartialOptions& options, PartialModel* read) {
  ModelSink sink(read->model);
  Lowering lowering(&read->places, options.threads);
  ModelBuilder builder(sink, true, lowering);
  Observed parts(&builder, observer, options.stop);
  return syntax::ParseQuietly(text, &ItemsFile, parts);
}

/// Parses with error recovery.
void ReadWrong(std::string_view text, PartObserver* observer, const PartialOptions& options, PartialModel* read) {
  ModelSink sink(read->model);
  Lowering lowering(&read->diagnostics, options.max_diagnostics, &read->places);
  ModelBuilder builder(sink, true, lowering);
  Observed parts(&builder, observer, options.stop);
  syntax::ParseReporting(text, &ItemsFile, parts, &read->diagnostics);
  read->diagnostics.Finish(options.max_diagnostics);
}

}  // namespace

PartialModel ReadParts(std::string_view text, PartObserver* observer, const PartialOptions& options) {
  PartialModel read = Empty();
  if (ReadRight(text, observer, options, &read)) return read;
  if (observer != nullptr) observer->Restart();
  read = Empty();
  if (!IsStopped(options.stop)) ReadWrong(text, observer, options, &read);
  return read;
}

}  // namespace onnxc::lower
