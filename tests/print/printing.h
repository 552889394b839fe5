// Functions for the tests of the printer: messages from protobuf's text format, printing and parsing.
#pragma once

#include <gtest/gtest.h>
#include <onnxc/parser.h>
#include <onnxc/printer.h>

#include <string>
#include <vector>

#include "testing/proto.h"

namespace onnxc::testing {

inline constexpr PrintOptions kReference = {.dialect = Dialect::kReference};

/// The text of a message in the reference dialect; there must be no loss.
template <typename Proto>
[[nodiscard]] std::string Printed(const Proto& message) {
  const PrintResult result = Print(message, kReference);
  for (const Diagnostic& loss : result.diagnostics.items()) ADD_FAILURE() << loss.path << ": " << loss.message;
  return result.text;
}

/// The paths of all losses. Also expects that the parser accepts the text that is printed if losses are allowed; there
/// is no such text if it would describe different data.
template <typename Proto>
[[nodiscard]] std::vector<std::string> Lost(const Proto& message) {
  const PrintResult strict = Print(message, kReference);
  const PrintResult loose = Print(message, {.dialect = Dialect::kReference, .allow_loss = true});
  EXPECT_EQ(strict.diagnostics.ok(), strict.diagnostics.empty());
  EXPECT_TRUE(strict.diagnostics.ok() || strict.text.empty());
  EXPECT_EQ(strict.diagnostics.items().size(), loose.diagnostics.items().size());
  Proto back;
  EXPECT_TRUE(loose.diagnostics.ok() ? Parse(loose.text, &back).ok() : loose.text.empty()) << loose.text;
  std::vector<std::string> paths;
  for (const Diagnostic& loss : strict.diagnostics.items()) paths.push_back(loss.path);
  return paths;
}

/// The message that the parser makes of the printed text.
template <typename Proto>
[[nodiscard]] Proto ThereAndBack(const Proto& message) {
  const std::string text = Printed(message);
  Proto back;
  EXPECT_TRUE(Parse(text, &back).ok()) << text;
  return back;
}

template <typename Proto>
void ExpectSame(Proto actual, Proto expected) {
  ClearDefaults(&actual);
  ClearDefaults(&expected);
  EXPECT_EQ(actual.SerializeAsString(), expected.SerializeAsString()) << actual.DebugString() << "\nshould be\n"
                                                                      << expected.DebugString();
}

using Paths = std::vector<std::string>;

}  // namespace onnxc::testing
