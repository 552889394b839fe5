// The parse result of a version of a text, which lets the next version reuse nodes.
#pragma once

#include <onnxc/symbols.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "source/common_ends.h"
#include "source/rare_parts.h"

namespace onnxc::lower {

/// The mode of the parser in which the text is parsed first. If this was the wrong mode, the text is parsed again in
/// the other one.
enum class Expected : std::uint8_t { kNoErrors, kErrors };

/// A node in the body of a top-level graph or function.
struct ReadNode {
  std::size_t begin;  ///< offset of its first token
  const onnx::NodeProto* message;
  std::uint32_t first_place;  ///< number of its first entry in the source map
  std::uint32_t end_place;    ///< number of the entry after its last entry
};

/// Consecutive nodes in the body of a top-level graph or function.
struct ReadBody {
  std::string pragmas;  ///< the pragmas that apply to the body; the lowering of its nodes depends on them
  std::vector<ReadNode> nodes;
  std::size_t end = 0;  ///< offset of its closing bracket
};

/// The parse result of a version of a text.
struct ReadVersion {
  std::string_view text = {};
  CommonEnds same = {};       ///< what the text has in common with the version before
  RareParts rare_parts = {};  ///< of the text
  PartialModel parsed = {};
  std::string pragmas = {};           ///< the pragmas that apply to all bodies
  std::vector<ReadBody> bodies = {};  ///< in the order of the text; empty if the text has an error
  bool is_of_others = false;          ///< nodes of the previous version were reused
};

}  // namespace onnxc::lower
