// Conditions for EXPECT_TRUE and ASSERT_TRUE that say, if they fail, why.
#pragma once

#include <gtest/gtest.h>
#include <onnxc/diagnostic.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace onnxc::testing {

/// The result of a function has no errors. Otherwise the findings are shown.
template <typename Result>
::testing::AssertionResult Ok(const Result& result) {
  if (result.ok()) return ::testing::AssertionSuccess();
  ::testing::AssertionResult failure = ::testing::AssertionFailure() << "there are errors:";
  const auto show = [&](const Diagnostics& found) {
    for (const Diagnostic& each : found.items()) failure << "\n  " << ToString(each);
  };
  if constexpr (requires { show(result); }) {
    show(result);
  } else if constexpr (requires { show(result.diagnostics); }) {
    show(result.diagnostics);
  } else if constexpr (requires { show(result.errors); }) {
    show(result.errors);
  } else if constexpr (requires { result.ToString(); }) {
    failure << " " << result.ToString();
  }
  return failure;
}

/// The two texts are equal. Otherwise only the place of the first difference is shown: the texts may be long.
inline ::testing::AssertionResult AreSame(std::string_view actual, std::string_view expected) {
  if (actual == expected) return ::testing::AssertionSuccess();
  const auto at = static_cast<std::size_t>(std::ranges::mismatch(actual, expected).in1 - actual.begin());
  const std::size_t begin = at < 80 ? 0 : at - 80;
  const auto part = [&](std::string_view text) {
    return ::testing::PrintToString(std::string(text.substr(begin, 160)));
  };
  return ::testing::AssertionFailure() << "byte " << at << " differs, of " << actual.size() << " and "
                                       << expected.size() << " bytes; from byte " << begin << ":\n  " << part(actual)
                                       << "\n  instead of\n  " << part(expected);
}

}  // namespace onnxc::testing
