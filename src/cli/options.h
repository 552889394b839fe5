// What all subcommands have in common: options and exit statuses.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/kind.h>
#include <onnxc/model_io.h>

#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "settings/levels.h"

namespace onnxc::cli {

enum ExitStatus : int {
  kDone = 0,
  kWrongInput = 1,
  kCannot = 2,  ///< the call is wrong, or a file cannot be read or written
};

struct CommonOptions {
  std::string color = "auto";
  std::string error_format = "text";
  bool quiet = false;
  bool all_findings = false;
  Levels warnings = {};
  std::size_t max_bytes = std::numeric_limits<std::size_t>::max();  ///< of each file that is read
};

void AddCommonOptions(CLI::App* app, CommonOptions* options);

/// A file descriptor, such as STDERR_FILENO, is a terminal that can show more than lines of text.
[[nodiscard]] bool IsTerminal(int file_descriptor);

/// Whether what goes to this file, such as STDERR_FILENO, is to be coloured.
[[nodiscard]] bool UsesColor(const CommonOptions& options, int file_descriptor);

/// An empty message of that kind, in an arena of its own: a large model is made and freed several times faster so.
class OwnedMessage {
 public:
  explicit OwnedMessage(Kind kind);
  [[nodiscard]] google::protobuf::Message* get() const { return message_; }
  google::protobuf::Message& operator*() const { return *message_; }

 private:
  google::protobuf::Arena arena_;
  google::protobuf::Message* message_ = nullptr;
};

/// A positional: the file to read; required where `*path` is no file yet. `what`: "The file to read".
void AddInput(CLI::App* app, const std::string& name, std::string* path, std::string_view what);
/// The same for any number of files and folders.
void AddInputs(CLI::App* app, const std::string& name, std::vector<std::string>* paths, std::string_view what);

/// `-o`
CLI::Option* AddOutput(CLI::App* app, std::string* path, const std::string& description);

/// `--kind`; stays empty where it is not given.
void AddKindOption(CLI::App* app, std::string* kind);

/// `--threads`; stays 0 where it is not given.
void AddThreadsOption(CLI::App* app, unsigned* threads);

/// That the value of `name` is one of `words`.
[[nodiscard]] CLI::Validator OneOf(const std::vector<std::string_view>& words, const std::string& name);

/// That the value is a number from `least` to `most`. CLI11 lets a minus sign, and what is too large, wrap round.
[[nodiscard]] CLI::Validator CountBetween(std::uint64_t least, std::uint64_t most);

/// An option, or a positional, that takes one of `words`.
CLI::Option* AddChoice(CLI::App* app, const std::string& name, std::string* value,
                       const std::vector<std::string_view>& words, const std::string& description);

/// Writes to standard error. That this fails is no failure: nobody can be told.
void PrintError(std::string_view text);

/// Tells about a wrong call, such as "onnxc compile: error: ...".
[[nodiscard]] ExitStatus WrongCall(std::string_view program, std::string_view message);

}  // namespace onnxc::cli
