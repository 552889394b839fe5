// Reports the results of a run: findings, outputs on standard output, and progress.
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
#include "weights/weight_files.h"

namespace onnxc::cli {

/// The results that are counted for the summary, and the words for them.
enum class Outcome : std::uint8_t { kChanged, kCompiled, kCorrected, kPrinted, kWithErrors, kWouldChange };
inline constexpr std::array<std::string_view, 6> kOutcomes = {"changed", "compiled",    "corrected",
                                                              "printed", "with errors", "would change"};

/// The report of a run. Findings for people are shown immediately, and findings for programs in one document at the
/// end. If a run takes long and standard error is a terminal, its progress is shown.
class Report {
 public:
  /// `files` is the number of files that will be read.
  explicit Report(const CommonOptions& options, std::size_t files = 1);

  /// Returns a part of this report, for one of several files. Another thread may fill the part. The part shows nothing
  /// until it is appended to this report. This report must outlive the part.
  [[nodiscard]] Report Part() { return Report(PartOf{this}); }

  /// Shows what a part of this report has collected.
  void Append(Report part);

  /// Begins the next file. Returns the value for ParseOptions::progress, which is null if no progress is shown or if
  /// several files are read at once.
  [[nodiscard]] std::atomic<std::size_t>* Start(const std::string& path);

  /// Ends the progress line. Must be called before standard output is written, because standard output may be the same
  /// terminal.
  void EndProgress() { progress_.reset(); }

  void Add(const Diagnostics& diagnostics, const SourceText& source);

  /// Returns the findings in a text that remain after applying the options of the command line, the settings of the
  /// text's folder, and the comments in the text.
  [[nodiscard]] Diagnostics Wanted(const Diagnostics& diagnostics, const SourceText& source);

  /// Returns the settings for a file. Reads them unless they were already read, and reports errors in them.
  const Settings& SettingsFor(const std::string& path);

  /// The files that no output may replace: those with weights of the inputs that this report or part is about.
  [[nodiscard]] WeightFiles* weight_files() { return &weight_files_; }
  /// Adds those to which the message in the file `path` refers. Each command that writes a file calls this function
  /// when it has read a message, and before it changes the message.
  void KeepWeightsOf(const google::protobuf::Message& message, const std::string& path) {
    AddWeightFiles(message, path, &weight_files_);
  }

  /// Sets the exit status to `status`, unless it is already higher.
  void Raise(ExitStatus status) { status_ = std::max(status_, status); }

  /// Writes to standard output. For a part, the text is written when the part is appended.
  void WriteOut(std::string_view text);

  /// Counts the file for the summary. Cannot fail, because the file is already written.
  void CountAs(Outcome outcome) noexcept { ++outcomes_[static_cast<std::size_t>(outcome)]; }

  /// Returns whether there was no error so far.
  [[nodiscard]] bool ok() const { return status_ == kDone; }

  /// Shows a line for people.
  void Say(std::string_view line);
  /// Shows a summary for people: how many files had each result, and the number of findings.
  void Summarize();

  /// Ends the report, and returns the exit status for all findings.
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
  /// Returns the findings that are shown. Fewer are shown to people than to programs.
  [[nodiscard]] Diagnostics Shown(const Diagnostics& diagnostics) const;
  void Show(SourceFindings findings);

  const CommonOptions& options_;
  std::size_t files_;
  Report* whole_ = nullptr;                   // for a part: the report to which it belongs
  std::unique_ptr<Progress> progress_;        // null if no progress is shown
  std::unique_ptr<SettingsFinder> settings_;  // null in a part
  std::vector<SourceFindings> kept_;
  WeightFiles weight_files_;
  std::string output_;                                    // standard output of a part
  std::array<std::size_t, kOutcomes.size()> outcomes_{};  // number of files for each outcome
  std::size_t errors_ = 0;
  std::size_t warnings_ = 0;
  ExitStatus status_ = kDone;
};

/// Writes an output of a run like WriteFile(). Errors are added to the report. None of the report's weight_files() is
/// replaced.
void Write(const std::string& path, std::string_view bytes, Report* report, PendingFile* first = nullptr);
void Write(const std::string& path, const std::vector<std::string>& chunks, Report* report,
           PendingFile* first = nullptr);
void Write(const std::string& path, std::span<const std::string_view> chunks, Report* report,
           PendingFile* first = nullptr);
/// Like Write(), for an output whose bytes are already written: this function only gives the file its name.
void Commit(FileWriter* output, Report* report, PendingFile* first = nullptr);

}  // namespace onnxc::cli
