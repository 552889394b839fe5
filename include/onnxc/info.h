// Summarizes a model, a part of a model, or a file of data: operators, weights, inputs and outputs, sizes.
#pragma once

#include <onnxc/proto.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace onnxc {

/// The totals for all tensors of one element type. `elements` is computed from the shapes, and `bytes` is the size that
/// these elements have in raw_data. A tensor whose number of elements cannot be computed counts as 0 elements.
struct TensorTotal {
  std::string element_type;  ///< the keyword of the type, or `type 99` if 99 is not the number of a type
  std::int64_t tensors = 0;
  std::int64_t elements = 0;
  std::int64_t bytes = 0;
  std::int64_t external_bytes = 0;  ///< the part of `bytes` that is in external files
};

struct OperatorTotal {
  std::string domain;
  std::string op_type;
  std::int64_t nodes = 0;
};

struct ValueSummary {
  std::string name;
  std::string type;  ///< `float[N, 3]`; empty if the value has no type
};

struct FunctionSummary {
  std::string domain;
  std::string name;
  std::string overload;
  std::int64_t nodes = 0;  ///< number of nodes, including those in subgraphs
};

struct OpsetSummary {
  std::string domain;
  std::int64_t version = 0;
};

/// A tensor, and the nodes that read it.
struct LargeTensor {
  std::string name;  ///< name of the initializer; for a constant, the name of the Constant node's output
  std::string type;  ///< `float[512, 768]`
  std::int64_t bytes = 0;
  bool is_external = false;               ///< the data are in an external file
  std::vector<std::string> readers = {};  ///< the nodes that read the tensor, each as its operator and its name or
                                          ///< output: `Gemm layer1`
};

struct ModelInfo {
  std::int64_t ir_version = 0;
  std::string producer_name = {};
  std::string producer_version = {};
  std::string domain = {};
  std::int64_t model_version = 0;
  std::vector<OpsetSummary> opset_imports = {};
  std::int64_t bytes = 0;  ///< size of the model as one binary file

  std::string graph_name = {};
  std::vector<ValueSummary> inputs = {};  ///< except inputs that have an initializer
  std::vector<ValueSummary> outputs = {};
  std::int64_t nodes = 0;                      ///< in all graphs and functions
  std::int64_t subgraphs = 0;                  ///< number of graphs in attributes
  std::int64_t subgraph_depth = 0;             ///< nesting depth of subgraphs; 0 if there are none
  std::vector<OperatorTotal> operators = {};   ///< in all graphs and functions, the most frequent first
  std::vector<TensorTotal> initializers = {};  ///< in all graphs, the largest first; for a sparse tensor, its stored
                                               ///< values are counted
  std::vector<TensorTotal> constants = {};     ///< tensors in attributes
  std::vector<FunctionSummary> functions = {};

  std::vector<LargeTensor> largest = {};  ///< the result of LargestTensors(), if asked for

  std::vector<ValueSummary> values = {};  ///< for a file of data: the paths and types of the first 1000 tensors; for a
                                          ///< type or shape: this type or shape
  std::vector<TensorTotal> data = {};     ///< totals of the tensors in a file of data
};

/// Returns a summary of the model. Every message is safe as input.
[[nodiscard]] ModelInfo Inspect(const onnx::ModelProto& model);

/// Like Inspect() above, for a message of any kind (onnxc/kind.h). Members that have no meaning for this kind stay
/// empty.
[[nodiscard]] ModelInfo Inspect(const google::protobuf::Message& message);

/// Returns up to `most` tensors: the initializers and constants of the model's graphs that have the most bytes, the
/// largest first. LargeTensor::readers lists the first ten nodes that read the tensor. Takes time linear in the model,
/// plus the time of sorting the result.
[[nodiscard]] std::vector<LargeTensor> LargestTensors(const onnx::ModelProto& model, std::size_t most);

/// Information about a model, a part of a model or data, and about its file.
struct FileInfo {
  std::string name;
  std::string format;      ///< `binary`, `text`, ...
  std::int64_t bytes = 0;  ///< size of the file
  ModelInfo model;
  std::string kind = "model";  ///< a word from the table of kinds in kind.h; `library` for a file that has only
                               ///< functions
};

/// Renders the information for people: a table for each file.
[[nodiscard]] std::string RenderText(std::span<const FileInfo> files);

/// Renders the information for programs: one JSON object with an array "models".
[[nodiscard]] std::string RenderJson(std::span<const FileInfo> files);

}  // namespace onnxc
