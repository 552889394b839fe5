#include "lower/elements.h"

#include <algorithm>
#include <climits>
#include <optional>
#include <string>
#include <utility>

#include "lower/list_token.h"
#include "lower/literal.h"
#include "source/portions.h"
#include "syntax/syntax_errors.h"
#include "tables/data_fields.h"
#include "tables/element_count.h"
#include "tables/entry_range.h"
#include "tables/foreign_words.h"
#include "tables/raw_data.h"
#include "tables/small_float.h"
#include "wire/wire.h"

namespace onnxc::lower {
namespace {

// ---- single elements

// Reads a value of a small floating-point type, such as `1.5` or `-inf`. A bare integer is the bits of the value.
bool ReadSmallFloat(const SyntaxToken& literal, const ElementType& type, Lowering& lowering, std::int32_t* bits) {
  if (IsInteger(literal.text)) return ReadNumber(literal.text, literal.range(), type.keyword, lowering, bits);
  double value = 0;  // unused; the number is read to report literals that are malformed or not numbers
  if (IsNanBits(literal.text)) {
    lowering.Report(diag::kMalformedNumber, literal.range(), Quoted(literal.text));
    return false;
  }
  if (!ReadNumber(literal.text, literal.range(), type.keyword, lowering, &value)) return false;
  const SmallFloatBits result = EncodeSmallFloat(*FindSmallFloat(type.code), literal.text);
  const auto none = [&](std::string_view what) {
    lowering.Report(diag::kNotOfTheType, literal.range(), type.keyword, what);
    return false;
  };
  switch (result.error) {
    case SmallFloatError::kNone: *bits = static_cast<std::int32_t>(result.bits); return true;
    case SmallFloatError::kTooLarge:
      lowering.Report(diag::kFloatOutOfRange, literal.range(), Quoted(literal.text), type.keyword);
      return false;
    case SmallFloatError::kNoInfinity: return none("infinity");
    case SmallFloatError::kNoNan: return none("NaN");
    case SmallFloatError::kNoSign: return none("negative numbers");
    case SmallFloatError::kNoZero: return none("zero");
  }
  return false;
}

bool ReadElement(const SyntaxToken& literal, const ElementType& type, Lowering& lowering, std::int32_t* value) {
  if (type.literal == Literal::kBits) return ReadSmallFloat(literal, type, lowering, value);
  return ReadNumber(literal.text, literal.range(), type.keyword, lowering, value);
}

template <typename Number>
bool ReadElement(const SyntaxToken& literal, const ElementType& type, Lowering& lowering, Number* value) {
  return ReadNumber(literal.text, literal.range(), type.keyword, lowering, value);
}

template <typename Number>
void Add(const SyntaxToken& literal, const ElementType& type, Lowering& lowering,
         google::protobuf::RepeatedField<Number>* values) {
  Number value{};
  if (literal.type == Grammar::STRING) {
    Diagnostic diagnostic = MakeDiagnostic(diag::kWrongLiteral, literal.range(), "a number", Describe(literal));
    const std::string_view inner = literal.text.substr(1, literal.text.size() - 2);
    if (literal.text.size() > 2 && IsWellFormedNumber(inner))
      diagnostic.fix_its = {{literal.range(), std::string(inner)}};
    lowering.ReportMember(std::move(diagnostic), "a string");
  } else if (ReadElement(literal, type, lowering, &value)) {
    values->Add(value);
  }
}

// ---- lists

constexpr std::string_view kBlanks = " \t\n\v\f\r";

// Calls `visit` with each literal of a list token as a separate token.
template <typename Visit>
void ForEachLiteral(const SyntaxToken& list, Lowering& lowering, const Visit& visit) {
  const std::string_view inner = list.text.substr(1, list.text.size() - 2);
  if (inner.find_first_not_of(kBlanks) == std::string_view::npos || !FitsList(list, lowering)) return;
  for (std::size_t at = 0; at <= inner.size();) {
    const std::size_t end = std::min(inner.find(',', at), inner.size());
    std::string_view literal = inner.substr(at, end - at);
    literal.remove_prefix(std::min(literal.find_first_not_of(kBlanks), literal.size()));
    literal = literal.substr(0, literal.find_last_not_of(kBlanks) + 1);
    const std::size_t offset = list.begin + 1;
    if (literal.empty() && at != 0) {
      return ReportExtraComma(offset + at - 1, lowering);
    }
    SyntaxToken token;
    token.type = Grammar::FLOAT;
    token.text = literal;
    token.begin = offset + static_cast<std::size_t>(literal.data() - inner.data());
    visit(token);
    at = end + 1;
  }
}

bool HasSmallFloatValues(const SyntaxToken& list) {
  return list.text.find_first_of(".eEnNiI") != std::string_view::npos;
}

// Returns whether all written elements are integers.
bool HoldsIntegers(const Grammar::DenseContext* tree) {
  while (tree->packed != nullptr) tree = tree->packed;
  if (First(tree).type == Grammar::DATA) return !HasSmallFloatValues(First(tree));
  for (const auto* element : ChildrenOf<Grammar::ElementContext>(tree)) {
    if (First(element).type != Grammar::INT) return false;
  }
  return true;
}

// An integer among values of a small floating-point type is read as the bits of a value. Reports the integer if this
// value is tiny, because that is rarely intended. Returns whether it was reported.
bool ReportBitsAmongValues(const SyntaxToken& literal, const ElementType& type, Lowering& lowering) {
  constexpr std::size_t kMostDigits = 4;  // a number with more digits is not the bit pattern of a tiny value
  const SmallFloat* const format = FindSmallFloat(type.code);
  if (format == nullptr || !IsInteger(literal.text) || literal.text.size() > kMostDigits) return false;
  std::int32_t bits = 0;
  if (!ReadNumber(literal.text, literal.range(), type.keyword, lowering, &bits)) return true;
  if (bits <= 0 || bits >= 1 << format->mantissa_bits) return false;
  Diagnostic diagnostic =
      MakeDiagnostic(diag::kWrongLiteral, literal.range(), "a value with a dot, like the other elements",
                     fmt::format("the bit pattern {}, which means {}", literal.text,
                                 DecodeSmallFloat(*format, static_cast<std::uint32_t>(bits))));
  diagnostic.fix_its = {{literal.range(), fmt::format("{}.0", literal.text)}};
  lowering.ReportMember(std::move(diagnostic), "bits");
  return true;
}

void ReportFileInBraces(const Grammar::DenseContext* tree, Lowering& lowering) {
  const SourceRange range = RangeOf(tree);
  Diagnostic diagnostic = MakeDiagnostic(diag::kWrongBrackets, {range.begin, range.begin + 1}, "[...]",
                                         "the location of external data", "{...}");
  diagnostic.fix_its = {{{range.begin, range.begin + 1}, "["}, {{range.end - 1, range.end}, "]"}};
  lowering.ReportMember(std::move(diagnostic), "");
}

// dense   : DATA | STRING_DATA | '{' (packed=dense | element (',' element)*)? '}'
// element : scalar (':' scalar)? | '[' INT (',' INT)* ']' ':' scalar
template <typename Visit>
void ForEachElement(const Grammar::DenseContext* tree, Lowering& lowering, const Visit& visit) {
  if (First(tree).type == Grammar::DATA) return ForEachLiteral(First(tree), lowering, visit);
  if (First(tree).type == Grammar::STRING_DATA) return ForEachString(First(tree), visit);
  for (const auto* element : ChildrenOf<Grammar::ElementContext>(tree)) {
    if (element->children.size() == 1 && First(element).type != Grammar::LBRACKET) {
      visit(First(element));
    } else if (First(element).text == "\"location\"") {  // `{"location": "weights.bin"}`
      return ReportFileInBraces(tree, lowering);
    } else {
      lowering.Report(diag::kIndexInDense, RangeOf(element));
    }
  }
}

template <typename Number>
void ReadElements(const Grammar::DenseContext* tree, const ElementType& type, Lowering& lowering,
                  google::protobuf::RepeatedField<Number>* values) {
  const SyntaxToken& first = First(tree);
  if (first.type == Grammar::DATA) {
    if (type.literal != Literal::kBits) return ReadListToken(first, type.keyword, lowering, values);
    if (ReadPlainListToken(first, lowering, values)) return;
    if (!HasSmallFloatValues(first)) return ReadListToken(first, type.keyword, lowering, values);
  }
  const bool has_values = first.type == Grammar::DATA && type.literal == Literal::kBits;
  ForEachElement(tree, lowering, [&](const SyntaxToken& literal) {
    if (has_values && ReportBitsAmongValues(literal, type, lowering)) return;
    Add(literal, type, lowering, values);
  });
}

// Appends the serialized field with the strings of the list.
void WriteStrings(const SyntaxToken& list, Chunks* chunks) {
  // The size of the text is enough: quotes and comma take as many bytes there as tag and length in the serialized
  // field, except for very long strings.
  std::string& bytes = RoomFor(list.text.size(), chunks);
  std::string value;
  ForEachString(list, [&](const SyntaxToken& token) {
    Unquote(token, &value);
    bytes.append(wire::Tag(onnx::TensorProto::kStringDataFieldNumber, value.size())).append(value);
  });
}

// Like WriteStrings(), for numbers. Returns false and writes nothing if the list contains anything but plain numbers.
template <typename Number>
bool WriteNumbers(const SyntaxToken& list, int field, const Lowering& lowering, FieldChunks* lists) {
  Chunks chunks;
  if (!WritePlainListToken<Number>(list, lowering, &chunks)) return false;
  const std::size_t size = SizeOf(chunks);
  if (size > INT_MAX) return false;  // too large for a file, but maybe not for a message
  chunks.insert(chunks.begin(), wire::Tag(field, size));
  (*lists)[field] = std::move(chunks);
  return true;
}

// Serializes a long list directly, because a message would need more memory and time. Returns false if the list is not
// long or not plain.
bool WriteLongList(const SyntaxToken& list, const ElementType& type, const Lowering& lowering, FieldChunks* lists) {
  constexpr std::size_t kLong = PortionSize(std::size_t{64} << 10);
  if (list.text.size() < kLong) return false;
  const int field = FieldOf(type.storage);
  if (list.type == Grammar::STRING_DATA && type.storage == Storage::kString) {
    WriteStrings(list, &(*lists)[field]);
    return true;
  }
  if (list.type != Grammar::DATA || lowering.is_raw()) return false;
  switch (type.storage) {
    case Storage::kInt32: return WriteNumbers<std::int32_t>(list, field, lowering, lists);
    case Storage::kInt64: return WriteNumbers<std::int64_t>(list, field, lowering, lists);
    case Storage::kUint64: return WriteNumbers<std::uint64_t>(list, field, lowering, lists);
    case Storage::kFloat: return WriteNumbers<float>(list, field, lowering, lists);
    case Storage::kDouble: return WriteNumbers<double>(list, field, lowering, lists);
    default: return false;
  }
}

// Reads the strings of a tensor. Words without quotes are reported as one mistake, however many there are.
void ReadStrings(const Grammar::DenseContext* tree, Lowering& lowering, onnx::TensorProto* tensor) {
  std::optional<Diagnostic> bare;
  ForEachElement(tree, lowering, [&](const SyntaxToken& token) {
    if (token.type != Grammar::STRING) {
      if (!bare) {
        bare = MakeDiagnostic(diag::kWrongLiteral, token.range(), "a string in double quotes",
                              fmt::format("'{}'", Quoted(token.text)));
      }
      bare->fix_its.push_back({token.range(), fmt::format("\"{}\"", token.text)});
      return;
    }
    lowering.Map(*tensor, token.range(), onnx::TensorProto::kStringDataFieldNumber, tensor->string_data_size());
    Unquote(token, tensor->add_string_data());
  });
  if (bare) lowering.ReportMisspelt(*std::move(bare), {}, {});
}

SourceRange ClosingBracket(const Grammar::DenseContext* tree) {
  const std::size_t end = RangeOf(tree).end;
  return {end - 1, end};
}

// Appends an element of less than 8 bits after `count` others. The first element of a byte is in its lowest bits. Each
// entry of `*bytes` holds one byte.
void AppendBits(std::uint32_t bits, int size, std::int64_t count,
                google::protobuf::RepeatedField<std::int32_t>* bytes) {
  const int shift = static_cast<int>(count * size % 8);
  if (shift == 0) bytes->Add(0);
  *bytes->rbegin() |= static_cast<std::int32_t>(bits << shift & 0xff);
  if (shift + size > 8) bytes->Add(static_cast<std::int32_t>(bits >> (8 - shift)));
}

// Reads `{{1, -2, 3}}`, a list of single elements of 2 or 4 bits. This form is also used for 6-bit types in raw_data,
// where their elements share bytes.
void ReadPacked(const Grammar::DenseContext* tree, const ElementType& type, Lowering& lowering,
                onnx::TensorProto* tensor) {
  const bool share_bytes = type.bits == 2 || type.bits == 4 || (type.bits == 6 && lowering.is_raw());
  if (!share_bytes) {
    return lowering.Report(diag::kNotOfTheType, RangeOf(tree), type.keyword, "elements that share a byte");
  }
  if (tree->packed != nullptr) {
    return lowering.Report(diag::kWrongLiteral, RangeOf(tree->packed), "a number", Describe(First(tree->packed)));
  }
  const std::int32_t low = type.is_signed && type.literal == Literal::kInteger ? -(1 << (type.bits - 1)) : 0;
  const std::int32_t high = low + (1 << type.bits) - 1;
  const std::optional<std::int64_t> expected = Product(tensor->dims());
  std::int64_t count = 0;
  SourceRange miscount = ClosingBracket(tree);
  ForEachElement(tree, lowering, [&](const SyntaxToken& literal) {
    if (count == expected) miscount = literal.range();
    std::int32_t value = 0;  // a wrong element is stored too, so that the elements after it keep their indices
    if (literal.type == Grammar::STRING) {
      lowering.Report(diag::kWrongLiteral, literal.range(), "a number", Describe(literal));
    } else if (ReadElement(literal, type, lowering, &value) && (value < low || value > high)) {
      lowering.Report(diag::kIntegerOutOfRange, literal.range(), Quoted(literal.text), type.keyword);
    }
    const auto bits = static_cast<std::uint32_t>(value) & ((1u << type.bits) - 1);
    AppendBits(bits, type.bits, count++, tensor->mutable_int32_data());
  });
  if (!expected) {
    lowering.Report(diag::kElementCount, RangeOf(tree), "too many", count);
  } else if (count != *expected) {
    lowering.Report(diag::kElementCount, miscount, fmt::to_string(*expected), count);
  }
}

// Records the place of an element that is not valid for its type, so that the checker can report it there.
void MapOutside(const Grammar::DenseContext* tree, const ElementType& type, Lowering& lowering,
                onnx::TensorProto* tensor) {
  const auto range = EntryRange(type);
  if (!range || tree->packed != nullptr) return;
  const bool is_int32 = type.storage == Storage::kInt32;
  int left = is_int32 ? FindOutside(tensor->int32_data(), *range) : FindOutside(tensor->uint64_data(), *range);
  if (left < 0) return;
  const int index = left;
  ForEachElement(tree, lowering, [&](const SyntaxToken& literal) {
    if (left-- == 0) lowering.Map(*tensor, literal.range(), FieldOf(type.storage), index);
  });
}

// Records a place for the checker's finding about a wrong number of elements: the first superfluous element, or the
// closing bracket if there are too few elements.
void MapMiscount(const Grammar::DenseContext* tree, const ElementType& type, Lowering& lowering,
                 onnx::TensorProto* tensor) {
  const std::optional<std::int64_t> elements = Product(tensor->dims());
  const std::int64_t size = CountEntries(*tensor, type.storage);
  if (!elements || *elements == 0 || size == 0 || tree->packed != nullptr) return;
  const std::optional<std::int64_t> most = MostEntriesFor(type, *elements);
  if (!most || (size >= EntriesFor(type, *elements) && size <= *most)) return;
  SourceRange range = ClosingBracket(tree);
  std::int64_t before = 0;
  if (size > *most) {
    ForEachElement(tree, lowering, [&](const SyntaxToken& literal) {
      if (before++ == *most) range = literal.range();
    });
  }
  const bool is_raw = lowering.is_raw() && type.storage != Storage::kString;
  const int field = is_raw ? onnx::TensorProto::kRawDataFieldNumber : FieldOf(type.storage);
  lowering.Map(*tensor, range, field, is_raw ? 0 : static_cast<int>(std::min(size, *most)));
}

// Clears the fields of typed data that hold numbers.
void ClearNumbers(onnx::TensorProto* tensor) {
  tensor->clear_int32_data();
  tensor->clear_int64_data();
  tensor->clear_uint64_data();
  tensor->clear_float_data();
  tensor->clear_double_data();
}

}  // namespace

void AddElement(const SyntaxToken& literal, const ElementType& type, Lowering& lowering, onnx::TensorProto* tensor) {
  switch (type.storage) {
    case Storage::kInt32: return Add(literal, type, lowering, tensor->mutable_int32_data());
    case Storage::kInt64: return Add(literal, type, lowering, tensor->mutable_int64_data());
    case Storage::kUint64: return Add(literal, type, lowering, tensor->mutable_uint64_data());
    case Storage::kFloat: return Add(literal, type, lowering, tensor->mutable_float_data());
    case Storage::kDouble: return Add(literal, type, lowering, tensor->mutable_double_data());
    case Storage::kString:
      if (literal.type == Grammar::STRING) return Unquote(literal, tensor->add_string_data());
      return lowering.Report(diag::kWrongLiteral, literal.range(), "a string", Describe(literal));
    case Storage::kNone: return;
  }
}

void FinishElements(const ElementType& type, SourceRange range, Lowering& lowering, onnx::TensorProto* tensor) {
  if (!lowering.is_raw() || type.storage == Storage::kString || type.storage == Storage::kNone) return;
  std::string raw;
  if (!AppendRaw(*tensor, type, &raw)) {
    return lowering.Report(diag::kIntegerOutOfRange, range, "an element", type.keyword);
  }
  ClearNumbers(tensor);
  if (!raw.empty()) tensor->set_raw_data(std::move(raw));
}

void BuildElements(const Grammar::DenseContext* tree, const ElementType& type, Lowering& lowering,
                   onnx::TensorProto* tensor, FieldChunks* lists) {
  const ListScope members(lowering);
  // Records the place of the list for two findings of the checker: integers that are bit patterns but look like values,
  // and elements that share bytes but seem to be listed one by one.
  const bool share_bytes = type.bits == 2 || type.bits == 4;
  if (lowering.HasMap() && (share_bytes || type.literal == Literal::kBits) && HoldsIntegers(tree)) {
    lowering.Map(*tensor, RangeOf(tree), onnx::TensorProto::kInt32DataFieldNumber);
  }
  if (tree->packed != nullptr) {
    ReadPacked(tree->packed, type, lowering, tensor);
  } else if (lists == nullptr || !WriteLongList(First(tree), type, lowering, lists)) {
    switch (type.storage) {
      case Storage::kInt32: ReadElements(tree, type, lowering, tensor->mutable_int32_data()); break;
      case Storage::kInt64: ReadElements(tree, type, lowering, tensor->mutable_int64_data()); break;
      case Storage::kUint64: ReadElements(tree, type, lowering, tensor->mutable_uint64_data()); break;
      case Storage::kFloat: ReadElements(tree, type, lowering, tensor->mutable_float_data()); break;
      case Storage::kDouble: ReadElements(tree, type, lowering, tensor->mutable_double_data()); break;
      case Storage::kString: ReadStrings(tree, lowering, tensor); break;
      case Storage::kNone: return;
    }
  }
  if (lowering.HasMap()) {
    MapOutside(tree, type, lowering, tensor);
    MapMiscount(tree, type, lowering, tensor);
  }
  FinishElements(type, RangeOf(tree), lowering, tensor);
}

}  // namespace onnxc::lower
