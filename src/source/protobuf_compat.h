// Wraps the parts of protobuf whose names changed in version 22. All other code compiles with the older and the newer
// versions.
#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/tokenizer.h>

#include <string>
#include <string_view>

#if __has_include(<google/protobuf/stubs/logging.h>)  // up to version 21
#include <google/protobuf/stubs/logging.h>
#else
#include <absl/log/globals.h>
#endif

namespace onnxc::protobuf {

#if __has_include(<google/protobuf/stubs/logging.h>)

/// Protobuf writes nothing to standard error during the lifetime of an object of this class.
using LogSilencer = google::protobuf::LogSilencer;

/// From now on, protobuf writes nothing to standard error.
inline void SilenceLog() { google::protobuf::SetLogHandler(nullptr); }

#else

/// Does nothing: in these versions, the JSON printer does not report its failures to standard error.
struct LogSilencer {
  LogSilencer() {}  // avoids a warning about an unused variable of this type
};

inline void SilenceLog() { absl::SetMinLogLevel(absl::LogSeverityAtLeast::kInfinity); }

#endif

/// Receives the errors of a text. Up to version 21, protobuf calls AddError(), which was removed in version 26;
/// RecordError() exists since version 22. So neither can be marked `override`.
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

/// Returns the name of an enum value, or its number if it has no name. (Reflection::GetEnum(), which returns both, will
/// be removed.)
inline std::string EnumName(const google::protobuf::FieldDescriptor& field, int number) {
  const google::protobuf::EnumValueDescriptor* const value = field.enum_type()->FindValueByNumber(number);
  return value == nullptr ? std::to_string(number) : std::string(value->name());
}

}  // namespace onnxc::protobuf
