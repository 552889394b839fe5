// Words that the specification makes a choice of: denotations, and metadata about images.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "check/corrections.h"
#include "source/words.h"

namespace onnxc::check {
namespace {

using Words = std::span<const std::string_view>;

// docs/TypeDenotation.md, docs/DimensionDenotation.md and docs/MetadataProps.md of the `onnx` repository.
constexpr std::array<std::string_view, 4> kTypeDenotations = {"TENSOR", "IMAGE", "AUDIO", "TEXT"};
constexpr std::array<std::string_view, 7> kDimensionDenotations = {
    "DATA_BATCH",        "DATA_CHANNEL",       "DATA_TIME",     "DATA_FEATURE",
    "FILTER_IN_CHANNEL", "FILTER_OUT_CHANNEL", "FILTER_SPATIAL"};
constexpr std::array<std::string_view, 3> kImageKeys = {"Image.BitmapPixelFormat", "Image.ColorSpaceGamma",
                                                        "Image.NominalPixelRange"};
constexpr std::array<std::string_view, 5> kPixelFormats = {"Gray8", "Rgb8", "Bgr8", "Rgba8", "Bgra8"};
constexpr std::array<std::string_view, 2> kGammas = {"Linear", "SRGB"};
constexpr std::array<std::string_view, 4> kPixelRanges = {"NominalRange_0_255", "Normalized_0_1", "Normalized_1_1",
                                                          "NominalRange_16_235"};
constexpr std::array<Words, 3> kImageValues = {kPixelFormats, kGammas, kPixelRanges};
constexpr std::string_view kImagePrefix = "Image.";

std::size_t IndexOf(std::string_view word, Words words) {
  return static_cast<std::size_t>(
      std::ranges::find_if(words, [&](std::string_view other) { return IsSameWord(word, other); }) - words.begin());
}

void ReportWord(const DiagnosticBase<diag::Text, diag::Text>& rule, std::string_view word, Words words,
                const Spot& spot, Run& run) {
  Diagnostic* const finding = run.findings.Report(rule, spot, Quoted(word), fmt::format("{}", fmt::join(words, ", ")));
  run.findings.Suggest(finding, word, [&] { return std::vector(words.begin(), words.end()); });
}

}  // namespace

void CheckTypeDenotation(const onnx::TypeProto& type, const Place& place, Run& run) {
  if (type.denotation().empty() || std::ranges::count(kTypeDenotations, type.denotation()) > 0) return;
  ReportWord(diag::kTypeDenotation, type.denotation(), kTypeDenotations,
             {place, onnx::TypeProto::kDenotationFieldNumber}, run);
}

bool HasUnknownDenotation(const onnx::TensorShapeProto::Dimension& dim) {
  return !dim.denotation().empty() && std::ranges::count(kDimensionDenotations, dim.denotation()) == 0;
}

void ReportDenotation(const onnx::TensorShapeProto::Dimension& dim, const Place& place, Run& run) {
  ReportWord(diag::kDimensionDenotation, dim.denotation(), kDimensionDenotations,
             {place, onnx::TensorShapeProto::Dimension::kDenotationFieldNumber}, run);
}

void CheckImageMetadata(const Metadata& metadata, int field, const Place& place, Run& run) {
  for (int i = 0; i < metadata.size(); ++i) {
    const onnx::StringStringEntryProto& entry = metadata[i];
    if (!IsSameWord(std::string_view(entry.key()).substr(0, kImagePrefix.size()), kImagePrefix)) continue;
    const Place at = place.Child(entry, field, i);
    const std::size_t key = IndexOf(entry.key(), kImageKeys);
    if (key == kImageKeys.size()) {
      ReportWord(diag::kImageMetadata, entry.key(), kImageKeys, at, run);
    } else if (const Words values = kImageValues[key]; IndexOf(entry.value(), values) == values.size()) {
      ReportWord(diag::kImageMetadata, entry.value(), values, at, run);
    }
  }
}

}  // namespace onnxc::check
