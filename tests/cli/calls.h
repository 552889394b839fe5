// Calls of all subcommands, for tests of all subcommands.
#pragma once

#include <fmt/format.h>
#include <sys/wait.h>

#include <cstdlib>
#include <string>
#include <string_view>

#include "testing/folder.h"
#include "testing/paths.h"

namespace onnxc::testing {

/// A call with the placeholder FILE. If it writes a model, the model is on standard output or in out.onnxtxt.
struct Call {
  std::string_view words;
  bool writes_model = false;
};
inline constexpr Call kCalls[] = {
    {"compile FILE --to textproto -o -"},
    {"compile model.onnxtxt --link FILE --to textproto -o -"},
    {"print FILE", true},
    {"print --skeleton FILE", true},
    {"print --weights elide --size-threshold 1 FILE", true},
    {"print --types FILE", true},
    {"convert FILE --to onnxtxt", true},
    {"convert --strip-weights FILE --to onnxtxt", true},
    {"convert --upgrade FILE --to onnxtxt", true},
    {"check FILE"},
    {"check model.onnxtxt --operators FILE"},
    {"infer FILE", true},
    {"infer --overwrite FILE", true},
    {"fmt FILE", true},
    {"diff FILE model.onnxtxt"},
    {"merge FILE model.onnxtxt model.onnxtxt -o out.onnxtxt"},
    {"merge model.onnxtxt FILE model.onnxtxt -o out.onnxtxt"},
    {"merge model.onnxtxt model.onnxtxt FILE -o out.onnxtxt"},
    {"info FILE"},
    {"graph FILE"},
    {"graph FILE --to y"},
    {"graph FILE --around y"},
    {"graph FILE --function f"},
    {"extract FILE", true},
    {"extract FILE --from a --to y", true},
    {"rename FILE x=z", true},
    {"remove FILE --op Relu", true},
    {"set FILE --opset 22", true},
    {"set FILE --dim N=8", true},
    {"set FILE --input 'x=float[3, 2]'", true},
    {"sort FILE", true},
    {"inline FILE", true},
    {"strip FILE --unused --docs --metadata --names --value-info --training", true},
    {"strip FILE --all", true},
    {"weights extract FILE out.data -o out.onnxtxt --size-threshold 1", true},
    {"weights inline FILE -o out.onnxtxt", true},
    {"weights attach FILE data.safetensors -o out.onnxtxt", true},
    {"weights attach elided.onnxtxt FILE -o out.onnxtxt"},
};
/// The subcommands that read no model.
inline constexpr std::string_view kReadNoModel[] = {"explain", "lsp", "completion"};

/// A call that reads FILE, a model with weights in the file d.bin, and writes OUT.
inline constexpr std::string_view kWriters[] = {
    "compile FILE -o OUT.onnx",
    "compile --no-check FILE -o OUT.onnx",
    "compile --no-check FILE --to json -o OUT.json",
    "compile FILE --save-as-external own.bin --size-threshold 1 -o OUT.onnx",
    "print FILE -o OUT.onnxtxt",
    "print --types FILE -o OUT.onnxtxt",
    "print --skeleton FILE -o OUT.onnxtxt",
    "print --weights inline FILE -o OUT.onnxtxt",
    "print --weights external --size-threshold 1 FILE -o OUT.onnxtxt",
    "convert FILE -o OUT.onnx",
    "convert FILE -o OUT.onnxtxt",
    "convert FILE -o OUT.json",
    "convert --upgrade FILE -o OUT.onnx",
    "convert --strip-weights FILE -o OUT.onnx",
    "infer FILE -o OUT.onnx",
    "infer FILE -o OUT.onnxtxt",
    "merge FILE FILE FILE -o OUT.onnx",
    "graph FILE -o OUT.dot",
    "extract FILE -o OUT.onnx",
    "rename FILE x=z -o OUT.onnx",
    "rename FILE x=z -o OUT.onnxtxt",
    "remove FILE y --with x -o OUT.onnx",
    "set FILE --opset 22 -o OUT.onnx",
    "sort FILE -o OUT.onnx",
    "inline FILE -o OUT.onnx",
    "strip FILE --all -o OUT.onnx",
    "strip FILE --unused -o OUT.onnx",
    "weights extract FILE own.bin --size-threshold 1 -o OUT.onnx",
    "weights inline FILE -o OUT.onnx",
    "weights attach FILE m.onnx -o OUT.onnx",
};

/// The result of a call.
struct Outcome {
  int status = 0;
  std::string out;
  std::string err;
};

/// Runs onnxc with these arguments in the folder. `before` is a command of the shell that runs before it.
inline Outcome RunOnnxc(const Folder& folder, const std::string& words, std::string_view before = ":") {
  for (const char* const name : {"out.onnxtxt", "out.data"}) folder.Remove(name);
  const std::string call =
      fmt::format("cd {} && {} && exec {} {} >out 2>err", folder.path().string(), before, kCommand, words);
  const int status = std::system(call.c_str());
  const std::string written = folder.Read("out.onnxtxt");
  return {.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
          .out = folder.Read("out") + written,
          .err = folder.Read("err")};
}

/// Returns the arguments with the name of a file for each placeholder FILE.
inline std::string With(std::string words, std::string_view file) {
  for (std::size_t at = 0; (at = words.find("FILE", at)) != std::string::npos; at += file.size()) {
    words.replace(at, 4, file);
  }
  return words;
}

}  // namespace onnxc::testing
