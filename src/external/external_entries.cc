#include "external/external_entries.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "source/names.h"
#include "source/report.h"

namespace onnxc {
namespace {

constexpr std::size_t kChecksumDigits = 64;

/// Returns the number that the text contains, or nothing if it is not a number or is too large for an offset in a file.
std::optional<std::uint64_t> ReadNumber(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return std::nullopt;
  return number;
}

bool IsChecksum(std::string_view text) {
  if (text.empty()) return true;
  if (!text.starts_with(kChecksumPrefix)) return false;
  text.remove_prefix(kChecksumPrefix.size());
  const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return text.size() == kChecksumDigits && std::all_of(text.begin(), text.end(), is_digit);
}

class EntryReader {
 public:
  explicit EntryReader(const onnx::TensorProto& tensor) : tensor_(tensor) {}

  ExternalEntries Read() {
    for (int i = 0; i < tensor_.external_data_size(); ++i) ReadEntry(i);
    if (entries_.elided.has_value()) {
      if (tensor_.external_data_size() > 1) Report(diag::kElidedAlone, -1);
    } else if (entries_.location_entry < 0) {
      Report(diag::kExternalLocationMissing, -1);
    }
    return std::move(entries_);
  }

 private:
  template <typename... Args>
  void Report(const DiagnosticBase<Args...>& kind, int entry, std::type_identity_t<Args>... args) {
    entries_.problems.push_back({MakeDiagnostic(kind, kNowhere, args...), entry});
  }

  void ReadEntry(int index) {
    const onnx::StringStringEntryProto& entry = tensor_.external_data(index);
    const std::string& key = entry.key();
    if (!keys_.Add(key)) {
      return Report(diag::kExternalKeyTwice, index, Quoted(key));
    }
    if (key == "location") {
      entries_.location = entry.value();
      entries_.location_entry = index;
      const std::string problem = LocationProblem(entry.value(), "the model's directory");
      if (!problem.empty()) Report(diag::kExternalLocation, index, Quoted(entry.value()), problem);
    } else if (key == "offset") {
      entries_.offset = ReadExtent(entry, index).value_or(0);
      entries_.offset_entry = index;
    } else if (key == "length") {
      entries_.length = ReadExtent(entry, index);
    } else if (key == kElidedKey) {
      entries_.elided = entry.value();
      if (IsChecksum(entry.value())) return;
      Report(diag::kElidedChecksum, index, Quoted(entry.value()));
    } else if (key != "checksum") {
      Report(diag::kExternalKey, index, Quoted(key));
    }
  }

  std::optional<std::uint64_t> ReadExtent(const onnx::StringStringEntryProto& entry, int index) {
    const auto number = ReadNumber(entry.value());
    if (!number.has_value()) {
      Report(diag::kExternalNumber, index, entry.key(), Quoted(entry.value()));
    }
    return number;
  }

  const onnx::TensorProto& tensor_;
  SeenNames keys_{static_cast<std::size_t>(tensor_.external_data_size())};
  ExternalEntries entries_;
};

void AddEntry(std::string_view key, std::string_view value, onnx::TensorProto* tensor) {
  onnx::StringStringEntryProto* entry = tensor->add_external_data();
  entry->set_key(std::string(key));
  entry->set_value(std::string(value));
}

}  // namespace

std::string LocationProblem(std::string_view location, std::string_view folder) {
  if (location.empty()) return "is empty";
  if (location.find('\0') != std::string_view::npos) return "contains a zero byte";
  if (location.front() == '/') return "is absolute";
  for (std::size_t at = 0; at <= location.size();) {
    const std::size_t end = std::min(location.find('/', at), location.size());
    const std::string_view part = location.substr(at, end - at);
    if (part.empty()) return "has an empty component";
    if (part == "..") return fmt::format("leaves {}", folder);
    at = end + 1;
  }
  return {};
}

ExternalEntries ReadEntries(const onnx::TensorProto& tensor) { return EntryReader(tensor).Read(); }

std::optional<Diagnostic> RangeProblem(const ExternalEntries& entries, std::uint64_t needed, std::uint64_t file_size) {
  if (entries.length.has_value() && *entries.length != needed) {
    return MakeDiagnostic(diag::kExternalLength, kNowhere, needed, *entries.length);
  }
  if (entries.offset <= file_size && needed <= file_size - entries.offset) return std::nullopt;
  return MakeDiagnostic(diag::kExternalExtent, kNowhere, needed, entries.offset, file_size);
}

void SetExternal(std::string_view location, std::uint64_t offset, std::uint64_t length, onnx::TensorProto* tensor) {
  ClearData(tensor);
  tensor->set_data_location(onnx::TensorProto::EXTERNAL);
  AddEntry("location", location, tensor);
  AddEntry("offset", fmt::to_string(offset), tensor);
  AddEntry("length", fmt::to_string(length), tensor);
}

void SetElided(std::string_view checksum, onnx::TensorProto* tensor) {
  ClearData(tensor);
  tensor->set_data_location(onnx::TensorProto::EXTERNAL);
  AddEntry(kElidedKey, checksum, tensor);
}

void ClearData(onnx::TensorProto* tensor) {
  tensor->clear_float_data();
  tensor->clear_int32_data();
  tensor->clear_string_data();
  tensor->clear_int64_data();
  tensor->clear_double_data();
  tensor->clear_uint64_data();
  tensor->clear_raw_data();
  tensor->clear_external_data();
  tensor->clear_data_location();
}

}  // namespace onnxc
