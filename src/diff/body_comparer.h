// Compares what graphs and functions have in common: nodes, inputs, outputs, initializers.
#pragma once

#include <deque>

#include "diff/body.h"
#include "diff/comparer.h"
#include "diff/match.h"

namespace onnxc::diff {

/// The fields of a graph or of a function.
struct BodyFields {
  int node;
  int input;
  int output;
  int initializer;  ///< 0: none
};

class BodyComparer {
 public:
  /// Finds the counterparts.
  BodyComparer(const Both& at, const Body& before, const Body& after, const BodyFields& fields, Comparer* comparer);

  [[nodiscard]] const Counterparts& counterparts() const { return counterparts_; }

  /// Compares; the comparer has to be inside these counterparts.
  void Run();

 private:
  using Kind = Difference::Kind;

  void FindCounterparts();
  void Declare(const Matching& matching, const std::vector<std::string_view>& before,
               const std::vector<std::string_view>& after);

  void CompareInputs();
  void CompareOutputs();
  [[nodiscard]] Matching MatchOutputs() const;
  void CompareOutput(int before, int after);
  void CompareInitializers();
  /// Nodes that read weights that differ do not compute the same, also those of graphs inside of nodes.
  void MarkReaders(const NameSet& values);
  void ReportOrder(const Matching& matching, int field, Aspect aspect);

  void CompareNodes();
  void CompareNode(int before, int after);
  void CompareReads(const Both& node, const onnx::NodeProto& before, const onnx::NodeProto& after);
  void CompareWrites(const Both& node, const onnx::NodeProto& before, const onnx::NodeProto& after);
  /// Whether a node that was added or removed explains that `after` is read where `before` was; if so, it is told so.
  [[nodiscard]] bool IsEffect(std::string_view reader, std::string_view before, std::string_view after);
  void ReportEffects(std::size_t difference, const Effects& effects);

  /// An element of a list of messages, or of names.
  [[nodiscard]] std::string ElementPath(bool is_old, int field, int index) const;
  void ReportElement(Kind kind, int field, int index);

  const Both& at_;
  const Body& before_;
  const Body& after_;
  const BodyFields fields_;
  Comparer& comparer_;
  BodyMatch match_;
  Counterparts counterparts_;
  std::deque<Effects> effects_;  // of nodes that were added or removed
  std::vector<Effects*> removed_;
  std::vector<Effects*> added_;
};

}  // namespace onnxc::diff
