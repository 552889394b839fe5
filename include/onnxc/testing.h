// A matcher of GoogleMock that compares a model with a golden text in a file.
//
//   EXPECT_THAT(MakeModel(), onnxc::testing::MatchesGolden("testdata/model.onnxtxt"));
//
// A failure shows the differences as `onnxc diff` does. With the environment variable ONNXC_UPDATE_GOLDENS=1, the
// matcher writes the file instead, and the model matches; it creates the folder if necessary. A file that matches
// already is not written, so its comments and its layout stay. This header needs GoogleMock; the library does not.
#pragma once

#include <gmock/gmock.h>
#include <onnxc/differ.h>
#include <onnxc/external_data.h>
#include <onnxc/model_file.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace onnx {

/// GoogleTest calls this function to show a model in a failed test. It writes only the name, because a complete model
/// may have millions of lines. The explanation of the matcher contains the differences.
inline void PrintTo(const ModelProto& model, std::ostream* stream) {
  *stream << "the model of the graph '" << model.graph().name() << "'";
}

}  // namespace onnx

namespace onnxc::testing {

struct GoldenOptions {
  /// The differences that are ignored, and the tolerance for the elements of tensors.
  DiffOptions diff = {};
  /// In the golden text, checksums replace the data of all tensors of at least this many bytes. If not set, the text
  /// contains all data.
  std::optional<std::uint64_t> elide_weights_of = std::nullopt;
};

/// The matcher of MatchesGolden().
class GoldenMatcher {
 public:
  using is_gtest_matcher = void;

  GoldenMatcher(std::string path, GoldenOptions options) : path_(std::move(path)), options_(std::move(options)) {}

  bool MatchAndExplain(const onnx::ModelProto& model, std::ostream* explanation) const {
    onnx::ModelProto actual = model;
    if (options_.elide_weights_of) {
      const Diagnostics found = ElideWeights(&actual, Elision::kChecksum, *options_.elide_weights_of);
      if (!found.ok()) return Explain(RenderText(found, SourceText("the model", "")), explanation);
    }
    const LoadResult golden = LoadModel(path_);
    std::vector<Difference> differences;
    if (golden.ok()) differences = Diff(*golden.model, actual, options_.diff);
    if (golden.ok() && differences.empty()) return true;
    const char* const update = std::getenv("ONNXC_UPDATE_GOLDENS");
    if (update != nullptr && std::string_view(update) == "1") {
      std::error_code error;  // a folder that cannot be created is reported when the file is written
      std::filesystem::create_directories(std::filesystem::path(path_).parent_path(), error);
      const Diagnostics found = SaveModel(actual, path_);
      return found.ok() || Explain(RenderText(found, SourceText(path_, "")), explanation);
    }
    if (!golden.ok()) {
      return Explain(golden.Report() + "Run the test with ONNXC_UPDATE_GOLDENS=1 to write the file.\n", explanation);
    }
    return Explain("it differs from " + path_ + ":\n" + RenderText(differences), explanation);
  }

  void DescribeTo(std::ostream* stream) const { *stream << "matches the golden text " << path_; }
  void DescribeNegationTo(std::ostream* stream) const { *stream << "does not match the golden text " << path_; }

 private:
  static bool Explain(const std::string& text, std::ostream* explanation) {
    if (explanation != nullptr) *explanation << '\n' << text;
    return false;
  }

  std::string path_;
  GoldenOptions options_;
};

/// Matches a model that does not differ from the model in the file, which is usually a text. The path is relative to
/// the folder in which the test runs.
[[nodiscard]] inline ::testing::Matcher<const onnx::ModelProto&> MatchesGolden(std::string path,
                                                                               GoldenOptions options = {}) {
  return GoldenMatcher(std::move(path), std::move(options));
}

}  // namespace onnxc::testing
