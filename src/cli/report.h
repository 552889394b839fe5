// What a run has to say: its findings, its outputs on standard output, and how far it is.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/external_data.h>
#include <onnxc/model_io.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.h"
#include "cli/progress.h"
#include "settings/file.h"

namespace onnxc::cli {

/// What has become of a file, and the words for it.
enum class Outcome : std::uint8_t { kChanged, kCompiled, kCorrected, kPrinted, kWithErrors, kWouldChange };
inline constexpr std::array<std::string_view, 6> kOutcomes = {"changed", "compiled",    "corrected",
                                                              "printed", "with errors", "would change"};

/// The report of a run. Findings for people are shown at once, those for programs in one document at the end. Where a
/// run takes long and somebody looks on, it shows how far the run is.
class Report {
 public:
  /// `files` is how many will be read.
  explicit Report(const CommonOptions& options, std::size_t files = 1);

  /// The report of one file of several, which another thread may fill: it shows nothing until it is appended to this
  /// report, which must outlive it.
  [[nodiscard]] Report Part() { return Report(PartOf{this}); }

  /// Shows what a part has to say.
  void Append(Report part);

  /// Turns to the next file. Returns what ParseOptions::progress takes: null where nobody looks on, or several files
  /// are read at once.
  [[nodiscard]] std::atomic<std::size_t>* Start(const std::string& path);

  /// From here on standard output is written to, perhaps on the same terminal.
  void EndProgress() { progress_.reset(); }

  void Add(const Diagnostics& diagnostics, const SourceText& source);

  /// The findings in a text as the command line, the settings of its folder and its own comments want them.
  [[nodiscard]] Diagnostics Wanted(const Diagnostics& diagnostics, const SourceText& source);

  /// Reads the settings for a file, if they are not read yet; what is wrong with them is reported.
  const Settings& SettingsFor(const std::string& path);

  /// Makes the exit status at least this.
  void Raise(ExitStatus status) { status_ = std::max(status_, status); }

  /// Writes to standard output; a part does that when it is appended.
  void WriteOut(std::string_view text);

  /// Counts the file for the summary. Cannot fail: the file is written already.
  void CountAs(Outcome outcome) noexcept { ++outcomes_[static_cast<std::size_t>(outcome)]; }

  /// Nothing was wrong so far.
  [[nodiscard]] bool ok() const { return status_ == kDone; }

  /// Tells people how many files there were, what has become of them, and how much was found.
  void Summarize();

  /// Ends the report, and returns the exit status that all findings make.
  [[nodiscard]] ExitStatus Finish();

 private:
  struct PartOf {
    Report* whole;
  };
  explicit Report(PartOf part)
      : options_(part.whole->options_),
        files_(1),
        whole_(part.whole->whole_ != nullptr ? part.whole->whole_ : part.whole) {}

  void AddAll(const Diagnostics& diagnostics, const SourceText& source);
  /// As many of them as whoever reads the report can use.
  [[nodiscard]] Diagnostics Shown(const Diagnostics& diagnostics) const;
  void Show(SourceFindings findings);

  const CommonOptions& options_;
  std::size_t files_;
  Report* whole_ = nullptr;                   // of a part
  std::unique_ptr<Progress> progress_;        // null: nobody looks on
  std::unique_ptr<SettingsFinder> settings_;  // null in a part
  std::vector<SourceFindings> kept_;
  std::string output_;                                    // of a part
  std::array<std::size_t, kOutcomes.size()> outcomes_{};  // how many files came to each
  std::size_t errors_ = 0;
  std::size_t warnings_ = 0;
  ExitStatus status_ = kDone;
};

/// Writes an output of a run, as WriteFile() does. That it cannot be written goes to the report.
void Write(const std::string& path, std::string_view bytes, Report* report, PendingFile* first = nullptr);
void Write(const std::string& path, const std::vector<std::string>& chunks, Report* report,
           PendingFile* first = nullptr);
void Write(const std::string& path, std::span<const std::string_view> chunks, Report* report,
           PendingFile* first = nullptr);
/// The same for what is written already, but for its end.
void Commit(FileWriter* output, Report* report, PendingFile* first = nullptr);

}  // namespace onnxc::cli
