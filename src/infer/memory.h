// The memory for types, shapes and constants of one run, and arithmetic with dimensions.
#pragma once

#include <onnxc/infer.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <vector>

#include "infer/budget.h"
#include "source/names.h"

namespace onnxc::infer {

using Dim = Dimension;
using Type = ValueType;
using Kind = ValueType::Kind;
using Constant = ConstantValue;

/// An unknown size. A symbol stands for the same size wherever it occurs, and the model may give it a name. A symbol
/// can also represent a quotient of expressions, rounded down, so that sums and products can contain the quotient.
struct Symbol {
  std::string_view name = {};  ///< empty if the symbol has no name
  const Expression* dividend = nullptr;
  std::int64_t divisor = 0;
  std::uint32_t id = 0;        ///< ascending in the order of creation
  std::uint32_t youngest = 0;  ///< the highest id of this symbol and of the symbols in its quotient
  std::uint32_t length = 1;    ///< number of symbols and quotients that appear if it is written as text
};

/// The symbols of a product in ascending order of their ids.
class Factors {
 public:
  Factors() = default;
  explicit Factors(const Symbol* symbol) : count_(1) { symbols_[0] = symbol; }

  /// Returns false if there are too many factors.
  [[nodiscard]] bool Add(const Symbol* symbol);

  [[nodiscard]] const Symbol* const* begin() const { return symbols_.data(); }
  [[nodiscard]] const Symbol* const* end() const { return symbols_.data() + count_; }
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] std::size_t size() const { return count_; }
  bool operator==(const Factors& other) const { return std::equal(begin(), end(), other.begin(), other.end()); }

 private:
  std::array<const Symbol*, 6> symbols_{};
  std::uint32_t count_ = 0;
};

/// A coefficient times symbols.
struct Term {
  std::int64_t coefficient = 0;
  Factors symbols = {};
  bool operator==(const Term&) const = default;
};

/// A sum of terms in ascending order of their symbols. Equal sums are the same object.
class Expression {
 public:
  explicit Expression(std::span<const Term> terms) : terms_(terms) {}
  [[nodiscard]] std::span<const Term> terms() const { return terms_; }
  /// Returns the symbol if the expression is only a symbol, otherwise null.
  [[nodiscard]] const Symbol* AsSymbol() const;

 private:
  std::span<const Term> terms_;
};

/// Memory in large blocks. It is released all at once, or in the reverse order of allocation.
class Stack {
 public:
  Stack() { AddBlock(kFirstBlock); }

  struct Top {
    std::size_t blocks = 0;          ///< number of blocks that are in use
    std::span<std::byte> rest = {};  ///< the free part of the last block in use
  };

  template <typename T>
  [[nodiscard]] std::span<T> New(std::size_t count) {
    T* const first = Room<T>(count);
    std::uninitialized_value_construct_n(first, count);
    return {first, count};
  }
  template <typename T>
  [[nodiscard]] std::span<const T> Copy(std::span<const T> elements) {
    T* const first = Room<T>(elements.size());
    std::uninitialized_copy(elements.begin(), elements.end(), first);
    return {first, elements.size()};
  }

  [[nodiscard]] Top Mark() const { return top_; }
  /// Releases all memory allocated since the mark, but keeps one free block. Without this block, each node would
  /// allocate a block again if the top is near the end of a block.
  void Release(const Top& mark) {
    if (blocks_.size() > mark.blocks + 1) blocks_.resize(mark.blocks + 1);
    if (blocks_.size() > mark.blocks && blocks_.back().size > kLargestBlock) blocks_.pop_back();
    top_ = mark;
  }

 private:
  static constexpr std::size_t kAligned = alignof(std::max_align_t);
  static constexpr std::size_t kFirstBlock = std::size_t{1} << 12;  // as much as a small model needs
  static constexpr std::size_t kLargestBlock = std::size_t{1} << 16;

  template <typename T>
  [[nodiscard]] T* Room(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= kAligned);
    constexpr std::size_t kSize = sizeof(T);  // NOLINT(bugprone-sizeof-expression): it may be a pointer
    const std::size_t bytes = (count * kSize + kAligned - 1) / kAligned * kAligned;
    if (bytes > top_.rest.size()) AddBlock(bytes);
    std::byte* const first = top_.rest.data();
    top_.rest = top_.rest.subspan(bytes);
    return reinterpret_cast<T*>(first);
  }
  void AddBlock(std::size_t at_least);

  struct Block {
    std::unique_ptr<std::byte[]> bytes = {};
    std::size_t size = 0;
  };
  std::vector<Block> blocks_;
  Top top_;
};

/// Returns the product of all dimensions. It is 0 if a dimension is 0; otherwise it is unknown if one is not a number.
[[nodiscard]] Dim NumberOfElements(std::span<const Dim> shape);

/// Tensors of a higher rank count as having an unknown rank.
inline constexpr std::size_t kMostRank = 256;

/// Types with more levels of nesting count as unknown.
inline constexpr int kDeepestType = 50;

/// Writes the type into an empty message.
void WriteProto(const Type& type, onnx::TypeProto* proto);

/// Returns the type as a message without its shapes, which may be long.
[[nodiscard]] onnx::TypeProto ToProtoWithoutShapes(const Type& type);

class Memory {
 public:
  /// `subject` is the message whose types are inferred. `least_size` is a lower bound of its size in bytes. `size` is
  /// its size in its file, or 0 if that size is not known.
  Memory(const google::protobuf::Message& subject, std::size_t least_size, std::size_t size = 0)
      : budget_(subject, kInferenceAllowance) {
    budget_.TakeLeastSize(least_size);
    if (size > 0) budget_.TakeSize(size);
  }

  /// Subtracts the cost of the next piece of work. Returns false if less than that is left; from then on nothing more
  /// is inferred.
  bool Charge(std::size_t units) { return budget_.Charge(units); }
  [[nodiscard]] bool IsUsedUp() const { return budget_.IsUsedUp(); }

  /// Returns elements that are valid until the end of the innermost Scope.
  template <typename T>
  [[nodiscard]] std::span<T> Scratch(std::size_t count) {
    return scratch_.New<T>(count);
  }
  class Scope {
   public:
    explicit Scope(Memory& memory) : scratch_(memory.scratch_), mark_(scratch_.Mark()) {}
    ~Scope() { scratch_.Release(mark_); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Stack& scratch_;
    Stack::Top mark_;
  };

  /// Returns elements that are valid as long as this object exists. Their cost is charged, but they are allocated even
  /// if the budget is used up. So a caller that allocates many elements must first call IsUsedUp().
  template <typename T>
  [[nodiscard]] std::span<T> NewSpan(std::size_t count) {
    (void)Charge(CostOfBytes(count * sizeof(T)));
    return arena_.New<T>(count);
  }
  template <typename T>
  [[nodiscard]] const T* Keep(const T& value) {
    (void)Charge(CostOfBytes(sizeof(T)));
    return arena_.Copy(std::span(&value, 1)).data();
  }

  /// Returns the type of a sequence or an optional.
  [[nodiscard]] Type Nested(Kind kind, const Type& element);

  /// Gives the tensor a copy of the shape. The shape stays unknown if it is too long or the budget is used up. A
  /// negative size, which a wrong model may compute, becomes unknown.
  void SetShape(Type* type, std::span<const Dim> dims);

  /// Returns the symbol to which the model gives this name. The name is copied, because the inference of a later
  /// version of the model may use this object when the present model no longer exists.
  [[nodiscard]] Dim Named(std::string_view name);
  /// Returns a new symbol, which has no name and is equal only to itself.
  [[nodiscard]] Dim Fresh();

  /// Returns a mark. All symbols that exist now are older than this mark.
  [[nodiscard]] std::uint32_t Mark() const { return next_id_; }
  /// Returns the dimension if all of its symbols are older than the mark, otherwise an unknown one.
  [[nodiscard]] Dim OlderThan(std::uint32_t mark, Dim dim) const;
  /// Like OlderThan() above, for a type, its inner types and its shape. Returns the same type if nothing changes.
  [[nodiscard]] Type OlderThan(std::uint32_t mark, const Type& type);
  /// Replaces unknown dimensions by new symbols.
  void NameUnknown(Type* type);

  /// Returns whether arithmetic with numbers has exceeded 64 bits since the last call.
  [[nodiscard]] bool TakeOverflow() { return std::exchange(has_overflowed_, false); }

  /// These functions compute with sizes. The result is unknown if an operand is unknown, if a number overflows, or if
  /// an expression becomes too long.
  [[nodiscard]] Dim Add(Dim a, Dim b);
  [[nodiscard]] Dim Subtract(Dim a, Dim b);
  [[nodiscard]] Dim Multiply(Dim a, Dim b);
  /// Returns the quotient if the division is certainly exact, otherwise an unknown size.
  [[nodiscard]] Dim DivideExactly(Dim a, Dim b);
  /// Returns the quotient rounded down. `b` must be positive.
  [[nodiscard]] Dim FloorDivide(Dim a, Dim b);
  [[nodiscard]] Dim CeilDivide(Dim a, Dim b);
  /// Returns the product of all dimensions; 1 for an empty list, and 0 if one dimension is 0.
  [[nodiscard]] Dim Product(std::span<const Dim> dims);

 private:
  /// Sorts the terms and returns their sum.
  [[nodiscard]] Dim Intern(std::vector<Term>& terms);
  [[nodiscard]] Dim InternNormal(std::span<const Term> terms);
  /// Returns an expression of these terms, which must be in the memory of this object.
  [[nodiscard]] Dim NewExpression(std::span<const Term> terms);
  [[nodiscard]] Dim NewSymbol(Symbol symbol);

  struct Quotient {
    Dim dividend;
    std::int64_t divisor = 0;
    Dim value;
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::span<const Term> terms) const;
    std::size_t operator()(const Expression* expression) const { return (*this)(expression->terms()); }
  };
  struct Equal {
    using is_transparent = void;
    bool operator()(const Expression* a, const Expression* b) const {
      return a == b;
    }  // equal sums are the same object
    bool operator()(std::span<const Term> a, const Expression* b) const { return std::ranges::equal(a, b->terms()); }
    bool operator()(const Expression* a, std::span<const Term> b) const { return (*this)(b, a); }
  };

  /// Returns an unknown size in place of a number that is out of range, and records that there was such a number.
  [[nodiscard]] Dim Overflow() {
    has_overflowed_ = true;
    return {};
  }

  bool has_overflowed_ = false;
  Stack scratch_;
  Stack arena_;
  Budget budget_;
  std::uint32_t next_id_ = 0;
  NameMap<Dim> named_;
  std::unordered_set<const Expression*, Hash, Equal> expressions_;
  std::map<std::uint64_t, Quotient> quotients_;
  std::array<std::span<const Dim>, 64> recent_shapes_{};  // used because most values of a model have one of a few
                                                          // shapes
};

}  // namespace onnxc::infer
