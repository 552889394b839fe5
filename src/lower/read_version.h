// What was read of a version of a text, so that the next version need not be read whole.
#pragma once

#include <onnxc/symbols.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lower/read_place.h"

namespace onnxc::lower {

/// A node of the body of a graph or function that is not inside of another one.
struct ReadNode {
  std::size_t begin;  ///< the offset of its first token
  const onnx::NodeProto* message;
  std::size_t first_place;  ///< in ReadVersion::places; its places end where those of the next node begin
};

/// The nodes of such a body, without a gap.
struct ReadBody {
  std::string pragmas;  ///< those of the text and of its item, which tell how nodes are lowered
  std::vector<ReadNode> nodes;
  std::size_t end = 0;        ///< the offset of its closing bracket
  std::size_t end_place = 0;  ///< behind those of the last node
};

/// What was read of a version of a text.
struct ReadVersion {
  std::string_view text = {};
  PartialModel parsed = {};
  std::string pragmas = {};            ///< those that hold in all bodies
  std::vector<ReadBody> bodies = {};   ///< in the order of the text; none where it has an error
  std::vector<ReadPlace> places = {};  ///< the entries of `parsed.places`, where there are bodies
  bool has_symbols = true;             ///< false if nodes were taken over: no observer saw them
};

}  // namespace onnxc::lower
