// Chooses the pragma clauses at the top of a text, so that as few messages as possible need their own clauses.
#pragma once

#include <onnxc/proto.h>

#include <array>
#include <cstddef>

#include "print/lossless/clauses.h"
#include "tables/limits.h"

namespace onnxc::print {

/// Counts, for each possible clause, how many messages would need an exception from it.
class Census {
 public:
  void Count(const onnx::ModelProto& model);
  /// Counts the messages of the model except the long lists of its graph (elements.h).
  void CountAround(const onnx::ModelProto& model);
  void Count(const onnx::GraphProto& graph);
  void Count(const onnx::FunctionProto& function);
  void Count(const onnx::NodeProto& node);
  void Count(const onnx::AttributeProto& attribute);
  void Count(const onnx::ValueInfoProto& value);
  void Count(const onnx::TensorProto& tensor, TensorRole place);
  void Count(const onnx::SequenceProto& sequence);
  void Count(const onnx::MapProto& map);
  void Count(const onnx::OptionalProto& optional);

  /// Adds the counts of another census.
  void Add(const Census& other);

  [[nodiscard]] ClauseScope Choose() const;

 private:
  struct Tally {
    std::size_t present_unwritten = 0;  // exceptions if there is no clause for the field
    std::size_t absent_unwritten = 0;   // exceptions if the clause is `set`
    std::size_t absent_written = 0;     // exceptions if there is no clause for the field
    std::size_t present_default = 0;    // exceptions if the clause is `unset`
  };
  struct Tallies {
    void operator()(Row row, bool written, bool present, bool is_default) {
      Tally& tally = rows[static_cast<std::size_t>(row)];
      if (!written) {
        ++(present ? tally.present_unwritten : tally.absent_unwritten);
      } else if (!present) {
        ++tally.absent_written;
      } else if (is_default) {
        ++tally.present_default;
      }
    }
    std::array<Tally, kRows> rows{};
  };

  void Count(const onnx::OperatorSetIdProto& import);
  void CountAround(const onnx::GraphProto& graph);
  void CountLists(const onnx::GraphProto& graph);

  Tallies tallies_;
  std::size_t raw_ = 0;    // tensors that need `raw`
  std::size_t typed_ = 0;  // tensors that need `typed`
  int depth_ = 0;
};

/// Returns the scope that needs the fewest exceptions in a message.
template <typename Proto, typename... Place>
[[nodiscard]] ClauseScope ChooseScope(const Proto& message, Place... place) {
  Census census;
  census.Count(message, place...);
  return census.Choose();
}

}  // namespace onnxc::print
