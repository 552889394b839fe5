// Analyzes a text or a message: from its bytes to its findings, and to what the caller makes of it.
#pragma once

#include <onnxc/checker.h>
#include <onnxc/external_data.h>
#include <onnxc/kind.h>
#include <onnxc/model_io.h>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codec/owned_message.h"
#include "settings/file.h"
#include "verdict/judge.h"
#include "verdict/linked.h"

namespace onnxc::verdict {

/// When the corrections of a text are tested before they are shown.
enum class Proof {
  kAlways,
  kIfErrors,  ///< only if the text has an error
  kNever,
};

/// A version of a text that was read, and linked with libraries.
struct ReadText {
  Diagnostics found = {};
  google::protobuf::Message* message = nullptr;   ///< null if there was an error
  const SourceMap* places = nullptr;              ///< of the message
  const LinkedFiles* files = nullptr;             ///< the files of these places
  std::optional<Inference>* types_out = nullptr;  ///< if not null, receives the types that are inferred
  std::shared_ptr<const void> owner = {};         ///< of all that the pointers above refer to
};

struct AnalyzeOptions {
  std::string path = "-";  ///< the file of the text; "-" is standard input
  Kind kind = Kind::kModel;
  std::optional<Format> format = {};  ///< of all versions; by default, it is detected
  ParseOptions parse = {.tell_functions_apart = true};
  std::vector<std::string> libraries = {};  ///< files with functions that the model calls
  Settings settings = {};    ///< name more libraries, which are read only if the model calls something that neither
                             ///< the model nor ONNX defines
  std::string weights = {};  ///< the file with the data of elided tensors
  ExternalDataOptions data = {};  ///< how the libraries and the weights are read
  /// The rules to check. The analysis sets the directory, the source map, the limit of findings, and the place for
  /// types.
  std::optional<CheckOptions> rules = CheckOptions();
  /// If set, called instead of checking rules.
  std::function<Diagnostics(const ReadText& read)> check = {};
  /// If set, called instead of reading, linking and attaching weights. `is_first` is false for a corrected version. If
  /// the function returns nothing, the source is read as usual. If there are rules, the function may read only texts.
  std::function<std::optional<ReadText>(const SourceText& source, bool is_first)> read = {};
  Proof proof = Proof::kAlways;
  const std::atomic<bool>* stop = nullptr;  ///< if not null and true, the analysis ends early, with any findings
  /// If not null, all findings stay findings about the text: those about a library function are at its call. The object
  /// receives their places in the libraries.
  LinkedFindings* linked_out = nullptr;

  // The members below are for the text itself, not for its corrected versions.
  Lifetime lifetime = Lifetime::kScope;     ///< of the message
  WeightFiles* weight_files_out = nullptr;  ///< if not null, receives the files that have supplied weights
  /// Called with a message without errors. The message may be changed. Returns further findings.
  std::function<Diagnostics(google::protobuf::Message* message)> use = {};
  /// If set, called instead of reading, checking and using a message, if nothing is linked or attached.
  std::function<Diagnostics()> stream = {};
};

struct Analysis {
  std::vector<SourceFindings> in_libraries = {};  ///< the findings about other files, which are shown first
  Diagnostics found = {};                         ///< the findings about the text itself
};

/// Reads a text or a message, links functions, attaches weights, checks rules, infers types, and tests corrections.
[[nodiscard]] Analysis Analyze(const SourceText& source, const AnalyzeOptions& options);

/// Returns a function that does the same without testing corrections, as for corrected versions. All findings are about
/// the text; those about a library function are at its call.
[[nodiscard]] Judge JudgeFor(const AnalyzeOptions& options);

}  // namespace onnxc::verdict
