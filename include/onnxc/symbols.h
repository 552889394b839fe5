// Finds the names in a text and their places, even if the text has errors. For editors and other tools.
#pragma once

#include <onnxc/arena.h>
#include <onnxc/diagnostic.h>
#include <onnxc/proto.h>
#include <onnxc/source.h>
#include <onnxc/source_map.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace onnxc {

/// An index in one of the lists of a SymbolIndex: symbols, occurrences, scopes or nodes. kNoSymbol means none.
using SymbolId = std::uint32_t;
inline constexpr SymbolId kNoSymbol = std::numeric_limits<SymbolId>::max();

enum class SymbolKind : std::uint8_t {
  kValue,      ///< an input, an initializer or the output of a node; visible in its graph and its subgraphs
  kFunction,   ///< a function that the text defines
  kOperator,   ///< an operator that the text uses but does not define
  kDimension,  ///< a symbol in shapes; visible in the complete graph or function
  kAttribute,  ///< an attribute of a function or of an operator
  kDomain,     ///< a domain that a header imports or that nodes use
};

/// One occurrence of a name in the text.
struct Occurrence {
  SourceRange range;
  SymbolId symbol = kNoSymbol;
  SymbolId next = kNoSymbol;   ///< the next occurrence of the same symbol
  bool is_definition = false;  ///< the symbol is defined or imported here
};

/// The entity that all occurrences of one name refer to.
struct Symbol {
  SymbolKind kind = SymbolKind::kValue;
  std::string_view name;            ///< the name without quotes and escapes; for a function or operator, without the
                                    ///< domain
  std::string_view domain = {};     ///< for a function or operator
  std::string_view overload = {};   ///< for a function or operator
  SymbolId scope = kNoSymbol;       ///< the scope in which the symbol is visible; kNoSymbol means the whole text
  SymbolId owner = kNoSymbol;       ///< for an attribute: the symbol of its function or operator
  SymbolId definition = kNoSymbol;  ///< the first occurrence that is a definition, or kNoSymbol
  SymbolId first = kNoSymbol;       ///< the first occurrence
  SymbolId last = kNoSymbol;
};

/// A domain that a header imports.
struct TextImport {
  std::string_view domain;
  std::int64_t version = 0;
  SourceRange range;  ///< the range of the entry, `"" : 21`
};

/// A graph or a function.
struct TextScope {
  enum class Kind : std::uint8_t { kGraph, kFunction, kSubgraph };
  Kind kind = Kind::kGraph;
  SourceRange range;  ///< including its header
  SourceRange name_range = {};
  std::string_view name = {};
  SymbolId parent = kNoSymbol;  ///< the enclosing scope of a subgraph
  SymbolId node = kNoSymbol;    ///< for a subgraph: the node that has the subgraph as an attribute
  SymbolId symbol = kNoSymbol;  ///< for a function: its symbol
  SourceRange header = {};      ///< empty if there is no header
  SourceRange body = {};        ///< from the opening bracket of the body to the end of the last node; empty if there is
                                ///< no body
  std::vector<TextImport> imports = {};
  std::vector<SymbolId> inputs = {};   ///< occurrences
  std::vector<SymbolId> outputs = {};  ///< occurrences
};

/// An attribute of a node.
struct TextAttribute {
  SourceRange range;
  SymbolId name = kNoSymbol;  ///< an occurrence
};

/// A node. Parts of it that could not be parsed are missing.
struct TextNode {
  SourceRange range;
  SourceRange label = {};           ///< without the brackets; empty if it has no label
  SourceRange operator_range = {};  ///< including the domain
  SymbolId scope = kNoSymbol;
  SymbolId operator_name = kNoSymbol;  ///< an occurrence
  bool is_whole = true;
  std::uint32_t first_output = 0;  ///< index in operands()
  std::uint32_t outputs = 0;
  std::uint32_t first_input = 0;  ///< index in operands()
  std::uint32_t inputs = 0;
  std::uint32_t first_attribute = 0;  ///< index in attributes()
  std::uint32_t attributes = 0;
};

/// All names of a text. The index refers to the text, which must outlive it.
class SymbolIndex {
 public:
  [[nodiscard]] std::span<const Occurrence> occurrences() const { return occurrences_; }  ///< in the order of the text
  [[nodiscard]] const std::deque<Symbol>& symbols() const { return symbols_; }
  [[nodiscard]] std::span<const TextScope> scopes() const { return scopes_; }  ///< sorted by their beginnings
  [[nodiscard]] std::span<const TextNode> nodes() const { return nodes_; }     ///< sorted by their beginnings

  [[nodiscard]] std::span<const SymbolId> OutputsOf(const TextNode& node) const {  ///< occurrences; kNoSymbol for an
                                                                                   ///< omitted output
    return std::span(operands_).subspan(node.first_output, node.outputs);
  }
  [[nodiscard]] std::span<const SymbolId> InputsOf(const TextNode& node) const {  ///< see OutputsOf()
    return std::span(operands_).subspan(node.first_input, node.inputs);
  }
  [[nodiscard]] std::span<const TextAttribute> AttributesOf(const TextNode& node) const {
    return std::span(attributes_).subspan(node.first_attribute, node.attributes);
  }

  // Each of these functions returns the element at a byte offset of the text. The end of a range counts as part of it,
  // because a cursor directly after a name touches the name.
  [[nodiscard]] const Occurrence* OccurrenceAt(std::size_t offset) const;
  [[nodiscard]] SymbolId NodeAt(std::size_t offset) const;   ///< the innermost, or kNoSymbol
  [[nodiscard]] SymbolId ScopeAt(std::size_t offset) const;  ///< the innermost, or kNoSymbol

  /// Returns the operator or function that a node calls, or null.
  [[nodiscard]] const Symbol* OperatorOf(const TextNode& node) const;

  /// Returns the outermost scope that contains the scope: the main graph or a function, not a subgraph.
  [[nodiscard]] SymbolId ItemOf(SymbolId scope) const;

  /// Returns the value to which a name refers in a scope, or kNoSymbol.
  [[nodiscard]] SymbolId FindValue(SymbolId scope, std::string_view name) const;

  /// Returns all occurrences of a symbol, in the order of the text.
  [[nodiscard]] std::vector<const Occurrence*> OccurrencesOf(SymbolId symbol) const;

 private:
  friend class SymbolIndexBuilder;
  struct Names;

  std::vector<Occurrence> occurrences_;
  std::deque<Symbol> symbols_;
  std::vector<TextScope> scopes_;
  std::vector<TextNode> nodes_;
  std::vector<TextAttribute> attributes_;
  std::vector<SymbolId> operands_;
  std::shared_ptr<const Names> names_;
};

struct PartialOptions {
  /// The maximum number of findings that are reported in one run; further findings are only counted.
  std::size_t max_diagnostics = 100;
  /// Number of threads that read long lists of numbers; 0 means one for each core.
  unsigned threads = 1;
  /// Another thread may set this to cancel the call. The caller must then discard the result.
  const std::atomic<bool>* stop = nullptr;
};

/// The result of parsing a text that may have errors. It refers to the text, which must outlive it.
struct PartialModel {
  std::unique_ptr<google::protobuf::Arena> arena;  ///< owns the model
  onnx::ModelProto* model = nullptr;               ///< without the parts that could not be parsed
  SourceMap places;                                ///< places of the parts of the model
  SymbolIndex symbols;
  /// For each scope: the graph or function in the model; null if it could not be parsed.
  std::vector<const google::protobuf::Message*> messages;
  Diagnostics diagnostics;  ///< the findings of Parse()
};

/// Parses a model, or functions only, like Parse() with ParseOptions::tell_functions_apart. If the text has errors, the
/// result lacks only the nodes, values, attributes and header entries that could not be parsed. Time and memory are
/// linear in the text.
[[nodiscard]] PartialModel ParsePartial(std::string_view text, const PartialOptions& options = {});

}  // namespace onnxc
