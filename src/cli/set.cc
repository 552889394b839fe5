// Implements `onnxc set`: sets types of inputs, sizes, outputs, operator sets and the IR version.
#include <fmt/format.h>
#include <onnxc/set.h>

#include <algorithm>
#include <charconv>
#include <memory>

#include "cli/commands.h"
#include "cli/edit.h"
#include "source/report.h"

namespace onnxc::cli {
namespace {

constexpr std::string_view kSetProgram = "onnxc set";

struct SetCommand {
  EditOptions edit;
  std::vector<std::string> inputs;
  std::vector<std::string> dimensions;
  std::vector<std::string> opsets;
  std::string ir_version;
  SetOptions options;
};

std::optional<std::int64_t> ReadNumber(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

/// Returns the place of the first comma at or after `from` that is not in quotation marks, or npos.
std::size_t FindComma(std::string_view text, std::size_t from) {
  bool is_quoted = false;
  for (std::size_t i = from; i < text.size(); ++i) {
    if (text[i] == '"') is_quoted = !is_quoted;
    if (text[i] == '\\' && is_quoted) ++i;
    if (i < text.size() && text[i] == ',' && !is_quoted) return i;
  }
  return std::string_view::npos;
}

/// Splits values such as `N=8,S=4`. A comma before the `=` belongs to the symbol, as in `min(a, b)=8`, and a comma in
/// quotation marks to the new symbol, as in `N="min(a, b)"`.
std::vector<std::string> SplitAtCommas(const std::vector<std::string>& values) {
  std::vector<std::string> parts;
  for (std::string_view rest : values) {
    for (std::size_t comma = 0; comma != std::string_view::npos;) {
      comma = FindComma(rest, std::min(rest.find('='), rest.size()));
      parts.emplace_back(rest.substr(0, comma));
      if (comma != std::string_view::npos) rest.remove_prefix(comma + 1);
    }
  }
  return parts;
}

/// Reads the values of the options. Returns an error, or nothing if there is none.
std::optional<std::string> ReadOptions(SetCommand* command) {
  for (const std::string& value : command->inputs) {
    const auto input = ReadNamedType(value);
    if (!input) return fmt::format("--input takes NAME=TYPE, such as x=float[N,3], not '{}'", Quoted(value));
    command->options.inputs.push_back({input->first, input->second});
  }
  for (const std::string& value : SplitAtCommas(command->dimensions)) {
    const std::size_t equals = value.rfind('=', value.find("=\""));  // a new symbol may contain another one
    const bool has_both = equals != std::string::npos && equals != 0;
    const auto size = has_both ? ReadDimension(std::string_view(value).substr(equals + 1)) : std::nullopt;
    if (!size) {
      return fmt::format(
          "--dim takes SYMBOL=SIZE, such as N=8, N=batch or N=? (unknown), not '{}'; another name is written in "
          "quotation marks: N=\"2*M\"",
          Quoted(value));
    }
    command->options.dimensions.push_back({value.substr(0, equals), *size});
  }
  for (const std::string& value : command->opsets) {
    const std::size_t equals = value.rfind('=');
    const auto version = ReadNumber(value.substr(equals == std::string::npos ? 0 : equals + 1));
    if (!version || *version == 0) {
      return fmt::format("--opset takes VERSION or DOMAIN=VERSION, such as 18 or ai.onnx.ml=3, not '{}'",
                         Quoted(value));
    }
    command->options.opsets.push_back({equals == std::string::npos ? "" : value.substr(0, equals), *version});
  }
  if (!command->ir_version.empty()) {
    const auto version = ReadNumber(command->ir_version);
    if (!version || *version == 0) {
      return fmt::format("--ir-version takes a number such as 10, not '{}'", Quoted(command->ir_version));
    }
    command->options.ir_version = *version;
  }
  return std::nullopt;
}

Action AddSetOptions(CLI::App* app) {
  const auto command = std::make_shared<SetCommand>();
  AddEditOptions(app, &command->edit);
  const auto add = [app](const char* name, std::vector<std::string>* values, const char* type,
                         const char* description) {
    app->add_option(name, *values, description)->type_name(type)->take_all()->allow_extra_args(false);
  };
  add("--input", &command->inputs, "NAME=TYPE", "The type of an input, such as x=float[N,3]");
  add("--dim", &command->dimensions, "SYMBOL=SIZE",
      "Replace a symbol in all declared shapes by a size, as in N=8, by another symbol, or by ?, an unknown size; "
      "separate several with commas");
  add("--opset", &command->opsets, "VERSION",
      "The version of the standard operators, or of the operators of another domain: DOMAIN=VERSION");
  app->add_flag(
      "--number-only", command->options.number_only,
      "Change only the version number, and do not convert the nodes; an operator that has a different meaning in "
      "the new version is an error");
  app->add_flag("--allow-other-meaning", command->options.allow_other_meaning,
                "Like --number-only, but set the version even if operators have a different meaning in it, and do not "
                "check the result");
  const auto add_values = [app](const char* name, std::vector<std::string>* values, const char* description) {
    app->add_option(name, *values, description)
        ->type_name("VALUE,...")
        ->delimiter(',')
        ->take_all()
        ->allow_extra_args(false);
  };
  add_values("--add-output", &command->options.added_outputs,
             "Make a value of the main graph an output, after the outputs that the model has");
  app->add_flag("--all-outputs", command->options.all_outputs,
                "Make all values that nodes of the main graph compute outputs");
  add_values("--remove-output", &command->options.removed_outputs,
             "Remove an output, and keep the nodes that compute it");
  app->add_option("--ir-version", command->ir_version,
                  "The IR version; the model must not use anything that was added in a newer one")
      ->type_name("VERSION");
  return [command]() -> ExitStatus {
    SetCommand set = *command;
    if (const auto wrong = ReadOptions(&set)) return WrongCall(kSetProgram, *wrong);
    return RunEdit(kSetProgram, set.edit, [&](onnx::ModelProto* model, const SourceMap* places) {
      set.options.source_map = places;
      return SetInModel(model, set.options);
    });
  };
}

}  // namespace

const Command kSet = {
    .name = "set",
    .summary = "Set the types of inputs, the dimensions, the outputs or the versions of a model",
    .details =
        R"(With --input, --dim and --opset, the declared types of outputs and other values are replaced by inferred types. It is an error if a node contradicts the
new sizes, such as a Reshape whose target shape is a constant.

--opset converts the nodes of the model and of its functions, to a newer or an older version; the converted model computes the
same. A node that has no equal form in the version is an error that says why; all such errors are reported, and nothing is written
(docs/conversion.md lists what can be converted). The IR version is raised if the new version needs it. --number-only changes only
the number.

--add-output makes values in the middle of the model outputs, for example to see what they are; the names are those of values,
not of nodes. A new output has its declared or inferred type. A value inside a branch, a loop or a function has no single value,
so it cannot be an output. --remove-output keeps all nodes; 'onnxc extract --to' also removes the nodes that are not needed.

--ir-version changes only the number. It is an error if the operator sets or something else in the model needs a newer IR version;
all such places are reported.

The input may be in any format. The suffix of the -o file determines the format of the output; without -o, text is written to
standard output. In a text that is written as text, everything
that does not change stays as it is, comments included. A terminal shows a text of more than 1 MiB without weights. Weights
in separate files stay there.

Examples:
  onnxc set model.onnx --input 'x=float[8,3,224,224]' -o batch8.onnx
  onnxc set model.onnx --input 'x=float[N,3,224,224]' -o any_batch.onnx
  onnxc set model.onnx --dim N=8 -o batch8.onnx
  onnxc set model.onnx --opset 18 -o model18.onnx
  onnxc set model.onnx --opset ai.onnx.ml=4 -o model_ml4.onnx
  onnxc set model.onnx --add-output hidden,scores -o more.onnx
  onnxc set model.onnx --all-outputs -o all.onnx
  onnxc set model.onnx --remove-output scores -o fewer.onnx
  onnxc set model.onnx --opset 21 --ir-version 10 -o older.onnx
)",
    .add_options = &AddSetOptions,
};

}  // namespace onnxc::cli
