#include "lower/partial.h"

#include <utility>

#include "lower/model.h"
#include "lower/taken_over.h"
#include "syntax/parse.h"

namespace onnxc::lower {
namespace {

bool IsStopped(const std::atomic<bool>* stop) { return stop != nullptr && stop->load(std::memory_order_relaxed); }

/// Hands parts to the builder, then to the observer, until somebody wants to stop.
class Observed final : public PartListener {
 public:
  enum class Lowered : std::uint8_t { kAll, kItems };  // which parts the builder gets; it needs the items in any case
  Observed(ModelBuilder* builder, PartObserver* observer, const std::atomic<bool>* stop,
           Lowered lowered = Lowered::kAll)
      : builder_(builder), observer_(observer), stop_(stop), lowered_(lowered) {}
  bool PartCompleted(Context* part) override {
    const bool goes_on =
        (lowered_ == Lowered::kItems && !IsOfItem(part->getRuleIndex())) || builder_->PartCompleted(part);
    observer_->Observe(part, builder_->function() != nullptr);
    return goes_on && !IsStopped(stop_);
  }

 private:
  static bool IsOfItem(std::size_t rule) { return rule == Grammar::RuleItemName || rule == Grammar::RuleItem; }

  ModelBuilder* builder_;
  PartObserver* observer_;
  const std::atomic<bool>* stop_;
  Lowered lowered_;
};

Context* ItemsFile(Grammar& parser) { return parser.itemsFile(); }

/// In the fast mode. False where there is an error, or somebody wants to stop.
bool ReadRight(const ReadVersion* before, PartObserver* observer, const PartialOptions& options, ReadVersion* version) {
  ModelSink sink(version->parsed.model);
  Lowering lowering(&version->parsed.places, options.threads);
  lowering.NotePlaces(&version->places);
  ModelBuilder builder(sink, true, lowering);
  Observed observed(&builder, observer, options.stop);
  TakingOver parts(observed, builder, before, version);
  return syntax::ParseQuietly(version->text, &ItemsFile, parts, &parts);
}

}  // namespace

ReadVersion ReadParts(std::string_view text, std::unique_ptr<google::protobuf::Arena> arena, const ReadVersion* before,
                      PartObserver* observer, const PartialOptions& options) {
  ReadVersion version{.text = text};
  PartialModel& parsed = version.parsed;
  parsed.arena = std::move(arena);
  const auto make_model = [&parsed] {
    parsed.model = google::protobuf::Arena::CreateMessage<onnx::ModelProto>(parsed.arena.get());
  };
  make_model();
  if (ReadRight(before, observer, options, &version)) return version;
  version.bodies.clear();
  version.places = {};
  if (IsStopped(options.stop)) return version;
  parsed.arena->Reset();  // to clear the model would clear the nodes that were taken over
  make_model();
  parsed.places.Clear();
  version.has_symbols = true;
  observer->Restart();
  ModelSink sink(parsed.model);
  Lowering lowering(&parsed.diagnostics, options.max_diagnostics, &parsed.places);
  ModelBuilder builder(sink, true, lowering);
  Observed observed(&builder, observer, options.stop);
  syntax::ParseReporting(text, &ItemsFile, observed, &parsed.diagnostics);
  parsed.diagnostics.Finish(options.max_diagnostics);
  return version;
}

void ObserveParts(std::string_view text, PartObserver* observer, const PartialOptions& options) {
  onnx::ModelProto model;
  ModelSink sink(&model);
  Lowering lowering(nullptr, options.threads);
  ModelBuilder builder(sink, true, lowering);
  Observed observed(&builder, observer, options.stop, Observed::Lowered::kItems);
  (void)syntax::ParseQuietly(text, &ItemsFile, observed);
}

}  // namespace onnxc::lower
