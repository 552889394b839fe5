// Forward declarations of the classes of this library and of the messages of ONNX, for headers that only refer to them.
#pragma once

namespace google::protobuf {
class Message;
}

namespace onnx {
class AttributeProto;
class FunctionProto;
class GraphProto;
class MapProto;
class ModelProto;
class NodeProto;
class OptionalProto;
class SequenceProto;
class SparseTensorProto;
class TensorProto;
class TensorShapeProto;
class TypeProto;
class ValueInfoProto;
}  // namespace onnx

namespace onnxc {
enum class Dialect;
enum class DiagnosticKind : int;
enum class Format;
enum class Kind;
enum class Severity;
class Diagnostics;
class Dimension;
class FileWriter;
class Inference;
class Operators;
class PendingFile;
class Sink;
class SourceMap;
class SourceText;
class WeightFiles;
struct CheckOptions;
struct Diagnostic;
struct DiffOptions;
struct Difference;
struct FormatOptions;
struct FormatResult;
struct InferOptions;
struct ParseOptions;
struct PrintOptions;
struct PrintResult;
struct SourcePosition;
struct SourceRange;
struct ValueType;
}  // namespace onnxc
