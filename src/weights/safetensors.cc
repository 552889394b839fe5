// Reads and writes the safetensors format: the size of the header in 8 bytes, the header in JSON, then the data without
// gaps. A file that the format's own library would refuse is refused, too.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "source/report.h"
#include "tables/element_types.h"
#include "weights/layout.h"

namespace onnxc::weights {
namespace {

using onnx::TensorProto;

constexpr std::string_view kMetadata = "__metadata__";
constexpr std::uint64_t kLengthBytes = 8;
constexpr std::uint64_t kLargestHeader = 100'000'000;  // the limit of the format's own library
constexpr std::uint64_t kAlignment = 64;

/// The element types of the format. Those with UNDEFINED are neither written nor attached, but a file that contains
/// them is read.
struct TypeName {
  int data_type;
  std::string_view name;
  std::uint64_t bits;
};
constexpr TypeName kTypes[] = {{TensorProto::BOOL, "BOOL", 8},
                               {TensorProto::UINT8, "U8", 8},
                               {TensorProto::INT8, "I8", 8},
                               {TensorProto::UINT16, "U16", 16},
                               {TensorProto::INT16, "I16", 16},
                               {TensorProto::FLOAT16, "F16", 16},
                               {TensorProto::BFLOAT16, "BF16", 16},
                               {TensorProto::UINT32, "U32", 32},
                               {TensorProto::INT32, "I32", 32},
                               {TensorProto::FLOAT, "F32", 32},
                               {TensorProto::UINT64, "U64", 64},
                               {TensorProto::INT64, "I64", 64},
                               {TensorProto::DOUBLE, "F64", 64},
                               {TensorProto::COMPLEX64, "C64", 64},
                               {TensorProto::FLOAT8E4M3FN, "F8_E4M3", 8},
                               {TensorProto::FLOAT8E5M2, "F8_E5M2", 8},
                               {TensorProto::FLOAT8E4M3FNUZ, "F8_E4M3FNUZ", 8},
                               {TensorProto::FLOAT8E5M2FNUZ, "F8_E5M2FNUZ", 8},
                               {TensorProto::FLOAT8E8M0, "F8_E8M0", 8},
                               {TensorProto::UNDEFINED, "F6_E2M3", 6},
                               {TensorProto::UNDEFINED, "F6_E3M2", 6},
                               {TensorProto::UNDEFINED, "F4", 4}};

int Bits(const Slot& slot) { return FindElementType(slot.tensor->data_type())->bits; }

bool CanBeNamed(const Slot& slot, bool is_new, Diagnostics* found) {
  const auto report = [&](Diagnostic finding) {
    finding.path = slot.path;
    found->Add(std::move(finding));
    return false;
  };
  if (SafetensorsType(slot.tensor->data_type()).empty()) {
    return report(MakeDiagnostic(diag::kSafetensorsType, kNowhere, FindElementType(slot.tensor->data_type())->keyword));
  }
  if (slot.key == kMetadata || !is_new) {
    return report(MakeDiagnostic(diag::kSafetensorsName, kNowhere, Quoted(slot.key)));
  }
  return true;
}

// ---- reading

using nlohmann::json;

/// Reads the header only to find what a JSON library accepts, but no reader of this format: two equal keys in an
/// object, of which the library would keep one, and deep nesting.
class HeaderErrors : public nlohmann::json_sax<json> {
 public:
  /// Returns what is wrong with the header, or "" if nothing is.
  static std::string Find(std::string_view text) {
    HeaderErrors errors;
    // The library takes a zero byte for the end, and skips a mark of the byte order.
    const bool is_json = text.starts_with('{') && text.find('\0') == std::string_view::npos;
    if (is_json && json::sax_parse(text, &errors)) return {};
    return errors.found_.empty() ? "its header is not a JSON object in UTF-8" : std::move(errors.found_);
  }

  bool null() override { return true; }
  bool boolean(bool /*value*/) override { return true; }
  bool number_integer(number_integer_t /*value*/) override { return true; }
  bool number_unsigned(number_unsigned_t /*value*/) override { return true; }
  bool number_float(number_float_t /*value*/, const string_t& /*text*/) override { return true; }
  bool string(string_t& /*value*/) override { return true; }
  bool binary(binary_t& /*value*/) override { return true; }
  bool start_array(std::size_t /*size*/) override { return Begin(); }
  bool end_array() override { return End(); }
  bool start_object(std::size_t /*size*/) override { return Begin(); }
  bool end_object() override { return End(); }
  bool key(string_t& name) override {
    return keys_.back().insert(name).second || Fail(fmt::format("its header contains '{}' twice", Quoted(name)));
  }
  bool parse_error(std::size_t /*at*/, const std::string& /*token*/, const json::exception& /*error*/) override {
    return false;
  }

 private:
  bool Begin() {
    constexpr std::size_t kDeepest = 3;  // the header, a tensor, and its lists
    keys_.emplace_back();
    return keys_.size() <= kDeepest || Fail("its header nests too deeply");
  }
  bool End() {
    keys_.pop_back();
    return true;
  }
  bool Fail(std::string why) {
    found_ = std::move(why);
    return false;
  }

  std::vector<OwnedNameSet> keys_;  // of each open object
  std::string found_;
};

/// Returns the numbers of a list, or nothing if the value is not a list of numbers that are not negative.
std::optional<std::vector<std::uint64_t>> ReadNumbers(const json& entry, const char* key) {
  const auto list = entry.find(key);
  if (list == entry.end() || !list->is_array()) return std::nullopt;
  std::vector<std::uint64_t> numbers;
  for (const json& number : *list) {
    if (!number.is_number_unsigned()) return std::nullopt;
    numbers.push_back(number.get<std::uint64_t>());
  }
  return numbers;
}

/// Returns how many bytes the elements of a tensor have, or nothing if that is not a number of whole bytes, or too
/// large.
std::optional<std::uint64_t> SizeOf(const TypeName& type, const std::vector<std::uint64_t>& shape) {
  std::uint64_t bits = type.bits;
  for (const std::uint64_t size : shape) {
    if (__builtin_mul_overflow(bits, size, &bits)) return std::nullopt;
  }
  return bits % CHAR_BIT == 0 ? std::optional(bits / CHAR_BIT) : std::nullopt;
}

/// Reads the entry of a tensor, whose offsets are relative to the end of the header. Returns what is wrong with it, or
/// "" if nothing is.
std::string ReadEntry(const json& value, SafetensorsEntry* entry) {
  if (!value.is_object()) return "the entry is not an object";
  const auto dtype = value.find("dtype");
  if (dtype == value.end() || !dtype->is_string()) return "its dtype is not a string";
  entry->dtype = dtype->get<std::string>();
  const auto* const type = std::ranges::find(kTypes, std::string_view(entry->dtype), &TypeName::name);
  if (type == std::end(kTypes)) return fmt::format("its dtype '{}' is not known", Quoted(entry->dtype));
  auto shape = ReadNumbers(value, "shape");
  if (!shape) return "its shape is not a list of sizes";
  entry->shape = *std::move(shape);
  const auto offsets = ReadNumbers(value, "data_offsets");
  if (!offsets || offsets->size() != 2 || (*offsets)[0] > (*offsets)[1]) {
    return "its data_offsets are not two offsets, the begin and the end";
  }
  entry->offset = (*offsets)[0];
  entry->size = (*offsets)[1] - (*offsets)[0];
  const std::optional<std::uint64_t> size = SizeOf(*type, entry->shape);
  if (size == entry->size) return {};
  return fmt::format("its data_offsets contain {} bytes, but its dtype and shape need {}", entry->size,
                     size ? fmt::format("{}", *size) : "another number");
}

/// Returns an error unless the entries of the metadata are strings, as the format requires.
std::string ReadMetadata(const json& value) {
  const bool is_valid =
      value.is_object() && std::all_of(value.begin(), value.end(), [](const json& item) { return item.is_string(); });
  return is_valid ? "" : "it is not an object of strings";
}

/// Returns an error unless the ranges of the tensors cover the `size` bytes after the header without gaps and overlaps.
std::string FindGaps(const OwnedNameMap<SafetensorsEntry>& entries, std::uint64_t size) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
  for (const auto& [name, entry] : entries) ranges.emplace_back(entry.offset, entry.offset + entry.size);
  std::ranges::sort(ranges);
  std::uint64_t end = 0;
  for (const auto& [first, last] : ranges) {
    if (first != end) {
      return fmt::format("the data of its tensors {} at the offset {}", first < end ? "overlap" : "have a gap",
                         std::min(first, end));
    }
    end = last;
  }
  if (end == size) return {};
  return fmt::format("its tensors have {} bytes of data, but the file contains {}", end, size);
}

}  // namespace

bool IsSafetensors(std::string_view file_name) { return file_name.ends_with(".safetensors"); }

std::string_view SafetensorsType(int data_type) {
  if (data_type == TensorProto::UNDEFINED) return {};
  const auto* row = std::find_if(std::begin(kTypes), std::end(kTypes),
                                 [&](const TypeName& type) { return type.data_type == data_type; });
  return row == std::end(kTypes) ? std::string_view() : row->name;
}

std::string LayOutSafetensors(std::vector<Slot>* slots, std::vector<Extent>* extents, Diagnostics* found) {
  std::stable_sort(slots->begin(), slots->end(), [](const Slot& a, const Slot& b) { return Bits(a) > Bits(b); });
  const auto dump = [](const nlohmann::ordered_json& value) {
    return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  };
  // The header is written entry by entry, because an ordered JSON object would search all of its entries for each new
  // one.
  std::string text = "{";
  NameSet keys;
  std::uint64_t end = 0;
  for (Slot& slot : *slots) {
    if (!CanBeNamed(slot, keys.insert(slot.key).second, found)) continue;
    slot.offset = end;
    end += slot.size;
    const nlohmann::ordered_json entry = {
        {"dtype", SafetensorsType(slot.tensor->data_type())},
        {"shape", std::vector<std::int64_t>(slot.tensor->dims().begin(), slot.tensor->dims().end())},
        {"data_offsets", {slot.offset, end}}};
    text += fmt::format("{}{}:{}", text.size() == 1 ? "" : ",", dump(slot.key), dump(entry));
  }
  text += '}';
  text.resize((kLengthBytes + text.size() + kAlignment - 1) / kAlignment * kAlignment - kLengthBytes, ' ');
  const std::uint64_t length = text.size();
  std::string head(kLengthBytes, '\0');
  std::memcpy(head.data(), &length, kLengthBytes);
  head += text;
  for (Slot& slot : *slots) {
    slot.offset += head.size();
    extents->push_back({slot.offset, slot.tensor, slot.source});
  }
  return head;
}

OwnedNameMap<SafetensorsEntry> ReadSafetensors(const DataFile& file, std::string* problem) {
  OwnedNameMap<SafetensorsEntry> entries;
  const auto refuse = [&](std::string_view why) {
    *problem = fmt::format("is not a safetensors file: {}", why);
    return OwnedNameMap<SafetensorsEntry>();
  };
  std::uint64_t length = 0;
  std::array<char, kLengthBytes> bytes{};
  if (file.size() < kLengthBytes) return refuse("it has fewer than 8 bytes");
  if (const int error = file.Read(0, bytes.data(), bytes.size()); error != 0) return refuse(Reason(error));
  std::memcpy(&length, bytes.data(), kLengthBytes);
  if (length > kLargestHeader) return refuse(fmt::format("its header has more than {} bytes", kLargestHeader));
  const std::uint64_t rest = file.size() - kLengthBytes;
  if (length > rest) return refuse(fmt::format("its header has {} bytes, but the file only {}", length, rest));
  std::string text(static_cast<std::size_t>(length), '\0');
  if (const int error = file.Read(kLengthBytes, text.data(), text.size()); error != 0) return refuse(Reason(error));
  std::string why = HeaderErrors::Find(text);
  if (!why.empty()) return refuse(why);
  const json header = json::parse(text, nullptr, /*allow_exceptions=*/false);
  for (const auto& [name, value] : header.items()) {
    SafetensorsEntry entry;
    why = name == kMetadata ? ReadMetadata(value) : ReadEntry(value, &entry);
    if (!why.empty()) return refuse(fmt::format("'{}': {}", Quoted(name), why));
    if (name != kMetadata) entries.emplace(name, std::move(entry));
  }
  if (why = FindGaps(entries, rest - length); !why.empty()) return refuse(why);
  for (auto& [name, entry] : entries) entry.offset += kLengthBytes + length;
  problem->clear();
  return entries;
}

}  // namespace onnxc::weights
