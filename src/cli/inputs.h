// The files that a run reads and writes.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/formats.h"
#include "cli/options.h"
#include "cli/report.h"

namespace onnxc::cli {

/// A file to read; "-" is standard input.
struct Input {
  std::string path;
  std::string below;                     ///< the path relative to the folder on the command line, or the file's name
  std::string folder = {};               ///< the folder on the command line, or ""
  std::string output = {};               ///< the file to write, if the subcommand writes one for each input
  Lifetime lifetime = Lifetime::kScope;  ///< lifetime of its message
};

/// The suffixes of the files that are read from a folder.
inline constexpr std::string_view kTextSuffixes[] = {".onnxtxt", ".onnxtext"};
inline constexpr std::string_view kModelSuffixes[] = {".onnx"};
inline constexpr std::string_view kAllSuffixes[] = {".onnx", ".onnxtxt", ".onnxtext"};

struct Inputs {
  std::vector<Input> files;
  std::vector<SourceFindings> found;  ///< errors about folders that cannot be read, and about files that are left out
                                      ///< because they are links that lead out of the folder
  bool are_many = false;              ///< several files were given, or a folder
  bool has_folder = false;            ///< the outputs are written to a folder, which may have to be created
};

/// Finds the inputs that the arguments name: files directly, and the files with these suffixes in each folder and its
/// subfolders, sorted by path. Hidden folders (such as .git) and symbolic links to folders are skipped. Unless links
/// are allowed, two kinds of files are refused: symbolic links to files outside of the folder, and files with several
/// hard links, because the other links may be outside of the folder.
[[nodiscard]] Inputs FindInputs(const std::vector<std::string>& arguments, std::span<const std::string_view> suffixes,
                                bool allow_links);

/// Returns the path of the output for the path of an input.
using NameOutput = std::function<std::string(const std::string& path)>;

/// Returns the path with another suffix, which replaces a known suffix.
[[nodiscard]] std::string WithSuffix(const std::string& path, std::string_view suffix);

/// Returns whether the value of an option names a folder: it ends with a slash, or the folder exists.
[[nodiscard]] bool NamesFolder(const std::string& path);

/// Sets the outputs. `option` is the value of -o: a file, or a folder for all outputs. If it is empty, each output is
/// next to its input, and the output for standard input is standard output. Returns a usage error if two inputs have
/// the same output, or if an output would replace another input; otherwise nothing. Unless links are allowed, an input
/// is left out if its output would be a link that leads out of the output folder.
[[nodiscard]] std::optional<std::string> SetOutputs(const std::string& option, const NameOutput& name, bool allow_links,
                                                    Inputs* inputs);

/// Calls work(input, report) for each input in `threads` threads (0 means one for each core), and reports in the order
/// of the inputs. If there are several inputs, a summary follows.
void ForEachInput(const Inputs& inputs, unsigned threads, Report* report,
                  const std::function<void(const Input&, Report*)>& work);

/// Returns the number of threads for the work on one input, if there are `threads` for all inputs.
[[nodiscard]] unsigned ThreadsForEach(const Inputs& inputs, unsigned threads);

}  // namespace onnxc::cli
