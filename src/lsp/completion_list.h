// Builds the items of a completion: ranks them, keeps the best ones, and adapts them to the text around the cursor.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lsp/context.h"
#include "tables/operators.h"

namespace onnxc::lsp {

/// How many bytes of the text behind the cursor are read at most, in order to see what fits them.
inline constexpr std::size_t kMostRead = 4096;

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
  std::string text = {};         ///< the snippet to insert, with placeholders; if empty, the label is inserted
  int rank = 1;                  ///< items with a lower rank come first
  bool is_element = true;        ///< a whole element of a list, which may need a comma; false if the rest of it follows
  std::size_t distance = 0;      ///< orders items of equal rank: a smaller distance comes first
  const Operator* op = nullptr;  ///< the operator whose signature and documentation are shown
};

/// Collects the items that match the letters before the cursor.
class CompletionList {
 public:
  using Texts = std::vector<std::shared_ptr<const Snapshot>>;

  /// `libraries` are other texts whose functions may be called.
  CompletionList(const View& view, const CursorContext& context, const Client& client, Texts libraries)
      : view_(view), context_(context), client_(client), libraries_(std::move(libraries)) {}

  void Add(Item item);
  /// Returns the result of the request.
  [[nodiscard]] Json Take();

  [[nodiscard]] const View& view() const { return view_; }
  [[nodiscard]] const SymbolIndex& symbols() const { return view_.symbols(); }
  [[nodiscard]] const CursorContext& context() const { return context_; }
  [[nodiscard]] const Texts& libraries() const { return libraries_; }

  /// Returns the function that the enclosing node calls: the text that defines the function, and the function's scope.
  /// The text is null if the node calls no known function.
  [[nodiscard]] std::pair<const Snapshot*, SymbolId> CalledFunction() const;
  /// Returns the operator that the enclosing node calls, or null if the node calls a function or the operator is not
  /// known.
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

/// Returns the text of a snippet with each placeholder replaced by its default.
[[nodiscard]] std::string WithoutPlaceholders(std::string_view snippet);

}  // namespace onnxc::lsp
