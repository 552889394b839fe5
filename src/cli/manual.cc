// Generates the manual page from the output of --help.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "cli/program.h"

namespace onnxc::cli {
namespace {

/// Escapes text for troff. `is_line` says whether the text begins a line. At the beginning of a line, `.` and `'` must
/// also be escaped, because they would begin a troff request.
std::string Escaped(std::string_view text, bool is_line = false) {
  std::string escaped = is_line && (text.starts_with('.') || text.starts_with('\'')) ? "\\&" : "";
  for (const char c : text) {
    switch (c) {
      case '\\': escaped += "\\e"; break;
      case '-': escaped += "\\-"; break;
      case '\'': escaped += "\\(aq"; break;
      case '`': escaped += "\\(ga"; break;
      case '^': escaped += "\\(ha"; break;
      case '~': escaped += "\\(ti"; break;
      default: escaped += c;
    }
  }
  return escaped;
}

/// Formats a text: paragraphs are filled, and lines that begin with a space stay as they are.
std::string Body(std::string_view text) {
  std::string body;
  bool is_example = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with("  ") != is_example) {
      is_example = !is_example;
      if (is_example && !body.ends_with(".PP\n")) body += ".PP\n";
      body += is_example ? ".RS 4\n.EX\n" : ".EE\n.RE\n";
    }
    if (is_example) line.remove_prefix(2);
    body += line.empty() && !is_example ? ".PP\n" : Escaped(line, true) + "\n";
  }
  return body + (is_example ? ".EE\n.RE\n" : "");
}

/// Formats "Heading:" and the lines below it as `.SH HEADING`.
std::string Section(std::string_view text) {
  text.remove_prefix(text.find_first_not_of('\n'));
  const std::size_t colon = text.find(":\n");
  std::string heading(text.substr(0, colon));
  std::transform(heading.begin(), heading.end(), heading.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  std::string body = Body(text.substr(colon + 2));
  if (body.starts_with(".PP\n")) body.erase(0, 4);  // a heading already begins a paragraph
  return ".SH " + heading + "\n" + body;
}

std::string OptionEntry(const OptionInfo& option) {
  std::string names;
  for (const std::string& name : option.names) names += (names.empty() ? "\\fB" : ", \\fB") + Escaped(name) + "\\fR";
  const std::string value = option.value.empty() ? "" : "\\fI" + Escaped(option.value) + "\\fR";
  if (!names.empty() && !value.empty()) names += ' ';
  return ".TP\n" + names + value + "\n" + Escaped(option.description, true) + "\n";
}

bool IsIn(const std::vector<OptionInfo>& options, const OptionInfo& option) {
  return std::any_of(options.begin(), options.end(), [&](const OptionInfo& other) {
    return !option.names.empty() && other.names == option.names && other.description == option.description;
  });
}

/// Returns the options that most subcommands have.
std::vector<OptionInfo> CommonOptionInfos() {
  CLI::App app;
  CommonOptions options;
  AddHelp(&app);
  AddCommonOptions(&app, &options);
  return OptionsOf(app);
}

std::string Subcommand(const Command& command, const std::vector<OptionInfo>& common) {
  const Program program = MakeProgram(command);
  std::string usage = fmt::format("\\fBonnxc {}\\fR [\\fIOPTIONS\\fR]", command.name);
  std::string entries;
  for (const OptionInfo& option : OptionsOf(*program.app)) {
    const std::string positional = fmt::format("\\fI{}\\fR{}", option.value, option.is_repeated ? " ..." : "");
    if (option.names.empty()) usage += option.is_required ? " " + positional : " [" + positional + "]";
    if (!IsIn(common, option)) entries += OptionEntry(option);
  }
  return fmt::format(".SS {}\n{}\n.PP\n{}.\n{}.PP\n{}", command.name, usage, Escaped(command.summary, true), entries,
                     Body(command.details));
}

}  // namespace

std::string ManualPage() {
  const std::vector<OptionInfo> common = CommonOptionInfos();
  std::string page = fmt::format(
      ".\\\" Made by `onnxc help --man`.\n.TH ONNXC 1 \"\" \"onnxc {}\" \"User Commands\"\n"
      ".SH NAME\nonnxc \\- {}\n.SH SYNOPSIS\n\\fBonnxc\\fR \\fISUBCOMMAND\\fR [\\fIOPTIONS\\fR] ...\n"
      ".SH DESCRIPTION\n",
      ONNXC_VERSION, kPurpose);
  page += Body(
      R"(onnxc translates between the ONNX text syntax and protobuf, in both directions and without loss. Inputs are files, or
standard input if the name is - or missing. The content of a file shows whether it is text, protobuf's wire format, its text
format or its JSON; the name is used only if the content fits several formats. Output files are written atomically.
)");
  page += ".SH SUBCOMMANDS\n";
  for (const Command* command : kCommands) page += Subcommand(*command, common);
  page += ".SH COMMON OPTIONS\n";
  for (const OptionInfo& option : common) page += OptionEntry(option);
  page += Section(kExamples) + Section(kExitStatuses);
  page +=
      ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nIf this variable is set and not empty, reports have colours only with "
      "\\-\\-color always.\n";
  return page;
}

}  // namespace onnxc::cli
