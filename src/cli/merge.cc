// Implements `onnxc merge`: merges two versions of a model.
#include <fmt/format.h>
#include <onnxc/external_data.h>
#include <onnxc/merger.h>

#include <algorithm>
#include <array>
#include <memory>

#include "cli/commands.h"
#include "cli/formats.h"
#include "cli/report.h"
#include "cli/side_file.h"
#include "source/report.h"

namespace onnxc::cli {
namespace {

constexpr const char* kMergeProgram = "onnxc merge";

struct MergeCommand {
  CommonOptions common;
  std::string base;
  std::string ours;
  std::string theirs;
  std::string output = "-";
  std::string path;
  bool marks = false;
  bool no_check = false;
};

/// A version of the model in a file.
struct FileVersion {
  SourceText source{"", ""};
  Format format = Format::kBinary;
  OwnedMessage message{Kind::kModel};
  SourceMap places = {};

  [[nodiscard]] const onnx::ModelProto& model() const { return static_cast<const onnx::ModelProto&>(*message); }
  [[nodiscard]] MergeSide side() const {
    const bool is_text = format == Format::kText;
    return {model(), is_text ? source.text() : std::string_view(), is_text ? &places : nullptr};
  }
};

/// Reads a version. An empty file is a version without the model: git has no base if both branches have added it.
bool Read(const std::string& path, const MergeCommand& command, FileVersion* version, Report* report) {
  const std::string& name = command.path.empty() ? path : command.path;
  const ParseOptions parse{.max_bytes = command.common.max_bytes,
                           .source_map_out = &version->places,
                           .tell_functions_apart = true,
                           .progress = report->Start(name)};
  Diagnostics found = ReadInput(path, Kind::kModel, command.common.max_bytes, &version->source);
  if (found.ok() && !version->source.text().empty()) {
    version->format = DetectFormat(version->source.text(), name, Kind::kModel);
    found.Append(Decode(version->source.text(), version->format, version->message.get(), parse));
    if (found.ok()) report->KeepWeightsOf(*version->message, path);
  }
  report->Add(found, version->source);
  return found.ok();
}

/// Returns the version whose bytes are the merged ones, because at most one version has changed; or null.
const FileVersion* OnlyChanged(const FileVersion& base, const FileVersion& ours, const FileVersion& theirs) {
  if (base.source.text() == theirs.source.text() || ours.source.text() == theirs.source.text()) return &ours;
  return base.source.text() == ours.source.text() ? &theirs : nullptr;
}

using ThreeVersions = std::array<FileVersion, 3>;

/// Returns the reasons why the output cannot be written in this format, and warnings.
Diagnostics FindUnwritable(const onnx::ModelProto& merged, const MergeCommand& command, const ThreeVersions& versions,
                           Format format) {
  Diagnostics found;
  const auto is_text = [](const FileVersion& version) { return version.format == Format::kText; };
  if (format != Format::kText && std::ranges::any_of(versions, is_text)) found.Append(FindElided(merged));
  found.Append(FindLeftBehind(merged, command.ours, command.output));
  return found;
}

/// Merges the versions, and encodes the result. Returns whether the bytes may be written.
bool MergeToBytes(const MergeCommand& command, const ThreeVersions& versions, std::string* bytes, Diagnostics* found) {
  const auto& [base, ours, theirs] = versions;
  const bool is_shown = command.output == "-";
  const Format format = is_shown ? Format::kText : FormatOfSuffix(command.output).value_or(ours.format);
  const bool is_text = format == Format::kText;
  const FileVersion* const changed = OnlyChanged(base, ours, theirs);
  const MergeOptions options{.text = is_text, .check = !command.no_check && changed == nullptr};
  MergeResult merged = Merge(base.side(), ours.side(), theirs.side(), options);
  if (merged.has_conflicts && command.marks && !is_text) {
    merged = Merge(base.side(), ours.side(), theirs.side(), {.text = true});
  }
  *found = std::move(merged.diagnostics);
  *bytes = std::move(merged.text);
  if (!found->ok() && !merged.has_conflicts) return false;
  const Diagnostics unwritable = FindUnwritable(merged.model, command, versions, format);
  found->Append(unwritable);
  if (!unwritable.ok() || merged.has_conflicts) return unwritable.ok() && !bytes->empty();
  if (changed != nullptr && changed->format == format) *bytes = changed->source.text();
  if (bytes->empty() || FloodsTerminal(bytes->size(), command.output)) {
    found->Append(EncodeOutput(kMergeProgram, command.output, format, &merged.model, bytes));
  }
  return found->ok();
}

ExitStatus Run(const MergeCommand& command) {
  const std::array paths = {command.base, command.ours, command.theirs};
  if (std::ranges::count(paths, "-") > 1) {
    return WrongCall(kMergeProgram, "only one of the files can be standard input");
  }
  ThreeVersions versions;
  Report report(command.common, paths.size());
  bool is_read = true;
  for (std::size_t i = 0; i < paths.size(); ++i) is_read &= Read(paths[i], command, &versions[i], &report);
  if (!is_read) {
    (void)report.Finish();
    return kCannot;  // because status 1 means that the versions conflict
  }
  std::string bytes;
  Diagnostics found;
  const bool may_write = MergeToBytes(command, versions, &bytes, &found);
  const SourceText& ours = versions[1].source;
  report.Add(found, SourceText(command.path.empty() ? ours.name() : command.path, ours.text(), nullptr));
  if (may_write) Write(command.output, bytes, &report);
  return report.Finish();
}

Action AddMergeOptions(CLI::App* app) {
  const auto command = std::make_shared<MergeCommand>();
  AddCommonOptions(app, &command->common);
  AddInput(app, "BASE", &command->base, "The version from which both others were made; an empty file if there is none");
  AddInput(app, "OURS", &command->ours, "Our version");
  AddInput(app, "THEIRS", &command->theirs, "Their version");
  AddOutput(app, &command->output, "The file to write, which may be OURS (default: text on standard output)");
  app->add_option("--path", command->path,
                  "The path of the model, for messages and settings, if OURS is a temporary file")
      ->type_name("FILE");
  app->add_flag("--marks", command->marks, "If binary models conflict, write a text with conflict marks");
  app->add_flag("--no-check", command->no_check, "Do not check the merged model");
  return [command] { return Run(*command); };
}

}  // namespace

const Command kMerge = {
    .name = "merge",
    .summary = "Merge two versions of a model",
    .details =
        R"(The models are merged, not their lines or bytes: what only one version has changed is taken from this version. Nodes are
matched as in 'onnxc diff'; initializers, inputs, outputs, functions, imports and metadata are matched by their names. The
data of a tensor are one value. New elements stay behind the element that they follow in their version.

It is a conflict if both versions change the same value differently; if one version changes what the other one removes; if
one version reads a value that the other one removes, renames or replaces; or if one version imports operators in which a
node of the other one has another meaning. Each conflict is reported. If the output is a text, it contains both versions of
the lines that conflict, between <<<<<<< ours and >>>>>>> theirs. Otherwise nothing is written; --marks writes such a text,
which 'onnxc compile' makes a model again after the marks are removed.

The merged model is checked. If it has an error that neither version has, nothing is written. Files of external data are not
read.

The files may be in different formats. The output has the format that its suffix names, or else that of OURS. If all lines of
texts can be merged so that they are a text of the merged model, the comments of both versions are kept. Otherwise, the
lines of OURS that change are written again, and comments that only THEIRS has may be lost. A terminal shows a text of more than
1 MiB without weights.

Examples:
  onnxc merge base.onnx ours.onnx theirs.onnx -o merged.onnx
  onnxc merge base.onnx ours.onnx theirs.onnx                 shows the merged text
  onnxc merge base.onnxtxt ours.onnxtxt theirs.onnxtxt -o ours.onnxtxt
  git config merge.onnx.driver 'onnxc merge %O %A %B -o %A --path %P'
)",
    .add_options = &AddMergeOptions,
    .exit_statuses = R"(
Exit status:
  0  merged
  1  the versions conflict, or the merged model has a new error
  2  the command line is invalid, or a file cannot be read or written
)",
};

}  // namespace onnxc::cli
