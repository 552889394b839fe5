// diagnostic_arguments_test.sh compiles this file: it must compile, but not with WRONG.
#include <string>

#include "source/report.h"

using namespace onnxc;

// A row of the table.
#ifdef WRONG  // a message with an argument that has no type
inline constexpr DiagnosticBase<> kRow{DiagnosticKind::kLoss, Severity::kError, "cannot carry {}"};
#else
inline constexpr DiagnosticBase<diag::Text> kRow{DiagnosticKind::kLoss, Severity::kError, "cannot carry {}"};
#endif

// Whether a call with arguments of these types compiles.
template <const auto& kKind, typename... Args>
constexpr bool kCompiles = requires(const Args&... args) {
  MakeDiagnostic(kKind, kNowhere, args...);
};

constexpr DiagnosticKind kNoTypes = DiagnosticKind::kUnexpectedToken;

static_assert(kCompiles<kRow, std::string>);
static_assert(kCompiles<diag::kSemicolon>);
static_assert(kCompiles<diag::kUnexpectedToken, char[7], std::string>);
static_assert(kCompiles<diag::kInputTooLarge, std::string, std::size_t>);

static_assert(!kCompiles<diag::kUnexpectedToken, char[7]>, "one argument too few");
static_assert(!kCompiles<diag::kSemicolon, std::string>, "one too many");
static_assert(!kCompiles<diag::kUnexpectedToken, char[7], std::size_t>, "a number for text");
static_assert(!kCompiles<diag::kInputTooLarge, std::string, std::string>, "text for a number");
static_assert(!kCompiles<kNoTypes, char[7], std::string>, "the kind without the types of its arguments");
