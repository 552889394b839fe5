// What the printer's tests share: messages from protobuf text, and the way there and back.
#pragma once

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>
#include <onnxc/parser.h>
#include <onnxc/printer.h>

#include <memory>
#include <string>
#include <vector>

namespace onnxc::testing {

template <typename Proto>
[[nodiscard]] Proto Message(const std::string& text) {
  Proto message;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &message)) << text;
  return message;
}

inline constexpr PrintOptions kReference = {.dialect = Dialect::kReference};

/// The text of a message that loses nothing, in the reference dialect.
template <typename Proto>
[[nodiscard]] std::string Printed(const Proto& message) {
  const PrintResult result = Print(message, kReference);
  for (const Diagnostic& loss : result.diagnostics.items()) ADD_FAILURE() << loss.path << ": " << loss.message;
  return result.text;
}

/// The paths of all losses. The text without them must exist and be read by the parser.
template <typename Proto>
[[nodiscard]] std::vector<std::string> Lost(const Proto& message) {
  const PrintResult strict = Print(message, kReference);
  const PrintResult loose = Print(message, {.dialect = Dialect::kReference, .allow_loss = true});
  EXPECT_EQ(strict.diagnostics.ok(), strict.diagnostics.empty());
  EXPECT_TRUE(strict.diagnostics.ok() || strict.text.empty());
  EXPECT_TRUE(loose.diagnostics.ok());
  EXPECT_EQ(strict.diagnostics.items().size(), loose.diagnostics.items().size());
  Proto back;
  EXPECT_TRUE(Parse(loose.text, &back).ok()) << loose.text;
  std::vector<std::string> paths;
  for (const Diagnostic& loss : strict.diagnostics.items()) paths.push_back(loss.path);
  return paths;
}

/// What the parser makes of the printed text.
template <typename Proto>
[[nodiscard]] Proto ThereAndBack(const Proto& message) {
  const std::string text = Printed(message);
  Proto back;
  EXPECT_TRUE(Parse(text, &back).ok()) << text;
  return back;
}

/// Clears the fields that are present and hold their default, at every depth: their presence is not a matter of text.
inline void ClearDefaults(google::protobuf::Message* message) {
  const google::protobuf::Reflection& reflection = *message->GetReflection();
  std::vector<const google::protobuf::FieldDescriptor*> fields;
  reflection.ListFields(*message, &fields);
  for (const google::protobuf::FieldDescriptor* field : fields) {
    if (field->is_repeated()) {
      if (field->message_type() == nullptr) continue;
      for (int i = 0; i < reflection.FieldSize(*message, field); ++i) {
        ClearDefaults(reflection.MutableRepeatedMessage(message, field, i));
      }
    } else if (field->message_type() != nullptr) {
      ClearDefaults(reflection.MutableMessage(message, field));
    } else if (field->containing_oneof() == nullptr) {
      const std::unique_ptr<google::protobuf::Message> empty(message->New());
      std::string value;
      std::string absent;
      google::protobuf::TextFormat::PrintFieldValueToString(*message, field, -1, &value);
      google::protobuf::TextFormat::PrintFieldValueToString(*empty, field, -1, &absent);
      if (value == absent) reflection.ClearField(message, field);
    }
  }
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
