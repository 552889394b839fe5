// The context that rules need at a place in a model, and the functions that check the rules for each message type.
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

/// Returns the names in a table in alphabetical order, as candidates for suggestions. `name_of` returns the name of an
/// element.
template <typename Table, typename NameOf = std::identity>
[[nodiscard]] std::vector<std::string_view> Sorted(const Table& table, NameOf name_of = {}) {
  std::vector<std::string_view> sorted;
  std::ranges::transform(table, std::back_inserter(sorted), name_of);
  std::ranges::sort(sorted);
  return sorted;
}

/// An operator set that a model or a function imports.
struct Import {
  int version = 0;
  int index = 0;  ///< the index in opset_import
  bool is_used = false;
};
using Imports = NameMap<Import>;

/// Converts a version to the type of the tables. A version that is out of range becomes a version that is not known.
[[nodiscard]] constexpr int VersionFor(std::int64_t version) {
  return static_cast<int>(
      std::clamp<std::int64_t>(version, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
}

/// Returns the import for nodes of the domain, or null if there is none. The standard operators can be imported as
/// "ai.onnx" too.
[[nodiscard]] Import* FindImport(Imports& imports, std::string_view domain);

class Order;

/// The type that a graph or function declares for a value.
struct DeclaredType {
  std::string_view name = {};
  TypeId type = kNoType;
};
using DeclaredTypes = NamedList<DeclaredType>;

/// The name of a node that was checked.
struct NodeName {
  std::string_view name = {};
};

/// A list of nodes, linked to the lists of the enclosing graphs.
struct NodeList {
  const Nodes& nodes;
  const NodeList* parent = nullptr;
  Order* order = nullptr;
};

/// The things whose names must be C identifiers according to the specification.
enum class Named : std::uint8_t { kGraph, kNode, kValue, kAttribute, kOperator };

/// The graphs and functions whose nodes are all clean (see source/clean.h). The nodes are tested while the rules walk
/// over all nodes anyway.
using CleanNodes = std::unordered_set<const google::protobuf::Message*>;

/// The state of one run of the checker.
struct Run {
  /// A constructor, because an aggregate of this size would first be filled with zeros, also in small calls.
  Run(const CheckOptions& given, Findings& found, std::int64_t version = onnx::IR_VERSION)
      : options(given), findings(found), ir_version(version) {}

  const CheckOptions& options;
  Findings& findings;
  std::int64_t ir_version;
  FunctionTable functions = {};
  std::string_view domain = {};                        ///< domain of the model; "" if it has none
  Names configurations = {};                           ///< names of the model's device configurations
  NameMap<int> domain_uses = {};                       ///< number of nodes of each domain in `counted`
  const google::protobuf::Message* counted = nullptr;  ///< the model, function or graph whose nodes were counted
  NameMap<int> model_versions = {};                    ///< versions that the model imports; filled when needed
  Uses uses = {};                                      ///< uses of value names; filled when needed
  Names missing_files = {};                            ///< missing files that were reported
  Names odd_domains = {};                              ///< odd domains that were reported
  Names unknown_names = {};                            ///< unknown names reported in this graph or function
  Names taken_names = {};                              ///< names that were reported because a second node defines them
  std::vector<TypeId> types = {};                      ///< types of the inputs and outputs of the nodes being checked
  OperatorTable table{options.operators};
  RecentOperators operators{table};  ///< caches the operators of recent nodes
  CleanNodes clean = {};
  std::map<std::string, int> made_up = {};  ///< for each name: the last number that was appended to the name to make a
                                            ///< new name for a correction
  NamedList<NodeName> node_names = {};      ///< names of nodes in this graph or function and its subgraphs
  NameMap<const onnx::GraphProto*> graph_names = {};  ///< names of all graphs
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::string> file_checksums =
      {};  ///< checksums of files; the key is a device and an inode
  bool told_alignment = false;
  bool told_elided = false;
  bool is_library = false;            ///< the input is a file of functions, which may declare operators
  bool has_swapped_versions = false;  ///< ir_version and the standard operators' version are swapped, which was
                                      ///< reported
  bool infers = false;                ///< types will be inferred after the rules were checked
};

/// The state at one place in the model.
struct Context {
  Run& run;
  Imports& imports;
  Scope& scope;
  const Names* parameters = nullptr;  ///< attributes of the enclosing function; null outside of functions
  bool is_main = true;                ///< this is the main graph, not a subgraph
  int graphs = 0;                     ///< number of enclosing graphs
  const NodeList* nodes = nullptr;    ///< the enclosing list of nodes
  bool knows_names = true;            ///< false if a node or an attribute is checked separately
  bool knows_imports = true;          ///< false if a part of a model is checked separately, because the model's imports
                                      ///< are then unknown
  bool continues_graph = false;       ///< this is a graph of a training step, whose nodes can read values of the main
                                      ///< graph

  template <typename... Args>
  Diagnostic* Report(const DiagnosticBase<Args...>& rule, const Spot& spot, std::type_identity_t<Args>... args) const {
    return run.findings.Report(rule, spot, args...);
  }
};

/// A check of the training graphs. It is called while the names of the model's graph are still visible.
using Continuation = std::function<void(Context&)>;

/// Returns the keyword of the type of a map's keys, or its number if the type is not known.
[[nodiscard]] std::string KeyTypeText(int type);

/// Sets the members of `run` that the rules for nodes need, except for the imports. Reports nothing.
void SetUp(const onnx::ModelProto& model, Run* run);
void CheckModelRules(const onnx::ModelProto& model, const Place& place, Run& run);
void CheckLibraryRules(const onnx::ModelProto& library, const Place& place, Run& run);
/// Reports header keys that appear twice. Such keys are found in the source map, because the message contains only one
/// value for a key.
void CheckHeaderKeys(const google::protobuf::Message& message, const Place& place, Run& run);
void CheckFunctions(const onnx::ModelProto& model, const Place& place, const Imports& model_imports, Run& run);
void CheckFunctionRules(const onnx::FunctionProto& function, const Place& place, const Imports* model_imports,
                        Run& run);
void CheckTraining(const onnx::ModelProto& model, const Place& place, Context& context);
void CheckGraphRules(const onnx::GraphProto& graph, const Place& place, Context& context,
                     const Continuation& more = {});
/// Returns the types that value_info and the outputs declare. If a name is listed several times, the last value_info
/// entry or the first output is used.
[[nodiscard]] DeclaredTypes TypesDeclaredIn(const onnx::GraphProto& graph);
/// Returns the type of a Constant node's output, or kNoType for other nodes. Nodes that read the output are checked
/// against this type.
[[nodiscard]] TypeId ConstantType(const onnx::NodeProto& node);
/// If a graph or function has more unused values than this, one finding reports all of them.
inline constexpr std::size_t kMostUnusedTold = 100;
/// Returns whether unused values are reported: only in texts, and only if no unknown or repeated name was reported,
/// because the unused value may be the one that a misspelt name was meant to read.
[[nodiscard]] bool LooksForUnused(const Context& context);
/// Reports nodes whose outputs are never read. The names of the graph or function must still be in the scope.
void ReportUnusedValues(const Nodes& nodes, int field, const Place& place, Context& context);
void CheckNodes(const Nodes& nodes, const Place& place, int field, Context& context, const DeclaredTypes& declared);
/// Returns the definition of the node's operator, or null if it is not known.
const Operator* CheckNodeRules(const onnx::NodeProto& node, const Place& place, Context& context);
void CheckSignature(const onnx::NodeProto& node, const Operator& op, const Place& place, Context& context);
void CheckOperands(const onnx::NodeProto& node, const Operator& op, std::span<const TypeId> types, const Place& place,
                   Context& context);
void CheckCall(const onnx::NodeProto& node, const Place& place, Context& context);
/// Reports that the function has no domain. Returns true if it is probably a second graph.
bool ReportNoDomain(const onnx::FunctionProto& function, const Place& place, Run& run);
void CheckSharding(const onnx::NodeProto& node, const Place& place, Context& context);
void CheckAttributeRules(const onnx::AttributeProto& attribute, const Place& place, Context& context);
void CheckValueInfoRules(const onnx::ValueInfoProto& value, const Place& place, bool needs_type, Run& run);
void CheckTypeRules(const onnx::TypeProto& type, const Place& place, Run& run);
using ValueInfos = google::protobuf::RepeatedPtrField<onnx::ValueInfoProto>;
/// Checks the value_info of a graph or function. The values of this graph or function must be in the innermost scope.
void CheckValueInfos(const ValueInfos& values, int field, const Place& place, Context& context);
/// Reports a graph output that is listed twice.
void ReportSecondOutput(const onnx::ValueInfoProto& first, const onnx::ValueInfoProto& second, const Spot& spot,
                        Context& context);
void CheckTensorRules(const onnx::TensorProto& tensor, const Place& place, Run& run);
void CheckExternalData(const onnx::TensorProto& tensor, const Place& place, Run& run);
void CheckSparseTensorRules(const onnx::SparseTensorProto& tensor, const Place& place, Run& run);
/// Checks a SequenceProto, MapProto or OptionalProto with all values inside.
void CheckRunValue(const google::protobuf::Message& value, const Place& place, Run& run);
/// Checks the key type of a map.
void CheckMapKey(int type, const Spot& spot, Run& run);
void CheckMetadata(const Metadata& metadata, int field, const DiagnosticBase<diag::Text>& rule, const Place& place,
                   Run& run);

/// Checks the rules that apply to the fields of every message, in this message and its submessages.
void CheckFields(const Place& place, Run& run);

/// Reports a name that is not a C identifier. Does nothing unless CheckOptions::optional_rules is set.
void CheckIdentifier(Named what, std::string_view name, const Spot& spot, Run& run);
/// Reports a domain that is not a reversed DNS name. Does nothing unless CheckOptions::optional_rules is set.
void CheckDomainName(std::string_view domain, const Spot& spot, Run& run);
void CheckTypeDenotation(const onnx::TypeProto& type, const Place& place, Run& run);
[[nodiscard]] bool HasUnknownDenotation(const onnx::TensorShapeProto::Dimension& dim);
void ReportDenotation(const onnx::TensorShapeProto::Dimension& dim, const Place& place, Run& run);
/// Checks the entries with keys that begin with "Image." in the metadata of a model. Case is ignored.
void CheckImageMetadata(const Metadata& metadata, int field, const Place& place, Run& run);

/// Reports a field of a message of this type if the model's IR version is older than the field.
void CheckFieldSince(const google::protobuf::Descriptor& type, int field, const Spot& spot, Run& run);

/// Returns the imports whose versions are in range. The last import of a domain counts.
[[nodiscard]] Imports ImportsIn(const Opsets& opsets);
/// Fills `imports`. Reports invalid versions, and domains that are imported twice.
void ReadImports(const Opsets& opsets, int field, const Place& place, Run& run, Imports* imports);

/// Reports imports that no node uses.
void ReportUnusedImports(const Opsets& opsets, int field, const Imports& imports, const Place& place, Run& run);

/// Reports a name that no visible value has, and explains why there is no such value.
void ReportUnknownName(std::string_view name, const Spot& spot, Context& context);

/// These functions add to a finding the value that was probably meant by an undefined name: SuggestValue() for the
/// input of a node, SuggestOutput() for the output of a graph or function.
void SuggestValue(std::string_view name, const Spot& spot, Diagnostic* finding, Context& context);
void SuggestOutput(std::string_view name, const Spot& spot, Diagnostic* finding, Context& context);

/// Returns "the node 'conv1'", or "the Conv node" if the node has no name.
[[nodiscard]] std::string Label(const onnx::NodeProto& node);

}  // namespace onnxc::check
