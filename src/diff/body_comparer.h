// Compares the parts that graphs and functions have in common: nodes, inputs, outputs and initializers.
#pragma once

#include <deque>

#include "diff/body.h"
#include "diff/comparer.h"
#include "diff/match.h"

namespace onnxc::diff {

/// The field numbers of a graph or of a function.
struct BodyFields {
  int node;
  int input;
  int output;
  int initializer;  ///< 0 if the message type has none
};

class BodyComparer {
 public:
  /// Finds the counterparts between the elements of both bodies.
  BodyComparer(const Both& at, const Body& before, const Body& after, const BodyFields& fields, Comparer* comparer);

  [[nodiscard]] const Counterparts& counterparts() const { return counterparts_; }

  /// Compares the bodies. The comparer's current counterparts must be those of these bodies.
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
  /// Marks the nodes that read the given weights, themselves or in a subgraph, because they no longer compute the same.
  void MarkReaders(const NameSet& values);
  void ReportOrder(const Matching& matching, int field, Aspect aspect);

  void CompareNodes();
  void CompareNode(int before, int after);
  void CompareReads(const Both& node, const onnx::NodeProto& before, const onnx::NodeProto& after);
  void CompareWrites(const Both& node, const onnx::NodeProto& before, const onnx::NodeProto& after);
  /// Returns whether an added or removed node explains why the node `reader` reads `after` instead of `before`. If so,
  /// the change is reported as an effect of the added or removed node.
  [[nodiscard]] bool IsEffect(std::string_view reader, std::string_view before, std::string_view after);
  void ReportEffects(std::size_t difference, const Effects& effects);

  /// Returns the path of an element of a repeated field. The elements are messages or names.
  [[nodiscard]] std::string ElementPath(bool is_old, int field, int index) const;
  void ReportElement(Kind kind, int field, int index);

  const Both& at_;
  const Body& before_;
  const Body& after_;
  const BodyFields fields_;
  Comparer& comparer_;
  BodyMatch match_;
  Counterparts counterparts_;
  std::deque<Effects> effects_;  // effects of added or removed nodes
  std::vector<Effects*> removed_;
  std::vector<Effects*> added_;
};

}  // namespace onnxc::diff
