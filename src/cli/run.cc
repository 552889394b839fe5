#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <onnxc/model_io.h>
#include <onnxc/proto.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/explain_pages.h"
#include "cli/program.h"
#include "cli/report.h"
#include "platform/process.h"
#include "platform/signals.h"
#include "source/report.h"

namespace onnxc::cli {
namespace {

ExitStatus Show(std::string_view text) {
  const CommonOptions defaults;
  Report report(defaults);
  Write("-", text, &report);
  return report.Finish();
}

std::string Overview() {
  std::string text = fmt::format("{}\nUsage: onnxc SUBCOMMAND [OPTIONS]\n\nSubcommands:\n", kPurpose);
  for (const Command* command : kCommands) text += fmt::format("  {:<12}{}\n", command->name, command->summary);
  text += "\nOptions:\n  -h          Short help\n  --help      Long help; 'onnxc help SUBCOMMAND' for one subcommand\n";
  return text + fmt::format("  --version   {}\n", kVersionHelp);
}

std::string LongOverview() { return Overview().append(kExamples).append(kExitStatuses); }

const Command* FindCommand(std::string_view name) {
  const auto found = std::find_if(kCommands.begin(), kCommands.end(),
                                  [name](const Command* command) { return command->name == name; });
  return found == kCommands.end() ? nullptr : *found;
}

/// Words that other programs use for what a subcommand does.
constexpr std::pair<std::string_view, std::string_view> kOtherWords[] = {
    {"build", "compile"},       {"cat", "print"},      {"compare", "diff"},  {"convert-version", "set --opset"},
    {"cut", "extract"},         {"decode", "print"},   {"delete", "remove"}, {"draw", "graph"},
    {"dump", "print"},          {"encode", "compile"}, {"format", "fmt"},    {"lint", "check"},
    {"parse", "compile"},       {"shapes", "infer"},   {"show", "print"},    {"stats", "info"},
    {"subgraph", "extract"},    {"summary", "info"},   {"text", "print"},    {"types", "infer"},
    {"upgrade", "set --opset"}, {"validate", "check"}, {"verify", "check"},  {"version", "--version"},
    {"view", "print"},
};

/// Returns the end of the error about an unknown subcommand: what can be done with the file of this name, the
/// subcommand that does what the word means elsewhere, or one with a similar name.
std::string MeantCommand(std::string_view name) {
  if (const auto format = FormatOfSuffix(std::string(name))) {
    const bool is_text = *format == Format::kText;
    return fmt::format("; a subcommand must be before the name of a file: 'onnxc check {0}', 'onnxc {1} {0}'",
                       Quoted(name), is_text ? "compile" : "print");
  }
  const auto other = std::ranges::find(kOtherWords, name, [](const auto& row) { return row.first; });
  if (other != std::end(kOtherWords)) return fmt::format("; use 'onnxc {}'", other->second);
  std::vector<std::string_view> names = {"help"};
  for (const Command* command : kCommands) names.push_back(command->name);
  const std::string_view near = Nearest(name, names);
  return near.empty() ? "" : fmt::format("; did you mean '{}'?", near);
}

ExitStatus UnknownCommand(std::string_view name) {
  return WrongCall("onnxc", fmt::format("unknown subcommand '{}'{}", Quoted(name), MeantCommand(name)));
}

/// Returns the end of the error about an unexpected argument. For an argument of the form `NAME=VALUE`, it names the
/// options that take such an argument. For another argument that is not the name of a model's file, it names the
/// options that take names of values. If it has named no option and the argument has no `=`, it names the option -o, if
/// the subcommand has it.
std::string MeantOption(const CLI::App& app, const std::string& argument) {
  const bool is_pair = argument.find('=') != std::string::npos;
  const bool is_file = !is_pair && FormatOfSuffix(argument).has_value();
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    const std::string type = option->get_type_name();
    const bool accepts_it = is_pair ? type.find('=') != std::string::npos : !is_file && type.starts_with("VALUE");
    if (!accepts_it || option->get_lnames().empty()) continue;
    names.push_back(fmt::format("--{} {}", option->get_lnames().front(), Quoted(argument)));
  }
  if (!names.empty()) return fmt::format("; did you mean {}?", fmt::join(names, " or "));
  const bool has_output = app.get_option_no_throw("--output") != nullptr;
  return has_output && !is_pair ? fmt::format("; use -o {} to write to this file", Quoted(argument)) : "";
}

/// Returns the end of the error about an unknown option. It names an option that ends with the same word; otherwise the
/// subcommands that have the option; otherwise an option with a similar name.
std::string MeantOptionName(const CLI::App& app, std::string_view argument) {
  if (argument == "-o" || argument.substr(0, argument.find('=')) == "--output") {
    return fmt::format(
        "; '{}' has no output file: it writes findings to standard error, and other output to standard output; "
        "redirect them with 2> or >",
        app.get_name());
  }
  if (!argument.starts_with("--")) return "";
  const std::string word(argument.substr(2, argument.find('=') - 2));
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back(name);
  }
  const auto longer = std::ranges::find_if(names, [&](const std::string& name) { return name.ends_with("-" + word); });
  if (longer != names.end()) return fmt::format("; did you mean '--{}'?", *longer);
  std::vector<std::string_view> owners;
  for (const Command* command : kCommands) {
    const Program other = MakeProgram(*command);
    if (other.app->get_option_no_throw("--" + word) != nullptr) owners.push_back(command->name);
  }
  if (!owners.empty()) {
    return fmt::format("; 'onnxc {}' {} this option", fmt::join(owners, "' and 'onnxc "),
                       owners.size() == 1 ? "has" : "have");
  }
  const std::string_view near = Nearest(word, {names.begin(), names.end()});
  return near.empty() ? "" : fmt::format("; did you mean '--{}'?", near);
}

/// Returns the error about an argument that no option accepts.
std::string Unexpected(const CLI::App& app) {
  const std::vector<std::string> rest = app.remaining();
  const std::string argument = rest.empty() ? "" : rest.front();
  if (!argument.starts_with('-')) {
    return fmt::format("unexpected argument '{}'{}", Quoted(argument), MeantOption(app, argument));
  }
  return fmt::format("unknown option '{}'{}", Quoted(argument), MeantOptionName(app, argument));
}

/// Returns the error about an option without its value, such as `--top needs a value: --top N`. CLI11's message begins
/// with the name of the option.
std::string MissingValue(const CLI::App& app, const std::string& what) {
  const std::string name = what.substr(0, what.find(':'));
  const CLI::Option* const option = app.get_option_no_throw(name);
  const std::string type = option == nullptr ? "" : option->get_type_name();
  return fmt::format("{} needs a value{}", name, type.empty() ? "" : fmt::format(": {} {}", name, type));
}

ExitStatus RunCommand(const Command& command, std::span<char* const> arguments) {
  const std::string program = fmt::format("onnxc {}", command.name);
  const auto [app, action] = MakeProgram(command);
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());  // the order that CLI11 requires
  try {
    app->parse(std::move(reversed));
  } catch (const CLI::CallForHelp&) {
    return Show(Help(*app));
  } catch (const CLI::CallForAllHelp&) {
    return Show(Help(*app).append(command.details).append(command.exit_statuses));
  } catch (const CLI::CallForVersion&) {
    return Show(Versions());
  } catch (const CLI::ExtrasError&) {
    return WrongCall(program, Unexpected(*app));
  } catch (const CLI::ArgumentMismatch& error) {
    return WrongCall(program, MissingValue(*app, error.what()));
  } catch (const CLI::ParseError& error) {
    return WrongCall(program, error.what());
  }
  return action();
}

/// Returns whether the word asks for the help about onnxc itself: `onnxc help help`.
bool AsksForHelp(std::string_view word) { return word == "help" || word == "--help" || word == "-h"; }

ExitStatus Run(std::span<char* const> arguments) {
  if (arguments.empty()) {
    PrintError(Overview());
    return kCannot;
  }
  const std::string_view first = arguments[0];
  if (first == "-h") return Show(Overview());
  if (first == "--help" || (first == "help" && arguments.size() == 1)) return Show(LongOverview());
  if (first == "--version") return Show(Versions());
  if (first == "help" && arguments[1] == std::string_view("--man")) return Show(ManualPage());
  if (first == "help") {
    if (AsksForHelp(arguments[1])) return Show(LongOverview());
    if (arguments[1] == std::string_view("syntax")) return Show(SyntaxCard());
    const Command* command = FindCommand(arguments[1]);
    if (command == nullptr) return UnknownCommand(arguments[1]);
    char help[] = "--help";
    return RunCommand(*command, std::array<char*, 1>{help});
  }
  if (const Command* command = FindCommand(first)) return RunCommand(*command, arguments.subspan(1));
  if (first.starts_with('-')) return WrongCall("onnxc", fmt::format("unknown option '{}'", Quoted(first)));
  return UnknownCommand(first);
}

/// Opens a file in place of each standard stream that the caller has closed, so that reads and writes of the stream
/// fail. Otherwise the next opened file would get the number of the stream, and receive its output.
void OccupyStandardDescriptors() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (::fcntl(fd, F_GETFD) < 0) (void)::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

constexpr std::string_view kOutOfMemory = "onnxc: error: out of memory\n";

/// The terminate handler. It ends the process with a message and an exit status, instead of a signal, if memory runs
/// out where no exception can be thrown: in a destructor of a library, in another thread, or when there is no memory
/// for the exception.
[[noreturn]] void GiveUp() noexcept {
  try {
    if (std::current_exception() != nullptr) std::rethrow_exception(std::current_exception());
    PrintError(kOutOfMemory);
  } catch (const std::bad_alloc&) {
    PrintError(kOutOfMemory);
  } catch (...) {
    PrintError("onnxc: error: an exception was not caught\n");
  }
  EndProcess(kCannot);
}

/// Builds the descriptors of protobuf at the start of the program. Otherwise they would be built at their first use. If
/// memory ran out during that, they would stay incomplete, and a program that continues, such as the language server,
/// would use them. No exception may leave this function of protobuf, because its newer versions would then wait forever
/// for the end of the call. So if memory runs out, the process ends.
void BuildDescriptors() {
  const std::new_handler before = std::set_new_handler(GiveUp);
  (void)onnx::ModelProto::descriptor();
  (void)std::set_new_handler(before);
}

}  // namespace

int Main(int argc, char** argv) {
  // With this, a write to a pipe without a reader, or beyond the file size limit, fails like any other write.
  (void)std::signal(SIGPIPE, SIG_IGN);
  (void)std::signal(SIGXFSZ, SIG_IGN);
  MakeSignalsWait();
  std::set_terminate(GiveUp);
  OccupyStandardDescriptors();
  try {
    LoadUnwinder();
    BuildDescriptors();
    return Run({argv + 1, static_cast<std::size_t>(std::max(argc, 1) - 1)});
  } catch (const std::bad_alloc&) {
    PrintError(kOutOfMemory);
  } catch (const std::exception& error) {
    PrintError(fmt::format("onnxc: error: {}\n", Quoted(error.what())));
  }
  return kCannot;
}

}  // namespace onnxc::cli
