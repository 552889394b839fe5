// The files that a run reads, and those that it writes.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/formats.h"
#include "cli/report.h"

namespace onnxc::cli {

/// A file to read; "-" is standard input.
struct Input {
  std::string path;
  std::string below;        ///< the path below the folder that was named, or the file's name
  std::string folder = {};  ///< the folder that was named, or ""
  std::string output = {};  ///< the file to write, where the subcommand writes one for each input
};

/// The suffixes of the files that are read where a folder is named.
inline constexpr std::string_view kTextSuffixes[] = {".onnxtxt", ".onnxtext"};
inline constexpr std::string_view kModelSuffixes[] = {".onnx"};
inline constexpr std::string_view kAllSuffixes[] = {".onnx", ".onnxtxt", ".onnxtext"};

struct Inputs {
  std::vector<Input> files;
  std::vector<SourceFindings> found;  ///< what cannot be read or written: folders, and links that lead out of them
  bool are_many = false;              ///< several were named, or a folder
  bool has_folder = false;            ///< the outputs go to a folder, which may have to be made
};

/// What the arguments name: files as they are, and of each folder the files with those suffixes, at any depth, sorted
/// by path. Hidden folders (such as .git) and symbolic links to folders are not entered. Links to files that lead out
/// of the folder are refused, unless they are allowed; so are hard links, of which nobody knows where else they stand.
[[nodiscard]] Inputs FindInputs(const std::vector<std::string>& arguments, std::span<const std::string_view> suffixes,
                                bool allow_links);

/// Returns an output's path for an input's.
using NameOutput = std::function<std::string(const std::string& path)>;

/// The path with another suffix, in place of one that is known.
[[nodiscard]] std::string WithSuffix(const std::string& path, std::string_view suffix);

/// Whether an option's value names a folder: it ends with a slash, or a folder is there.
[[nodiscard]] bool NamesFolder(const std::string& path);

/// Sets the outputs. `option` is the value of -o: a file, or a folder that all outputs go to. If it is empty, an output
/// is beside its input; that of standard input is standard output. Returns what is wrong with the call, if anything:
/// two inputs with one output, or an output that would replace an input. An input of a folder whose output is a link
/// that leads out of the folder is left out, unless links are allowed.
[[nodiscard]] std::optional<std::string> SetOutputs(const std::string& option, const NameOutput& name, bool allow_links,
                                                    Inputs* inputs);

/// Calls work(input, report) for each input, in `threads` threads (0: one for each core), and reports in the order of
/// the inputs. Where they are many, a summary follows.
void ForEachInput(const Inputs& inputs, unsigned threads, Report* report,
                  const std::function<void(const Input&, Report*)>& work);

/// The threads for the work on one of the inputs, of `threads` for all of them.
[[nodiscard]] unsigned ThreadsForEach(const Inputs& inputs, unsigned threads);

}  // namespace onnxc::cli
