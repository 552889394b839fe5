// Optional rules for words from lists of the specification: domains, denotations, and metadata about images.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <span>

#include "check/corrections.h"
#include "source/words.h"

namespace onnxc::check {
namespace {

using Words = std::span<const std::string_view>;

// From docs/TypeDenotation.md, docs/DimensionDenotation.md and docs/MetadataProps.md of the `onnx` repository.
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

/// Returns whether the domain is a reversed DNS name such as `ai.onnx.ml`: two labels or more, the first of them only
/// letters. A label has letters, digits, hyphens and, as in packages of Java and Python, underscores.
bool IsBackwardsDns(std::string_view domain) {
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  const auto is_inside = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
  };
  const std::size_t dot = domain.find('.');
  if (dot == std::string_view::npos || !std::ranges::all_of(domain.substr(0, dot), is_letter)) return false;
  for (std::size_t at = 0; at <= domain.size();) {
    const std::size_t end = std::min(domain.find('.', at), domain.size());
    const std::string_view label = domain.substr(at, end - at);
    if (label.empty() || label.starts_with('-') || label.ends_with('-')) return false;
    if (!std::ranges::all_of(label, is_inside)) return false;
    at = end + 1;
  }
  return true;
}

}  // namespace

void CheckDomainName(std::string_view domain, const Spot& spot, Run& run) {
  if (!run.options.optional_rules || domain.empty() || IsBackwardsDns(domain)) return;
  if (run.odd_domains.insert(domain).second) run.findings.Report(diag::kDomainName, spot, Quoted(domain));
}

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
