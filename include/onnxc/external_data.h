// Tensor data in external files, and texts without tensor data.
//
// A tensor with external data names a file and a range of bytes in that file. The range contains the elements in the
// form of raw_data, little-endian. Functions in this header process all tensors: initializers and tensors in
// attributes, including tensors in subgraphs and functions. Data are copied between files in chunks, so models of any
// size need little memory.
//
// A tensor is elided if its data were removed and can be supplied again later (see ElideWeights()). Data are never
// dropped silently: it is an error if an external or elided tensor also contains data, except where the data are
// removed on purpose (Elision::kNothing).
//
// If a result is not ok(), the message may be partly changed and must not be used.
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

/// Where external data are read, and which locations are refused. A location must be a relative path without empty or
/// `..` components and without symbolic links, and must lead to a regular file with only one name (no hard links).
struct ExternalDataOptions {
  /// The folder of the model. Empty: the current folder.
  std::string directory = {};
  /// Accept symbolic and hard links, wherever they lead. Set this for models in a store of linked files.
  bool allow_links = false;
  /// The maximum size of a data file, or of a model that supplies data to AttachWeights(). A larger file is an error
  /// and is not read.
  std::size_t max_bytes = std::numeric_limits<std::size_t>::max();
  /// Limits how many bytes are read for tensors that share ranges of a file: inlining, writing safetensors and
  /// computing checksums read such bytes again for each tensor. In total, such an operation may read `max_copies` times
  /// the bytes that the ranges cover, or 16 MiB if that is more. The tensor at which this limit is exceeded is reported
  /// as an error. Must be at least 1.
  std::uint64_t max_copies = kMostCopies;
  /// Number of threads that parse a text, if a model in the text syntax supplies the data; as in ParseOptions::threads.
  unsigned threads = 0;
};

/// The default threshold in bytes. The data of a smaller tensor stay in the model.
inline constexpr std::uint64_t kSizeThreshold = 1024;

struct SaveExternalOptions {
  /// Where to read data that are already external.
  ExternalDataOptions source = {};
  /// The folder of the model that will be written, and the name of the new file in it. A name that ends in
  /// `.safetensors` selects that format.
  std::string directory = {};
  std::string file_name = {};
  std::uint64_t size_threshold = kSizeThreshold;
  /// Replace the file if it exists. Links are never replaced.
  bool replace = false;
};

/// Moves the data of all tensors of at least `size_threshold` bytes to one file, including data that are already
/// external. The data of smaller tensors are stored in the model. Some data always stay in the model: strings, the data
/// of sparse tensors, data that are spread over several fields, and data that do not match the tensor's type and
/// dimensions. `*file` receives the new file, or stays empty if there are no data to move. Commit the file before the
/// message is written, or pass it to WriteFile().
[[nodiscard]] Diagnostics SaveExternal(google::protobuf::Message* message, const SaveExternalOptions& options,
                                       PendingFile* file);

/// Moves all external data into the message. It is an error if the message would then be too large for a protobuf file.
[[nodiscard]] Diagnostics InlineExternal(google::protobuf::Message* message, const ExternalDataOptions& options = {});

enum class Elision {
  kChecksum,  ///< write the SHA-256 of the raw bytes
  /// Write no checksum, and do not read the data or their files. A list of up to 16 int64 keeps its data unless they
  /// are external: such lists are shapes, axes and indices, which belong to the structure of the model.
  kNothing,
};

/// Removes the data of all tensors of at least `size_threshold` bytes. They are replaced by external data without a
/// location, `["elided": "sha256:..."]` or `["elided": ""]`. The checker refuses such a tensor, and `AttachWeights`
/// supplies its data again.
[[nodiscard]] Diagnostics ElideWeights(google::protobuf::Message* message, Elision elision,
                                       std::uint64_t size_threshold = kSizeThreshold,
                                       const ExternalDataOptions& options = {});

/// Supplies elided data from a file, and compares checksums. The file's name determines its format:
/// - `*.safetensors`: a tensor is found by its own name or, in a Constant node, by the name of the node's output. A
///   tensor with a checksum is also found by its path in the model.
/// - a model in any format: tensors are found by their checksums. A tensor without a checksum is found by name: an
///   initializer by its own name, a tensor in an attribute by the names of the attribute and of the node's first
///   output. A name in a function includes the name of the function. If names are ambiguous, paths are used, provided
///   that the message equals that model apart from the missing data.
/// - any other file: tensors are in the order of the model, in the layout of SaveExternal(). Each needs a checksum.
///
/// If no tensor is elided, a warning says so, and the file is not read. If the data of a tensor cannot be identified
/// for certain, it is an error; each kind of error is reported once. Data files must be in `options.directory`. The
/// message refers to these files afterwards. If a model in that folder supplies the data, the message also refers to
/// the external data of that model; other data of the model are copied. `*read`, if not null, receives the file with
/// the data, or, if the file is a model, the files with its external data; the caller should not replace them.
[[nodiscard]] Diagnostics AttachWeights(google::protobuf::Message* message, const std::string& file,
                                        const ExternalDataOptions& options = {}, WeightFiles* read = nullptr);

/// Returns an error if the data of tensors are elided. It names the first one, and says how many there are.
[[nodiscard]] Diagnostics FindElided(const google::protobuf::Message& message);

/// Returns the first location of external data in the message, or "" if there is none.
[[nodiscard]] std::string FirstLocation(const google::protobuf::Message& message);

}  // namespace onnxc
