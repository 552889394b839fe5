// Prints and parses random messages. `roundtrip_fuzz` does the same for any number of messages.
#include <gtest/gtest.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <set>

#include "testing/proto.h"
#include "testing/random_message.h"
#include "testing/roundtrip.h"

namespace onnxc::testing {
namespace {

constexpr std::uint64_t kFirstSeed = 1;
constexpr std::uint64_t kMessages = 500;  // of each kind
constexpr int kFaults = 5;                // are reported; then the test stops

void ExpectOfEachKind(Property property) {
  std::printf("seeds %" PRIu64 " to %" PRIu64 ", of each kind\n", kFirstSeed, kFirstSeed + kMessages - 1);
  int faults = 0;
  ForEachKind([&](const auto& row) {
    for (std::uint64_t seed = kFirstSeed; seed < kFirstSeed + kMessages && faults < kFaults; ++seed) {
      const auto message = NewMessage(row.kind);
      FillAtRandom(message.get(), seed);
      if (!property(*message)) continue;
      ++faults;
      ADD_FAILURE() << Describe("kind " + std::string(row.word) + ", seed " + std::to_string(seed), *message, property);
    }
  });
}

TEST(RandomMessages, AreTheSameForTheSameSeed) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    onnx::ModelProto first;
    onnx::ModelProto second;
    FillAtRandom(&first, seed);
    FillAtRandom(&second, seed);
    EXPECT_EQ(Bytes(first), Bytes(second));
  }
}

/// The random messages contain every field of the schema, also with its default value, and reach the limit of depth.
TEST(RandomMessages, LeaveNoFieldOut) {
  using google::protobuf::FieldDescriptor;
  std::set<const FieldDescriptor*> missing;
  std::set<const google::protobuf::Descriptor*> types;
  const auto add = [&](const auto& self, const google::protobuf::Descriptor* type) -> void {
    if (!types.insert(type).second) return;
    for (int i = 0; i < type->field_count(); ++i) {
      missing.insert(type->field(i));
      if (type->field(i)->message_type() != nullptr) self(self, type->field(i)->message_type());
    }
  };
  add(add, onnx::ModelProto::descriptor());
  int deepest = 0;
  const auto visit = [&](const auto& self, const google::protobuf::Message& message, int depth) -> void {
    deepest = std::max(deepest, depth);
    const auto* reflection = message.GetReflection();
    std::vector<const FieldDescriptor*> fields;
    reflection->ListFields(message, &fields);
    for (const FieldDescriptor* field : fields) {
      missing.erase(field);
      if (field->message_type() == nullptr) continue;
      if (!field->is_repeated()) self(self, reflection->GetMessage(message, field), depth + 1);
      for (int i = 0; field->is_repeated() && i < reflection->FieldSize(message, field); ++i) {
        self(self, reflection->GetRepeatedMessage(message, field, i), depth + 1);
      }
    }
  };
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    onnx::ModelProto model;
    FillAtRandom(&model, seed);
    visit(visit, model, 0);
  }
  for (const FieldDescriptor* field : missing) ADD_FAILURE() << field->full_name();
  EXPECT_EQ(deepest, 100);
}

TEST(RandomMessages, ComeBackWithTheSameBytes) { ExpectOfEachKind(&FindLoss); }

TEST(RandomMessages, ArePrintedInTheLayoutOfTheFormatter) { ExpectOfEachKind(&FindOtherLayout); }

TEST(RandomMessages, LoseNothingInSilenceInTheReferenceDialect) { ExpectOfEachKind(&FindSilentLoss); }

}  // namespace
}  // namespace onnxc::testing
