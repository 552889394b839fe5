#include "lower/partial.h"

#include <onnxc/arena.h>

#include <utility>

#include "lower/model.h"
#include "lower/taken_over.h"
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

/// Parses without error recovery. Returns false if there is an error or a caller wants to stop.
bool ReadRight(const ReadVersion* before, PartObserver* observer, const PartialOptions& options, ReadVersion* version) {
  ModelSink sink(version->parsed.model);
  Lowering lowering(&version->parsed.places, options.threads);
  ModelBuilder builder(sink, true, lowering);
  Observed observed(&builder, observer, options.stop);
  TakingOver parts(observed, builder, before, TakingOver::Mode::kQuiet, observer, version);
  return syntax::ParseQuietly(version->text, &ItemsFile, parts, &parts);
}

/// Parses with error recovery.
void ReadWrong(const ReadVersion* before, PartObserver* observer, const PartialOptions& options, ReadVersion* version) {
  PartialModel& parsed = version->parsed;
  ModelSink sink(parsed.model);
  Lowering lowering(&parsed.diagnostics, options.max_diagnostics, &parsed.places);
  ModelBuilder builder(sink, true, lowering);
  Observed observed(&builder, observer, options.stop);
  TakingOver parts(observed, builder, before, TakingOver::Mode::kReporting, observer, version);
  syntax::ParseReporting(version->text, &ItemsFile, parts, &parsed.diagnostics, &parts);
  parsed.diagnostics.Finish(options.max_diagnostics);
  version->bodies.clear();
}

}  // namespace

ReadVersion ReadParts(std::string_view text, std::unique_ptr<google::protobuf::Arena> arena, const ReadVersion* before,
                      PartObserver* observer, const PartialOptions& options, Expected expected, CommonEnds same) {
  ReadVersion version{.text = text};
  if (before == nullptr) {
    version.rare_parts = RareParts(text);
  } else {
    version.same = CommonEndsOf(before->text, text, same);
    version.rare_parts = RareParts(text, before->rare_parts, version.same);
  }
  PartialModel& parsed = version.parsed;
  parsed.arena = std::move(arena);
  parsed.model = NewIn<onnx::ModelProto>(parsed.arena.get());
  const auto restart = [&] {
    version.bodies.clear();
    version.is_of_others = false;
    parsed.arena->Reset();  // clearing the model would clear the reused nodes
    parsed.model = NewIn<onnx::ModelProto>(parsed.arena.get());
    parsed.places.Clear();
    parsed.diagnostics = {};
    if (observer != nullptr) observer->Restart();
  };
  if (expected == Expected::kErrors) {
    ReadWrong(before, observer, options, &version);
    if (!parsed.diagnostics.ok() || IsStopped(options.stop)) return version;
    restart();
  }
  if (ReadRight(before, observer, options, &version)) return version;
  restart();
  if (!IsStopped(options.stop)) ReadWrong(before, observer, options, &version);
  return version;
}

}  // namespace onnxc::lower
