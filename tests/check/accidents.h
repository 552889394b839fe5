// Valid models, and changes that make them invalid.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <onnxc/checker.h>
#include <onnxc/parser.h>
#include <onnxc/printer.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "testing/folder.h"
#include "testing/predicates.h"

namespace onnxc::accident {

using onnx::ModelProto;
using Accident = std::function<void(ModelProto&)>;

struct Case {
  std::string_view rule;
  std::string text;
  Accident accident;
};

/// Returns a case for each rule that models can break: a valid model, and a change that breaks only this rule.
[[nodiscard]] const std::vector<Case>& Cases();

inline void PrintTo(const Case& row, std::ostream* out) { *out << row.rule; }

inline const std::string kHead = R"(<ir_version: 10, opset_import: ["" : 21]> g )";
inline const std::string kPlain = kHead + "(float[2] x) => (float[2] y) { y = Relu(x) }";
inline const std::string kChain = kHead + "(float[2] x) => (float[2] y) { t = Abs(x) y = Relu(t) }";
inline const std::string kWeights = kHead + "(float[2] x) => (float[2] y) <float[2] w = {1, 2}> { y = Add(x, w) }";
inline const std::string kCast = kHead + "(float[2] x) => (int64[2] y) { y = Cast<to = 7>(x) }";
inline const std::string kFunction =
    R"(<ir_version: 10, opset_import: ["l" : 1]> g (float[2] x) => (float[2] y) { y = l.f<k = 1>(x) }
    <domain: "l", opset_import: ["" : 21]> f <k> (a) => (b) { t = Cast<to: int = @k>(a) b = Relu(t) })";
inline const std::string kTwoFunctions =
    R"(<ir_version: 10, opset_import: ["l" : 1]> g (float[2] x) => (float[2] y) { y = l.f(x) }
    <domain: "l", opset_import: ["l" : 1]> f (a) => (b) { b = l.h(a) }
    <domain: "l", opset_import: ["" : 21]> h (a) => (b) { b = Relu(a) })";
inline const std::string kIf = kHead + R"((bool c, float[2] x) => (float[2] y) { y = If(c) <
    then_branch = t () => (float[2] a) { a = Relu(x) }, else_branch = e () => (float[2] b) { b = Abs(x) }> })";

inline const std::string kSum = kHead + "(float[2, 3] x, float[2, 3] w) => (float[2, 3] y) { y = Add(x, w) }";

inline ModelProto Parsed(const std::string& text) {
  ModelProto model;
  const Diagnostics diagnostics = Parse(text, &model);
  EXPECT_TRUE(testing::Ok(diagnostics)) << text << "\n" << (diagnostics.empty() ? "" : diagnostics.items()[0].message);
  return model;
}

/// Replaces the whole model by another one.
inline Accident Becomes(const std::string& graph) {
  return [graph](ModelProto& model) { model = Parsed(kHead + graph); };
}

inline std::set<std::string_view> BrokenRules(const ModelProto& model, bool optional_rules = false) {
  static const testing::Folder kFolder;  // of the model
  kFolder.Write("four_bytes.bin", "1234");
  std::set<std::string_view> rules;
  const Diagnostics diagnostics =
      CheckModel(model, {.optional_rules = optional_rules, .directory = kFolder.path().string(), .checksums = true});
  for (const Diagnostic& item : diagnostics.items()) rules.insert(Name(item.kind));
  return rules;
}

/// A finding in a text.
struct ToldInText {
  std::string message;
  std::vector<std::string> words;  ///< those at its place, and at the places of its notes
  std::string rest;                ///< the words of its notes and corrections

  /// Whether the places are those of another finding, as far as these have single words, which are the same wherever
  /// the graph stands.
  [[nodiscard]] bool IsAtPlacesOf(const ToldInText& other) const {
    for (std::size_t i = 0; i < other.words.size(); ++i) {
      const bool is_word = other.words[i].find_first_of(" ,;:=(){}[]<>@#") == std::string::npos;
      if (i >= words.size() || (is_word && words[i] != other.words[i])) return false;
    }
    return true;
  }
};

/// Returns what is told of the rule in the text of the model. Returns nothing if no text gives this model.
inline std::vector<ToldInText> FindingsInText(const ModelProto& model, std::string_view rule) {
  static const testing::Folder kFolder;  // of the model
  kFolder.Write("four_bytes.bin", "1234");
  const PrintResult printed = Print(model);
  ModelProto read;
  SourceMap places;
  if (!printed.ok() || !Parse(printed.text, &read, {.source_map_out = &places}).ok()) return {};
  if (read.SerializeAsString() != model.SerializeAsString()) return {};
  const auto words = [&](SourceRange range) {
    return range == kNowhere ? "(nowhere)" : printed.text.substr(range.begin, range.end - range.begin);
  };
  const auto brief = [](std::string text) {
    std::ranges::replace(text, '\n', ' ');
    return text.size() > 60 ? text.substr(0, 60) + "..." : text;
  };
  const Diagnostics found = CheckModel(
      read, {.source_map = &places, .optional_rules = true, .directory = kFolder.path().string(), .checksums = true});
  std::vector<ToldInText> told;
  for (const Diagnostic& item : found.items()) {
    if (Name(item.kind) != rule) continue;
    ToldInText& one = told.emplace_back(ToldInText{.message = item.message, .words = {words(item.range)}, .rest = ""});
    for (const Note& note : item.notes) {
      one.words.push_back(words(note.range));
      one.rest += fmt::format("; {}: `{}`", note.message, brief(words(note.range)));
    }
    for (const FixIt& fix_it : item.fix_its) {
      one.rest += fmt::format("; `{}` -> `{}`", brief(words(fix_it.range)), brief(fix_it.replacement));
    }
  }
  return told;
}

inline onnx::NodeProto& Node(ModelProto& model, int index = 0) { return *model.mutable_graph()->mutable_node(index); }
inline onnx::TensorProto& Weights(ModelProto& model) { return *model.mutable_graph()->mutable_initializer(0); }
inline onnx::FunctionProto& Function(ModelProto& model, int index = 0) { return *model.mutable_functions(index); }
inline onnx::TypeProto& InputType(ModelProto& model) {
  return *model.mutable_graph()->mutable_input(0)->mutable_type();
}
inline onnx::GraphProto& Branch(ModelProto& model) { return *Node(model).mutable_attribute(0)->mutable_g(); }

inline void AddEntry(google::protobuf::RepeatedPtrField<onnx::StringStringEntryProto>* list, const char* key,
                     const char* value) {
  onnx::StringStringEntryProto* const entry = list->Add();
  entry->set_key(key);
  entry->set_value(value);
}

inline void AddImport(ModelProto& model, const char* domain, std::int64_t version) {
  onnx::OperatorSetIdProto* const import = model.add_opset_import();
  import->set_domain(domain);
  import->set_version(version);
}

/// Puts the data of the weights into a file. The file need not exist if its name begins with '#'.
inline void MakeExternal(ModelProto& model, const char* location) {
  Weights(model).clear_float_data();
  Weights(model).set_data_location(onnx::TensorProto::EXTERNAL);
  if (location != nullptr) AddEntry(Weights(model).mutable_external_data(), "location", location);
}
inline void External(ModelProto& model, const char* key, const char* value) {
  MakeExternal(model, "#memory");
  AddEntry(Weights(model).mutable_external_data(), key, value);
}

/// Adds a sparse initializer [0, 5, 6, 0] with the name that the node reads.
inline onnx::SparseTensorProto& MakeSparse(ModelProto& model) {
  model.mutable_graph()->clear_initializer();
  for (onnx::ValueInfoProto* value :
       {model.mutable_graph()->mutable_input(0), model.mutable_graph()->mutable_output(0)}) {
    value->mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim(0)->set_dim_value(4);
  }
  onnx::SparseTensorProto& sparse = *model.mutable_graph()->add_sparse_initializer();
  sparse.add_dims(4);
  sparse.mutable_values()->set_name("w");
  sparse.mutable_values()->set_data_type(onnx::TensorProto::FLOAT);
  sparse.mutable_values()->add_dims(2);
  for (const float value : {5.0f, 6.0f}) sparse.mutable_values()->add_float_data(value);
  sparse.mutable_indices()->set_data_type(onnx::TensorProto::INT64);
  sparse.mutable_indices()->add_dims(2);
  for (const int index : {1, 2}) sparse.mutable_indices()->add_int64_data(index);
  return sparse;
}

/// Adds a training step that changes the initializer "w".
inline onnx::TrainingInfoProto& MakeTraining(ModelProto& model) {
  onnx::TrainingInfoProto& training = *model.add_training_info();
  *training.mutable_initialization() =
      Parsed(kHead + "() => (float[2] r) { r = Constant<value_floats = [0.0, 0.0]>() }").graph();
  *training.mutable_algorithm() = Parsed(kHead + "(float[2] z) => (float[2] u) { u = Sub(w, z) }").graph();
  training.mutable_initialization()->set_name("start");
  training.mutable_algorithm()->set_name("step");
  return training;
}

inline void AddDevices(ModelProto& model, int named) {
  onnx::DeviceConfigurationProto* const configuration = model.add_configuration();
  configuration->set_name("two");
  configuration->set_num_devices(2);
  for (int i = 0; i < named; ++i) configuration->add_device("d");
  model.set_ir_version(11);
}

/// Splits the tensor "x" into two shards, for two devices.
inline onnx::ShardingSpecProto& Shard(ModelProto& model) {
  AddDevices(model, 2);
  onnx::NodeDeviceConfigurationProto* const configuration = Node(model).add_device_configurations();
  configuration->set_configuration_id("two");
  onnx::ShardingSpecProto* const spec = configuration->add_sharding_spec();
  spec->set_tensor_name("x");
  onnx::ShardedDimProto* const dim = spec->add_sharded_dim();
  dim->set_axis(0);
  dim->add_simple_sharding()->set_num_shards(2);
  return *spec;
}

}  // namespace onnxc::accident
