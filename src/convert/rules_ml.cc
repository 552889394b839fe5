// The steps of ai.onnx.ml.
#include <fmt/format.h>
#include <onnxc/parser.h>

#include "convert/rules.h"
#include "source/report.h"

namespace onnxc::convert {
namespace {

Integers CountUp(int size) {
  Integers all;
  for (int i = 0; i < size; ++i) all.push_back(i);
  return all;
}

}  // namespace

// ---- LabelEncoder

void ClassesToKeys(Step& step) {
  const int type = step.NeedElementType(0);
  const onnx::AttributeProto* const given = step.Attribute("classes_strings");
  if (!step.ok()) return;
  if (given == nullptr) return step.Refuse("it has no classes_strings");
  const onnx::AttributeProto classes = *given;
  const bool from_strings = type == onnx::TensorProto::STRING;
  const std::int64_t index = step.Int("default_int64", -1);
  const std::string word = step.String("default_string", "_Unused");
  for (const std::string_view name : {"classes_strings", "default_int64", "default_string"}) step.Remove(name);
  auto* const strings = step.Add(from_strings ? "keys_strings" : "values_strings", onnx::AttributeProto::STRINGS);
  *strings->mutable_strings() = classes.strings();
  step.Set(from_strings ? "values_int64s" : "keys_int64s", CountUp(classes.strings_size()));
  if (from_strings) return step.Set("default_int64", index);
  step.Set("default_string", std::string_view(word));
}

void KeysToClasses(Step& step) {
  const bool from_strings = step.HasAttribute("keys_strings") && step.HasAttribute("values_int64s");
  const bool to_strings = step.HasAttribute("keys_int64s") && step.HasAttribute("values_strings");
  if (!from_strings && !to_strings)
    return step.Refuse("before version 2 of ai.onnx.ml, one side is a string and the other a place in a list");
  const std::string_view numbers = from_strings ? "values_int64s" : "keys_int64s";
  const std::string_view words = from_strings ? "keys_strings" : "values_strings";
  const onnx::AttributeProto strings = *step.Attribute(words);
  if (step.Ints(numbers) != CountUp(strings.strings_size()))
    return step.Refuse(fmt::format("before version 2 of ai.onnx.ml, '{}' would be 0, 1, 2 ...", numbers));
  const std::int64_t index = step.Int("default_int64", -1);
  const std::string word = step.String("default_string", "_Unused");
  for (const std::string_view name : {std::string_view("default_int64"), std::string_view("default_string"),
                                      std::string_view("default_float"), numbers, words})
    step.Remove(name);
  *step.Add("classes_strings", onnx::AttributeProto::STRINGS)->mutable_strings() = strings.strings();
  if (from_strings) return step.Set("default_int64", index);
  step.Set("default_string", std::string_view(word));
}

void WarnOfKeys(Step& step) {
  onnx::AttributeProto const* keys = step.Attribute("keys_floats");
  if (keys == nullptr) return;
  for (const float key : keys->floats()) {
    if (key != key) return step.Warn("a key is NaN, which is found since version 4");
  }
}

void TensorsToLists(Step& step) {
  for (const std::string_view what : {"keys", "values", "default"}) {
    const std::string name = fmt::format("{}_tensor", what);
    const onnx::AttributeProto* const given = step.Attribute(name);
    if (given == nullptr) continue;
    const onnx::TensorProto tensor = given->t();
    step.Remove(name);
    const bool is_default = what == "default";
    const std::string s = is_default ? "" : "s";
    const std::vector<double> reals = RealsOf(tensor);
    if (tensor.data_type() == onnx::TensorProto::STRING) {
      if (is_default && tensor.string_data_size() == 1) {
        step.Set("default_string", std::string_view(tensor.string_data(0)));
      } else {
        *step.Add(fmt::format("{}_strings", what), onnx::AttributeProto::STRINGS)->mutable_strings() =
            tensor.string_data();
      }
    } else if (tensor.data_type() == onnx::TensorProto::FLOAT) {
      is_default&& reals.size() == 1 ? step.Set("default_float", static_cast<float>(reals[0]))
                                     : step.Set(fmt::format("{}_floats", what), reals);
    } else if (tensor.data_type() == onnx::TensorProto::INT64) {
      const Integers integers = IntegersOf(tensor);
      is_default&& integers.size() == 1 ? step.Set("default_int64", integers[0])
                                        : step.Set(fmt::format("{}_int64s", what), integers);
    } else {
      return step.Refuse(
          fmt::format("before version 4 of ai.onnx.ml, there is no list of {}", KeywordOf(tensor.data_type())));
    }
  }
}

}  // namespace onnxc::convert
