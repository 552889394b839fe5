#include "cli/report.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>

#include "platform/helper_thread.h"
#include "source/report.h"
#include "source/words.h"
#include "verdict/wanted.h"

namespace onnxc::cli {
namespace {

bool ShowsProgress(const CommonOptions& options) {
  return !options.quiet && options.error_format == "text" && IsTerminal(STDERR_FILENO) && HasThreads();
}

bool IsAboutFiles(const Diagnostic& diagnostic) {
  return diagnostic.kind == DiagnosticKind::kCannotRead || diagnostic.kind == DiagnosticKind::kCannotWrite;
}

ExitStatus StatusOf(const Diagnostics& diagnostics) {
  if (diagnostics.ok()) return kDone;
  const auto& items = diagnostics.items();
  return std::any_of(items.begin(), items.end(), IsAboutFiles) ? kCannot : kWrongInput;
}

}  // namespace

Report::Report(const CommonOptions& options, std::size_t files)
    : options_(options), files_(files), settings_(std::make_unique<SettingsFinder>()) {
  if (ShowsProgress(options)) progress_ = std::make_unique<Progress>(files);
}

void Report::Append(Report part) {
  for (SourceFindings& findings : part.kept_) Show(std::move(findings));
  WriteOut(part.output_);
  errors_ += part.errors_;
  warnings_ += part.warnings_;
  if (part.errors_ > 0) part.CountAs(Outcome::kWithErrors);
  for (std::size_t i = 0; i < outcomes_.size(); ++i) outcomes_[i] += part.outcomes_[i];
  status_ = std::max(status_, part.status_);
}

std::atomic<std::size_t>* Report::Start(const std::string& path) {
  Progress* progress = (whole_ != nullptr ? whole_ : this)->progress_.get();
  if (progress == nullptr) return nullptr;
  std::atomic<std::size_t>* bytes = progress->Next(path);
  return whole_ != nullptr ? nullptr : bytes;
}

const Settings& Report::SettingsFor(const std::string& path) {
  bool is_new = false;
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const Settings& settings = (whole_ != nullptr ? whole_ : this)->settings_->Find(folder, &is_new);
  if (is_new) AddAll(settings.found.diagnostics, settings.found.source);
  return settings;
}

Diagnostics Report::Wanted(const Diagnostics& diagnostics, const SourceText& source) {
  const Levels& settings = SettingsFor(source.name()).warnings;
  return verdict::Wanted(diagnostics, source, std::array{&options_.warnings, &settings});
}

void Report::Add(const Diagnostics& diagnostics, const SourceText& source) {
  AddAll(Wanted(diagnostics, source), source);
}

Diagnostics Report::Shown(const Diagnostics& diagnostics) const {
  if (options_.all_findings) return diagnostics;
  return verdict::Shown(options_.error_format == "text" ? verdict::KindsOnce(diagnostics) : diagnostics);
}

void Report::AddAll(const Diagnostics& diagnostics, const SourceText& source) {
  const Diagnostics errors = diagnostics.ErrorsOnly();
  const std::size_t all = diagnostics.items().size() + diagnostics.suppressed();
  const std::size_t wrong = errors.items().size() + errors.suppressed();
  errors_ += wrong;
  warnings_ += all - wrong;
  status_ = std::max(status_, StatusOf(diagnostics));
  SourceFindings findings{source, Shown(options_.quiet ? errors : diagnostics)};
  if (whole_ != nullptr) {
    kept_.push_back(std::move(findings));
  } else {
    Show(std::move(findings));
  }
}

void Report::Show(SourceFindings findings) {
  if (options_.error_format != "text") {
    kept_.push_back(std::move(findings));
    return;
  }
  std::unique_lock<std::mutex> hidden;
  if (progress_) hidden = progress_->Hide();
  PrintError(RenderText(findings.diagnostics, findings.source, UsesColor(options_, STDERR_FILENO)));
}

void Report::WriteOut(std::string_view text) {
  if (whole_ != nullptr) {
    output_.append(text);
  } else if (!text.empty()) {
    EndProgress();
    const Diagnostics found = WriteFile("-", text);
    if (!found.ok()) Add(found, SourceText("<stdout>", ""));
  }
}

void Report::Say(std::string_view line) {
  if (options_.quiet || options_.error_format != "text") return;
  EndProgress();
  PrintError(fmt::format("onnxc: {}\n", line));
}

void Report::Summarize() {
  std::string files = Counted(files_, "file");
  for (std::size_t i = 0; i < outcomes_.size(); ++i) {
    if (outcomes_[i] > 0) files += fmt::format(", {} {}", outcomes_[i], kOutcomes[i]);
  }
  const std::string found =
      errors_ + warnings_ == 0 ? "no findings" : Counted(errors_, "error") + ", " + Counted(warnings_, "warning");
  Say(fmt::format("{}: {}", files, found));
}

ExitStatus Report::Finish() {
  EndProgress();
  if (options_.error_format == "json") PrintError(RenderJson(kept_));
  if (options_.error_format == "sarif") PrintError(RenderSarif(kept_));
  return status_;
}

template <typename WriteAll>
static void Write(const std::string& path, Report* report, const WriteAll& write) {
  if (path == "-") report->EndProgress();
  const Diagnostics found = write();
  if (!found.ok()) report->Add(found, SourceText(path == "-" ? "<stdout>" : path, ""));
}

void Write(const std::string& path, std::string_view bytes, Report* report, PendingFile* first) {
  if (path == "-" && first == nullptr) return report->WriteOut(bytes);
  Write(path, report, [&] { return WriteFile(path, std::span(&bytes, 1), first, report->weight_files()); });
}

void Write(const std::string& path, const std::vector<std::string>& chunks, Report* report, PendingFile* first) {
  const std::vector<std::string_view> views(chunks.begin(), chunks.end());
  Write(path, std::span(views), report, first);
}

void Write(const std::string& path, std::span<const std::string_view> chunks, Report* report, PendingFile* first) {
  Write(path, report, [&] { return WriteFile(path, chunks, first, report->weight_files()); });
}

void Commit(FileWriter* output, Report* report, PendingFile* first) {
  Write(output->path(), report, [&] { return output->Commit(first, report->weight_files()); });
}

}  // namespace onnxc::cli
