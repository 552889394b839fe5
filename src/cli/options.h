// What all subcommands have in common: options, reports, exit statuses.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/kind.h>
#include <onnxc/model_io.h>

#include <CLI/CLI.hpp>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/progress.h"

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
  std::size_t max_bytes = std::numeric_limits<std::size_t>::max();  ///< of each file that is read
};

void AddCommonOptions(CLI::App* app, CommonOptions* options);

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
/// The same for any number of files.
void AddInputs(CLI::App* app, const std::string& name, std::vector<std::string>* paths, std::string_view what);

/// `-o`
CLI::Option* AddOutput(CLI::App* app, std::string* path, const std::string& description);

/// `--kind`; stays empty where it is not given.
void AddKindOption(CLI::App* app, std::string* kind);

/// `--threads`; stays 0 where it is not given.
void AddThreadsOption(CLI::App* app, unsigned* threads);

/// That the value of `name` is one of `words`.
[[nodiscard]] CLI::Validator OneOf(const std::vector<std::string_view>& words, const std::string& name);

/// An option, or a positional, that takes one of `words`.
CLI::Option* AddChoice(CLI::App* app, const std::string& name, std::string* value,
                       const std::vector<std::string_view>& words, const std::string& description);

/// Writes to standard error. That this fails is no failure: nobody can be told.
void PrintError(std::string_view text);

/// Tells about a wrong call, such as "onnxc compile: error: ...".
[[nodiscard]] ExitStatus WrongCall(std::string_view program, std::string_view message);

/// What a run has to say on standard error. Its findings: those for people at once, those for programs in one document
/// at the end. And how far it is, where that takes long and people look on.
class Report {
 public:
  /// `files` is how many will be read.
  explicit Report(const CommonOptions& options, std::size_t files = 1) : options_(options), files_(files) {}

  /// Turns to the next file. Gives what ParseOptions::progress takes: null where nobody looks on.
  [[nodiscard]] std::atomic<std::size_t>* Start(const std::string& path);

  /// From here on standard output is written to, perhaps on the same terminal.
  void EndProgress() { progress_.reset(); }

  void Add(const Diagnostics& diagnostics, const SourceText& source);

  /// Nothing was wrong so far.
  [[nodiscard]] bool ok() const { return status_ == kDone; }

  /// Ends the report, and gives the exit status that all findings make.
  [[nodiscard]] ExitStatus Finish();

 private:
  const CommonOptions& options_;
  std::size_t files_;
  std::optional<Progress> progress_;
  std::vector<SourceFindings> kept_;
  ExitStatus status_ = kDone;
};

/// Writes an output of a run, as WriteFile() does. That it cannot be written goes to the report.
void Write(const std::string& path, std::string_view bytes, Report* report, PendingFile* first = nullptr);
void Write(const std::string& path, const std::vector<std::string>& chunks, Report* report,
           PendingFile* first = nullptr);
/// The same for what is written already, but for its end.
void Commit(FileWriter* output, Report* report, PendingFile* first = nullptr);

}  // namespace onnxc::cli
