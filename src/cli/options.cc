#include "cli/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <onnxc/model_io.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <span>

#include "source/report.h"
#include "verdict/wanted.h"

namespace onnxc::cli {
namespace {

std::string_view Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool IsCount(std::string_view text, std::uint64_t least, std::uint64_t most) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && least <= number && number <= most;
}

}  // namespace

bool IsTerminal(int file_descriptor) { return ::isatty(file_descriptor) != 0 && Variable("TERM") != "dumb"; }

CLI::Validator OneOf(const std::vector<std::string_view>& words, const std::string& name) {
  const auto check = [words](std::string& word) -> std::string {
    if (std::find(words.begin(), words.end(), word) != words.end()) return {};
    const std::string_view near = Nearest(word, words);
    return fmt::format("'{}' is not one of {}{}", Quoted(word), fmt::join(words, ", "),
                       near.empty() ? "" : fmt::format("; did you mean '{}'?", near));
  };
  return {check, "", name};
}

CLI::Validator CountBetween(std::uint64_t least, std::uint64_t most) {
  const auto check = [least, most](std::string& text) -> std::string {
    return IsCount(text, least, most) ? std::string()
                                      : fmt::format("'{}' is not a number from {} to {}", Quoted(text), least, most);
  };
  return {check, "", ""};
}

void Offer(const std::vector<std::string_view>& words, CLI::Option* option) {
  option->option_text(fmt::format("{}", fmt::join(words, "|")));
}

CLI::Option* AddChoice(CLI::App* app, const std::string& name, std::string* value,
                       const std::vector<std::string_view>& words, const std::string& description) {
  CLI::Option* const option = app->add_option(name, *value, description)
                                  ->type_name(fmt::format("{}", fmt::join(words, "|")))
                                  ->check(OneOf(words, name));
  Offer(words, option);
  return option;
}

bool UsesColor(const CommonOptions& options, int file_descriptor) {
  if (options.color != "auto") return options.color == "always";
  return Variable("NO_COLOR").empty() && IsTerminal(file_descriptor);
}

void AddCommonOptions(CLI::App* app, CommonOptions* options) {
  app->option_defaults()->take_last();
  AddChoice(app, "--color", &options->color, {"auto", "always", "never"},
            "Use colours in reports; auto: only on a terminal");
  AddChoice(app, "--error-format", &options->error_format, {"text", "json", "sarif"},
            "Format of the reports: text for people, json and sarif for programs");
  const auto wrong_level = [](std::string& word) { return Levels().SetOption(word).value_or(""); };
  CLI::Option* const warning =
      app->add_option(
             "-W,--warning",
             "Set the level of a kind of warning: KIND=off, KIND=warning or KIND=error; all=LEVEL is for all kinds. "
             "'onnxc explain --list' shows the kinds. The forms of gcc are accepted, too: no-KIND, KIND, error=KIND, "
             "error")
          ->type_name("LEVEL")
          ->take_all()
          ->allow_extra_args(false)
          ->check(CLI::Validator(wrong_level, ""))
          ->each([options](const std::string& word) { (void)options->warnings.SetOption(word); });
  Offer(KindsWithLevels(), warning);
  app->add_flag("-q,--quiet", options->quiet, "Report errors only, no warnings");
  app->add_flag(
      "--all-findings", options->all_findings,
      fmt::format("Show all findings (default: more than {} findings of a kind are shown as one, and at most {} "
                  "findings are shown in total)",
                  verdict::kMostOfAKind, verdict::kMostShown));
  const auto to_bytes = [](std::string& size) {
    const std::size_t digits = std::min(size.find_first_not_of("0123456789"), size.size());
    const bool is_size = IsCount(std::string_view(size).substr(0, digits), 0, std::numeric_limits<std::size_t>::max());
    return is_size ? CLI::AsSizeValue(false)(size) : fmt::format("'{}' is not a size", Quoted(size));
  };
  app->add_option("--max-bytes", options->max_bytes,
                  "Refuse to read files larger than SIZE, such as 65536, 64KB, 10MB or 1GB")
      ->type_name("SIZE")
      ->transform(CLI::Validator(to_bytes, ""));
}

void AddInput(CLI::App* app, const std::string& name, std::string* path, std::string_view what) {
  const bool is_required = path->empty();
  app->add_option(name, *path, fmt::format("{} ({}-: standard input)", what, is_required ? "" : "default and "))
      ->type_name("")
      ->required(is_required);
}

void AddInputs(CLI::App* app, const std::string& name, std::vector<std::string>* paths, std::string_view what) {
  app->add_option(name, *paths, fmt::format("{}, or folders of such files (default and -: standard input)", what))
      ->type_name("")
      ->take_all();
}

CLI::Option* AddOutput(CLI::App* app, std::string* path, const std::string& description) {
  return app->add_option("-o,--output", *path, description)->type_name("FILE");
}

void AddKindOption(CLI::App* app, std::string* kind) {
  std::vector<std::string_view> words;
  ForEachKind([&](const auto& row) { words.push_back(row.word); });
  AddChoice(app, "--kind", kind, words, "Message type of the file (default: a model, or a library of functions)");
}

void AddThreadsOption(CLI::App* app, unsigned* threads) {
  app->add_option("--threads", *threads,
                  "Number of threads (default or 0: one per core); it does not affect the result")
      ->type_name("N")
      ->check(CountBetween(0, std::numeric_limits<unsigned>::max()));
}

void PrintError(std::string_view text) { (void)std::fwrite(text.data(), 1, text.size(), stderr); }

ExitStatus WrongCall(std::string_view program, std::string_view message) {
  PrintError(fmt::format("{0}: error: {1}\nTry '{0} --help'.\n", program, message));
  return kCannot;
}

}  // namespace onnxc::cli
