// The memory that types, shapes and constants of one run stand in, and arithmetic with dimensions.
#pragma once

#include <onnxc/infer.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <memory_resource>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "source/names.h"

namespace onnxc::infer {

using Dim = Dimension;
using Type = ValueType;
using Kind = ValueType::Kind;
using Constant = ConstantValue;

/// A size that is not known, but is the same wherever it stands: one that the model names, or one without a name.
/// Or a quotient of expressions, rounded down, which stands for itself in sums and products.
struct Symbol {
  std::string_view name = {};  ///< empty: none
  std::uint32_t id = 0;        ///< in the order in which they were made
  const Expression* dividend = nullptr;
  std::int64_t divisor = 0;
};

/// A coefficient times symbols, which ascend by their ids.
struct Term {
  std::int64_t coefficient = 0;
  std::vector<const Symbol*> symbols = {};
  bool operator==(const Term&) const = default;
};

/// A sum of terms, which ascend by their symbols. There is one object for equal sums.
class Expression {
 public:
  explicit Expression(std::vector<Term> terms) : terms_(std::move(terms)) {}
  [[nodiscard]] const std::vector<Term>& terms() const { return terms_; }
  /// The symbol where it is nothing else, or null.
  [[nodiscard]] const Symbol* AsSymbol() const;

 private:
  std::vector<Term> terms_;
};

/// Tensors of a higher rank are of unknown rank to inference.
inline constexpr std::size_t kMostRank = 256;

class Memory {
 public:
  /// `max_dims`: dimensions and elements that are kept in all. When they are used up, new shapes are unknown.
  explicit Memory(std::size_t max_dims) : dims_left_(max_dims) {}

  /// Unknown dimensions that last until ClearScratch().
  [[nodiscard]] std::span<Dim> Scratch(std::size_t count) { return Allocate<Dim>(scratch_, count); }
  void ClearScratch() { scratch_.release(); }

  template <typename T>
  [[nodiscard]] std::span<T> NewSpan(std::size_t count) {
    dims_left_ -= std::min(dims_left_, count);
    return Allocate<T>(arena_, count);
  }
  template <typename T>
  [[nodiscard]] const T* Keep(const T& value) {
    return std::construct_at(static_cast<T*>(arena_.allocate(sizeof(T), alignof(T))), value);
  }

  [[nodiscard]] std::span<const Dim> KeepShape(std::span<const Dim> dims) {
    const std::span<Dim> kept = NewSpan<Dim>(dims.size());
    std::copy(dims.begin(), dims.end(), kept.begin());
    return kept;
  }

  [[nodiscard]] bool IsUsedUp() const { return dims_left_ == 0; }

  /// The symbol that the model calls `name`.
  [[nodiscard]] Dim Named(std::string_view name);
  /// A size of which nothing is known, but that is equal to itself.
  [[nodiscard]] Dim Fresh();

  /// All symbols so far are older than the mark.
  [[nodiscard]] std::uint32_t Mark() const { return next_id_; }
  /// The dimension where it is made of symbols older than the mark alone; else unknown.
  [[nodiscard]] Dim OlderThan(std::uint32_t mark, Dim dim) const;
  /// The same for a type, its inner types and the dimensions of its shape. Returns the type itself where nothing
  /// changes.
  [[nodiscard]] Type OlderThan(std::uint32_t mark, const Type& type);
  /// Replaces unknown dimensions by fresh symbols.
  void NameUnknown(Type* type);

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
  template <typename T>
  [[nodiscard]] static std::span<T> Allocate(std::pmr::memory_resource& from, std::size_t count) {
    T* const first = static_cast<T*>(from.allocate(std::max<std::size_t>(count, 1) * sizeof(T), alignof(T)));
    std::uninitialized_value_construct_n(first, count);
    return {first, count};
  }
  [[nodiscard]] Dim Intern(std::vector<Term> terms);
  [[nodiscard]] const Symbol* NewSymbol(Symbol symbol);

  struct Quotient {
    Dim dividend;
    std::int64_t divisor = 0;
    Dim value;
  };
  struct Hash {
    std::size_t operator()(const Expression* expression) const;
  };
  struct Equal {
    bool operator()(const Expression* a, const Expression* b) const { return a->terms() == b->terms(); }
  };

  std::array<std::byte, 4096> scratch_bytes_;
  std::pmr::monotonic_buffer_resource scratch_{scratch_bytes_.data(), scratch_bytes_.size()};
  std::pmr::monotonic_buffer_resource arena_;
  std::size_t dims_left_;
  std::uint32_t next_id_ = 0;
  NameMap<Dim> named_;
  std::vector<std::unique_ptr<const Symbol>> symbols_;
  std::vector<std::unique_ptr<const Expression>> owned_;
  std::unordered_set<const Expression*, Hash, Equal> expressions_;
  std::map<std::uint64_t, Quotient> quotients_;
};

}  // namespace onnxc::infer
