// Implements `onnxc explain`: explains a kind of finding.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/explain_pages.h"
#include "cli/report.h"
#include "source/report.h"

namespace onnxc::cli {
namespace {

struct ExplainCommand {
  std::string kind;
  bool list = false;
};

/// Returns the kinds that have a page.
std::vector<std::string_view> Kinds() {
  std::vector<std::string_view> kinds;
  for (const Page& page : ExplainPages()) kinds.push_back(page.kind);
  return kinds;
}

/// Returns the first sentence of a page, which is below the title.
std::string FirstSentence(std::string_view page) {
  page.remove_prefix(std::min(page.find("\n\n"), page.size()));
  page.remove_prefix(std::min(page.find_first_not_of('\n'), page.size()));
  page = page.substr(0, page.find("\n\n"));
  std::string sentence(page.substr(0, std::min({page.find(". "), page.find(".\n"), page.find_last_not_of(".\n") + 1})));
  std::ranges::replace(sentence, '\n', ' ');
  return sentence;
}

std::string List() {
  std::string list;
  for (const DiagnosticKind kind : AllDiagnosticKinds()) {
    const auto page = std::ranges::find(ExplainPages(), Name(kind), &Page::kind);
    if (page == ExplainPages().end()) continue;
    list += fmt::format("{:<32}{:<9}{}\n", Name(kind), UsualLevel(kind), FirstSentence(page->text));
  }
  return list;
}

/// Returns the page without Markdown markup: examples are indented instead of fenced, and the title has no `#`.
std::string ForPeople(std::string_view page) {
  std::string shown;
  bool is_example = false;
  for (bool is_first = true; !page.empty(); is_first = false) {
    const std::size_t end = std::min(page.find('\n'), page.size() - 1) + 1;
    std::string_view line = page.substr(0, end);
    page.remove_prefix(end);
    if (line.starts_with("```")) {
      is_example = !is_example;
      continue;
    }
    if (is_first && line.starts_with("# ")) line.remove_prefix(2);
    if (is_example && line != "\n") shown += "    ";
    shown += line;
  }
  return shown;
}

ExitStatus Run(const ExplainCommand& command) {
  const CommonOptions defaults;
  Report report(defaults);
  if (command.list) {
    Write("-", List(), &report);
    return report.Finish();
  }
  if (command.kind.empty()) return WrongCall("onnxc explain", "name a kind of finding, or use --list");
  const auto page = std::ranges::find(ExplainPages(), command.kind, &Page::kind);
  if (page == ExplainPages().end()) {
    const std::string_view near = Nearest(command.kind, Kinds());
    return WrongCall("onnxc explain",
                     fmt::format("unknown kind of finding '{}'{}", Quoted(command.kind),
                                 near.empty() ? "; --list shows all" : fmt::format("; did you mean '{}'?", near)));
  }
  Write("-", ForPeople(page->text), &report);
  return report.Finish();
}

Action AddExplainOptions(CLI::App* app) {
  const auto command = std::make_shared<ExplainCommand>();
  CLI::Option* const kind =
      app->add_option("KIND", command->kind, "The kind of finding: the word in brackets after a message")
          ->type_name("");
  Offer(Kinds(), kind);
  app->add_flag("--list", command->list, "Show all kinds, each with its level (error, warning, off) and a description");
  return [command] { return Run(*command); };
}

}  // namespace

const Command kExplain = {
    .name = "explain",
    .summary = "Explain a kind of finding",
    .details =
        R"(Shows what is wrong, why it matters, a wrong example and a right one.

Examples:
  onnxc explain unknown-name
  onnxc explain --list
)",
    .add_options = &AddExplainOptions,
    .exit_statuses = kExitStatusesWithoutInput,
};

}  // namespace onnxc::cli
