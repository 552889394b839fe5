// What the rules know of the place they look at, and the rules themselves: one function for each kind of message.
#pragma once

#include <onnxc/checker.h>
#include <onnxc/proto.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "check/findings.h"
#include "check/functions.h"
#include "check/scope.h"
#include "check/uses.h"
#include "source/message_path.h"
#include "source/named_list.h"
#include "source/names.h"
#include "source/operator_table.h"
#include "tables/signatures.h"

namespace onnxc::check {

using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;
using Opsets = google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto>;
using Metadata = google::protobuf::RepeatedPtrField<onnx::StringStringEntryProto>;
using Names = NameSet;

/// Names to suggest, in an order that is always the same. `name_of` is given each element of the table.
template <typename Table, typename NameOf = std::identity>
[[nodiscard]] std::vector<std::string_view> Sorted(const Table& table, NameOf name_of = {}) {
  std::vector<std::string_view> sorted;
  std::ranges::transform(table, std::back_inserter(sorted), name_of);
  std::ranges::sort(sorted);
  return sorted;
}

/// The operator sets that a model or a function imports.
struct Import {
  int version = 0;
  int index = 0;  ///< in opset_import
  bool is_used = false;
};
using Imports = NameMap<Import>;

/// A version as the tables have it. One that is out of range is unknown, as the next one would be.
[[nodiscard]] constexpr int VersionFor(std::int64_t version) {
  return static_cast<int>(
      std::clamp<std::int64_t>(version, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
}

/// The import that governs a node of `domain`: the standard operators may be imported as "ai.onnx". Null: none does.
[[nodiscard]] Import* FindImport(Imports& imports, std::string_view domain);

class Order;

/// A type that a graph or function declares for a value.
struct DeclaredType {
  std::string_view name = {};
  TypeId type = kNoType;
};
using DeclaredTypes = NamedList<DeclaredType>;

/// A list of nodes, inside of others.
struct NodeList {
  const Nodes& nodes;
  const NodeList* parent = nullptr;
  Order* order = nullptr;
};

/// The namespaces of the specification in which names are C identifiers.
enum class Named : std::uint8_t { kGraph, kNode, kValue, kAttribute, kOperator };

/// The graphs and functions all of whose nodes have clean fields, as clean.h has it: who passes the nodes anyway looks.
using CleanNodes = std::unordered_set<const google::protobuf::Message*>;

/// What holds for a whole run.
struct Run {
  const CheckOptions& options;
  Findings& findings;
  std::int64_t ir_version = onnx::IR_VERSION;
  FunctionTable functions = {};
  std::string_view domain = {};                        ///< of the model itself; "" where it has none
  Names configurations = {};                           ///< of the model's devices
  NameMap<int> domain_uses = {};                       ///< how many nodes each domain has, in `counted`
  const google::protobuf::Message* counted = nullptr;  ///< a model, function or graph
  NameMap<int> model_versions = {};                    ///< that the model imports; filled when they are asked for
  Uses uses = {};                                      ///< of names of values; filled when they are asked for
  Names missing_files = {};                            ///< that were reported, each once
  Names odd_domains = {};                              ///< that were reported
  Names unknown_names = {};                            ///< reported in this graph or function
  Names taken_names = {};                              ///< reported where a node gave them a second time
  std::vector<TypeId> types = {};                      ///< of the values at the nodes that are being checked
  OperatorTable table{options.operators};
  RecentOperators operators{table};  ///< of the nodes so far
  CleanNodes clean = {};
  std::map<std::string, int> made_up = {};            ///< the last number behind each stem, in names of corrections
  Names node_names = {};                              ///< of this graph or function, with the graphs in it
  NameMap<const onnx::GraphProto*> graph_names = {};  ///< of all graphs
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::string> file_checksums = {};  ///< by device and inode
  bool told_alignment = false;
  bool is_library = false;            ///< a file of functions, which may declare operators
  bool has_swapped_versions = false;  ///< ir_version and that of the standard operators, which is told
  bool infers = false;                ///< types are inferred afterwards
};

/// What holds at one place.
struct Context {
  Run& run;
  Imports& imports;
  Scope& scope;
  const Names* parameters = nullptr;  ///< the attributes of the function around; null outside of functions
  bool is_main = true;                ///< not in a subgraph
  int graphs = 0;                     ///< around
  const NodeList* nodes = nullptr;    ///< around
  bool knows_names = true;            ///< false for a node or an attribute alone
  bool knows_imports = true;          ///< false for a part alone, which may stand in a model with any imports
  bool continues_graph = false;       ///< a training step, which goes on with the graph around

  template <typename... Args>
  Diagnostic* Report(const DiagnosticBase<Args...>& rule, const Spot& spot, std::type_identity_t<Args>... args) const {
    return run.findings.Report(rule, spot, args...);
  }
};

/// What training adds to a graph is checked while the graph's names are still visible.
using Continuation = std::function<void(Context&)>;

void CheckModelRules(const onnx::ModelProto& model, const Place& place, Run& run);
void CheckLibraryRules(const onnx::ModelProto& library, const Place& place, Run& run);
/// Reports keys that a header has twice. The message does not show them; the source map does.
void CheckHeaderKeys(const google::protobuf::Message& message, const Place& place, Run& run);
void CheckFunctions(const onnx::ModelProto& model, const Place& place, const Imports& model_imports, Run& run);
void CheckFunctionRules(const onnx::FunctionProto& function, const Place& place, const Imports* model_imports,
                        Run& run);
void CheckTraining(const onnx::ModelProto& model, const Place& place, Context& context);
void CheckGraphRules(const onnx::GraphProto& graph, const Place& place, Context& context,
                     const Continuation& more = {});
/// Whether values that nothing reads are told: in texts, where no name is wrong that may have been meant to read them.
[[nodiscard]] bool LooksForUnused(const Context& context);
/// Reports nodes of which nothing reads any output, where the names of their graph or function are still visible.
void ReportUnusedValues(const Nodes& nodes, int field, const Place& place, Context& context);
void CheckNodes(const Nodes& nodes, const Place& place, int field, Context& context, const DeclaredTypes& declared);
/// The definition that the node is bound to, or null.
const Operator* CheckNodeRules(const onnx::NodeProto& node, const Place& place, Context& context);
void CheckSignature(const onnx::NodeProto& node, const Operator& op, const Place& place, Context& context);
void CheckOperands(const onnx::NodeProto& node, const Operator& op, std::span<const TypeId> types, const Place& place,
                   Context& context);
void CheckCall(const onnx::NodeProto& node, const Place& place, Context& context);
void ReportNoDomain(const onnx::FunctionProto& function, const Place& place, Run& run);
void CheckSharding(const onnx::NodeProto& node, const Place& place, Context& context);
void CheckAttributeRules(const onnx::AttributeProto& attribute, const Place& place, Context& context);
void CheckValueInfoRules(const onnx::ValueInfoProto& value, const Place& place, bool needs_type, Run& run);
void CheckTypeRules(const onnx::TypeProto& type, const Place& place, Run& run);
using ValueInfos = google::protobuf::RepeatedPtrField<onnx::ValueInfoProto>;
/// The value_info of a graph or a function, whose values are in the innermost scope.
void CheckValueInfos(const ValueInfos& values, int field, const Place& place, Context& context);
/// A graph gives a value that it gives already.
void ReportSecondOutput(const onnx::ValueInfoProto& first, const onnx::ValueInfoProto& second, const Spot& spot,
                        Context& context);
void CheckTensorRules(const onnx::TensorProto& tensor, const Place& place, Run& run);
void CheckExternalData(const onnx::TensorProto& tensor, const Place& place, Run& run);
void CheckSparseTensorRules(const onnx::SparseTensorProto& tensor, const Place& place, Run& run);
/// A sequence, a map or an optional, with all that is in it.
void CheckRunValue(const google::protobuf::Message& value, const Place& place, Run& run);
/// The type of a map's keys.
void CheckMapKey(int type, const Spot& spot, Run& run);
void CheckMetadata(const Metadata& metadata, int field, const DiagnosticBase<diag::Text>& rule, const Place& place,
                   Run& run);

/// What holds for the fields of any message, in this one and all in it.
void CheckFields(const Place& place, Run& run);

/// Does nothing where CheckOptions::optional_rules is not set.
void CheckIdentifier(Named what, std::string_view name, const Spot& spot, Run& run);
/// The same for domains.
void CheckDomainName(std::string_view domain, const Spot& spot, Run& run);
void CheckTypeDenotation(const onnx::TypeProto& type, const Place& place, Run& run);
[[nodiscard]] bool HasUnknownDenotation(const onnx::TensorShapeProto::Dimension& dim);
void ReportDenotation(const onnx::TensorShapeProto::Dimension& dim, const Place& place, Run& run);
/// The keys and values of a model's metadata that begin with "Image.", in any case of letters.
void CheckImageMetadata(const Metadata& metadata, int field, const Place& place, Run& run);

/// Reports what is used before its IR version.
void CheckSince(std::int64_t since, std::string_view what, const Spot& spot, Run& run);

/// Fills `imports`; reports versions that do not fit and domains that stand twice.
void ReadImports(const Opsets& opsets, int field, const Place& place, Run& run, Imports* imports);

/// Reports the imports that no node has asked for.
void ReportUnusedImports(const Opsets& opsets, int field, const Imports& imports, const Place& place, Run& run);

/// The name of an unknown value: reports why nothing is called so here.
void ReportUnknownName(std::string_view name, const Spot& spot, Context& context);

/// Add to a finding which value was meant by a name that nothing defines: the input of a node, the output of a graph or
/// a function.
void SuggestValue(std::string_view name, const Spot& spot, Diagnostic* finding, Context& context);
void SuggestOutput(std::string_view name, const Spot& spot, Diagnostic* finding, Context& context);

/// "the node 'conv1'", or "the Conv node" where it has no name.
[[nodiscard]] std::string Label(const onnx::NodeProto& node);

}  // namespace onnxc::check
