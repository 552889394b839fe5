// The attribute parameters of functions, with the types and values that the text specifies for them.
#pragma once

#include <onnxc/proto.h>

#include <optional>
#include <string>
#include <string_view>

#include "lsp/snapshot.h"

namespace onnxc::lsp {

struct FormalAttribute {
  int type = 0;           ///< AttributeProto.AttributeType, or 0 if nothing specifies the type
  std::string otherwise;  ///< the default value as the text writes it; empty if there is none
};

/// Returns the attribute `name` of the function whose scope is `scope`. Returns nothing if the function has no such
/// attribute.
[[nodiscard]] std::optional<FormalAttribute> FindFormal(const Snapshot& snapshot, SymbolId scope,
                                                        std::string_view name);

/// Returns the value of an attribute in the text syntax, without its name and type. Returns "" if the syntax cannot
/// express it.
[[nodiscard]] std::string ValueText(onnx::AttributeProto attribute);

}  // namespace onnxc::lsp
