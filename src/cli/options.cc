#include "cli/options.h"

#include <fmt/format.h>
#include <onnxc/arena.h>
#include <onnxc/model_io.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <span>

#include "source/report.h"

namespace onnxc::cli {
namespace {

std::string_view Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool IsTerminal(int file_descriptor) { return ::isatty(file_descriptor) != 0 && Variable("TERM") != "dumb"; }

bool ShowsProgress(const CommonOptions& options) {
  return !options.quiet && options.error_format == "text" && IsTerminal(STDERR_FILENO);
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

CLI::Validator OneOf(const std::vector<std::string_view>& words, const std::string& name) {
  const auto check = [words](std::string& word) -> std::string {
    if (std::find(words.begin(), words.end(), word) != words.end()) return {};
    const std::string_view near = Nearest(word, words);
    return fmt::format("'{}' is none of {}{}", Quoted(word), fmt::join(words, ", "),
                       near.empty() ? "" : fmt::format("; did you mean '{}'?", near));
  };
  return {check, "", name};
}

CLI::Option* AddChoice(CLI::App* app, const std::string& name, std::string* value,
                       const std::vector<std::string_view>& words, const std::string& description) {
  return app->add_option(name, *value, description)
      ->type_name(fmt::format("{}", fmt::join(words, "|")))
      ->check(OneOf(words, name));
}

bool UsesColor(const CommonOptions& options, int file_descriptor) {
  if (options.color != "auto") return options.color == "always";
  return Variable("NO_COLOR").empty() && IsTerminal(file_descriptor);
}

void AddCommonOptions(CLI::App* app, CommonOptions* options) {
  app->option_defaults()->take_last();
  AddChoice(app, "--color", &options->color, {"auto", "always", "never"},
            "Colour reports; auto: if they go to a terminal");
  AddChoice(app, "--error-format", &options->error_format, {"text", "json", "sarif"},
            "Report errors for people, or for programs");
  app->add_flag("-q,--quiet", options->quiet, "Report errors only, no warnings");
  const auto to_bytes = [](std::string& size) {
    return size.starts_with('-') ? fmt::format("'{}' is no size", Quoted(size)) : CLI::AsSizeValue(false)(size);
  };
  app->add_option("--max-bytes", options->max_bytes, "Refuse to read larger files; as bytes, or as 64KB, 10MB, 1GB")
      ->type_name("SIZE")
      ->transform(CLI::Validator(to_bytes, ""));
}

void AddInput(CLI::App* app, const std::string& name, std::string* path, std::string_view what) {
  const bool is_required = path->empty();
  app->add_option(name, *path, fmt::format("{}; -{} is standard input", what, is_required ? "" : " or nothing"))
      ->type_name("")
      ->required(is_required);
}

void AddInputs(CLI::App* app, const std::string& name, std::vector<std::string>* paths, std::string_view what) {
  app->add_option(name, *paths, fmt::format("{}; - or nothing is standard input", what))->type_name("")->take_all();
}

CLI::Option* AddOutput(CLI::App* app, std::string* path, const std::string& description) {
  return app->add_option("-o,--output", *path, description)->type_name("FILE");
}

void AddKindOption(CLI::App* app, std::string* kind) {
  std::vector<std::string_view> words;
  ForEachKind([&](const auto& row) { words.push_back(row.word); });
  AddChoice(app, "--kind", kind, words, "What the file holds; a model if not given");
}

void AddThreadsOption(CLI::App* app, unsigned* threads) {
  app->add_option("--threads", *threads,
                  "Threads for large lists; if not given or 0, one for each core. The result is the same")
      ->type_name("N");
}

void PrintError(std::string_view text) { (void)std::fwrite(text.data(), 1, text.size(), stderr); }

ExitStatus WrongCall(std::string_view program, std::string_view message) {
  PrintError(fmt::format("{0}: error: {1}\nTry '{0} --help'.\n", program, message));
  return kCannot;
}

std::atomic<std::size_t>* Report::Start(const std::string& path) {
  if (!ShowsProgress(options_)) return nullptr;
  if (!progress_) progress_.emplace(files_);
  return progress_->Next(path);
}

void Report::Add(const Diagnostics& diagnostics, const SourceText& source) {
  std::unique_lock<std::mutex> hidden;
  if (progress_) hidden = progress_->Hide();
  status_ = std::max(status_, StatusOf(diagnostics));
  Diagnostics shown = options_.quiet ? diagnostics.ErrorsOnly() : diagnostics;
  if (options_.error_format == "text") {
    PrintError(RenderText(shown, source, UsesColor(options_, STDERR_FILENO)));
  } else {
    kept_.push_back({source, std::move(shown)});
  }
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
  Write(path, report, [&] { return WriteFile(path, std::span(&bytes, 1), first); });
}

void Write(const std::string& path, const std::vector<std::string>& chunks, Report* report, PendingFile* first) {
  const std::vector<std::string_view> views(chunks.begin(), chunks.end());
  Write(path, report, [&] { return WriteFile(path, views, first); });
}

void Commit(FileWriter* output, Report* report, PendingFile* first) {
  Write(output->path(), report, [&] { return output->Commit(first); });
}

OwnedMessage::OwnedMessage(Kind kind) : arena_(ModelArena()) {
  WithKind(kind, [&](const auto& row) {
    message_ = google::protobuf::Arena::CreateMessage<typename std::decay_t<decltype(row)>::Message>(&arena_);
  });
}

}  // namespace onnxc::cli
