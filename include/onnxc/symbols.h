// What a text names, and where: for editors and other tools, also while the text has mistakes.
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

/// A position in one of the lists of a SymbolIndex: symbols, occurrences, scopes or nodes. kNoSymbol means none.
using SymbolId = std::uint32_t;
inline constexpr SymbolId kNoSymbol = std::numeric_limits<SymbolId>::max();

enum class SymbolKind : std::uint8_t {
  kValue,      ///< an input, an initializer, the output of a node; seen in its graph and the graphs inside of it
  kFunction,   ///< a function of the text
  kOperator,   ///< an operator that the text only uses
  kDimension,  ///< a symbol in shapes; seen in the whole graph or function
  kAttribute,  ///< an attribute of a function or of an operator
  kDomain,     ///< a domain that a header imports, or that operators are called in
};

/// A name in the text.
struct Occurrence {
  SourceRange range;
  SymbolId symbol = kNoSymbol;
  SymbolId next = kNoSymbol;   ///< another occurrence of the same symbol
  bool is_definition = false;  ///< the symbol gets its value here, or is imported here
};

/// What all occurrences of one name stand for.
struct Symbol {
  SymbolKind kind = SymbolKind::kValue;
  std::string_view name;            ///< decoded; of a function or operator without its domain
  std::string_view domain = {};     ///< of a function or operator
  std::string_view overload = {};   ///< of a function or operator
  SymbolId scope = kNoSymbol;       ///< where it is seen; kNoSymbol: in the whole text
  SymbolId owner = kNoSymbol;       ///< of an attribute: the function's or operator's symbol
  SymbolId definition = kNoSymbol;  ///< its first definition among the occurrences, if it has one
  SymbolId first = kNoSymbol;       ///< its first occurrence
  SymbolId last = kNoSymbol;
};

/// A domain that a header imports.
struct TextImport {
  std::string_view domain;
  std::int64_t version = 0;
  SourceRange range;  ///< of the entry: `"" : 21`
};

/// A graph or a function.
struct TextScope {
  enum class Kind : std::uint8_t { kGraph, kFunction, kSubgraph };
  Kind kind = Kind::kGraph;
  SourceRange range;  ///< with its header
  SourceRange name_range = {};
  std::string_view name = {};
  SymbolId parent = kNoSymbol;  ///< the scope around a subgraph
  SymbolId node = kNoSymbol;    ///< the node whose attribute a subgraph is
  SymbolId symbol = kNoSymbol;  ///< of a function
  SourceRange header = {};      ///< empty where there is none
  SourceRange body = {};        ///< from its bracket to the end of its last node; empty where there is none
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
  SourceRange label = {};           ///< without the brackets; empty where there is none
  SourceRange operator_range = {};  ///< with the domain
  SymbolId scope = kNoSymbol;
  SymbolId operator_name = kNoSymbol;  ///< an occurrence
  bool is_whole = true;
  std::uint32_t first_output = 0;  ///< in operands()
  std::uint32_t outputs = 0;
  std::uint32_t first_input = 0;  ///< in operands()
  std::uint32_t inputs = 0;
  std::uint32_t first_attribute = 0;  ///< in attributes()
  std::uint32_t attributes = 0;
};

/// All names of a text. It refers to the text, which must outlive it.
class SymbolIndex {
 public:
  [[nodiscard]] std::span<const Occurrence> occurrences() const { return occurrences_; }  ///< in the order of the text
  [[nodiscard]] const std::deque<Symbol>& symbols() const { return symbols_; }
  [[nodiscard]] std::span<const TextScope> scopes() const { return scopes_; }  ///< by where they begin
  [[nodiscard]] std::span<const TextNode> nodes() const { return nodes_; }     ///< by where they begin

  [[nodiscard]] std::span<const SymbolId> OutputsOf(const TextNode& node) const {  ///< occurrences; kNoSymbol: left out
    return std::span(operands_).subspan(node.first_output, node.outputs);
  }
  [[nodiscard]] std::span<const SymbolId> InputsOf(const TextNode& node) const {  ///< as OutputsOf()
    return std::span(operands_).subspan(node.first_input, node.inputs);
  }
  [[nodiscard]] std::span<const TextAttribute> AttributesOf(const TextNode& node) const {
    return std::span(attributes_).subspan(node.first_attribute, node.attributes);
  }

  // The element at a byte offset of the text. The end of a range counts as inside, because a cursor directly behind a
  // name touches the name.
  [[nodiscard]] const Occurrence* OccurrenceAt(std::size_t offset) const;
  [[nodiscard]] SymbolId NodeAt(std::size_t offset) const;   ///< the innermost, or kNoSymbol
  [[nodiscard]] SymbolId ScopeAt(std::size_t offset) const;  ///< the innermost, or kNoSymbol

  /// The operator or function that a node calls, or null.
  [[nodiscard]] const Symbol* OperatorOf(const TextNode& node) const;

  /// The outermost scope around a scope.
  [[nodiscard]] SymbolId ItemOf(SymbolId scope) const;

  /// The value that a name stands for in a scope, or kNoSymbol.
  [[nodiscard]] SymbolId FindValue(SymbolId scope, std::string_view name) const;

  /// All occurrences of a symbol, in the order of the text.
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
  /// Findings reported in one run; the rest are counted.
  std::size_t max_diagnostics = 100;
  /// Threads that read long lists of numbers; 0 for one for each core.
  unsigned threads = 1;
  /// Another thread may set this to cancel the call. The caller must then discard the result.
  const std::atomic<bool>* stop = nullptr;
};

/// What could be read of a text. It refers to the text, which must outlive it.
struct PartialModel {
  std::unique_ptr<google::protobuf::Arena> arena;  ///< owns the model
  onnx::ModelProto* model = nullptr;               ///< without the parts that could not be read
  SourceMap places;                                ///< of the parts of the model
  SymbolIndex symbols;
  /// For each scope its graph or function in the model; null where it could not be read.
  std::vector<const google::protobuf::Message*> messages;
  Diagnostics diagnostics;  ///< those that Parse() finds
};

/// Parses a model, or functions alone, as Parse() does with ParseOptions::tell_functions_apart. If the text has errors,
/// the result lacks only the nodes, values, attributes and header entries that could not be parsed.
/// Time and memory are linear in the text.
[[nodiscard]] PartialModel ParsePartial(std::string_view text, const PartialOptions& options = {});

}  // namespace onnxc
