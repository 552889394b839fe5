// The memory that types, shapes and constants of one run stand in, and arithmetic with dimensions.
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

/// An unknown size that is the same wherever it occurs. The model may give it a name. It may also stand for a quotient
/// of expressions, rounded down, so that sums and products can contain the quotient.
struct Symbol {
  std::string_view name = {};  ///< empty: none
  const Expression* dividend = nullptr;
  std::int64_t divisor = 0;
  std::uint32_t id = 0;        ///< in the order in which they were made
  std::uint32_t youngest = 0;  ///< the highest id of what it is made of
  std::uint32_t length = 1;    ///< how many symbols and quotients one must write to say it
};

/// The symbols of a product, which ascend by their ids.
class Factors {
 public:
  Factors() = default;
  explicit Factors(const Symbol* symbol) : count_(1) { symbols_[0] = symbol; }

  /// False where there are too many.
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

/// A sum of terms, which ascend by their symbols. There is one object for equal sums.
class Expression {
 public:
  explicit Expression(std::span<const Term> terms) : terms_(terms) {}
  [[nodiscard]] std::span<const Term> terms() const { return terms_; }
  /// The symbol where it is nothing else, or null.
  [[nodiscard]] const Symbol* AsSymbol() const;

 private:
  std::span<const Term> terms_;
};

/// Memory from large blocks, which is given back all at once or in the opposite order.
class Stack {
 public:
  Stack() { AddBlock(kBlock); }

  struct Top {
    std::size_t blocks = 0;
    std::span<std::byte> rest = {};  ///< of the last one
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
  /// Gives back what was made since the mark.
  void Release(const Top& mark) {
    if (blocks_.size() > mark.blocks) blocks_.resize(mark.blocks);
    top_ = mark;
  }

 private:
  static constexpr std::size_t kAligned = alignof(std::max_align_t);
  static constexpr std::size_t kBlock = std::size_t{1} << 16;

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

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  Top top_;
};

/// The product of all; unknown where it is no number. 0 where one of them is 0.
[[nodiscard]] Dim NumberOfElements(std::span<const Dim> shape);

/// Tensors of a higher rank are of unknown rank to inference.
inline constexpr std::size_t kMostRank = 256;

/// Types of types that go deeper are unknown.
inline constexpr int kDeepestType = 50;

/// Writes the type into a message that is empty.
void WriteProto(const Type& type, onnx::TypeProto* proto);

/// The type as a message without its shapes, which may be long.
[[nodiscard]] onnx::TypeProto ToProtoWithoutShapes(const Type& type);

class Memory {
 public:
  /// `subject`: the message whose types are inferred.
  /// `least_size`: bytes that the subject takes in a file for certain.
  Memory(const google::protobuf::Message& subject, std::size_t least_size) : budget_(subject, kInferenceAllowance) {
    budget_.TakeLeastSize(least_size);
  }

  /// Takes the price of what is to be done. False where less is left: then nothing new is done and known any more.
  bool Charge(std::size_t units) { return budget_.Charge(units); }
  [[nodiscard]] bool IsUsedUp() const { return budget_.IsUsedUp(); }

  /// Elements that last until the end of the innermost Scope.
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

  /// Elements that are kept. They are charged, and there even where the budget does not suffice: who makes many of them
  /// asks IsUsedUp() before.
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

  /// The type of a sequence or an optional.
  [[nodiscard]] Type Nested(Kind kind, const Type& element);

  /// Gives the tensor a copy of the shape; none where that is too long, or the budget is used up. No shape has a size
  /// below 0: such a number, which a wrong model may compute, becomes unknown.
  void SetShape(Type* type, std::span<const Dim> dims);

  /// The symbol that the model calls `name`.
  [[nodiscard]] Dim Named(std::string_view name);
  /// A size of which nothing is known, but that is equal to itself.
  [[nodiscard]] Dim Fresh();

  /// All symbols so far are older than the mark.
  [[nodiscard]] std::uint32_t Mark() const { return next_id_; }
  /// The dimension, if all of its symbols are older than the mark; else an unknown one.
  [[nodiscard]] Dim OlderThan(std::uint32_t mark, Dim dim) const;
  /// The same for a type, its inner types and the dimensions of its shape. Returns the type itself where nothing
  /// changes.
  [[nodiscard]] Type OlderThan(std::uint32_t mark, const Type& type);
  /// Replaces unknown dimensions by fresh symbols.
  void NameUnknown(Type* type);

  /// Whether arithmetic with numbers has left the range of 64 bits since the last call.
  [[nodiscard]] bool TakeOverflow() { return std::exchange(has_overflowed_, false); }

  /// Arithmetic; unknown where an operand is, where a number overflows, and where an expression becomes too long.
  [[nodiscard]] Dim Add(Dim a, Dim b);
  [[nodiscard]] Dim Subtract(Dim a, Dim b);
  [[nodiscard]] Dim Multiply(Dim a, Dim b);
  /// The quotient where it is exact for certain; else unknown.
  [[nodiscard]] Dim DivideExactly(Dim a, Dim b);
  /// Rounded down, as sizes are, for a positive `b`.
  [[nodiscard]] Dim FloorDivide(Dim a, Dim b);
  [[nodiscard]] Dim CeilDivide(Dim a, Dim b);
  /// The product of all; 1 for none. 0 where one of them is 0.
  [[nodiscard]] Dim Product(std::span<const Dim> dims);

 private:
  /// The sum of the terms, which are put into order.
  [[nodiscard]] Dim Intern(std::vector<Term>& terms);
  [[nodiscard]] Dim InternNormal(std::span<const Term> terms);
  /// An expression of these terms, which are kept.
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
    bool operator()(const Expression* a, const Expression* b) const { return a == b; }  // there are no two of a sum
    bool operator()(std::span<const Term> a, const Expression* b) const { return std::ranges::equal(a, b->terms()); }
    bool operator()(const Expression* a, std::span<const Term> b) const { return (*this)(b, a); }
  };

  /// What stands for a number that is out of range.
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
  std::array<std::span<const Dim>, 64> recent_shapes_{};  // most values of a model have one of a few
};

}  // namespace onnxc::infer
