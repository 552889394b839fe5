// What all subcommands have in common: options, reports, exit statuses.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/kind.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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
};

void AddCommonOptions(CLI::App* app, CommonOptions* options);

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

/// `--kind`; stays empty where it is not given.
void AddKindOption(CLI::App* app, std::string* kind);

/// An option that takes one of `words`.
CLI::Option* AddChoice(CLI::App* app, const std::string& name, std::string* value,
                       const std::vector<std::string_view>& words, const std::string& description);

/// Writes to standard error. That this fails is no failure: nobody can be told.
void PrintError(std::string_view text);

/// Tells about a wrong call, such as "onnxc compile: error: ...".
[[nodiscard]] ExitStatus WrongCall(std::string_view program, std::string_view message);

/// The findings of a run, on their way to standard error: those for people at once, those for programs in one document
/// at the end.
class Report {
 public:
  explicit Report(const CommonOptions& options) : options_(options) {}

  void Add(const Diagnostics& diagnostics, const SourceText& source);

  /// Nothing was wrong so far.
  [[nodiscard]] bool ok() const { return status_ == kDone; }

  /// Ends the report, and gives the exit status that all findings make.
  [[nodiscard]] ExitStatus Finish();

 private:
  const CommonOptions& options_;
  std::vector<SourceFindings> kept_;
  ExitStatus status_ = kDone;
};

/// Writes an output of a run. That it cannot be written goes to the report.
void Write(const std::string& path, std::string_view bytes, Report* report);
void Write(const std::string& path, std::span<const std::string_view> pieces, Report* report);

}  // namespace onnxc::cli
