// What differs between two models, not between their bytes.
#pragma once

#include <onnxc/proto.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace onnxc {

/// What a difference is about. All aspects except the model itself can be ignored.
enum class Aspect : std::uint8_t {
  kModel,     ///< what the model computes, and all that the other aspects do not cover
  kNames,     ///< of nodes, values and graphs
  kDocs,      ///< doc_string fields
  kMetadata,  ///< metadata_props fields
  kStorage,   ///< the fields that hold a tensor's elements, and the order of lists whose order means nothing
};

/// The words of the aspects, by their values.
inline constexpr std::array<std::string_view, 5> kAspectWords = {"model", "names", "docs", "metadata", "storage"};

struct DiffOptions {
  /// Differences that are left out.
  std::vector<Aspect> ignore = {};
  /// Elements of tensors that are no further apart than this are equal. 0: elements whose bits are equal.
  double weights_tolerance = 0;
  /// Elements are also equal if |before - after| <= weights_tolerance + relative_tolerance * |after|, as in
  /// numpy.allclose().
  double relative_tolerance = 0;
};

struct Difference {
  enum class Kind : std::uint8_t { kAdded, kRemoved, kChanged, kRenamed };

  Kind kind = Kind::kChanged;
  Aspect aspect = Aspect::kModel;
  std::string path;     ///< `graph.node[3] "conv1".attribute["pads"]`; in the new message, or the old one if removed
  std::string before;   ///< what there was, shortened
  std::string after;    ///< what there is, shortened
  std::string detail;   ///< more about it: `3 of 12 elements differ`
  std::string subject;  ///< the node that it is about: `y = Conv (x, w)`
};

/// All differences, in the order of the new message; none where the messages are the same except for the presence
/// of fields that hold their default. Both may be of any type of the schema; two of different types are one difference,
/// which says so. Nodes are matched by what they compute and by their neighbours, so that one inserted node is one
/// difference. Files of external data are not read: such tensors are compared by their external_data. Takes time about
/// linear in the sizes. Messages that are nested deeper than protobuf reads back are one difference that says so.
[[nodiscard]] std::vector<Difference> Diff(const google::protobuf::Message& before,
                                           const google::protobuf::Message& after, const DiffOptions& options = {});

/// For people: a line for each difference. Many changes of names, or of storage, are one line. `color` adds ANSI
/// colours.
[[nodiscard]] std::string RenderText(const std::vector<Difference>& differences, bool color = false);

/// For programs: a JSON object with an array "differences".
[[nodiscard]] std::string RenderJson(const std::vector<Difference>& differences);

}  // namespace onnxc
