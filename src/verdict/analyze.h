// Analyzes a text or a message: from its bytes to its findings, and to what the caller makes of it.
#pragma once

#include <onnxc/checker.h>
#include <onnxc/external_data.h>
#include <onnxc/kind.h>
#include <onnxc/model_io.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "codec/owned_message.h"
#include "settings/file.h"
#include "verdict/judge.h"

namespace onnxc::verdict {

/// When the corrections of a text are tested before they are shown.
enum class Proof {
  kAlways,
  kIfErrors,  ///< only if the text has an error
  kNever,
};

struct AnalyzeOptions {
  std::string path = "-";  ///< the file of the text; "-" is standard input
  Kind kind = Kind::kModel;
  ParseOptions parse = {.tell_functions_apart = true};
  std::vector<std::string> libraries = {};  ///< files with functions that the model calls
  Settings settings = {};    ///< name more libraries, which are read only if the model calls something that neither
                             ///< the model nor ONNX defines
  std::string weights = {};  ///< the file with the data of elided tensors
  ExternalDataOptions data = {};  ///< how the libraries and the weights are read
  /// The rules to check. The analysis sets the directory, the source map and the limit of findings. Without rules, only
  /// elided tensors are refused.
  std::optional<CheckOptions> rules = CheckOptions();
  Proof proof = Proof::kAlways;

  // The members below are for the text itself, not for its corrected versions.
  Lifetime lifetime = Lifetime::kScope;     ///< of the message
  WeightFiles* weight_files_out = nullptr;  ///< if not null, receives the files that have supplied weights
  /// Called with a message without errors. The message may be changed. Returns further findings.
  std::function<Diagnostics(google::protobuf::Message* message)> use = {};
  /// If set, called instead of reading a message, if the source is a text and nothing is linked or attached.
  std::function<Diagnostics()> stream = {};
};

struct Analysis {
  std::vector<SourceFindings> in_libraries;  ///< the findings about other files, which are shown first
  Diagnostics found;                         ///< the findings about the text itself
};

/// Reads a text or a message, links functions, attaches weights, checks rules, infers types, and tests corrections.
[[nodiscard]] Analysis Analyze(const SourceText& source, const AnalyzeOptions& options);

/// Returns a function that does the same without testing corrections. All findings are about the text; those about a
/// library function are at its call.
[[nodiscard]] Judge JudgeFor(const AnalyzeOptions& options);

}  // namespace onnxc::verdict
