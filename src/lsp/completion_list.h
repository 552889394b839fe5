// The items of a completion: ranked, cut to the best ones, and written so that they fit to the text around the cursor.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lsp/context.h"
#include "tables/operators.h"

namespace onnxc::lsp {

/// CompletionItemKind of the protocol.
enum class ItemKind {
  kFunction = 3,
  kVariable = 6,
  kModule = 9,
  kProperty = 10,
  kValue = 12,
  kKeyword = 14,
  kOperator = 24,
  kTypeParameter = 25,
};

struct Item {
  std::string label;
  ItemKind kind = ItemKind::kValue;
  std::string detail = {};
  std::string_view doc = {};
  std::string text = {};         ///< what is written, a snippet with placeholders; empty: the label
  int rank = 1;                  ///< those of lower ranks come first
  std::size_t distance = 0;      ///< of items of one rank, near ones come first
  const Operator* op = nullptr;  ///< tells detail and documentation of an operator
};

/// The items that fit to the letters before the cursor.
class CompletionList {
 public:
  using Texts = std::vector<std::shared_ptr<const Snapshot>>;

  /// `libraries`: texts whose functions may be called, too.
  CompletionList(const View& view, const CursorContext& context, const Client& client, Texts libraries)
      : view_(view), context_(context), client_(client), libraries_(std::move(libraries)) {}

  void Add(Item item);
  /// The result of the request.
  [[nodiscard]] Json Take();

  [[nodiscard]] const View& view() const { return view_; }
  [[nodiscard]] const SymbolIndex& symbols() const { return view_.symbols(); }
  [[nodiscard]] const CursorContext& context() const { return context_; }
  [[nodiscard]] const Texts& libraries() const { return libraries_; }

  /// The function that the node around the cursor calls: its text, or null, and its scope.
  [[nodiscard]] std::pair<const Snapshot*, SymbolId> CalledFunction() const;
  /// The operator that it calls; null: a function, or not known.
  [[nodiscard]] const Operator* CalledOperator() const;

 private:
  [[nodiscard]] Json Entry(const Item& item, std::size_t order) const;
  [[nodiscard]] std::string_view Separator() const;

  const View& view_;
  const CursorContext& context_;
  const Client& client_;
  Texts libraries_;
  std::vector<Item> items_;
};

/// The text of a snippet without its marks: placeholders are their defaults.
[[nodiscard]] std::string WithoutPlaceholders(std::string_view snippet);

}  // namespace onnxc::lsp
