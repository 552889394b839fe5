#include "infer/memory.h"

#include <compare>

#include "tables/element_count.h"

namespace onnxc::infer {
namespace {

constexpr std::size_t kMostTerms = 8;
constexpr std::size_t kMostFactors = 6;

std::weak_ordering Compare(const Term& a, const Term& b) {
  return std::lexicographical_compare_three_way(
      a.symbols.begin(), a.symbols.end(), b.symbols.begin(), b.symbols.end(),
      [](const Symbol* x, const Symbol* y) -> std::weak_ordering { return x->id <=> y->id; });
}

/// The terms of a known dimension; none for 0.
std::vector<Term> TermsOf(Dim dim) {
  if (const Expression* const expression = dim.expression()) return expression->terms();
  return dim.Is(0) ? std::vector<Term>() : std::vector<Term>{Term{dim.number(), {}}};
}

/// Sorts the terms and adds up those of the same symbols. False where a coefficient overflows.
bool Normalize(std::vector<Term>* terms) {
  std::sort(terms->begin(), terms->end(), [](const Term& a, const Term& b) { return Compare(a, b) < 0; });
  std::vector<Term> sum;
  for (Term& term : *terms) {
    if (!sum.empty() && sum.back().symbols == term.symbols) {
      if (__builtin_add_overflow(sum.back().coefficient, term.coefficient, &sum.back().coefficient)) return false;
    } else {
      sum.push_back(std::move(term));
    }
  }
  std::erase_if(sum, [](const Term& term) { return term.coefficient == 0; });
  *terms = std::move(sum);
  return true;
}

/// `term` without the factors of `by`; nothing where they do not divide it.
std::optional<Term> Divide(const Term& term, const Term& by) {
  if (by.coefficient == 0 || term.coefficient % by.coefficient != 0) return std::nullopt;
  Term quotient{term.coefficient / by.coefficient, {}};
  std::size_t used = 0;
  for (const Symbol* const symbol : term.symbols) {
    if (used < by.symbols.size() && by.symbols[used] == symbol) {
      ++used;
    } else {
      quotient.symbols.push_back(symbol);
    }
  }
  if (used != by.symbols.size()) return std::nullopt;
  return quotient;
}

bool IsOlder(const Expression& expression, std::uint32_t mark) {
  for (const Term& term : expression.terms()) {
    for (const Symbol* const symbol : term.symbols) {
      // A quotient is as old as what it is made of.
      if (symbol->dividend != nullptr ? !IsOlder(*symbol->dividend, mark) : symbol->id >= mark) return false;
    }
  }
  return true;
}

std::int64_t FloorOf(std::int64_t a, std::int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }

}  // namespace

const Symbol* Expression::AsSymbol() const {
  const bool is_one = terms_.size() == 1 && terms_[0].coefficient == 1 && terms_[0].symbols.size() == 1;
  return is_one ? terms_[0].symbols[0] : nullptr;
}

std::size_t Memory::Hash::operator()(const Expression* expression) const {
  std::size_t hash = 0;
  for (const Term& term : expression->terms()) {
    hash = hash * 1000003 + static_cast<std::size_t>(term.coefficient);
    for (const Symbol* const symbol : term.symbols) hash = hash * 31 + symbol->id;
  }
  return hash;
}

Dim Memory::Intern(std::vector<Term> terms) {
  if (!Normalize(&terms)) return {};
  if (terms.empty()) return Dim(0);
  if (terms.size() == 1 && terms[0].symbols.empty()) return Dim(terms[0].coefficient);
  const bool is_long = terms.size() > kMostTerms || std::any_of(terms.begin(), terms.end(), [](const Term& term) {
                         return term.symbols.size() > kMostFactors;
                       });
  if (is_long) return {};
  auto expression = std::make_unique<const Expression>(std::move(terms));
  const auto [found, is_new] = expressions_.insert(expression.get());
  if (is_new) owned_.push_back(std::move(expression));
  return Dim(*found);
}

const Symbol* Memory::NewSymbol(Symbol symbol) {
  symbol.id = next_id_++;
  return symbols_.emplace_back(std::make_unique<const Symbol>(symbol)).get();
}

Dim Memory::Named(std::string_view name) {
  const auto [found, is_new] = named_.try_emplace(name);
  if (is_new) found->second = Intern({Term{1, {NewSymbol({.name = name})}}});
  return found->second;
}

Dim Memory::Fresh() { return Intern({Term{1, {NewSymbol({})}}}); }

Dim Memory::OlderThan(std::uint32_t mark, Dim dim) const {
  const Expression* const expression = dim.expression();
  return expression == nullptr || IsOlder(*expression, mark) ? dim : Dim();
}

Type Memory::OlderThan(std::uint32_t mark, const Type& type) {
  Type older = type;
  if (type.element != nullptr) older.element = Keep(OlderThan(mark, *type.element));
  const auto is_young = [&](const Dim& dim) { return !dim.IsUnknown() && OlderThan(mark, dim).IsUnknown(); };
  if (std::ranges::any_of(type.shape, is_young)) {
    const std::span<Dim> dims = NewSpan<Dim>(type.shape.size());
    std::ranges::transform(type.shape, dims.begin(), [&](const Dim& dim) { return OlderThan(mark, dim); });
    older.shape = dims;
  }
  return older;
}

void Memory::NameUnknown(Type* type) {
  if (std::ranges::none_of(type->shape, &Dim::IsUnknown)) return;
  const std::span<Dim> dims = NewSpan<Dim>(type->shape.size());
  std::ranges::transform(type->shape, dims.begin(), [&](const Dim& dim) { return dim.IsUnknown() ? Fresh() : dim; });
  type->shape = dims;
}

Dim Memory::Add(Dim a, Dim b) {
  if (a.IsUnknown() || b.IsUnknown()) return {};
  if (a.IsNumber() && b.IsNumber()) {
    std::int64_t sum = 0;
    return __builtin_add_overflow(a.number(), b.number(), &sum) ? Dim() : Dim(sum);
  }
  std::vector<Term> terms = TermsOf(a);
  for (Term& term : TermsOf(b)) terms.push_back(std::move(term));
  return Intern(std::move(terms));
}

Dim Memory::Subtract(Dim a, Dim b) { return Add(a, Multiply(b, Dim(-1))); }

Dim Memory::Multiply(Dim a, Dim b) {
  if (a.IsUnknown() || b.IsUnknown()) return {};
  if (a.IsNumber() && b.IsNumber()) {
    const std::optional<std::int64_t> product = onnxc::Multiply(a.number(), b.number());
    return product ? Dim(*product) : Dim();
  }
  std::vector<Term> terms;
  for (const Term& x : TermsOf(a)) {
    for (const Term& y : TermsOf(b)) {
      Term term{0, x.symbols};
      if (__builtin_mul_overflow(x.coefficient, y.coefficient, &term.coefficient)) return {};
      term.symbols.insert(term.symbols.end(), y.symbols.begin(), y.symbols.end());
      std::sort(term.symbols.begin(), term.symbols.end(), [](const auto* l, const auto* r) { return l->id < r->id; });
      terms.push_back(std::move(term));
    }
  }
  return Intern(std::move(terms));
}

Dim Memory::DivideExactly(Dim a, Dim b) {
  if (a.IsUnknown() || b.IsUnknown() || b.Is(0)) return {};
  if (a.IsNumber() && b.IsNumber()) {
    if (b.Is(-1)) return Multiply(a, b);
    return a.number() % b.number() == 0 ? Dim(a.number() / b.number()) : Dim();
  }
  if (a.Equals(b)) return Dim(1);
  const std::vector<Term> by = TermsOf(b);
  if (by.size() != 1) return {};
  std::vector<Term> quotient;
  for (const Term& term : TermsOf(a)) {
    std::optional<Term> part = Divide(term, by[0]);
    if (!part) return {};
    quotient.push_back(std::move(*part));
  }
  return Intern(std::move(quotient));
}

Dim Memory::FloorDivide(Dim a, Dim b) {
  if (a.IsUnknown() || b.IsUnknown() || b.Is(0)) return {};
  if (a.IsNumber() && b.IsNumber()) {
    return b.Is(-1) ? Multiply(a, b) : Dim(FloorOf(a.number(), b.number()));
  }
  if (const Dim exact = DivideExactly(a, b); !exact.IsUnknown()) return exact;
  if (a.expression() == nullptr || !b.IsNumber() || b.number() < 0) return {};
  // Whole multiples go in front of the quotient: (2*N + 3) / 2 is N + 1 and the rest.
  std::vector<Term> whole;
  std::vector<Term> rest;
  for (const Term& term : TermsOf(a)) {
    const std::int64_t multiple = FloorOf(term.coefficient, b.number());
    const std::int64_t left = term.coefficient - multiple * b.number();
    if (multiple != 0) whole.push_back({multiple, term.symbols});
    if (left != 0) rest.push_back({left, term.symbols});
  }
  const Dim dividend = Intern(std::move(rest));
  if (dividend.IsUnknown()) return {};
  if (dividend.IsNumber()) return Add(Intern(std::move(whole)), Dim(FloorOf(dividend.number(), b.number())));
  const bool is_deep = std::any_of(dividend.expression()->terms().begin(), dividend.expression()->terms().end(),
                                   [](const Term& term) { return term.symbols.size() > 3; });
  if (is_deep) return {};
  const std::uint64_t key = reinterpret_cast<std::uintptr_t>(dividend.expression()) * 0x9e3779b97f4a7c15u ^
                            static_cast<std::uint64_t>(b.number());
  Quotient& quotient = quotients_[key];
  if (quotient.value.IsUnknown()) {
    quotient = {dividend, b.number(),
                Intern({Term{1, {NewSymbol({.dividend = dividend.expression(), .divisor = b.number()})}}})};
  }
  if (!quotient.dividend.Equals(dividend) || quotient.divisor != b.number()) return {};  // the same key by chance
  return Add(Intern(std::move(whole)), quotient.value);
}

Dim Memory::CeilDivide(Dim a, Dim b) { return FloorDivide(Add(a, Subtract(b, Dim(1))), b); }

Dim Memory::Product(std::span<const Dim> dims) {
  if (std::any_of(dims.begin(), dims.end(), [](const Dim& dim) { return dim.Is(0); })) return Dim(0);
  Dim product(1);
  for (const Dim& dim : dims) product = Multiply(product, dim);
  return product;
}

}  // namespace onnxc::infer
