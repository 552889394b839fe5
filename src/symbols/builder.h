// Fills a SymbolIndex by walking over the parse tree.
#pragma once

#include <onnxc/symbols.h>

#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lower/tree.h"
#include "source/id_slots.h"

namespace onnxc {

/// Finds symbols by their identity: kind, name, domain, scope and owner.
struct SymbolIndex::Names {
  [[nodiscard]] SymbolId Find(const std::deque<Symbol>& symbols, const Symbol& wanted) const;
  /// Returns the symbol with the identity of `wanted`. Adds the symbol if there is none.
  [[nodiscard]] SymbolId FindOrAdd(std::deque<Symbol>* symbols, const Symbol& wanted);

  IdSlots slots;
  std::deque<std::string> decoded;  // names whose spelling in the text is different, for example with escapes
};

/// Receives the parts of a text in order. If a part has errors, the builder uses the children that were parsed.
class SymbolIndexBuilder {
 public:
  SymbolIndexBuilder() : names_(std::make_shared<SymbolIndex::Names>()) {}

  /// Adds a part that the parser has completed (src/syntax/parser_base.h). `is_function` says whether the part belongs
  /// to a function.
  void Add(const lower::Context* part, bool is_function);

  /// Completes the index: resolves the names of functions, operators and attributes.
  [[nodiscard]] SymbolIndex Finish();

 private:
  using Grammar = lower::Grammar;
  using Context = lower::Context;
  using Token = lower::SyntaxToken;

  // An occurrence of an attribute's name. The symbol of the attribute is known only after the symbol of its owner.
  struct PendingAttribute {
    SymbolId occurrence;
    std::string_view name;
    SymbolId owner;  // the occurrence of the function or operator; for a reference, the function's scope
    bool is_reference;
  };
  /// A use of a value.
  struct PendingUse {
    std::string_view name;
    SymbolId occurrence;
  };

  // items
  void BeginItem(const Grammar::ItemNameContext* name, bool is_function);
  void EndItem(std::size_t end);
  /// `*function` receives the domain and the overload if the header has them.
  void AddHeader(const Context* header, SymbolId scope, Symbol* function);
  void AddImports(const Context* value, SymbolId scope);
  void AddImport(const Context* member, SymbolId scope);
  void AddFormals(const Context* formals, SymbolId scope);

  // graphs
  SymbolId OpenScope(TextScope scope);
  void CloseScope(SymbolId scope);
  void AddSubgraph(const Token& name, const Context* rest, SourceRange range, SymbolId node);
  void AddValue(const Context* value, bool is_input);
  void AddOutputs(const Context* outputs);
  void AddInfo(const Context* info, bool is_definition, std::vector<SymbolId>* list);
  void AddDimensions(const Context* tree);

  // nodes
  void AddNode(const Grammar::NodeContext* tree);
  void AddOperator(const Context* op, std::string_view overload, TextNode* node);
  std::vector<SymbolId> NamesOf(const Context* names, bool is_definition);
  void AddAttribute(const Grammar::AttrContext* tree, SymbolId node, std::vector<TextAttribute>* attributes);
  void AddAttributeValue(const Context* value, SymbolId node);
  void AddReference(const Context* path);
  std::pair<std::uint32_t, std::uint32_t> Keep(const std::vector<SymbolId>& operands);

  // symbols
  std::string_view NameOf(const Token& token);
  std::string_view Owned(std::string name);
  SymbolId Occur(SourceRange range, bool is_definition);
  void Bind(SymbolId occurrence, SymbolId symbol);
  void UseValue(const Token& token);
  SymbolId DefineValue(const Token& token, bool is_definition = true);
  SymbolId FindOrDeclare(const Symbol& symbol);
  void ResolveOperators();
  void ResolveAttributes();

  SymbolIndex index_;
  std::shared_ptr<SymbolIndex::Names> names_;
  SymbolId item_ = kNoSymbol;   // the current item
  SymbolId scope_ = kNoSymbol;  // the current graph or function
  // Unresolved uses in each open scope, the innermost last.
  std::vector<std::vector<PendingUse>> pending_;
  std::vector<PendingAttribute> pending_attributes_;
  std::vector<std::pair<SymbolId, std::uint32_t>> pending_operators_;  // pairs of an occurrence and its operator
  std::vector<Symbol> operators_;
};

/// Returns the message of each scope: a graph or a function. Each message is found by the place of its name in the
/// text.
[[nodiscard]] std::vector<const google::protobuf::Message*> MessagesOf(const SymbolIndex& symbols,
                                                                       const onnx::ModelProto& model,
                                                                       const SourceMap& places);

}  // namespace onnxc
