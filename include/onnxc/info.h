// What is in a model, a part of one, or a file of data: operators, weights, inputs and outputs, sizes.
#pragma once

#include <onnxc/proto.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace onnxc {

/// Totals of the tensors of one element type. `elements` comes from the shapes, `bytes` is their size as raw_data. A
/// tensor whose shape has no valid element count adds 0.
struct TensorTotal {
  std::string element_type;  ///< its word; `type 99` where there is no such type
  std::int64_t tensors = 0;
  std::int64_t elements = 0;
  std::int64_t bytes = 0;
  std::int64_t external_bytes = 0;  ///< of `bytes`, those in files beside the model
};

struct OperatorTotal {
  std::string domain;
  std::string op_type;
  std::int64_t nodes = 0;
};

struct ValueSummary {
  std::string name;
  std::string type;  ///< `float[N, 3]`; empty if there is none
};

struct FunctionSummary {
  std::string domain;
  std::string name;
  std::string overload;
  std::int64_t nodes = 0;  ///< with those of its subgraphs
};

struct OpsetSummary {
  std::string domain;
  std::int64_t version = 0;
};

/// A tensor, and who reads it.
struct LargeTensor {
  std::string name;  ///< of the initializer; of a constant the output of its node
  std::string type;  ///< `float[512, 768]`
  std::int64_t bytes = 0;
  bool is_external = false;               ///< they are in a file beside the model
  std::vector<std::string> readers = {};  ///< the operators of nodes with the nodes' names or outputs: `Gemm layer1`
};

struct ModelInfo {
  std::int64_t ir_version = 0;
  std::string producer_name = {};
  std::string producer_version = {};
  std::string domain = {};
  std::int64_t model_version = 0;
  std::vector<OpsetSummary> opset_imports = {};
  std::int64_t bytes = 0;  ///< of the model as one binary file

  std::string graph_name = {};
  std::vector<ValueSummary> inputs = {};  ///< except those that have an initializer
  std::vector<ValueSummary> outputs = {};
  std::int64_t nodes = 0;                      ///< in all graphs and functions
  std::int64_t subgraphs = 0;                  ///< graphs in attributes
  std::int64_t subgraph_depth = 0;             ///< how deep they are nested; 0 if there are none
  std::vector<OperatorTotal> operators = {};   ///< in all graphs and functions; the most frequent first
  std::vector<TensorTotal> initializers = {};  ///< in all graphs, sparse ones by their values; the largest first
  std::vector<TensorTotal> constants = {};     ///< tensors in attributes
  std::vector<FunctionSummary> functions = {};

  std::vector<LargeTensor> largest = {};  ///< what LargestTensors() returns, if asked for

  std::vector<ValueSummary> values =
      {};  ///< of data: the paths to the first 1000 tensors, and their types; or a type alone
  std::vector<TensorTotal> data = {};  ///< tensors of a file of data
};

/// Any message is safe as input.
[[nodiscard]] ModelInfo Inspect(const onnx::ModelProto& model);

/// The same for a message of any kind (onnxc/kind.h). Members that do not apply to the kind stay empty.
[[nodiscard]] ModelInfo Inspect(const google::protobuf::Message& message);

/// The initializers and constants of the model's graphs that have the most bytes, the largest first. Of the nodes that
/// read one, the first ten. Time: linear in the model, plus the sorting of `most`.
[[nodiscard]] std::vector<LargeTensor> LargestTensors(const onnx::ModelProto& model, std::size_t most);

/// A model, a part of one or data, and what is known of its file.
struct FileInfo {
  std::string name;
  std::string format;      ///< `binary`, `text`, ...
  std::int64_t bytes = 0;  ///< of the file
  ModelInfo model;
  std::string kind = "model";  ///< as in the table of kinds; `library`: functions alone
};

/// For people: a table for each file.
[[nodiscard]] std::string RenderText(std::span<const FileInfo> files);

/// For programs: one JSON object with an array "models".
[[nodiscard]] std::string RenderJson(std::span<const FileInfo> files);

}  // namespace onnxc
