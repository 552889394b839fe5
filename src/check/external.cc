// Tensors whose data are in a file beside the model.
#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <optional>
#include <system_error>

#include "check/context.h"
#include "check/tensor_size.h"

namespace onnxc {
namespace {

namespace fs = std::filesystem;
using onnx::TensorProto;

/// What is wrong with a location as such, or "".
std::string LocationError(const std::string& location) {
  const fs::path path(location);
  if (path.empty()) return "the location is empty";
  if (location.find('\0') != std::string::npos) return "the location has a zero byte";
  if (path.is_absolute()) return fmt::format("the location '{}' is absolute", Quoted(location));
  if (path.lexically_normal().native().find("..") != std::string::npos) {
    return fmt::format("the location '{}' leaves the model's directory", Quoted(location));
  }
  return {};
}

bool IsInside(const fs::path& path, const fs::path& directory) {
  std::error_code error;
  const fs::path file = fs::weakly_canonical(path, error);
  if (error) return false;
  std::string base = fs::weakly_canonical(directory, error).native();
  if (error) return false;
  if (!base.empty() && base.back() != fs::path::preferred_separator) base += fs::path::preferred_separator;
  return file.native().starts_with(base);
}

/// What is wrong with the file, or "".
std::string_view FileError(const fs::path& path, const fs::path& directory) {
  std::error_code error;
  if (fs::is_symlink(path, error)) return "is a symbolic link";
  if (path.native().front() == '#') return {};  // the reference's mark of data that are in memory
  if (!IsInside(path, directory)) return "is outside of the model's directory";
  if (!fs::exists(path, error)) return "does not exist";
  if (!fs::is_regular_file(path, error)) return "is no regular file";
  if (fs::hard_link_count(path, error) > 1 || error) return "has several hard links";
  return {};
}

/// The number that an entry holds; reported where it is none.
std::optional<std::int64_t> ReadNumber(const onnx::StringStringEntryProto& entry, const Place& place, Run& run) {
  std::int64_t number = 0;
  const std::string& text = entry.value();
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number >= 0) return number;
  run.findings.Report(RuleId::kExternalExtent, place,
                      fmt::format("the {} '{}' is no decimal number", entry.key(), Quoted(text)));
  return std::nullopt;
}

struct Extent {
  std::optional<std::int64_t> offset;
  std::optional<std::int64_t> length;
};

/// Whether the tensor fits between offset, length and the end of the file.
void CheckExtent(const TensorProto& tensor, const Extent& extent, const fs::path& file, const Place& place, Run& run) {
  const ElementType* const type = FindElementType(tensor.data_type());
  if (type == nullptr || type->bits == 0) return;
  const std::optional<std::int64_t> elements = Product(tensor.dims());
  const std::optional<std::int64_t> needed = elements ? ByteSize(*type, *elements) : std::nullopt;
  if (!needed) return;
  if (extent.length.has_value() && *extent.length < *needed) {
    run.findings.Report(RuleId::kExternalExtent, place,
                        fmt::format("the tensor needs {} bytes, its length is {}", *needed, *extent.length));
    return;
  }
  std::error_code error;
  const auto size = static_cast<std::int64_t>(fs::file_size(file, error));
  const std::int64_t offset = extent.offset.value_or(0);
  if (error || (offset <= size && *needed <= size - offset)) return;
  run.findings.Report(
      RuleId::kExternalExtent, place,
      fmt::format("the tensor needs {} bytes from offset {}, the file has {} bytes", *needed, offset, size));
}

/// The file of the location, if it can be used.
std::optional<fs::path> CheckLocation(const std::string& location, const Place& place, Run& run) {
  if (const std::string problem = LocationError(location); !problem.empty()) {
    run.findings.Report(RuleId::kExternalLocation, place, problem);
    return std::nullopt;
  }
  if (!run.options.external_files) return std::nullopt;
  const fs::path directory(run.options.directory);
  fs::path path = directory / fs::path(location).lexically_normal();
  if (const std::string_view problem = FileError(path, directory); !problem.empty()) {
    run.findings.Report(RuleId::kExternalFile, place, Quoted(path.native()), problem);
    return std::nullopt;
  }
  return path;
}

}  // namespace

void CheckExternalData(const TensorProto& tensor, const Place& place, Run& run) {
  if (tensor.data_type() == TensorProto::STRING) run.findings.Report(RuleId::kExternalStrings, place);
  bool has_location = false;
  Extent extent;
  std::optional<fs::path> file;
  for (int i = 0; i < tensor.external_data_size(); ++i) {
    const onnx::StringStringEntryProto& entry = tensor.external_data(i);
    const Place at = place.Child(entry, TensorProto::kExternalDataFieldNumber, i);
    if (entry.key() == "location" && entry.has_value()) {
      has_location = true;
      file = CheckLocation(entry.value(), at, run);
    } else if (entry.key() == "offset") {
      extent.offset = ReadNumber(entry, at, run);
      if (extent.offset.value_or(0) % 4096 != 0 && !run.told_alignment) {
        run.told_alignment = true;
        run.findings.Report(RuleId::kExternalAlignment, at, *extent.offset);
      }
    } else if (entry.key() == "length") {
      extent.length = ReadNumber(entry, at, run);
    } else if (entry.key() != "checksum" && entry.key() != "location") {
      run.findings.Report(RuleId::kExternalKey, at, Quoted(entry.key()));
    }
  }
  if (!has_location) run.findings.Report(RuleId::kExternalLocation, place, "external data without a location");
  if (file.has_value()) CheckExtent(tensor, extent, *file, place, run);
}

}  // namespace onnxc
