// AddTypes() writes the same types into a message as WithTypes() writes into a copy, even if the replaced types contain
// the names of symbols. Both keep what is declared, and add each part that a declaration lacks.
#include <google/protobuf/arena.h>
#include <google/protobuf/message.h>
#include <gtest/gtest.h>
#include <onnxc/arena.h>
#include <onnxc/infer.h>
#include <onnxc/parser.h>

#include <filesystem>
#include <string>
#include <vector>

#include "testing/folder.h"
#include "testing/paths.h"
#include "testing/predicates.h"
#include "testing/random_message.h"

namespace onnxc::testing {
namespace {

void ExpectSame(const onnx::ModelProto& model, const std::string& what) {
  for (const bool overwrite : {false, true}) {
    const InferOptions options{.overwrite = overwrite};
    const std::string expected = WithTypes(model, InferTypes(model, options), overwrite).message.SerializeAsString();
    google::protobuf::Arena arena;
    auto* const placed = NewIn<onnx::ModelProto>(&arena);
    *placed = model;
    (void)AddTypes(placed, InferTypes(*placed, options), overwrite);
    EXPECT_TRUE(testing::AreSame(placed->SerializeAsString(), expected)) << what << (overwrite ? ", overwrite" : "");
    onnx::ModelProto owned = model;
    (void)AddTypes(&owned, InferTypes(owned, options), overwrite);
    EXPECT_TRUE(testing::AreSame(owned.SerializeAsString(), expected)) << what << (overwrite ? ", overwrite" : "");
  }
}

TEST(AddTypes, OfTheTextsOfTheTests) {
  int models = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kTestdata)) {
    if (entry.path().extension() != ".onnxtxt") continue;
    onnx::ModelProto model;
    if (!Parse(ReadWhole(entry.path()), &model).ok()) continue;
    ExpectSame(model, entry.path().string());
    ++models;
  }
  EXPECT_GT(models, 20);
}

TEST(AddTypes, OfAnyMessage) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    onnx::ModelProto model;
    FillAtRandom(&model, seed);
    ExpectSame(model, "seed " + std::to_string(seed));
  }
}

TEST(AddTypes, WhereDeclaredSymbolsAreReplaced) {
  const std::string text = R"(<ir_version: 10, opset_import: ["" : 21]>
g (float[A_name_that_is_longer_than_a_short_string, 2] x, bool c) => (float[B, C] y, float[D] z)
   <float[A_name_that_is_longer_than_a_short_string, Another_name_that_is_long] s, float[M] t> {
   s = Relu (x)
   u = Abs (s)
   t = ReduceSum <keepdims = 0> (u, axes)
   axes = Constant <value = int64[1] {1}> ()
   y = If (c) <then_branch = a () => (float[Q, 2] p) { p = Relu (u) }, else_branch = b () => (float[R, 2] q) { q = Abs (s) }>
   z = Neg (t)
})";
  onnx::ModelProto model;
  ASSERT_TRUE(testing::Ok(Parse(text, &model)));
  ExpectSame(model, "symbols");
}

/// Clears one of the parts of the message, which are its fields and those of its parts. Returns a negative number, or
/// the number that is left if there are not so many parts.
int ClearPart(google::protobuf::Message* message, int number) {
  const auto* const reflection = message->GetReflection();
  std::vector<const google::protobuf::FieldDescriptor*> fields;
  reflection->ListFields(*message, &fields);
  for (const auto* const field : fields) {
    const bool is_message = field->cpp_type() == google::protobuf::FieldDescriptor::CPPTYPE_MESSAGE;
    for (int i = 0; field->is_repeated() && i < reflection->FieldSize(*message, field) && number >= 0; ++i) {
      number = ClearPart(reflection->MutableRepeatedMessage(message, field, i), number);
    }
    if (!field->is_repeated() && number-- == 0) reflection->ClearField(message, field);
    if (!field->is_repeated() && is_message && number >= 0) {
      number = ClearPart(reflection->MutableMessage(message, field), number);
    }
    if (number < 0) return number;
  }
  return number;
}

constexpr const char* kKinds[] = {"float[2, N, 3]", "seq(float[2, N])", "optional(int64[N, 4])",
                                  "optional(seq(float[3]))"};

onnx::ModelProto Copies(const std::string& type) {
  onnx::ModelProto model;
  const std::string text = "<ir_version: 10, opset_import: [\"\" : 21]>\ng (" + type + " x) => (" + type + " y) <" +
                           type + " s> {\n  s = Identity (x)\n  y = Identity (s)\n}\n";
  EXPECT_TRUE(Parse(text, &model).ok()) << text;
  return model;
}

TEST(AddTypes, AddEachPartThatADeclarationLacks) {
  int parts = 0;
  for (const char* const type : kKinds) {
    const onnx::ModelProto right = Copies(type);
    for (int number = 0;; ++number) {
      onnx::ModelProto model = right;
      if (ClearPart(model.mutable_graph()->mutable_value_info(0)->mutable_type(), number) >= 0) break;
      ++parts;
      const auto typed = WithTypes(model, InferTypes(model));
      EXPECT_EQ(typed.message.graph().value_info(0).type().SerializeAsString(),
                right.graph().value_info(0).type().SerializeAsString())
          << type << ", declared as " << model.graph().value_info(0).type().ShortDebugString();
    }
  }
  EXPECT_GE(parts, 25);
}

TEST(AddTypes, KeepTheDenotationOfADeclarationThatIsOtherwiseEmpty) {
  for (const char* const type : kKinds) {
    for (const bool overwrite : {false, true}) {
      onnx::ModelProto model = Copies(type);
      onnx::TypeProto expected = model.graph().value_info(0).type();
      expected.set_denotation("IMAGE");
      auto* const declared = model.mutable_graph()->mutable_value_info(0)->mutable_type();
      declared->Clear();
      declared->set_denotation("IMAGE");
      const auto typed = WithTypes(model, InferTypes(model, {.overwrite = overwrite}), overwrite);
      EXPECT_EQ(typed.message.graph().value_info(0).type().SerializeAsString(), expected.SerializeAsString()) << type;
    }
  }
}

TEST(AddTypes, KeepADeclarationOfAnotherKind) {
  for (const char* const type : kKinds) {
    for (const char* const declared : kKinds) {
      if (type == declared) continue;
      onnx::ModelProto model = Copies(type);
      const onnx::TypeProto other = Copies(declared).graph().value_info(0).type();
      *model.mutable_graph()->mutable_value_info(0)->mutable_type() = other;
      const Inference inference = InferTypes(model);
      EXPECT_FALSE(inference.ok()) << type << " for " << declared;
      EXPECT_EQ(WithTypes(model, inference).message.graph().value_info(0).type().SerializeAsString(),
                other.SerializeAsString())
          << type << " for " << declared;
    }
  }
}

TEST(AddTypes, LeaveOutWhatIsNotKnown) {
  onnx::ModelProto model = Copies("float[2, N]");
  model.mutable_graph()->mutable_node(0)->set_op_type("Unknown");
  model.mutable_graph()->mutable_value_info(0)->clear_type();
  model.mutable_graph()->mutable_output(0)->clear_type();
  EXPECT_EQ(WithTypes(model, InferTypes(model)).message.SerializeAsString(), model.SerializeAsString());
}

}  // namespace
}  // namespace onnxc::testing
