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

/// IN, -o, and what all subcommands have.
void AddEditOptions(CLI::App* app, EditOptions* options);

/// A name and a type, `x=float[N,3]`; nothing where it is something else.
[[nodiscard]] std::optional<std::pair<std::string, onnx::TypeProto>> ReadNamedType(std::string_view text);

/// The format of the output; where it cannot be had, `*wrong` says so.
[[nodiscard]] Format EditedFormat(const std::string& output, std::optional<std::string>* wrong);

/// What is wrong with writing the changed model of an input in this format.
[[nodiscard]] Diagnostics FindUnwritable(const onnx::ModelProto& model, const EditOptions& options, Format read,
                                         Format target);

/// Reads the model, changes it, and writes it where nothing is wrong. `places` is empty where the input is no text.
using Edit = std::function<Diagnostics(onnx::ModelProto* model, const SourceMap* places)>;
[[nodiscard]] ExitStatus RunEdit(std::string_view program, const EditOptions& options, const Edit& edit);

}  // namespace onnxc::cli
