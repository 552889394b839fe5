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
  enum class Lowered : std::uint8_t {
    kAll,
    kItems
  };  // which parts are passed to the builder, which always needs the
      // items
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

/// Parses in fast mode. Returns false if there is an error or a caller wants to stop.
bool ReadRight(const ReadVersion* before, PartObserver* observer, const PartialOptions& options, ReadVersion* version) {
  ModelSink sink(version->parsed.model);
  Lowering lowering(&version->parsed.places, options.threads);
  ModelBuilder builder(sink, true, lowering);
  Observed observed(&builder, observer, options.stop);
  TakingOver parts(observed, builder, before, TakingOver::Mode::kQuiet, version);
  return syntax::ParseQuietly(version->text, &ItemsFile, parts, &parts);
}

/// Parses in error mode.
void ReadWrong(const ReadVersion* before, PartObserver* observer, const PartialOptions& options, ReadVersion* version) {
  PartialModel& parsed = version->parsed;
  ModelSink sink(parsed.model);
  Lowering lowering(&parsed.diagnostics, options.max_diagnostics, &parsed.places);
  ModelBuilder builder(sink, true, lowering);
  Observed observed(&builder, observer, options.stop);
  TakingOver parts(observed, builder, before, TakingOver::Mode::kReporting, version);
  syntax::ParseReporting(version->text, &ItemsFile, parts, &parsed.diagnostics, &parts);
  parsed.diagnostics.Finish(options.max_diagnostics);
  version->bodies.clear();
}

}  // namespace

ReadVersion ReadParts(std::string_view text, std::unique_ptr<google::protobuf::Arena> arena, const ReadVersion* before,
                      PartObserver* observer, const PartialOptions& options) {
  ReadVersion version{.text = text};
  PartialModel& parsed = version.parsed;
  parsed.arena = std::move(arena);
  const auto make_model = [&parsed] { parsed.model = NewIn<onnx::ModelProto>(parsed.arena.get()); };
  make_model();
  if (ReadRight(before, observer, options, &version)) return version;
  version.bodies.clear();
  if (IsStopped(options.stop)) return version;
  parsed.arena->Reset();  // clearing the model would clear the reused nodes
  make_model();
  parsed.places.Clear();
  version.has_symbols = true;
  observer->Restart();
  ReadWrong(before, observer, options, &version);
  return version;
}

void ObserveParts(const ReadVersion& version, PartObserver* observer, const PartialOptions& options) {
  onnx::ModelProto model;
  ModelSink sink(&model);
  const bool is_right = version.parsed.diagnostics.ok();
  Diagnostics said_before;
  Lowering lowering = is_right ? Lowering(nullptr, options.threads) : Lowering(&said_before, options.max_diagnostics);
  ModelBuilder builder(sink, true, lowering);
  Observed observed(&builder, observer, options.stop, Observed::Lowered::kItems);
  if (is_right) {
    (void)syntax::ParseQuietly(version.text, &ItemsFile, observed);
  } else {
    syntax::ParseReporting(version.text, &ItemsFile, observed, &said_before);
  }
}

}  // namespace onnxc::lower
