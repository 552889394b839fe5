// The walk over the parse tree that fills a SymbolIndex.
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

/// Finds symbols by what tells them apart: kind, name, domain, scope and owner.
struct SymbolIndex::Names {
  [[nodiscard]] SymbolId Find(const std::deque<Symbol>& symbols, const Symbol& wanted) const;
  /// Adds the last one of the symbols.
  void AddLast(const std::deque<Symbol>& symbols);

  IdSlots slots;
  std::deque<std::string> decoded;  // names that do not stand in the text as they are
};

/// Takes the parts of a text in their order. Parts that are broken give what is there of them.
class SymbolIndexBuilder {
 public:
  SymbolIndexBuilder() : names_(std::make_shared<SymbolIndex::Names>()) {}

  /// A part that the parser completed (src/syntax/parser_base.h). `is_function`: the item that it belongs to is one.
  void Add(const lower::Context* part, bool is_function);

  /// Ends the index: names of functions, operators and attributes find their symbols.
  [[nodiscard]] SymbolIndex Finish();

 private:
  using Grammar = lower::Grammar;
  using Context = lower::Context;
  using Token = lower::SyntaxToken;

  // Which symbol an occurrence of an attribute's name belongs to is known when that of its owner is.
  struct PendingAttribute {
    SymbolId occurrence;
    std::string_view name;
    SymbolId owner;  // an occurrence of the function or operator; of a reference the function's scope
    bool is_reference;
  };
  // items
  void BeginItem(const Grammar::ItemNameContext* name, bool is_function);
  void EndItem(std::size_t end);
  /// `*function` gets the domain and the overload, if the header has them.
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
  SymbolId Declare(const Symbol& symbol);
  void Bind(SymbolId occurrence, SymbolId symbol);
  void UseValue(const Token& token);
  SymbolId DefineValue(const Token& token, bool is_definition = true);
  SymbolId FindOrDeclare(const Symbol& symbol);
  void ResolveOperators();
  void ResolveAttributes();

  SymbolIndex index_;
  std::shared_ptr<SymbolIndex::Names> names_;
  SymbolId item_ = kNoSymbol;   // the item whose parts come now
  SymbolId scope_ = kNoSymbol;  // the graph or function whose parts come now
  std::vector<std::vector<std::pair<std::string_view, SymbolId>>> pending_;  // uses in each open scope, innermost last
  std::vector<PendingAttribute> pending_attributes_;
  std::vector<std::pair<SymbolId, Symbol>> pending_operators_;  // an occurrence, and the operator
};

/// The graph or function of each scope, found by where its name stands.
[[nodiscard]] std::vector<const google::protobuf::Message*> MessagesOf(const SymbolIndex& symbols,
                                                                       const onnx::ModelProto& model,
                                                                       const SourceMap& places);

}  // namespace onnxc
