// The attributes of functions: what the text tells of their types and values.
#pragma once

#include <onnxc/proto.h>

#include <optional>
#include <string>
#include <string_view>

#include "lsp/snapshot.h"

namespace onnxc::lsp {

struct FormalAttribute {
  int type = 0;           ///< AttributeProto.AttributeType; 0: nothing tells it
  std::string otherwise;  ///< the default as the text writes it; empty: there is none
};

/// An attribute of the function whose scope that is; nothing where it has none of that name.
[[nodiscard]] std::optional<FormalAttribute> FindFormal(const Snapshot& snapshot, SymbolId scope,
                                                        std::string_view name);

/// The value of an attribute as the text writes it, without the name and type before it; empty where it has no words.
[[nodiscard]] std::string ValueText(onnx::AttributeProto attribute);

}  // namespace onnxc::lsp
