// Random models that look like exported models, with an occasional error.
#pragma once

#include <onnxc/proto.h>

#include "testing/random_values.h"

namespace onnxc::testing {

class RandomModel {
 public:
  explicit RandomModel(RandomValues* values) : random_(*values) {}

  /// `levels`: the maximum depth of nested subgraphs and types.
  void Fill(onnx::ModelProto* model, int levels);
  void Fill(onnx::GraphProto* graph, int levels);
  void Fill(onnx::FunctionProto* function, int levels);
  void Fill(onnx::NodeProto* node, int levels);
  void Fill(onnx::AttributeProto* attribute, int levels);
  void Fill(onnx::TypeProto* type, int levels);
  void Fill(onnx::TensorProto* tensor, int levels = 0);
  void Fill(onnx::TensorShapeProto* shape, int levels = 0);
  /// Fills a message of another type. The message must be empty.
  void Fill(google::protobuf::Message* message, int levels);

 private:
  void Fill(onnx::ValueInfoProto* value, int levels);
  void Fill(onnx::SparseTensorProto* sparse, int levels);
  void Fill(onnx::OperatorSetIdProto* import);
  void Fill(onnx::StringStringEntryProto* entry);

  template <typename Repeated>
  void Some(Repeated* list, std::size_t most, int levels) {
    for (std::size_t count = random_.Below(most + 1); count > 0; --count) Fill(list->Add(), levels);
  }
  template <typename Message>
  void Documentation(Message* message);
  template <typename Graph>
  void Body(Graph* graph, int levels);

  void Value(onnx::AttributeProto* attribute, int field, int levels);
  void Typed(onnx::TensorProto* tensor, std::size_t elements);
  void Defect(onnx::TensorProto* tensor);

  RandomValues& random_;
};

}  // namespace onnxc::testing
