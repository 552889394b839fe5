// Weights go out and come back, wherever a tensor is.
#include <google/protobuf/descriptor.h>
#include <onnxc/external_data.h>

#include <cstdio>
#include <string>
#include <vector>

#include "testing/places.h"
#include "testing/plain_message.h"
#include "weights/weights_testing.h"

namespace onnxc::testing {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

using WeightPlaces = InFolder;

/// Adds a tensor at the place, with raw data and the fields that do not contain data. Returns the tensor.
onnx::TensorProto* AddTensor(const Place& place, int number, onnx::ModelProto* model) {
  auto* const tensor = static_cast<onnx::TensorProto*>(MakePlace(place, model));
  tensor->set_name("tensor" + std::to_string(number));
  tensor->set_doc_string("doc");
  MakePlain(tensor->add_metadata_props());
  tensor->set_data_type(onnx::TensorProto::INT32);
  tensor->add_dims(2);
  tensor->set_raw_data(std::string(8, static_cast<char>(number)));
  tensor->mutable_raw_data()->replace(0, 2, std::to_string(100 + number % 100).substr(1));
  return tensor;
}

std::vector<Place> TensorPlaces() {
  std::vector<Place> places = AllPlaces(2);
  std::erase_if(places, [](const Place& place) {
    return place.empty() || place.back()->message_type() != onnx::TensorProto::descriptor();
  });
  return places;
}

bool IsInSparse(const Place& place) { return place.back()->containing_type() == onnx::SparseTensorProto::descriptor(); }

/// Returns how many tensors in the message have data, wherever they are.
int CountData(const Message& message) {
  if (const auto* const tensor = dynamic_cast<const onnx::TensorProto*>(&message))
    return tensor->has_raw_data() ? 1 : 0;
  const auto* const reflection = message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection->ListFields(message, &fields);
  int count = 0;
  for (const FieldDescriptor* const field : fields) {
    if (field->message_type() == nullptr) continue;
    if (!field->is_repeated()) count += CountData(reflection->GetMessage(message, field));
    for (int i = 0; field->is_repeated() && i < reflection->FieldSize(message, field); ++i) {
      count += CountData(reflection->GetRepeatedMessage(message, field, i));
    }
  }
  return count;
}

TEST_F(WeightPlaces, EachGoesOutAndComesBack) {
  for (const Place& place : TensorPlaces()) {
    SCOPED_TRACE(ToString(place));
    onnx::ModelProto model;
    AddTensor(place, 1, &model);
    const std::string before = Bytes(model);
    ASSERT_EQ(Told(Save(&model, "w.data", 1, true)), "");
    EXPECT_EQ(CountData(model), IsInSparse(place) ? 1 : 0);
    ASSERT_EQ(Told(InlineExternal(&model, Here())), "");
    ASSERT_EQ(Bytes(model), before);
  }
}

TEST_F(WeightPlaces, AllGoOutAndComeBack) {
  onnx::ModelProto model;
  int kept = 0;
  int number = 0;
  for (const Place& place : TensorPlaces()) {
    AddTensor(place, number++, &model);
    kept += IsInSparse(place) ? 1 : 0;
  }
  std::printf("%d tensors, %d of them parts of sparse tensors\n", number, kept);
  ASSERT_GT(kept, 0);
  const std::string before = Bytes(model);
  WriteAs("m.onnx", before);
  for (const char* const file : {"w.data", "w.safetensors", "m.onnx"}) {
    SCOPED_TRACE(file);
    onnx::ModelProto changed = model;
    if (std::string(file) != "m.onnx") {
      ASSERT_EQ(Told(Save(&changed, file)), "");
      EXPECT_EQ(CountData(changed), kept);
      ASSERT_EQ(Told(InlineExternal(&changed, Here())), "");
      EXPECT_EQ(Bytes(changed), before);
    }
    ASSERT_EQ(Told(ElideWeights(&changed, Elision::kChecksum, 1, Here())), "");
    EXPECT_EQ(CountData(changed), kept);
    ASSERT_EQ(Told(AttachWeights(&changed, Path(file), Here())), "");
    ASSERT_EQ(Told(InlineExternal(&changed, Here())), "");
    EXPECT_EQ(Bytes(changed), before);
  }
}

}  // namespace
}  // namespace onnxc::testing
