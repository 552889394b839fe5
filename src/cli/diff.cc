// Implements `onnxc diff`: shows the differences in meaning between two models.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <onnxc/differ.h>
#include <onnxc/model_io.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/formats.h"
#include "cli/report.h"
#include "source/report.h"

namespace onnxc::cli {
namespace {

constexpr const char* kDiffProgram = "onnxc diff";

struct DiffCommand {
  CommonOptions common;
  std::string before;
  std::string after;
  std::string kind;
  std::vector<std::string> ignore;
  double weights_tolerance = 0;
  double tolerance = 0;
  bool json = false;
};

bool ReadSide(const std::string& path, const DiffCommand& command, google::protobuf::Message* message, Report* report) {
  SourceText source("", "");
  const ParseOptions parse{.max_bytes = command.common.max_bytes,
                           .tell_functions_apart = command.kind.empty(),
                           .progress = report->Start(path)};
  const Diagnostics found = ReadMessage(path, FindKind(command.kind).value_or(Kind::kModel), parse, &source, message);
  report->Add(found, source);
  return found.ok();
}

ExitStatus Run(const DiffCommand& command) {
  if (command.before == "-" && command.after == "-") {
    return WrongCall(kDiffProgram, "only one of the files can be standard input");
  }
  DiffOptions options{.weights_tolerance = std::max(command.weights_tolerance, command.tolerance),
                      .relative_tolerance = command.tolerance};
  for (const std::string& word : command.ignore) {
    const auto found = std::ranges::find(kAspectWords, word);
    options.ignore.push_back(static_cast<Aspect>(found - kAspectWords.begin()));
  }
  const Kind kind = FindKind(command.kind).value_or(Kind::kModel);
  const OwnedMessage before(kind);
  const OwnedMessage after(kind);
  Report report(command.common, 2);
  const bool has_before = ReadSide(command.before, command, before.get(), &report);
  const bool has_after = ReadSide(command.after, command, after.get(), &report);
  if (!has_before || !has_after) {
    (void)report.Finish();
    return kCannot;  // because status 1 means that the models differ
  }
  const std::vector<Difference> differences = Diff(*before, *after, options);
  const std::string text =
      command.json ? RenderJson(differences) : RenderText(differences, UsesColor(command.common, STDOUT_FILENO));
  Write("-", text, &report);
  const ExitStatus status = report.Finish();
  return status == kDone && !differences.empty() ? kWrongInput : status;
}

CLI::Option* AddTolerance(CLI::App* app, const std::string& name, double* value, const std::string& description) {
  const auto check = [](std::string& word) -> std::string {
    double number = -1;
    const bool is_number = CLI::detail::lexical_cast(word, number);
    return is_number && number >= 0 ? "" : fmt::format("'{}' is not a number that is 0 or more", Quoted(word));
  };
  return app->add_option(name, *value, description)->type_name("X")->check(CLI::Validator(check, "", name));
}

Action AddDiffOptions(CLI::App* app) {
  const auto command = std::make_shared<DiffCommand>();
  AddCommonOptions(app, &command->common);
  AddInput(app, "A", &command->before, "The old file");
  AddInput(app, "B", &command->after, "The new file");
  AddKindOption(app, &command->kind);
  const std::vector<std::string_view> words(kAspectWords.begin() + 1, kAspectWords.end());
  CLI::Option* const ignore =
      app->add_option("--ignore", command->ignore,
                      fmt::format("Ignore these differences: {}; separate several with commas", fmt::join(words, ", ")))
          ->type_name("WHAT,...")
          ->delimiter(',')
          ->take_all()
          ->allow_extra_args(false)
          ->check(OneOf(words, "--ignore"));
  Offer(words, ignore);
  CLI::Option* const absolute = AddTolerance(app, "--weights-tolerance", &command->weights_tolerance,
                                             "Elements of tensors are equal if they differ by at most X (default: 0)");
  AddTolerance(app, "--tolerance", &command->tolerance,
               "Elements of tensors are equal if |a - b| <= X + X * |b|, where a is from A and b is from B")
      ->excludes(absolute);
  app->add_flag("--json", command->json, "Write the differences as JSON");
  return [command] { return Run(*command); };
}

}  // namespace

const Command kDiff = {
    .name = "diff",
    .summary = "Show the differences between two models",
    .details =
        R"(The files may be in different formats. The models are compared, not their bytes: nodes are matched by their computation
and their neighbours, so an inserted node is reported as one line. A line begins with + for an addition in B, - for a removal,
~ for a change and > for a new name. Everything is compared, except for the kinds of differences given to --ignore:

  names     names of nodes, values and graphs; values are then matched by the nodes that compute them
  docs      doc_string
  metadata  metadata_props
  storage   the field that contains the elements of a tensor (raw_data, float_data, ...), or whether they are elided; and
            the order of nodes, initializers and other lists whose order has no meaning

External data are compared by their entries, such as location and offset; the files are not read. Elided data are compared
with other data by their checksum; without a checksum, only type and shape are compared.

--tolerance X compares like numpy.allclose(A, B, rtol=X, atol=X, equal_nan=True). Use it for two results of one computation.
For files of data, such as test_data_set_0/output_0.pb, add --kind tensor, sequence, map or optional.

Examples:
  onnxc diff old.onnx new.onnx
  onnxc diff model.onnx model.onnxtxt --ignore storage,docs    also if the text has checksums instead of weights
  onnxc diff a.onnx b.onnx --weights-tolerance 1e-6 --ignore names
  onnxc diff output_0.pb computed.pb --kind tensor --tolerance 1e-5
  git show HEAD:model.onnxtxt | onnxc diff - model.onnxtxt
  onnxc diff a.onnx b.onnx --json | jq '.differences[].path'
)",
    .add_options = &AddDiffOptions,
    .exit_statuses = R"(
Exit status:
  0  the same
  1  different
  2  the files cannot be compared: the command line is invalid, or a file cannot be read
)",
};

}  // namespace onnxc::cli
