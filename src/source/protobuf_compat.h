// What protobuf has by other names since its version 22. All else is written so that the older and the newer versions
// take it.
#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/tokenizer.h>

#include <string>
#include <string_view>

#if __has_include(<google/protobuf/stubs/logging.h>)  // up to 21
#include <google/protobuf/stubs/logging.h>
#else
#include <absl/log/globals.h>
#endif

namespace onnxc::protobuf {

#if __has_include(<google/protobuf/stubs/logging.h>)

/// While it lives, protobuf writes nothing to standard error.
using LogSilencer = google::protobuf::LogSilencer;

/// From here on protobuf writes nothing to standard error.
inline void SilenceLog() { google::protobuf::SetLogHandler(nullptr); }

#else

/// Not needed any more where it is used: the JSON printer does not complain to standard error of what it gives up.
struct LogSilencer {
  LogSilencer() {}  // so that a variable of this type is not unused
};

inline void SilenceLog() { absl::SetMinLogLevel(absl::LogSeverityAtLeast::kInfinity); }

#endif

/// Hears of the errors of a text. Up to 21 protobuf calls AddError(), which is gone in 26; RecordError() came with 22.
/// So neither of them can say `override`.
class ErrorCollector : public google::protobuf::io::ErrorCollector {
 public:
  virtual void Add(int line, int column, std::string_view message) = 0;

  // NOLINTBEGIN(modernize-use-override)
  void AddError(int line, google::protobuf::io::ColumnNumber column, const std::string& message) {
    Add(line, column, message);
  }
  void RecordError(int line, google::protobuf::io::ColumnNumber column, std::string_view message) {
    Add(line, column, message);
  }
  // NOLINTEND(modernize-use-override)
};

/// The name of an enum's value, or its number where it has none. (Reflection::GetEnum(), which gives both, is to go.)
inline std::string EnumName(const google::protobuf::FieldDescriptor& field, int number) {
  const google::protobuf::EnumValueDescriptor* const value = field.enum_type()->FindValueByNumber(number);
  return value == nullptr ? std::to_string(number) : std::string(value->name());
}

}  // namespace onnxc::protobuf
