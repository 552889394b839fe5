// Every difference is reported, and no other: for each field in each place, with each special value, and for random
// models.
#include <google/protobuf/descriptor.h>
#include <gtest/gtest.h>
#include <onnxc/differ.h>

#include <memory>

#include "testing/places.h"
#include "testing/plain_message.h"
#include "testing/proto.h"
#include "testing/random_message.h"
#include "testing/variants.h"

namespace onnxc::testing {
namespace {

using google::protobuf::Message;

/// The result of Diff if it is wrong. Diff must report a difference exactly if the messages differ by more than present
/// default values.
std::string FindMistake(const onnx::ModelProto& before, const onnx::ModelProto& after) {
  onnx::ModelProto bare_before = before;
  onnx::ModelProto bare_after = after;
  ClearDefaults(&bare_before);
  ClearDefaults(&bare_after);
  const bool is_same = Bytes(bare_before) == Bytes(bare_after);
  const std::vector<Difference> differences = Diff(before, after);
  if (differences.empty() == is_same) return {};
  return is_same ? "made up: " + RenderText(differences) : "missed";
}

/// A model with a message at `place`, before and after `change`.
struct Edit {
  onnx::ModelProto before;
  onnx::ModelProto after;
};
template <typename Change>
Edit MakeEdit(const Place& place, bool is_plain, Change change) {
  Edit edit;
  for (onnx::ModelProto* model : {&edit.before, &edit.after}) {
    Message* message = MakePlace(place, model);
    if (is_plain) MakePlain(message);
    if (model == &edit.after) change(message);
  }
  return edit;
}

TEST(DiffFields, AreComparedInEveryPlace) {
  int mistakes = 0;
  int edits = 0;
  for (const Place& place : AllPlaces()) {
    const auto* type = place.empty() ? onnx::ModelProto::descriptor() : place.back()->message_type();
    for (int i = 0; i < type->field_count(); ++i) {
      for (const Variant& variant : VariantsOf(type->field(i))) {
        for (const bool is_plain : {true, false}) {
          const Edit edit = MakeEdit(place, is_plain, variant.apply);
          for (const bool is_forward : {true, false}) {
            if (!is_forward && !is_plain) continue;
            ++edits;
            const std::string mistake =
                is_forward ? FindMistake(edit.before, edit.after) : FindMistake(edit.after, edit.before);
            if (mistake.empty() || ++mistakes > 10) continue;
            ADD_FAILURE() << ToString(place) << ": " << variant.name << ": " << mistake << "\n"
                          << edit.before.DebugString() << "----\n"
                          << edit.after.DebugString();
          }
        }
      }
    }
  }
  std::printf("%d edits, %d mistakes\n", edits, mistakes);
  EXPECT_EQ(mistakes, 0);
}

TEST(DiffFields, UnknownOnesAreComparedInEveryPlace) {
  for (const Place& place : AllPlaces()) {
    const Edit edit = MakeEdit(place, true, [](Message* message) {
      message->GetReflection()->MutableUnknownFields(message)->AddVarint(1000, 7);
    });
    EXPECT_EQ(FindMistake(edit.before, edit.after), "") << ToString(place);
    EXPECT_EQ(FindMistake(edit.after, edit.before), "") << ToString(place);
  }
}

/// All messages that a message contains, and the message itself.
void Collect(Message* message, std::vector<Message*>* all) {
  all->push_back(message);
  const auto* reflection = message->GetReflection();
  std::vector<const google::protobuf::FieldDescriptor*> fields;
  reflection->ListFields(*message, &fields);
  for (const auto* field : fields) {
    if (field->message_type() == nullptr) continue;
    if (!field->is_repeated()) Collect(reflection->MutableMessage(message, field), all);
    for (int i = 0; field->is_repeated() && i < reflection->FieldSize(*message, field); ++i) {
      Collect(reflection->MutableRepeatedMessage(message, field, i), all);
    }
  }
}

/// Changes one field of one message in the model; `choice` selects the change.
void Change(onnx::ModelProto* model, std::uint64_t choice) {
  std::vector<Message*> all;
  Collect(model, &all);
  Message* message = all[choice * 7919 % all.size()];
  const auto* type = message->GetDescriptor();
  const auto* field = type->field(static_cast<int>(choice * 104729 % static_cast<std::uint64_t>(type->field_count())));
  const auto* reflection = message->GetReflection();
  const int size = field->is_repeated() ? reflection->FieldSize(*message, field) : 0;
  const int at = size == 0 ? 0 : static_cast<int>(choice / 2 % static_cast<std::uint64_t>(size));
  if (choice % 3 == 0 && size > 1) {
    reflection->SwapElements(message, field, at, (at + 1) % size);
  } else if (choice % 3 == 1 && size > 0) {
    reflection->SwapElements(message, field, at, size - 1);
    reflection->RemoveLast(message, field);
  } else {
    const std::vector<Variant> variants = VariantsOf(field);
    variants[choice % variants.size()].apply(message);
  }
}

TEST(DiffFields, AreComparedInModelsAtRandom) {
  int mistakes = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    onnx::ModelProto model;
    FillAtRandom(&model, seed);
    for (std::uint64_t choice = seed; choice < seed + 20; ++choice) {
      onnx::ModelProto changed = model;
      Change(&changed, choice);
      if (choice % 4 == 0) Change(&changed, choice + 12345);
      const std::string mistake = FindMistake(model, changed);
      if (mistake.empty() || ++mistakes > 5) continue;
      ADD_FAILURE() << "seed " << seed << ", choice " << choice << ": " << mistake << "\n"
                    << L1(model) << "----\n"
                    << L1(changed);
    }
  }
  EXPECT_EQ(mistakes, 0);
}

TEST(DiffFields, ModelsAtRandomDiffer) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    onnx::ModelProto before;
    onnx::ModelProto after;
    FillAtRandom(&before, seed);
    FillAtRandom(&after, seed + 1000);
    EXPECT_EQ(FindMistake(before, after), "") << seed;
    EXPECT_EQ(FindMistake(before, before), "") << seed;
    for (const Aspect aspect : {Aspect::kNames, Aspect::kDocs, Aspect::kMetadata, Aspect::kStorage}) {
      EXPECT_TRUE(Diff(before, before, {.ignore = {aspect}}).empty()) << seed;
      for (const Difference& difference : Diff(before, after, {.ignore = {aspect}})) {
        EXPECT_NE(difference.aspect, aspect) << seed;
      }
    }
  }
}

}  // namespace
}  // namespace onnxc::testing
