// Finds the differences in meaning between two models, independent of their bytes.
#pragma once

#include <onnxc/proto.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace onnxc {

/// The aspect of a model that a difference concerns. All aspects except kModel can be ignored.
enum class Aspect : std::uint8_t {
  kModel,     ///< what the model computes, and everything that the other aspects do not cover
  kNames,     ///< names of nodes, values and graphs
  kDocs,      ///< doc_string fields
  kMetadata,  ///< metadata_props fields
  kStorage,   ///< in which field a tensor's elements are stored, or whether they are elided; and the order of lists
              ///< whose order has no meaning
};

/// The names of the aspects, indexed by their values.
inline constexpr std::array<std::string_view, 5> kAspectWords = {"model", "names", "docs", "metadata", "storage"};

struct DiffOptions {
  /// Aspects whose differences are left out.
  std::vector<Aspect> ignore = {};
  /// Two elements of tensors count as equal if they differ by at most this number. 0: only elements with the same bits
  /// are equal.
  double weights_tolerance = 0;
  /// Two elements also count as equal if |before - after| <= weights_tolerance + relative_tolerance * |after|, as in
  /// numpy.allclose().
  double relative_tolerance = 0;
};

struct Difference {
  enum class Kind : std::uint8_t { kAdded, kRemoved, kChanged, kRenamed };

  Kind kind = Kind::kChanged;
  Aspect aspect = Aspect::kModel;
  std::string path;     ///< the path in the new message, or in the old message if the element was removed:
                        ///< `graph.node[3] "conv1".attribute["pads"]`
  std::string before;   ///< the old value, shortened
  std::string after;    ///< the new value, shortened
  std::string detail;   ///< details, such as `3 of 12 elements differ`
  std::string subject;  ///< the node that contains the difference: `y = Conv (x, w)`
};

/// Returns all differences, in the order of the new message. A field that is absent in one message and has its default
/// value in the other is not a difference. Both messages may be of any type of the schema. If the types of the messages
/// differ, or if a message is nested deeper than protobuf can read, the result is one difference that says so. Nodes
/// are matched by what they compute and by their neighbours, so one inserted node is one difference. Files of external
/// data are not read: tensors with external data are compared by the field external_data. Elided data are compared with
/// other data by their checksum; without a checksum, only type and shape are compared. The time is about linear in the
/// sizes of the messages.
[[nodiscard]] std::vector<Difference> Diff(const google::protobuf::Message& before,
                                           const google::protobuf::Message& after, const DiffOptions& options = {});

/// Renders differences for people, one line for each. Many changes of names, or of storage, are combined in one line.
/// `color` adds ANSI colours.
[[nodiscard]] std::string RenderText(const std::vector<Difference>& differences, bool color = false);

/// Renders differences for programs: a JSON object with an array "differences".
[[nodiscard]] std::string RenderJson(const std::vector<Difference>& differences);

}  // namespace onnxc
