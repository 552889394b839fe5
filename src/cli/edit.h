// Code shared by the subcommands that read, change and write a model.
#pragma once

#include <onnxc/model_io.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "cli/options.h"

namespace onnxc::cli {

struct EditOptions {
  CommonOptions common;
  std::string input;
  std::string output = "-";
};

/// Adds the arguments IN and -o, and the common options.
void AddEditOptions(CLI::App* app, EditOptions* options);

/// Reads a name and a type such as `x=float[N,3]`. Returns nothing if the text has another form.
[[nodiscard]] std::optional<std::pair<std::string, onnx::TypeProto>> ReadNamedType(std::string_view text);

/// Returns the format of the output. If it is not supported, `*wrong` is set to an error.
[[nodiscard]] Format EditedFormat(const std::string& output, std::optional<std::string>* wrong);

/// Returns the reasons why the changed model cannot be written in the format `target`, and warnings. `read` is the
/// format of the input.
[[nodiscard]] Diagnostics FindUnwritable(const onnx::ModelProto& model, const EditOptions& options, Format read,
                                         Format target);

/// Changes a model. `places` is null if the input is not a text.
using Edit = std::function<Diagnostics(onnx::ModelProto* model, const SourceMap* places)>;
/// Reads the model, changes it with `edit`, and writes it if there are no errors. Then it shows the line that `summary`
/// returns, if there is such a function.
[[nodiscard]] ExitStatus RunEdit(std::string_view program, const EditOptions& options, const Edit& edit,
                                 const std::function<std::string()>& summary = nullptr);

}  // namespace onnxc::cli
