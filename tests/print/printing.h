// Functions for the tests of the printer: messages from protobuf's text format, printing and parsing.
#pragma once

#include <gtest/gtest.h>
#include <onnxc/parser.h>
#include <onnxc/printer.h>

#include <string>
#include <vector>

#include "testing/predicates.h"
#include "testing/proto.h"

namespace onnxc::testing {

inline constexpr PrintOptions kReference = {.dialect = Dialect::kReference};

/// Returns the text of a message in the reference dialect. The test fails if there is a loss.
template <typename Proto>
[[nodiscard]] std::string Printed(const Proto& message) {
  const PrintResult result = Print(message, kReference);
  for (const Diagnostic& loss : result.diagnostics.items()) ADD_FAILURE() << loss.path << ": " << loss.message;
  return result.text;
}

/// Returns the paths of all losses in the reference dialect. Also expects that the parser accepts the text that is
/// printed with losses allowed. If this text would describe different data, expects that there is no text.
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

/// Prints the message and parses the text. Returns the parsed message.
template <typename Proto>
[[nodiscard]] Proto ThereAndBack(const Proto& message) {
  const std::string text = Printed(message);
  Proto back;
  EXPECT_TRUE(testing::Ok(Parse(text, &back))) << text;
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
