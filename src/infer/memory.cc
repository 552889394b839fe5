#include "infer/memory.h"

#include <compare>

#include "tables/element_count.h"

namespace onnxc::infer {
namespace {

constexpr std::size_t kMostTerms = 8;
constexpr std::uint32_t kLongest = 64;  // the largest LengthOf() of an expression

std::weak_ordering Compare(const Term& a, const Term& b) {
  return std::lexicographical_compare_three_way(
      a.symbols.begin(), a.symbols.end(), b.symbols.begin(), b.symbols.end(),
      [](const Symbol* x, const Symbol* y) -> std::weak_ordering { return x->id <=> y->id; });
}

/// Appends the terms of a known dimension; appends none for 0.
void AddTerms(Dim dim, std::vector<Term>& terms) {
  if (const Expression* const expression = dim.expression()) {
    terms.insert(terms.end(), expression->terms().begin(), expression->terms().end());
  } else if (!dim.Is(0)) {
    terms.push_back({dim.number(), {}});
  }
}

std::vector<Term> TermsOf(Dim dim) {
  std::vector<Term> terms;
  AddTerms(dim, terms);
  return terms;
}

/// Returns the cost of sorting this number of terms.
constexpr std::size_t CostOfTerms(std::size_t terms) { return 8 * (1 + terms); }

/// Returns the dimension as a term, or nothing if it has several terms.
std::optional<Term> TermOf(Dim dim) {
  if (dim.IsNumber()) return Term{dim.number(), {}};
  const std::span<const Term> terms = dim.expression()->terms();
  return terms.size() == 1 ? std::optional(terms[0]) : std::nullopt;
}

/// Sorts the terms and adds terms with the same symbols. Returns false if a coefficient overflows.
bool Normalize(std::vector<Term>& terms) {
  if (terms.size() > 1) {
    std::sort(terms.begin(), terms.end(), [](const Term& a, const Term& b) { return std::is_lt(Compare(a, b)); });
  }
  std::size_t count = 0;
  for (const Term& term : terms) {
    if (count == 0 || terms[count - 1].symbols != term.symbols) {
      terms[count++] = term;
    } else if (__builtin_add_overflow(terms[count - 1].coefficient, term.coefficient, &terms[count - 1].coefficient)) {
      return false;
    }
  }
  terms.resize(count);
  std::erase_if(terms, [](const Term& term) { return term.coefficient == 0; });
  return true;
}

/// Returns the product of two terms, or nothing if it overflows or has too many factors.
std::optional<Term> Product(const Term& a, const Term& b) {
  Term product{0, a.symbols};
  if (__builtin_mul_overflow(a.coefficient, b.coefficient, &product.coefficient)) return std::nullopt;
  for (const Symbol* const symbol : b.symbols) {
    if (!product.symbols.Add(symbol)) return std::nullopt;
  }
  return product;
}

/// Returns `term` divided by `by`, or nothing if the division is not exact.
std::optional<Term> Divide(const Term& term, const Term& by) {
  if (by.coefficient == 0 || term.coefficient % by.coefficient != 0) return std::nullopt;
  Term quotient{term.coefficient / by.coefficient, {}};
  const Symbol* const* used = by.symbols.begin();
  for (const Symbol* const symbol : term.symbols) {
    if (used != by.symbols.end() && *used == symbol) {
      ++used;
    } else if (!quotient.symbols.Add(symbol)) {
      return std::nullopt;
    }
  }
  if (used != by.symbols.end()) return std::nullopt;
  return quotient;
}

/// Returns the number of symbols and quotients that appear if the sum is written as text.
std::uint32_t LengthOf(std::span<const Term> terms) {
  std::uint32_t length = 0;
  for (const Term& term : terms) {
    for (const Symbol* const symbol : term.symbols) length += symbol->length;
  }
  return length;
}

bool IsOlder(const Expression& expression, std::uint32_t mark) {
  for (const Term& term : expression.terms()) {
    for (const Symbol* const symbol : term.symbols) {
      if (symbol->youngest >= mark) return false;
    }
  }
  return true;
}

/// Returns the quotient as a symbol without an id, or nothing if a term has too many factors.
std::optional<Symbol> QuotientOf(const Expression& dividend, std::int64_t divisor) {
  Symbol quotient{.dividend = &dividend, .divisor = divisor, .length = 1 + LengthOf(dividend.terms())};
  for (const Term& term : dividend.terms()) {
    if (term.symbols.size() > 3) return std::nullopt;
    for (const Symbol* const symbol : term.symbols) quotient.youngest = std::max(quotient.youngest, symbol->youngest);
  }
  return quotient;
}

std::int64_t FloorOf(std::int64_t a, std::int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }

/// Returns a hash. Equal shapes have the same hash; unequal shapes seldom do.
std::size_t HashOfShape(std::span<const Dim> shape) {
  std::size_t looks = shape.size();
  for (const Dim& dim : shape) {
    looks =
        looks * 31 + static_cast<std::size_t>(dim.number()) + (reinterpret_cast<std::uintptr_t>(dim.expression()) >> 4);
  }
  return looks * 0x9e3779b97f4a7c15u >> 32;
}

}  // namespace

bool Factors::Add(const Symbol* symbol) {
  if (count_ == symbols_.size()) return false;
  std::size_t at = count_++;
  for (; at > 0 && symbols_[at - 1]->id > symbol->id; --at) symbols_[at] = symbols_[at - 1];
  symbols_[at] = symbol;
  return true;
}

void Stack::AddBlock(std::size_t at_least) {
  const bool has_free = blocks_.size() > top_.blocks;
  if (!has_free || blocks_.back().size < at_least) {
    const std::size_t size = std::max(at_least, top_.blocks == 0 ? kFirstBlock : kLargestBlock);
    blocks_.resize(top_.blocks);
    blocks_.push_back({std::make_unique_for_overwrite<std::byte[]>(size), size});
  }
  top_ = {blocks_.size(), {blocks_.back().bytes.get(), blocks_.back().size}};
}

Dim NumberOfElements(std::span<const Dim> shape) {
  if (std::ranges::any_of(shape, [](const Dim& dim) { return dim.Is(0); })) return Dim(0);
  std::int64_t number = 1;
  for (const Dim& dim : shape) {
    if (!dim.IsNumber() || __builtin_mul_overflow(number, dim.number(), &number)) return {};
  }
  return Dim(number);
}

const Symbol* Expression::AsSymbol() const {
  const bool is_one = terms_.size() == 1 && terms_[0].coefficient == 1 && terms_[0].symbols.size() == 1;
  return is_one ? *terms_[0].symbols.begin() : nullptr;
}

std::size_t Memory::Hash::operator()(std::span<const Term> terms) const {
  std::size_t hash = 0;
  for (const Term& term : terms) {
    hash = hash * 1000003 + static_cast<std::size_t>(term.coefficient);
    for (const Symbol* const symbol : term.symbols) hash = hash * 31 + symbol->id;
  }
  return hash;
}

Type Memory::Nested(Kind kind, const Type& element) {
  int depth = 1;
  for (const Type* inner = &element; inner != nullptr; inner = inner->element) ++depth;
  return depth > kDeepestType ? Type() : Type{.kind = kind, .element = Keep(element)};
}

void Memory::SetShape(Type* type, std::span<const Dim> dims) {
  type->has_rank = !IsUsedUp() && dims.size() <= kMostRank;
  type->shape = {};
  if (!type->has_rank) return;
  const auto size_of = [](const Dim& dim) { return dim.number() < 0 ? Dim() : dim; };
  const auto are_same = [&](const Dim& kept, const Dim& dim) {
    return kept.Equals(size_of(dim)) || (kept.IsUnknown() && size_of(dim).IsUnknown());
  };
  std::span<const Dim>& recent = recent_shapes_[HashOfShape(dims) % recent_shapes_.size()];
  if (std::ranges::equal(recent, dims, are_same)) {
    // A reused shape is charged like a copy, so that the cost of a value does not depend on the values before it.
    (void)Charge(CostOfBytes(dims.size() * sizeof(Dim)));
  } else {
    const std::span<Dim> kept = NewSpan<Dim>(dims.size());
    std::ranges::transform(dims, kept.begin(), size_of);
    recent = kept;
  }
  type->shape = recent;
}

Dim Memory::Intern(std::vector<Term>& terms) {
  return Charge(CostOfTerms(terms.size())) && Normalize(terms) ? InternNormal(terms) : Dim();
}

Dim Memory::InternNormal(std::span<const Term> terms) {
  if (terms.empty() || terms[0].coefficient == 0) return Dim(0);
  if (terms.size() == 1 && terms[0].symbols.empty()) return Dim(terms[0].coefficient);
  if (terms.size() > kMostTerms || LengthOf(terms) > kLongest) return {};
  if (const auto found = expressions_.find(terms); found != expressions_.end()) {
    return Dim(*found);
  }
  const std::span<Term> kept = NewSpan<Term>(terms.size());
  std::copy(terms.begin(), terms.end(), kept.begin());
  return NewExpression(kept);
}

Dim Memory::NewExpression(std::span<const Term> terms) {
  constexpr std::size_t kEntry = 64;  // bytes of the table for one entry
  (void)Charge(CostOfBytes(kEntry));
  return Dim(*expressions_.insert(Keep(Expression(terms))).first);
}

Dim Memory::NewSymbol(Symbol symbol) {
  if (IsUsedUp()) return {};
  symbol.id = next_id_++;
  if (symbol.dividend == nullptr) symbol.youngest = symbol.id;
  const std::span<Term> terms = NewSpan<Term>(1);
  terms[0] = {1, Factors(Keep(symbol))};
  return NewExpression(terms);
}

Dim Memory::Named(std::string_view name) {
  if (!Charge(CostOf(name))) return {};
  if (const auto found = named_.find(name); found != named_.end()) return found->second;
  const std::span<char> kept = NewSpan<char>(name.size());
  std::ranges::copy(name, kept.begin());
  const std::string_view own(kept.data(), kept.size());
  return named_.emplace(own, NewSymbol({.name = own})).first->second;
}

Dim Memory::Fresh() { return NewSymbol({}); }

Dim Memory::OlderThan(std::uint32_t mark, Dim dim) const {
  const Expression* const expression = dim.expression();
  return expression == nullptr || IsOlder(*expression, mark) ? dim : Dim();
}

Type Memory::OlderThan(std::uint32_t mark, const Type& type) {
  Type older = type;
  if (type.element != nullptr) older.element = Keep(OlderThan(mark, *type.element));
  const auto is_young = [&](const Dim& dim) { return !dim.IsUnknown() && OlderThan(mark, dim).IsUnknown(); };
  if (std::ranges::any_of(type.shape, is_young)) {
    const Scope scope(*this);
    const std::span<Dim> dims = Scratch<Dim>(type.shape.size());
    std::ranges::transform(type.shape, dims.begin(), [&](const Dim& dim) { return OlderThan(mark, dim); });
    SetShape(&older, dims);
  }
  return older;
}

void Memory::NameUnknown(Type* type) {
  if (IsUsedUp() || std::ranges::none_of(type->shape, &Dim::IsUnknown)) return;
  const std::span<Dim> dims = NewSpan<Dim>(type->shape.size());
  std::ranges::transform(type->shape, dims.begin(), [&](const Dim& dim) { return dim.IsUnknown() ? Fresh() : dim; });
  type->shape = dims;
}

Dim Memory::Add(Dim a, Dim b) {
  if (a.IsUnknown() || b.IsUnknown()) return {};
  if (a.IsNumber() && b.IsNumber()) {
    std::int64_t sum = 0;
    return __builtin_add_overflow(a.number(), b.number(), &sum) ? Overflow() : Dim(sum);
  }
  std::vector<Term> terms;
  AddTerms(a, terms);
  AddTerms(b, terms);
  return Intern(terms);
}

Dim Memory::Subtract(Dim a, Dim b) {
  if (!a.IsNumber() || !b.IsNumber()) return Add(a, Multiply(b, Dim(-1)));
  std::int64_t difference = 0;
  return __builtin_sub_overflow(a.number(), b.number(), &difference) ? Overflow() : Dim(difference);
}

Dim Memory::Multiply(Dim a, Dim b) {
  if (a.IsUnknown() || b.IsUnknown()) return {};
  if (a.IsNumber() && b.IsNumber()) {
    const std::optional<std::int64_t> product = onnxc::Multiply(a.number(), b.number());
    return product ? Dim(*product) : Overflow();
  }
  if (a.Is(1)) return b;
  if (b.Is(1)) return a;
  if (const std::optional<Term> x = TermOf(a), y = TermOf(b); x && y) {
    const std::optional<Term> product = infer::Product(*x, *y);
    return product ? InternNormal(std::span(&*product, 1)) : Dim();
  }
  std::vector<Term> terms;
  const std::vector<Term> by = TermsOf(b);
  for (const Term& x : TermsOf(a)) {
    for (const Term& y : by) {
      const std::optional<Term> product = infer::Product(x, y);
      if (!product) return {};
      terms.push_back(*product);
    }
  }
  return Intern(terms);
}

Dim Memory::DivideExactly(Dim a, Dim b) {
  if (a.IsUnknown() || b.IsUnknown() || b.Is(0)) return {};
  if (a.Is(0)) return a;
  if (a.IsNumber() && b.IsNumber()) {
    if (b.Is(-1)) return Multiply(a, b);
    return a.number() % b.number() == 0 ? Dim(a.number() / b.number()) : Dim();
  }
  if (a.Equals(b)) return Dim(1);
  if (const std::optional<Term> x = TermOf(a), y = TermOf(b); x && y) {
    const std::optional<Term> quotient = Divide(*x, *y);
    return quotient && Charge(CostOfTerms(1)) ? InternNormal(std::span(&*quotient, 1)) : Dim();
  }
  const std::vector<Term> by = TermsOf(b);
  if (by.size() != 1) return {};
  std::vector<Term> quotient;
  for (const Term& term : TermsOf(a)) {
    std::optional<Term> part = Divide(term, by[0]);
    if (!part) return {};
    quotient.push_back(*part);
  }
  return Intern(quotient);
}

Dim Memory::FloorDivide(Dim a, Dim b) {
  if (a.IsUnknown() || b.IsUnknown() || b.Is(0)) return {};
  if (a.IsNumber() && b.IsNumber()) {
    return b.Is(-1) ? Multiply(a, b) : Dim(FloorOf(a.number(), b.number()));
  }
  if (const Dim exact = DivideExactly(a, b); !exact.IsUnknown()) return exact;
  if (a.expression() == nullptr || !b.IsNumber() || b.number() < 0) return {};
  // Multiples of the divisor are moved out of the quotient: (2*N + 3) / 2 is N + 1 plus a quotient of the rest.
  std::vector<Term> whole;
  std::vector<Term> rest;
  for (const Term& term : TermsOf(a)) {
    const std::int64_t multiple = FloorOf(term.coefficient, b.number());
    const std::int64_t left = term.coefficient - multiple * b.number();
    if (multiple != 0) whole.push_back({multiple, term.symbols});
    if (left != 0) rest.push_back({left, term.symbols});
  }
  const Dim dividend = Intern(rest);
  if (dividend.IsUnknown()) return {};
  if (dividend.IsNumber()) return Add(Intern(whole), Dim(FloorOf(dividend.number(), b.number())));
  const std::optional<Symbol> symbol = QuotientOf(*dividend.expression(), b.number());
  if (!symbol) return {};
  const std::uint64_t key = reinterpret_cast<std::uintptr_t>(dividend.expression()) * 0x9e3779b97f4a7c15u ^
                            static_cast<std::uint64_t>(b.number());
  Quotient& quotient = quotients_[key];
  if (quotient.value.IsUnknown()) {
    quotient = {dividend, b.number(), NewSymbol(*symbol)};
  }
  if (!quotient.dividend.Equals(dividend) || quotient.divisor != b.number()) return {};  // a collision of hashes
  return Add(Intern(whole), quotient.value);
}

Dim Memory::CeilDivide(Dim a, Dim b) { return FloorDivide(Add(a, Subtract(b, Dim(1))), b); }

Dim Memory::Product(std::span<const Dim> dims) {
  if (std::any_of(dims.begin(), dims.end(), [](const Dim& dim) { return dim.Is(0); })) return Dim(0);
  std::int64_t number = 1;
  Dim symbols(1);
  for (const Dim& dim : dims) {
    if (!dim.IsNumber()) {
      symbols = Multiply(symbols, dim);
    } else if (__builtin_mul_overflow(number, dim.number(), &number)) {
      return Overflow();
    }
  }
  return Multiply(symbols, Dim(number));
}

}  // namespace onnxc::infer
