// What was read of a version of a text, so that the next version need not be read whole.
#pragma once

#include <onnxc/symbols.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace onnxc::lower {

/// A node of the body of a graph or function that is not inside of another one.
struct ReadNode {
  std::size_t begin;  ///< the offset of its first token
  const onnx::NodeProto* message;
  std::uint32_t first_place;  ///< the number of its first entry in the map of places
  std::uint32_t end_place;    ///< and that behind its last one
};

/// The nodes of such a body, without a gap.
struct ReadBody {
  std::string pragmas;  ///< those of the text and of its item, which tell how nodes are lowered
  std::vector<ReadNode> nodes;
  std::size_t end = 0;  ///< the offset of its closing bracket
};

/// What was read of a version of a text.
struct ReadVersion {
  std::string_view text = {};
  PartialModel parsed = {};
  std::string pragmas = {};           ///< those that hold in all bodies
  std::vector<ReadBody> bodies = {};  ///< in the order of the text; none where it has an error
  bool has_symbols = true;            ///< false if nodes were taken over: no observer saw them
};

}  // namespace onnxc::lower
