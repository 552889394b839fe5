// Fuzz targets: properties of the library that must hold for any input.
#pragma once

#include <onnxc/kind.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "testing/roundtrip.h"

namespace onnxc::fuzz {

using testing::Fault;

/// An input's first byte says what the rest is: its low three bits are the kind, as a row of kKinds (`0` is a model,
/// `3` a node), and 0x40 stands for eight rows more (`p` is a sequence). The two bits above the three choose a variant
/// that the target defines.
struct Input {
  Kind kind = Kind::kModel;
  unsigned variant = 0;  ///< below 4
  std::string_view bytes;
};
[[nodiscard]] Input SplitInput(std::string_view input);

/// Returns the first byte of an input of this kind.
[[nodiscard]] char Prefix(Kind kind, unsigned variant);

/// One target. All are deterministic functions of their arguments.
struct Target {
  std::string_view name;
  /// Returns an error of the library for this input, or nothing if there is none.
  std::optional<Fault> (*run)(const Input& input);
  /// Returns another input that is similar to this one.
  std::string (*mutate)(std::string_view input, std::uint64_t seed);
  /// Returns a mixture of two inputs.
  std::string (*cross)(std::string_view input, std::string_view other, std::uint64_t seed);
};

/// Returns all targets.
[[nodiscard]] std::span<const Target> Targets();

/// Returns the target with that name, or null.
[[nodiscard]] const Target* FindTarget(std::string_view name);

/// Runs a target over a whole input.
[[nodiscard]] std::optional<Fault> RunTarget(const Target& target, std::string_view input);

// -- the targets, one file each

/// Any text: findings that can be shown, or a message that its own print gives back in both dialects.
[[nodiscard]] std::optional<Fault> RunText(const Input& input);
/// Any message: its print gives it back in both dialects.
[[nodiscard]] std::optional<Fault> RunBinary(const Input& input);
/// Any message: the checker says the same about it and about its text.
[[nodiscard]] std::optional<Fault> RunCheck(const Input& input);
/// Any model: types are inferred, and what is written of them contradicts nothing.
[[nodiscard]] std::optional<Fault> RunInfer(const Input& input);
/// Any text: the checker says the same about it and about the bytes that are written for it.
[[nodiscard]] std::optional<Fault> RunWritten(const Input& input);
/// Any bytes in any format: what is decoded comes back when it is encoded, or the loss is told.
[[nodiscard]] std::optional<Fault> RunCodec(const Input& input);
/// Any text: formatted it is the same message, and formatting it again changes nothing, nor does formatting a print.
[[nodiscard]] std::optional<Fault> RunFormat(const Input& input);
/// Any literal: the fast conversions agree with the standard library's.
[[nodiscard]] std::optional<Fault> RunNumber(const Input& input);
/// Any message with data in files: nothing outside of its folder is touched, and what goes out comes back.
[[nodiscard]] std::optional<Fault> RunWeights(const Input& input);
/// Any bytes as a model in an old schema: findings, or a model that comes back from its bytes and its text.
[[nodiscard]] std::optional<Fault> RunOld(const Input& input);
/// Any text as a file of settings: findings that can be shown, and settings that hide no errors.
[[nodiscard]] std::optional<Fault> RunSettings(const Input& input);
/// Any text that an editor opens, or any bytes that it sends: the language server answers each request.
[[nodiscard]] std::optional<Fault> RunLsp(const Input& input);

}  // namespace onnxc::fuzz
