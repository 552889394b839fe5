// What all subcommands have in common: options, reports, exit statuses.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/kind.h>

#include <CLI/CLI.hpp>
#include <memory>
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
void AddChoice(CLI::App* app, const std::string& name, std::string* value, const std::vector<std::string_view>& words,
               const std::string& description);

/// Tells about a wrong call, such as "onnxc compile: error: ...".
[[nodiscard]] ExitStatus WrongCall(std::string_view program, std::string_view message);

/// Writes the findings of a run to standard error, and gives the exit status that they make.
[[nodiscard]] ExitStatus Report(const Diagnostics& diagnostics, const SourceText& source, const CommonOptions& options);

/// Writes an output of a run, and reports if that cannot be.
[[nodiscard]] ExitStatus Write(const std::string& path, std::string_view bytes, const CommonOptions& options);

}  // namespace onnxc::cli
