// Comparing messages in tests.
#pragma once

#include <gmock/gmock.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>
#include <onnxc/parser.h>

#include <string>
#include <string_view>
#include <vector>

#include "testing/predicates.h"

namespace onnxc::testing {

/// Serializes a message deterministically. At level L0, messages are equal if these bytes are equal.
inline std::string Bytes(const google::protobuf::Message& message) {
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    EXPECT_TRUE(message.SerializePartialToCodedStream(&coded));
  }
  return bytes;
}

/// Clears, at every depth, fields that are present with their default values and are not in a oneof, because the
/// comparison at level L1 ignores them.
inline void ClearDefaults(google::protobuf::Message* message) {
  const auto* reflection = message->GetReflection();
  std::vector<const google::protobuf::FieldDescriptor*> fields;
  reflection->ListFields(*message, &fields);
  for (const auto* field : fields) {
    if (field->cpp_type() == google::protobuf::FieldDescriptor::CPPTYPE_MESSAGE) {
      if (!field->is_repeated()) ClearDefaults(reflection->MutableMessage(message, field));
      for (int i = 0; field->is_repeated() && i < reflection->FieldSize(*message, field); ++i) {
        ClearDefaults(reflection->MutableRepeatedMessage(message, field, i));
      }
    } else if (!field->is_repeated() && field->containing_oneof() == nullptr) {
      const auto empty = std::unique_ptr<google::protobuf::Message>(message->New());
      std::string value;
      std::string default_value;
      google::protobuf::TextFormat::PrintFieldValueToString(*message, field, -1, &value);
      google::protobuf::TextFormat::PrintFieldValueToString(*empty, field, -1, &default_value);
      if (value == default_value) reflection->ClearField(message, field);
    }
  }
}

/// Returns the message in protobuf's text format, without fields that have their default values.
template <typename Message>
[[nodiscard]] std::string L1(Message message) {
  ClearDefaults(&message);
  return message.DebugString();
}

/// Returns the message for a text in protobuf's text format.
template <typename Message>
[[nodiscard]] Message FromTextProto(const std::string& text) {
  Message message;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &message)) << text;
  return message;
}

/// Parses a text that must be valid.
template <typename Message>
[[nodiscard]] Message ParseText(std::string_view text, const ParseOptions& options = {}) {
  Message message;
  const Diagnostics diagnostics = Parse(text, &message, options);
  EXPECT_TRUE(testing::Ok(diagnostics)) << RenderText(diagnostics, SourceText("text", text, nullptr));
  return message;
}

/// Expects that the text gives exactly this message, including present default values.
template <typename Message>
void ExpectParses(std::string_view text, const std::string& expected) {
  EXPECT_EQ(ParseText<Message>(text).DebugString(), FromTextProto<Message>(expected).DebugString()) << text;
}

/// Parses a text that must be invalid. Returns the names of the findings in order. Expects that the message is empty.
template <typename Message>
[[nodiscard]] std::vector<std::string> Findings(std::string_view text) {
  Message message;
  const Diagnostics diagnostics = Parse(text, &message);
  EXPECT_FALSE(diagnostics.ok()) << text.substr(0, 200);
  EXPECT_EQ(message.ByteSizeLong(), 0u);
  std::vector<std::string> names;
  for (const Diagnostic& diagnostic : diagnostics.items()) names.emplace_back(Name(diagnostic.kind));
  return names;
}

}  // namespace onnxc::testing
