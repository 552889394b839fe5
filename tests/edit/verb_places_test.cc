// What infer, link, strip and convert do with a message in each place: infer only adds, and the others change only what
// they say.
#include <gtest/gtest.h>
#include <onnxc/differ.h>
#include <onnxc/infer.h>
#include <onnxc/linker.h>
#include <onnxc/model_io.h>
#include <onnxc/strip.h>

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "testing/full_model.h"
#include "testing/proto.h"

namespace onnxc::testing {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

/// Calls `wrong_with(model)` for a full model of each place. It returns what is wrong, or "".
void ExpectOfEachPlace(const std::function<std::string(const onnx::ModelProto&)>& wrong_with, int graphs = 2) {
  int models = 0;
  int wrong = 0;
  ForEachFullModel(AllPlaces(graphs), [&](const std::string& name, const onnx::ModelProto& model) {
    ++models;
    const std::string message = wrong_with(model);
    if (message.empty() || ++wrong > 10) return;
    ADD_FAILURE() << name << ": " << message;
  });
  std::printf("%d models, %d are wrong\n", models, wrong);
  EXPECT_EQ(wrong, 0);
}

std::string ChangeOf(const onnx::ModelProto& expected, const onnx::ModelProto& actual) {
  return Bytes(expected) == Bytes(actual) ? "" : "differs:\n" + RenderText(Diff(expected, actual));
}

/// Returns what `message` lost, or "". Values of dimensions may change if `dims_may_change`.
std::string LostIn(const Message& message, const Message& before, bool dims_may_change) {
  const Reflection* const reflection = message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  before.GetReflection()->ListFields(before, &fields);
  const bool is_dim = before.GetDescriptor() == onnx::TensorShapeProto::Dimension::descriptor();
  for (const FieldDescriptor* const field : fields) {
    const std::string name(field->full_name());
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) {
      if (is_dim && dims_may_change && field->containing_oneof() != nullptr) continue;
      const int count = field->is_repeated() ? reflection->FieldSize(before, field) : 1;
      if (field->is_repeated() && reflection->FieldSize(message, field) != count) return name;
      for (int i = 0; i < count; ++i) {
        std::string texts[2];
        for (const Message* const each : {&message, &before}) {
          google::protobuf::TextFormat::PrintFieldValueToString(*each, field, field->is_repeated() ? i : -1,
                                                                &texts[each == &before ? 1 : 0]);
        }
        if (texts[0] != texts[1]) return name + ": " + texts[1] + " became " + texts[0];
      }
    } else if (!field->is_repeated()) {
      if (!reflection->HasField(message, field)) return name;
      const std::string lost =
          LostIn(reflection->GetMessage(message, field), reflection->GetMessage(before, field), dims_may_change);
      if (!lost.empty()) return lost;
    } else {
      const int count = reflection->FieldSize(before, field);
      const int now = reflection->FieldSize(message, field);
      const bool may_grow =
          field->message_type() == onnx::ValueInfoProto::descriptor() && field->name() == "value_info";
      if (now < count || (now > count && !may_grow)) return name + " has another number of elements";
      for (int i = 0; i < count; ++i) {
        const std::string lost = LostIn(reflection->GetRepeatedMessage(message, field, i),
                                        reflection->GetRepeatedMessage(before, field, i), dims_may_change);
        if (!lost.empty()) return lost;
      }
    }
  }
  return "";
}

TEST(InferPlaces, OnlyAdds) {
  ExpectOfEachPlace([](const onnx::ModelProto& model) {
    const Inference inference = InferTypes(model);
    const auto typed = WithTypes(model, inference);
    return typed.ok() ? LostIn(typed.message, model, false) : "refused";
  });
}

TEST(InferPlaces, OverwritesOnlyTypes) {
  ExpectOfEachPlace([](const onnx::ModelProto& model) {
    const Inference inference = InferTypes(model, {.overwrite = true});
    const auto typed = WithTypes(model, inference, /*overwrite=*/true);
    return typed.ok() ? LostIn(typed.message, model, true) : "refused";
  });
}

TEST(LinkPlaces, KeepsTheModelAndTheFunctions) {
  ExpectOfEachPlace([](const onnx::ModelProto& model) -> std::string {
    std::vector<LinkInput> libraries;
    libraries.push_back({SourceText("library", ""), {}, {}});
    libraries[0].message.mutable_functions()->CopyFrom(model.functions());
    onnx::ModelProto linked = model;
    linked.clear_functions();
    std::string shown;
    for (const SourceFindings& findings : Link(&linked, SourceText("model", ""), {}, libraries)) {
      shown += RenderText(findings.diagnostics, findings.source);
    }
    onnx::ModelProto expected = model;
    for (int i = model.opset_import_size(); i < linked.opset_import_size(); ++i) {  // those of the functions
      *expected.add_opset_import() = linked.opset_import(i);
    }
    return shown + ChangeOf(expected, linked);
  });
}

TEST(StripPlaces, ChangesOnlyWeightsOfTheMainGraph) {
  ExpectOfEachPlace([](const onnx::ModelProto& model) -> std::string {
    onnx::ModelProto stripped = model;
    if (!StripWeights(&stripped).ok()) return "refused";
    onnx::ModelProto expected = model;  // its tensors have one element, so only sparse initializers are weights
    expected.mutable_graph()->clear_sparse_initializer();
    for (const auto& sparse : model.graph().sparse_initializer()) {
      onnx::ValueInfoProto* const input = expected.mutable_graph()->add_input();
      input->set_name(sparse.values().name());
      auto* const type = input->mutable_type()->mutable_tensor_type();
      if (sparse.values().data_type() != 0) type->set_elem_type(sparse.values().data_type());
      auto* const shape = type->mutable_shape();
      for (const std::int64_t dim : sparse.dims()) shape->add_dim()->set_dim_value(dim);
    }
    return ChangeOf(expected, stripped);
  });
}

TEST(ConvertPlaces, ComesBackFromEachFormat) {
  for (const Format format : {Format::kJson, Format::kTextProto}) {
    const auto wrong_with = [format](const onnx::ModelProto& model) -> std::string {
      std::string bytes;
      onnx::ModelProto read;
      if (!Encode(model, format, &bytes).ok() || !Decode(bytes, format, &read).ok()) return "refused: " + bytes;
      return ChangeOf(model, read);
    };
    ExpectOfEachPlace(wrong_with, /*graphs=*/1);
  }
}

}  // namespace
}  // namespace onnxc::testing
