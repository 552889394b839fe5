// Implements `onnxc completion`: generates the completion scripts of shells from the table of subcommands.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "cli/commands.h"
#include "cli/program.h"
#include "cli/report.h"

namespace onnxc::cli {
namespace {

std::string Replaced(std::string text, std::string_view what, std::string_view with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size()) {
    text.replace(at, what.size(), with);
  }
  return text;
}

/// Returns the text in single quotes, in the syntax of all three shells.
std::string Word(const std::string& text) { return "'" + Replaced(text, "'", R"('\'')") + "'"; }

std::string CommandNames() {
  std::string names = "help";
  for (const Command* command : kCommands) names.append(" ").append(command->name);
  return names;
}

/// Calls `visitor` with each subcommand and its options and positional arguments.
template <typename Visitor>
void ForEachCommand(const Visitor& visitor) {
  for (const Command* command : kCommands) visitor(*command, OptionsOf(*MakeProgram(*command).app));
}

// ---- bash

std::string BashCases(const Command& command, const std::vector<OptionInfo>& options) {
  std::string cases;
  std::vector<std::string> names;
  std::string rest;  // for words that are not options
  for (const OptionInfo& option : options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
    const std::string value = option.takes_file ? "files=yes" : fmt::format("words='{}'", fmt::join(option.words, " "));
    if (option.names.empty()) {
      // The first positional argument, directly after the subcommand, is completed with its possible values, and the
      // following ones with file names.
      rest += rest.empty() ? value : fmt::format("; ((COMP_CWORD == 2)) || {{ words=''; {}; }}", value);
    } else if (!option.value.empty()) {
      const std::string separator = fmt::format(" | {}:", command.name);
      cases += fmt::format("    {}:{}) {} ;;\n", command.name, fmt::join(option.names, separator), value);
    }
  }
  return cases + fmt::format("    {}:*) if [[ $cur == -* ]]; then words='{}'; else {}; fi ;;\n", command.name,
                             fmt::join(names, " "), rest.empty() ? ":" : rest);
}

std::string Bash() {
  std::string cases;
  ForEachCommand([&](const auto& command, const auto& options) { cases += BashCases(command, options); });
  return fmt::format(R"(# Completion of onnxc for bash, made by `onnxc completion bash`.
_onnxc() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD - 1]}} words='' files=''
  # readline takes the `=` of `--kind=node` for a word.
  if [[ $cur == '=' ]]; then
    cur=''
  elif [[ $prev == '=' ]]; then
    prev=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  if ((COMP_CWORD == 1)); then
    words='{0} -h --help --version'
  else case ${{COMP_WORDS[1]}}:$prev in
    help:help) words='{0} syntax' ;;
{1}  esac fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  [[ -z $files ]] || compopt -o default 2>/dev/null
}}
complete -F _onnxc onnxc
)",
                     CommandNames(), cases);
}

// ---- zsh

/// Returns the part of a specification that describes the value.
std::string ZshValue(const OptionInfo& option) {
  if (option.takes_file) return fmt::format(":{}:_files", option.value);
  if (option.words.empty()) return fmt::format(":{}: ", option.value);
  return fmt::format(":value:({})", fmt::join(option.words, " "));
}

std::string ZshSpecification(const OptionInfo& option) {
  if (option.names.empty()) return Word((option.is_repeated ? "*" : "") + ZshValue(option));
  std::string description = option.description;
  for (const char* special : {"\\", "[", "]", ":"}) {
    description = Replaced(std::move(description), special, std::string("\\") + special);
  }
  const std::string value = option.value.empty() ? "" : ZshValue(option);
  std::string specifications;
  for (const std::string& name : option.names) {
    const bool is_long = name.starts_with("--");
    const std::string excluded = option.names.size() == 1 ? "" : fmt::format("({})", fmt::join(option.names, " "));
    specifications.append(specifications.empty() ? "" : " ");
    specifications +=
        Word(fmt::format("{}{}{}[{}]{}", excluded, name, is_long && !value.empty() ? "=" : "", description, value));
  }
  return specifications;
}

std::string Zsh() {
  std::string commands = "    'help:Help for a subcommand'\n";
  std::string cases;
  ForEachCommand([&](const Command& command, const std::vector<OptionInfo>& options) {
    commands += fmt::format("    {}\n", Word(fmt::format("{}:{}", command.name, command.summary)));
    cases += fmt::format("    {}) _arguments", command.name);
    for (const OptionInfo& option : options) cases += " \\\n      " + ZshSpecification(option);
    cases += " ;;\n";
  });
  return fmt::format(R"(#compdef onnxc
# Completion of onnxc for zsh, made by `onnxc completion zsh`.
_onnxc() {{
  local -a commands=(
{1}  )
  if ((CURRENT == 2)); then
    if [[ $words[2] == -* ]]; then
      compadd -- -h --help --version
    else
      _describe 'subcommand' commands
    fi
    return
  fi
  shift words
  ((CURRENT--))
  case $words[1] in
    help) ((CURRENT > 2)) || compadd -- {0} syntax ;;
{2}  esac
}}
if [[ $funcstack[1] == _onnxc ]]; then
  _onnxc "$@"
else
  compdef _onnxc onnxc
fi
)",
                     CommandNames(), commands, cases);
}

// ---- fish

std::string FishOption(const Command& command, const OptionInfo& option) {
  std::string where = fmt::format("__fish_seen_subcommand_from {}", command.name);
  if (option.names.empty() && !option.words.empty()) {
    where += fmt::format("; and not __fish_seen_subcommand_from {}", fmt::join(option.words, " "));
  }
  std::string line = fmt::format("complete -c onnxc -n '{}'", where);
  for (const std::string& name : option.names) {
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (option.takes_file) {
    line += option.names.empty() ? " -F" : " -rF";
  } else if (!option.value.empty()) {
    line += fmt::format("{} -fa '{}'", option.names.empty() ? "" : " -r", fmt::join(option.words, " "));
  }
  return line + " -d " + Word(option.description) + "\n";
}

std::string Fish() {
  std::string lines = fmt::format(R"(# Completion of onnxc for fish, made by `onnxc completion fish`.
complete -c onnxc -f
complete -c onnxc -n __fish_use_subcommand -s h -d 'Short help'
complete -c onnxc -n __fish_use_subcommand -l help -d 'Long help'
complete -c onnxc -n __fish_use_subcommand -l version -d '{}'
complete -c onnxc -n __fish_use_subcommand -a help -d 'Help for a subcommand'
complete -c onnxc -n '__fish_seen_subcommand_from help' -a '{} syntax'
)",
                                  kVersionHelp, CommandNames());
  ForEachCommand([&](const Command& command, const std::vector<OptionInfo>& options) {
    lines += fmt::format("complete -c onnxc -n __fish_use_subcommand -a {} -d {}\n", command.name,
                         Word(std::string(command.summary)));
    for (const OptionInfo& option : options) lines += FishOption(command, option);
  });
  return lines;
}

// ---- the subcommand

struct Shell {
  std::string_view name;
  std::string (*script)();
};

constexpr std::array<Shell, 3> kShells = {{{"bash", &Bash}, {"zsh", &Zsh}, {"fish", &Fish}}};

ExitStatus Run(const std::string& name) {
  const CommonOptions defaults;
  Report report(defaults);
  for (const Shell& shell : kShells) {
    if (shell.name == name) Write("-", shell.script(), &report);
  }
  return report.Finish();
}

Action AddCompletionOptions(CLI::App* app) {
  const auto name = std::make_shared<std::string>();
  std::vector<std::string_view> words;
  for (const Shell& shell : kShells) words.push_back(shell.name);
  AddChoice(app, "SHELL", name.get(), words, "The shell")->required();
  return [name] { return Run(*name); };
}

}  // namespace

const Command kCompletion = {
    .name = "completion",
    .summary = "Print a script for tab completion in a shell",
    .details =
        R"(The Debian packages install the scripts. If you do not use them, run the command for your shell once:

Examples:
  onnxc completion bash > ~/.local/share/bash-completion/completions/onnxc
  onnxc completion zsh > ~/.zfunc/_onnxc           a folder of fpath
  onnxc completion fish > ~/.config/fish/completions/onnxc.fish
  source <(onnxc completion bash)                 for this shell only
)",
    .add_options = &AddCompletionOptions,
    .exit_statuses = kExitStatusesWithoutInput,
};

}  // namespace onnxc::cli
