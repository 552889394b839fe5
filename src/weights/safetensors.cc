// Reads and writes the safetensors format: the size of the header in 8 bytes, the header in JSON, then the data without
// gaps.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <nlohmann/json.hpp>

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

struct TypeName {
  int data_type;
  std::string_view name;
};
constexpr TypeName kTypes[] = {
    {TensorProto::BOOL, "BOOL"},         {TensorProto::UINT8, "U8"},      {TensorProto::INT8, "I8"},
    {TensorProto::UINT16, "U16"},        {TensorProto::INT16, "I16"},     {TensorProto::FLOAT16, "F16"},
    {TensorProto::BFLOAT16, "BF16"},     {TensorProto::UINT32, "U32"},    {TensorProto::INT32, "I32"},
    {TensorProto::FLOAT, "F32"},         {TensorProto::UINT64, "U64"},    {TensorProto::INT64, "I64"},
    {TensorProto::DOUBLE, "F64"},        {TensorProto::COMPLEX64, "C64"}, {TensorProto::FLOAT8E4M3FN, "F8_E4M3"},
    {TensorProto::FLOAT8E5M2, "F8_E5M2"}};

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

/// Returns the entry, or nothing if the value is not valid. The data of all tensors begin at offset `data` of the file
/// and end at `end`.
std::optional<SafetensorsEntry> ReadEntry(const nlohmann::json& value, std::uint64_t data, std::uint64_t end) {
  if (!value.is_object() || !value.contains("dtype") || !value.contains("data_offsets")) return std::nullopt;
  const nlohmann::json& dtype = value["dtype"];
  const nlohmann::json& offsets = value["data_offsets"];
  if (!dtype.is_string() || !offsets.is_array() || offsets.size() != 2) return std::nullopt;
  if (!offsets[0].is_number_unsigned() || !offsets[1].is_number_unsigned()) return std::nullopt;
  const auto first = offsets[0].get<std::uint64_t>();
  const auto last = offsets[1].get<std::uint64_t>();
  if (first > last || last > end - data) return std::nullopt;
  return SafetensorsEntry{dtype.get<std::string>(), data + first, last - first};
}

}  // namespace

bool IsSafetensors(std::string_view file_name) { return file_name.ends_with(".safetensors"); }

std::string_view SafetensorsType(int data_type) {
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
  std::uint64_t length = 0;
  std::array<char, kLengthBytes> bytes{};
  if (file.size() >= kLengthBytes && file.Read(0, bytes.data(), bytes.size()) == 0) {
    std::memcpy(&length, bytes.data(), kLengthBytes);
  }
  OwnedNameMap<SafetensorsEntry> entries;
  *problem = "is not a safetensors file";
  if (length == 0 || length > kLargestHeader || length > file.size() - kLengthBytes) return entries;
  std::string text(static_cast<std::size_t>(length), '\0');
  if (file.Read(kLengthBytes, text.data(), text.size()) != 0) return entries;
  const nlohmann::json header = nlohmann::json::parse(text, nullptr, false);
  if (!header.is_object()) return entries;
  for (const auto& [name, value] : header.items()) {
    if (name == kMetadata) continue;
    std::optional<SafetensorsEntry> entry = ReadEntry(value, kLengthBytes + length, file.size());
    if (!entry.has_value()) {
      *problem = fmt::format("does not contain the data that its header lists for '{}'", Quoted(name));
      return {};
    }
    entries.emplace(name, *std::move(entry));
  }
  problem->clear();
  return entries;
}

}  // namespace onnxc::weights
