// The findings of the parser that testdata/build/findings.test records: each kind of error, on one line. Valid texts
// are included to show the limits of each error.
#include "testing/findings.h"

#include <fmt/format.h>
#include <onnxc/kind.h>
#include <onnxc/parser.h>

#include <optional>
#include <string>

#include "testing/paths.h"

namespace onnxc::testing {
namespace {

std::string FindingsOf(const std::string& kind, const std::string& input) {
  const std::optional<Kind> known = FindKind(kind);
  if (!known) {
    ADD_FAILURE() << "no such kind: " << kind;
    return {};
  }
  std::string lines;
  WithKind(*known, [&]<typename Row>(const Row&) {
    typename Row::Message message;
    const Diagnostics found = Parse(input, &message);
    EXPECT_TRUE(found.ok() || message.ByteSizeLong() == 0) << input;
    for (const Diagnostic& item : found.items()) {
      lines += fmt::format("{}..{}: {} [{}]\n", item.range.begin, item.range.end, item.message, Name(item.kind));
    }
  });
  return lines;
}

TEST(ParseFindings, AreThoseOfTheGoldenFile) {
  ExpectFindings(std::string(kTestdata) + "/build/findings.test", &FindingsOf);
}

}  // namespace
}  // namespace onnxc::testing
