// Implements `onnxc rename`: renames parts of a model.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <onnxc/rename.h>

#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/edit.h"
#include "cli/formats.h"
#include "cli/report.h"
#include "source/report.h"

namespace onnxc::cli {
namespace {

constexpr std::string_view kRenameProgram = "onnxc rename";

struct RenameCommand {
  EditOptions edit;
  std::vector<std::string> names;
  std::vector<std::string> only;
  RenameOptions options;
};

/// Reads rules of the form `old=new`. Returns a usage error, or nothing if there is none.
std::optional<std::string> ReadRules(RenameCommand* command) {
  for (const std::string& name : command->names) {
    const std::size_t equals = name.find('=');
    if (equals == 0 || equals == std::string::npos) {
      return fmt::format("'{}' is not OLD=NEW, such as x=image", Quoted(name));
    }
    RenameRule rule{name.substr(0, equals), name.substr(equals + 1)};
    const auto is_same = [&](const RenameRule& other) { return other.from == rule.from; };
    if (std::ranges::any_of(command->options.rules, is_same)) {
      return fmt::format("two new names are given for '{}'", Quoted(rule.from));
    }
    command->options.rules.push_back(std::move(rule));
  }
  for (const std::string& word : command->only) {
    const auto found = std::ranges::find(kNameKinds, word);
    command->options.kinds.push_back(static_cast<NameKind>(found - kNameKinds.begin()));
  }
  return std::nullopt;
}

/// Renames in the text itself, so that its comments and formatting are kept. `*model` is set to the model of the new
/// text.
Diagnostics RenameSource(const RenameCommand& command, const SourceText& source, Format format, std::string* text,
                         onnx::ModelProto* model) {
  const ParseOptions parse{.tell_functions_apart = true};
  if (format != Format::kText) {
    Diagnostics found = Decode(source.text(), format, model, parse);
    if (found.ok()) found.Append(Rename(model, command.options));
    return found;
  }
  RenameResult renamed = RenameText(source.text(), command.options);
  *text = std::move(renamed.text);
  Diagnostics found = std::move(renamed.diagnostics);
  if (found.ok()) found.Append(Parse(*text, model, parse));
  return found;
}

ExitStatus Run(RenameCommand command) {
  std::optional<std::string> wrong = ReadRules(&command);
  const Format target = EditedFormat(command.edit.output, &wrong);
  if (wrong) return WrongCall(kRenameProgram, *wrong);
  SourceText source("", "");
  const OwnedMessage message(Kind::kModel);
  auto& model = static_cast<onnx::ModelProto&>(*message);
  Report report(command.edit.common);
  (void)report.Start(command.edit.input);
  Diagnostics found = ReadInput(command.edit.input, Kind::kModel, command.edit.common.max_bytes, &source);
  Format read{};
  std::string bytes;
  if (found.ok()) {
    read = DetectFormat(source.text(), command.edit.input, Kind::kModel);
    found.Append(RenameSource(command, source, read, &bytes, &model));
  }
  if (found.ok()) report.KeepWeightsOf(model, command.edit.input);
  if (found.ok()) found.Append(FindUnwritable(model, command.edit, read, target));
  const bool is_text = read == Format::kText && target == Format::kText;
  const bool is_laid_out_anew = is_text && FloodsTerminal(bytes.size(), command.edit.output);
  if (found.ok() && (!is_text || is_laid_out_anew)) {
    found.Append(EncodeOutput(kRenameProgram, command.edit.output, target, &model, &bytes));
  }
  if (found.ok() && is_laid_out_anew) {
    PrintError(fmt::format("{}: the comments of a large text are not shown on a terminal; -o FILE writes them\n",
                           kRenameProgram));
  }
  report.Add(found, source);
  if (found.ok()) Write(command.edit.output, bytes, &report);
  return report.Finish();
}

Action AddRenameOptions(CLI::App* app) {
  const auto command = std::make_shared<RenameCommand>();
  AddEditOptions(app, &command->edit);
  app->add_option("NAMES", command->names, "The name to change and the new name, as OLD=NEW")
      ->type_name("")
      ->required()
      ->take_all();
  app->add_flag(
      "--regex", command->options.regex,
      R"(Read OLD as a regular expression, like sed -E; NEW replaces each match; in NEW, \1 is the first group, and & the whole match)");
  const std::vector<std::string_view> words(kNameKinds.begin(), kNameKinds.end());
  CLI::Option* const only =
      app->add_option(
             "--only", command->only,
             fmt::format("Change only names of these kinds: {}; separate several with commas", fmt::join(words, ", ")))
          ->type_name("WHAT,...")
          ->delimiter(',')
          ->take_all()
          ->allow_extra_args(false)
          ->check(OneOf(words, "--only"));
  Offer(words, only);
  return [command] { return Run(*command); };
}

}  // namespace

const Command kRename = {
    .name = "rename",
    .summary = "Rename values, nodes, functions, dimensions or domains",
    .details =
        R"(A name is changed wherever it is used: in all graphs and functions, in annotations, training graphs, and the metadata
of operator files. Nothing is renamed if the new name of a value would shadow another value, if a function, node,
dimension or domain already has the new name, or if a place cannot be changed; the error names it. If OLD is the
name of things of several kinds, such as a value and a node, select one kind with --only. With --regex, each name is
changed by at most one expression: the first one that matches. In a text, only the names change; comments and layout
stay.

The input may be in any format. The suffix of the -o file determines the format of the output; without -o, text is written to
standard output. A terminal shows a text of more than 1 MiB without weights and comments. Weights in separate files stay there.

Examples:
  onnxc rename model.onnx x=image y=scores -o named.onnx
  onnxc rename model.onnx conv1=stem --only nodes -o named.onnx
  onnxc rename model.onnx --regex '^model/(.*)=\1' --only values,nodes -o short.onnx
  onnxc rename model.onnxtxt N=batch -o model.onnxtxt
)",
    .add_options = &AddRenameOptions,
};

}  // namespace onnxc::cli
