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

/// An input for a target. The first byte encodes the kind and the variant; the rest is the input itself. The kind is an
/// index in kKinds: the low three bits, plus 8 if the bit 0x40 is set (`0` is a model, `3` a node, `p` a sequence). The
/// bits 3 and 4 choose a variant. Each target defines the meaning of its variants.
struct Input {
  Kind kind = Kind::kModel;
  unsigned variant = 0;  ///< below 4
  std::string_view bytes;
};
[[nodiscard]] Input SplitInput(std::string_view input);

/// Returns the first byte of an input of this kind.
[[nodiscard]] char Prefix(Kind kind, unsigned variant);

/// A target. All its functions are deterministic.
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

/// Returns the target with this name, or null.
[[nodiscard]] const Target* FindTarget(std::string_view name);

/// Runs a target over a whole input.
[[nodiscard]] std::optional<Fault> RunTarget(const Target& target, std::string_view input);

// -- the targets, one file each

/// Any text: the parser returns findings that can be shown, or a message. Printing and parsing this message in either
/// dialect loses nothing without a finding.
[[nodiscard]] std::optional<Fault> RunText(const Input& input);
/// Any message: printing and parsing it in either dialect loses nothing without a finding.
[[nodiscard]] std::optional<Fault> RunBinary(const Input& input);
/// Any message: the checker has the same findings for the message and for its text.
[[nodiscard]] std::optional<Fault> RunCheck(const Input& input);
/// Any model: the inferred types that are added to the model do not contradict it.
[[nodiscard]] std::optional<Fault> RunInfer(const Input& input);
/// Any text: the checker has the same findings for the text and for its compiled bytes.
[[nodiscard]] std::optional<Fault> RunWritten(const Input& input);
/// Any bytes in any format: encoding and decoding a decoded message gives the same message, or a finding reports the
/// loss.
[[nodiscard]] std::optional<Fault> RunCodec(const Input& input);
/// Any text: formatting does not change the message. Formatting a formatted or printed text does not change the text.
[[nodiscard]] std::optional<Fault> RunFormat(const Input& input);
/// Any literal: the fast conversions agree with those of the standard library.
[[nodiscard]] std::optional<Fault> RunNumber(const Input& input);
/// Any message with data in files: no file outside of the model's folder is accessed, and data that were moved to a
/// file can be read back.
[[nodiscard]] std::optional<Fault> RunWeights(const Input& input);
/// Any bytes as a model in an old schema: the conversion returns findings, or a model whose bytes and text can be read
/// back.
[[nodiscard]] std::optional<Fault> RunOld(const Input& input);
/// Any text as a settings file: its findings can be shown, and its settings hide no errors.
[[nodiscard]] std::optional<Fault> RunSettings(const Input& input);
/// Any text that an editor opens, or any bytes that an editor sends: the language server answers each request.
[[nodiscard]] std::optional<Fault> RunLsp(const Input& input);

}  // namespace onnxc::fuzz
