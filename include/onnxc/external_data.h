// Tensor data in files beside the model, and texts without them.
//
// A tensor of external data names a file and a range of its bytes: the elements as raw_data would hold them,
// little-endian. Tensors are found wherever they are: initializers, also of subgraphs, and attributes, also in
// functions. Data are moved from file to file in chunks, so that models of any size take little memory.
//
// No data are dropped: an external or elided tensor that has data in the model as well is an error, except
// where the data are removed on purpose (Elision::kNothing).
//
// Where a result is not ok(), the message may be changed in part and must not be used.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/file.h>
#include <onnxc/proto.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace onnxc {

inline constexpr std::uint64_t kMostCopies = 4;

/// Where external data are read, and which locations are refused. A location must be a relative path without empty and
/// `..` components and without symbolic links, and must lead to a regular file with one name (no hard links).
struct ExternalDataOptions {
  /// The model's folder. Empty: the current one.
  std::string directory = {};
  /// Take links too, symbolic and hard, wherever they lead: for models in a store of linked files.
  bool allow_links = false;
  /// A larger file, of data or a model that supplies them, is an error and is not read.
  std::size_t max_bytes = std::numeric_limits<std::size_t>::max();
  /// A limit for tensors that share ranges of a file. Some operations read each tensor separately: inlining, writing
  /// safetensors, computing checksums. They may read this many times the distinct bytes in total, and 16 MiB in any
  /// case. At least 1. The tensor that exceeds the limit is an error.
  std::uint64_t max_copies = kMostCopies;
  /// Threads that read the text of a model that supplies data, as ParseOptions::threads.
  unsigned threads = 0;
};

/// The default threshold, in bytes: the data of a smaller tensor stay in the model.
inline constexpr std::uint64_t kSizeThreshold = 1024;

struct SaveExternalOptions {
  /// Where data that are external already are read.
  ExternalDataOptions source = {};
  /// The folder of the model that will be written, and the name of the file beside it. A name that ends in
  /// `.safetensors` asks for that format.
  std::string directory = {};
  std::string file_name = {};
  std::uint64_t size_threshold = kSizeThreshold;
  /// Replace the file where there is one. Links are never replaced.
  bool replace = false;
};

/// Moves the data of all tensors of at least `size_threshold` bytes to one file, including those that are external
/// already; smaller ones are stored in the model. Strings and the parts of sparse tensors stay in the model, as do data
/// in several fields and data that do not match the type and dimensions. `*file` receives the new file, or stays empty
/// if there are no data to move. Commit it before the message is written, or pass it to WriteFile().
[[nodiscard]] Diagnostics SaveExternal(google::protobuf::Message* message, const SaveExternalOptions& options,
                                       PendingFile* file);

/// Brings all external data into the message. An error where it would then be too large for one protobuf file.
[[nodiscard]] Diagnostics InlineExternal(google::protobuf::Message* message, const ExternalDataOptions& options = {});

enum class Elision {
  kChecksum,  ///< write the SHA-256 of the raw bytes
  /// Write nothing: the data and their files are not read. Lists of up to 16 int64 in the message stay:
  /// they are shapes, axes and indices, which belong to the structure.
  kNothing,
};

/// Takes the data of all tensors of at least `size_threshold` bytes away. What is left is `["elided": "sha256:..."]`,
/// external data without a location, or `["elided": ""]`: the checker refuses it, and `AttachWeights` fills it.
[[nodiscard]] Diagnostics ElideWeights(google::protobuf::Message* message, Elision elision,
                                       std::uint64_t size_threshold = kSizeThreshold,
                                       const ExternalDataOptions& options = {});

/// Supplies elided data from a file, and compares checksums. The file's name decides what it is:
/// - `*.safetensors`: tensors by their names, or those of their values; with a checksum also by their paths in the
/// model;
/// - a model in any format: tensors with the same checksum, or, where there is none, those that the same names lead to:
///   of initializers or of a node's first output and attribute, and of functions. Where names do not decide, the paths
///   do if the message is nothing but that model without its data;
/// - anything else: the tensors in the order of the model, laid out as SaveExternal does. Each must have a checksum.
/// If the data of a tensor cannot be identified for certain, it is an error; each kind of error is reported once.
/// Side files must be in the folder of `options`, and are referred to; so are external data of a model in that
/// folder. Other data of a model are copied.
[[nodiscard]] Diagnostics AttachWeights(google::protobuf::Message* message, const std::string& file,
                                        const ExternalDataOptions& options = {});

/// An error for each tensor whose data are elided.
[[nodiscard]] Diagnostics FindElided(const google::protobuf::Message& message);

/// The first location of external data in the message, or "".
[[nodiscard]] std::string FirstLocation(const google::protobuf::Message& message);

}  // namespace onnxc
