// Formats the help of a subcommand. The formatter of CLI11 is not used, because its output differs between versions.
#include <fmt/format.h>

#include "cli/program.h"

namespace onnxc::cli {
namespace {

constexpr std::size_t kDescriptionColumn = 30;

bool IsList(const CLI::Option& option) { return option.get_items_expected_max() > 1; }

std::string Names(const std::string& label, const std::set<CLI::Option*>& options) {
  std::string names;
  for (const CLI::Option* const option : options) names += " " + option->get_name();
  return names.empty() ? names : fmt::format(" {}:{}", label, names);
}

std::string Line(const CLI::Option& option) {
  std::string line = "  " + option.get_name(option.get_positional(), option.nonpositional());
  if (option.get_items_expected_max() > 0) {
    const std::string value = option.get_type_name();
    if (!value.empty()) line += " " + value;
    if (IsList(option)) line += " ...";
    if (option.get_required()) line += " REQUIRED";
  }
  line += Names("Needs", option.get_needs()) + Names("Excludes", option.get_excludes());
  if (line.size() >= kDescriptionColumn) line += "\n" + std::string(kDescriptionColumn, ' ');
  return fmt::format("{:<{}}{}\n", line, kDescriptionColumn, option.get_description());
}

}  // namespace

std::string Help(const CLI::App& app) {
  std::string usage = fmt::format("Usage: {} [OPTIONS]", app.get_name());
  std::string positionals;
  std::string options;
  for (const CLI::Option* const option : app.get_options()) {
    if (option->nonpositional()) {
      options += Line(*option);
    } else {
      const std::string name = option->get_name(true) + (IsList(*option) ? "..." : "");
      usage += option->get_required() ? fmt::format(" {}", name) : fmt::format(" [{}]", name);
      positionals += Line(*option);
    }
  }
  if (!positionals.empty()) positionals.insert(0, "\nPositionals:\n");
  return fmt::format("{}\n{}\n{}\nOptions:\n{}\n", app.get_description(), usage, positionals, options);
}

}  // namespace onnxc::cli
