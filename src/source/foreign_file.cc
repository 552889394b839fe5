#include "source/foreign_file.h"

#include <algorithm>
#include <cstddef>

#include "source/eight_bytes.h"
#include "source/report.h"

namespace onnxc {
namespace {

struct Beginning {
  std::size_t offset;
  std::string_view bytes;
  std::string_view what;
  bool is_text = false;  ///< the first line is readable text and can be shown
};

using namespace std::string_view_literals;

#define ZIP "a zip archive, as torch.save, torch.jit.save and numpy.savez write it, not a model; torch.load reads it"
#define PICKLE "a Python pickle, as torch.save and joblib write it, not a model; torch.load or joblib.load reads it"
#define GGUF "a GGUF file, not an ONNX model; llama.cpp reads it"
#define TAR "a tar archive; unpack it first"
#define HTML "an HTML page, possibly a server's error message instead of the file"
constexpr Beginning kBeginnings[] = {
    {0, "PK\x03\x04"sv, ZIP},
    {0, "PK\x05\x06"sv, ZIP},
    {0, "\x1F\x8B"sv, "a gzip archive; unpack it first"},
    {4, "1AY&SY"sv, "a bzip2 archive; unpack it first"},
    {0,
     "\xFD"
     "7zXZ"sv,
     "an xz archive; unpack it first"},
    {0, "\x28\xB5\x2F\xFD"sv, "a zstd archive; unpack it first"},
    {0, "7z\xBC\xAF\x27\x1C"sv, "a 7z archive; unpack it first"},
    {257, "ustar\0"sv, TAR},
    {257, "ustar  \0"sv, TAR},  // written by GNU tar
    {0, "\x80\x02"sv, PICKLE},
    {0, "\x80\x03"sv, PICKLE},
    {0, "\x80\x04\x95"sv, PICKLE},
    {0, "\x80\x05\x95"sv, PICKLE},
    {0, "\x93NUMPY"sv, "a NumPy array, not a model; numpy.load reads it"},
    {0, "\x89HDF\r\n"sv, "an HDF5 file, as Keras writes it, not an ONNX model; Keras or h5py reads it"},
    {3, "\0TFL3"sv, "a TensorFlow Lite model, not an ONNX model; TensorFlow Lite reads it, and tf2onnx converts it"},
    {3, "\0ORTM"sv, "an ONNX Runtime model (.ort), not an .onnx file; ONNX Runtime reads it"},
    {0, "GGUF\x01\0"sv, GGUF},
    {0, "GGUF\x02\0"sv, GGUF},
    {0, "GGUF\x03\0"sv, GGUF},
    {0, "\x89PNG"sv, "an image (PNG)"},
    {0, "%PDF"sv, "a PDF document"},
    {0,
     "\x7F"
     "ELF"sv,
     "a program (ELF)"},
    {0, "version https://git-lfs"sv, "a pointer of Git LFS, not the file itself; 'git lfs pull' fetches it", true},
    {0, "<!DOCTYPE"sv, HTML, true},
    {0, "<!doctype"sv, HTML, true},
    {0, "<html"sv, HTML, true},
    {0, "<HTML"sv, HTML, true},
    {0, "<?xml"sv, "XML, not ONNX text", true},
};
#undef ZIP
#undef PICKLE
#undef GGUF
#undef TAR
#undef HTML

/// A safetensors file begins with the size of its header in eight bytes, little-endian, followed by the header, which
/// is a JSON object.
bool IsSafetensors(std::string_view bytes) {
  constexpr std::size_t kSizeBytes = 8;
  if (bytes.size() < kSizeBytes + 2) return false;
  const std::uint64_t size = LoadEight(bytes.data());
  if (size < 2 || size > bytes.size() - kSizeBytes) return false;
  const std::string_view header = bytes.substr(kSizeBytes, static_cast<std::size_t>(size));
  return header.starts_with("{\"") || header.starts_with("{}");
}

}  // namespace

std::optional<Diagnostic> FindForeignFile(std::string_view bytes) {
  for (const Beginning& row : kBeginnings) {
    if (bytes.size() < row.offset || !bytes.substr(row.offset).starts_with(row.bytes)) continue;
    const SourceRange range = row.is_text ? SourceRange{0, row.bytes.size()} : kNowhere;
    return MakeDiagnostic(diag::kForeignText, range, row.what);
  }
  if (IsSafetensors(bytes)) {
    return MakeDiagnostic(
        diag::kForeignText, kNowhere,
        "a safetensors file, which contains tensors but no model; 'onnxc weights attach' adds the tensors to a "
        "model without weights");
  }
  return std::nullopt;
}

}  // namespace onnxc
