// Strip() removes what its options name from every place, and nothing else.
#include <gtest/gtest.h>
#include <onnxc/checker.h>
#include <onnxc/parser.h>
#include <onnxc/printer.h>
#include <onnxc/rewrite.h>
#include <onnxc/strip.h>

#include <cstdio>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "testing/full_model.h"
#include "testing/model_texts.h"
#include "testing/predicates.h"
#include "testing/proto.h"
#include "testing/random_model.h"
#include "testing/random_values.h"
#include "testing/sprinkled.h"

namespace onnxc::testing {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

onnx::ModelProto ParsedModel(const std::string& text) {
  onnx::ModelProto model;
  EXPECT_TRUE(Ok(Parse(text, &model, {.tell_functions_apart = true}))) << text;
  return model;
}

// ---- fields

std::string FindingsOf(const onnx::ModelProto& model, bool (*is_wanted)(const Diagnostic&)) {
  std::string shown;
  const Diagnostics found = CheckModel(model, {.external_files = false});
  for (const Diagnostic& finding : found.items()) {
    if (is_wanted(finding)) shown += ToString(finding) + "\n";
  }
  return shown;
}

/// What is in each field of a model, from the documentation of the schema. Fields that no option concerns stand after
/// "stay"; strings among them that may refer to a node, after "mention".
const std::map<std::string, std::string> kFields = {
    {"AttributeProto",
     "docs doc_string mention s strings stay name ref_attr_name type f i t g sparse_tensor tp floats "
     "ints tensors graphs sparse_tensors type_protos"},
    {"ValueInfoProto", "docs doc_string metadata metadata_props stay name type"},
    {"NodeProto",
     "docs doc_string metadata metadata_props names name stay input output op_type domain overload "
     "attribute device_configurations"},
    {"IntIntListEntryProto", "stay key value"},
    {"NodeDeviceConfigurationProto", "stay configuration_id sharding_spec pipeline_stage"},
    {"ShardingSpecProto", "stay tensor_name device index_to_device_group_map sharded_dim"},
    {"ShardedDimProto", "stay axis simple_sharding"},
    {"SimpleShardedDimProto", "stay dim_value dim_param num_shards"},
    {"TrainingInfoProto", "stay initialization algorithm initialization_binding update_binding"},
    {"ModelProto",
     "docs doc_string metadata metadata_props training training_info stay ir_version opset_import "
     "producer_name producer_version domain model_version graph functions configuration"},
    {"DeviceConfigurationProto", "stay name num_devices device"},
    {"StringStringEntryProto", "stay key value"},
    {"TensorAnnotation", "stay tensor_name quant_parameter_tensor_names"},
    {"GraphProto",
     "docs doc_string metadata metadata_props value_info value_info stay node name initializer "
     "sparse_initializer input output quantization_annotation"},
    {"TensorProto",
     "docs doc_string metadata metadata_props stay dims data_type segment float_data int32_data "
     "string_data int64_data name raw_data external_data data_location double_data uint64_data"},
    {"TensorProto.Segment", "stay begin end"},
    {"SparseTensorProto", "stay values indices dims"},
    {"TensorShapeProto", "stay dim"},
    {"TensorShapeProto.Dimension", "stay dim_value dim_param denotation"},
    {"TypeProto", "stay tensor_type sequence_type map_type optional_type sparse_tensor_type opaque_type denotation"},
    {"TypeProto.Tensor", "stay elem_type shape"},
    {"TypeProto.Sequence", "stay elem_type"},
    {"TypeProto.Map", "stay key_type value_type"},
    {"TypeProto.Optional", "stay elem_type"},
    {"TypeProto.SparseTensor", "stay elem_type shape"},
    {"TypeProto.Opaque", "stay domain name"},
    {"OperatorSetIdProto", "stay domain version"},
    {"FunctionProto",
     "docs doc_string metadata metadata_props value_info value_info stay name input output attribute "
     "attribute_proto node opset_import domain overload"},
};
/// The options, in the words of the table.
const std::map<std::string, bool StripOptions::*> kOptions = {
    {"docs", &StripOptions::docs},         {"metadata", &StripOptions::metadata},
    {"names", &StripOptions::names},       {"value_info", &StripOptions::value_info},
    {"training", &StripOptions::training},
};

/// Returns what the table says about the field, or "".
std::string OptionOf(const FieldDescriptor& field) {
  static const std::map<std::string, std::string> table = [] {
    std::map<std::string, std::string> all;
    for (const auto& [type, fields] : kFields) {
      std::istringstream words(fields);
      std::string option;
      bool is_option = true;
      for (std::string word; words >> word;) {
        const bool is_heading = kOptions.contains(word) || word == "mention" || word == "stay";
        if (is_heading && (is_option || word != option)) {
          option = word;
        } else {
          all[type + "." + word] = option;
        }
        is_option = false;
      }
    }
    return all;
  }();
  std::string name(field.full_name());
  const std::string package(field.file()->package());
  if (!package.empty()) name.erase(0, package.size() + 1);
  const auto found = table.find(name);
  return found == table.end() ? "" : found->second;
}

TEST(StripFields, EachFieldOfTheSchemaIsClassified) {
  std::set<const Descriptor*> seen;
  int fields = 0;
  const std::function<void(const Descriptor*)> visit = [&](const Descriptor* type) {
    if (!seen.insert(type).second) return;
    for (int i = 0; i < type->field_count(); ++i) {
      EXPECT_NE(OptionOf(*type->field(i)), "") << type->field(i)->full_name() << ": does an option remove it?";
      ++fields;
      if (type->field(i)->message_type() != nullptr) visit(type->field(i)->message_type());
    }
  };
  visit(onnx::ModelProto::descriptor());
  EXPECT_GT(fields, 120);
}

/// Calls visit(message, field) for each field of each message that is set. It may clear the field.
void ForEachField(Message* message, const std::function<void(Message*, const FieldDescriptor*)>& visit) {
  const Reflection& reflection = *message->GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(*message, &fields);
  for (const FieldDescriptor* const field : fields) {
    visit(message, field);
    if (field->message_type() == nullptr) continue;
    if (!field->is_repeated() && reflection.HasField(*message, field)) {
      ForEachField(reflection.MutableMessage(message, field), visit);
    }
    for (int i = 0; field->is_repeated() && i < reflection.FieldSize(*message, field); ++i) {
      ForEachField(reflection.MutableRepeatedMessage(message, field, i), visit);
    }
  }
}

std::vector<std::string> StringsIn(const Message& message, const FieldDescriptor* field) {
  std::vector<std::string> strings;
  const Reflection& reflection = *message.GetReflection();
  if (!field->is_repeated()) return {reflection.GetString(message, field)};
  for (int i = 0; i < reflection.FieldSize(message, field); ++i) {
    strings.push_back(reflection.GetRepeatedString(message, field, i));
  }
  return strings;
}

/// Removes the fields that the table assigns to the options.
onnx::ModelProto Without(onnx::ModelProto model, const StripOptions& options) {
  ForEachField(&model, [&](Message* message, const FieldDescriptor* field) {
    const auto found = kOptions.find(OptionOf(*field));
    if (found == kOptions.end() || !(options.*(found->second)) || found->first == "names") return;
    message->GetReflection()->ClearField(message, field);
  });
  if (!options.names) return model;
  std::set<std::string> mentioned;
  ForEachField(&model, [&](Message* message, const FieldDescriptor* field) {
    if (OptionOf(*field) == "mention") {
      for (const std::string& string : StringsIn(*message, field)) mentioned.insert(string);
    } else if (OptionOf(*field) == "metadata") {
      for (int i = 0; i < message->GetReflection()->FieldSize(*message, field); ++i) {
        const Message& entry = message->GetReflection()->GetRepeatedMessage(*message, field, i);
        for (const char* const name : {"key", "value"}) {
          mentioned.insert(StringsIn(entry, entry.GetDescriptor()->FindFieldByName(name))[0]);
        }
      }
    }
  });
  mentioned.erase("");
  ForEachField(&model, [&](Message* message, const FieldDescriptor* field) {
    if (OptionOf(*field) != "names" || mentioned.contains(StringsIn(*message, field)[0])) return;
    message->GetReflection()->ClearField(message, field);
  });
  return model;
}

StripOptions OptionsOf(unsigned bits) {
  StripOptions options;
  for (const auto& [word, option] : kOptions) {
    options.*option = bits % 2 == 1;
    bits /= 2;
  }
  return options;
}

TEST(StripFields, InEachPlaceGoIfTheirOptionIsGiven) {
  RandomValues random(31);
  int models = 0;
  int changed = 0;
  ForEachFullModel(AllPlaces(2), [&](const std::string& name, const onnx::ModelProto& model) {
    for (unsigned i = 0; i <= kOptions.size(); ++i) {
      const StripOptions options =
          OptionsOf(i < kOptions.size() ? 1u << i : static_cast<unsigned>(random.Below(1u << kOptions.size())));
      onnx::ModelProto stripped = model;
      ASSERT_TRUE(Ok(Strip(&stripped, options))) << name;
      ASSERT_EQ(Bytes(stripped), Bytes(Without(model, options))) << name << model.DebugString();
      ++models;
      changed += Bytes(stripped) == Bytes(model) ? 0 : 1;
    }
  });
  std::printf("%d models, of which %d changed\n", models, changed);
  EXPECT_GT(changed, 2000);
}

TEST(StripFields, OfAnyMessagesGoToo) {
  int changed = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    RandomValues random(seed);
    onnx::ModelProto model;
    RandomModel(&random).Fill(&model, 3);
    if (!model.has_graph()) continue;
    const StripOptions options = OptionsOf(static_cast<unsigned>(random.Below(1u << kOptions.size())));
    onnx::ModelProto stripped = model;
    ASSERT_TRUE(Ok(Strip(&stripped, options)));
    ASSERT_EQ(Bytes(stripped), Bytes(Without(model, options))) << seed;
    changed += Bytes(stripped) == Bytes(model) ? 0 : 1;
  }
  EXPECT_GT(changed, 500);
}

TEST(StripFields, AreCounted) {
  onnx::ModelProto model =
      ParsedModel(R"(<ir_version: 10, opset_import: ["": 21], doc_string: "m", metadata_props: ["a": "same"]>
g (bool c, float[2] x) => (float[2] y) <float[2] t, float[2] u> {
  @doc_string "d" [same] t = Neg (x)
  [one] u = Neg (t)
  [two] y = If (c) <then_branch = a () => (float[2] p) <float[2] p> { [p] p = Neg (u) },
    else_branch = b () => (float[2] q) { [three] q = Identity (u) <mode = "two"> }>
})");
  Stripped stripped;
  ASSERT_TRUE(Ok(Strip(&model, {.docs = true, .names = true, .value_info = true}, &stripped)));
  EXPECT_EQ(stripped.docs, 2);
  EXPECT_EQ(stripped.names, 3);
  EXPECT_EQ(stripped.kept_names, 2);  // "same" is a value of the metadata, and "two" an attribute
  EXPECT_EQ(stripped.value_info, 3);
  ASSERT_TRUE(Ok(Strip(&model, {.metadata = true, .names = true}, &stripped)));
  EXPECT_EQ(stripped.metadata, 1);
  EXPECT_EQ(stripped.names, 1);
  EXPECT_EQ(stripped.docs, 0);
}

TEST(StripFields, ThatDeclareALibrarysOperatorsStay) {
  onnx::ModelProto model = ParsedModel(R"(<domain: "d", opset_import: ["d": 1], doc_string: "an operator">
Op <alpha: float = 0.5> (x, y) => (z) {}
)");
  const auto declare = [&](const std::string& key, const std::string& value) {
    onnx::StringStringEntryProto* const entry = model.mutable_functions(0)->add_metadata_props();
    entry->set_key(key);
    entry->set_value(value);
  };
  model.mutable_functions(0)->clear_value_info();
  declare("x", "T[N]");
  declare("y", "float");
  declare("z", " T [N]");
  declare("T", "float | double");
  const onnx::ModelProto before = model;
  declare("pkg.tool", "T");
  declare("author", "T");
  Stripped stripped;
  StripOptions options{.docs = true, .metadata = true, .names = true, .value_info = true, .unused = true};
  ASSERT_TRUE(Ok(Strip(&model, options, &stripped)));
  EXPECT_EQ(stripped.metadata, 2);
  EXPECT_EQ(model.functions(0).metadata_props_size(), 4);
  EXPECT_EQ(stripped.functions + stripped.imports + stripped.value_info, 0);
  const auto all = [](const Diagnostic&) { return true; };
  EXPECT_EQ(FindingsOf(model, all), FindingsOf(before, all)) << model.DebugString();
}

// ---- what is unused

constexpr StripOptions kUnused{.unused = true};

/// Calls visit(nodes, graph) for each list of nodes; the graph is null in a function.
void ForEachBody(Message* message, const std::function<void(Message*, onnx::GraphProto*)>& visit) {
  if (auto* const graph = dynamic_cast<onnx::GraphProto*>(message)) visit(message, graph);
  if (dynamic_cast<onnx::FunctionProto*>(message) != nullptr) visit(message, nullptr);
  const Reflection& reflection = *message->GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(*message, &fields);
  for (const FieldDescriptor* const field : fields) {
    if (field->message_type() == nullptr) continue;
    if (!field->is_repeated()) ForEachBody(reflection.MutableMessage(message, field), visit);
    for (int i = 0; field->is_repeated() && i < reflection.FieldSize(*message, field); ++i) {
      ForEachBody(reflection.MutableRepeatedMessage(message, field, i), visit);
    }
  }
}

bool IsUnused(const Diagnostic& finding) {
  const std::string_view name = Name(finding.kind);
  if (name == "unused-opset-import") return finding.path.starts_with("opset_import");  // a function keeps its last one
  return name == "unused-initializer" || name == "unused-function";
}
bool IsError(const Diagnostic& finding) {
  return finding.severity == Severity::kError && Name(finding.kind) != "external-elided";
}

/// Returns the kinds of errors of which `after` has more than `before`. (Errors in what is removed go, too.)
std::string NewErrors(const onnx::ModelProto& before, const onnx::ModelProto& after) {
  std::map<std::string, int> counts;
  for (const auto& [model, by] : {std::pair(&before, -1), std::pair(&after, 1)}) {
    std::istringstream lines(FindingsOf(*model, IsError));
    for (std::string line; std::getline(lines, line);) counts[line.substr(line.rfind('[') + 1)] += by;
  }
  std::string kinds;
  for (const auto& [kind, count] : counts) kinds += count > 0 ? kind + " " : "";
  return kinds;
}

TEST(StripUnused, WhatThePlaceAddsAndIsUsedStays) {
  int models = 0;
  ForEachFullModel(AllPlaces(2), [&](const std::string& name, const onnx::ModelProto& model) {
    onnx::ModelProto stripped = model;
    Stripped count;
    ASSERT_TRUE(Ok(Strip(&stripped, kUnused, &count))) << name;
    EXPECT_EQ(NewErrors(model, stripped), "") << name;
    EXPECT_EQ(FindingsOf(stripped, IsUnused), "") << name;
    if (count.nodes + count.initializers == 0) {
      EXPECT_EQ(stripped.graph().SerializeAsString(), model.graph().SerializeAsString()) << name;
    }
    ++models;
  });
  EXPECT_GT(models, 2000);
}

/// Adds nodes, initializers, declared types and annotations that nothing uses, in random lists of nodes; and functions
/// that call each other, and imports.
void AddUnused(onnx::ModelProto* model, RandomValues* random) {
  int names = 0;
  const auto fresh = [&] { return "unused_" + std::to_string(names++); };
  ForEachBody(model, [&](Message* message, onnx::GraphProto* graph) {
    auto* const function = dynamic_cast<onnx::FunctionProto*>(message);
    auto* const nodes = graph != nullptr ? graph->mutable_node() : function->mutable_node();
    auto* const types = graph != nullptr ? graph->mutable_value_info() : function->mutable_value_info();
    std::vector<std::string> values;
    for (const onnx::NodeProto& node : *nodes) {
      for (const std::string& output : node.output()) {
        if (!output.empty()) values.push_back(output);
      }
    }
    if (values.empty()) return;
    const auto declare = [&](const std::string& value) {
      if (random->OneIn(2)) types->Add()->set_name(value);
      if (graph == nullptr || !random->OneIn(2)) return;
      onnx::TensorAnnotation* const annotation = graph->add_quantization_annotation();
      annotation->set_tensor_name(value);
      onnx::StringStringEntryProto* const scale = annotation->add_quant_parameter_tensor_names();
      scale->set_key("SCALE_TENSOR");
      scale->set_value(fresh());
      graph->add_initializer()->set_name(scale->value());
    };
    for (std::size_t i = random->Below(4); i > 0; --i) {
      onnx::NodeProto* const node = nodes->Add();
      node->set_op_type(random->OneIn(2) ? "Neg" : "Sum");
      if (random->OneIn(4)) {
        node->set_op_type("If");
        onnx::AttributeProto* const branch = node->add_attribute();
        branch->set_name("then_branch");
        branch->set_type(onnx::AttributeProto::GRAPH);
        branch->mutable_g()->add_output()->set_name(random->Pick(values));
        onnx::NodeProto* const inner = branch->mutable_g()->add_node();
        inner->set_op_type("Neg");
        inner->add_input(random->Pick(values));
        inner->add_output(fresh());
      }
      node->add_input(random->Pick(values));
      node->add_output(fresh());
      node->add_output("");
      values.push_back(node->output(0));  // later ones may read it
      declare(node->output(0));
      const int place = static_cast<int>(random->Below(static_cast<std::size_t>(nodes->size())));
      for (int j = nodes->size() - 1; j > place; --j) nodes->SwapElements(j, j - 1);
    }
    for (std::size_t i = graph == nullptr ? 0 : random->Below(3); i > 0; --i) {
      if (random->OneIn(2)) {
        graph->add_initializer()->set_name(fresh());
        declare(graph->initializer().rbegin()->name());
      } else {
        graph->add_sparse_initializer()->mutable_values()->set_name(fresh());
      }
    }
  });
  for (std::size_t i = random->Below(3); i > 0; --i) {
    onnx::FunctionProto* const function = model->add_functions();
    function->set_domain("unused");
    function->set_name("f" + std::to_string(i));
    onnx::NodeProto* const node = function->add_node();
    node->set_domain("unused");
    node->set_op_type("f" + std::to_string(1 + random->Below(3)));
    node->add_output("q");
  }
  const auto add_import = [](auto* owner) {
    onnx::OperatorSetIdProto* const import = owner->add_opset_import();
    import->set_domain("unused.import");
    import->set_version(1);
  };
  if (!model->opset_import().empty()) add_import(model);
  for (onnx::FunctionProto& function : *model->mutable_functions()) {
    if (!function.opset_import().empty() && random->OneIn(2)) add_import(&function);
  }
}

/// Returns the texts in the test data and the documents, without what nothing uses.
std::vector<onnx::ModelProto> UsedModels() {
  std::vector<onnx::ModelProto> models;
  for (const std::string& text : ModelTexts()) {
    models.push_back(ParsedModel(text));
    if (!models.back().has_graph()) models.pop_back();  // all of a library is used
  }
  for (onnx::ModelProto& model : models) {
    EXPECT_TRUE(Ok(Strip(&model, kUnused)));
  }
  return models;
}

TEST(StripUnused, WhatIsAddedAtRandomGoesAndAllElseStays) {
  RandomValues random(32);
  int added = 0;
  for (const onnx::ModelProto& model : UsedModels()) {
    for (int round = 0; round < 5; ++round) {
      onnx::ModelProto changed = model;
      AddUnused(&changed, &random);
      const std::string before = changed.DebugString();
      Stripped count;
      ASSERT_TRUE(Ok(Strip(&changed, kUnused, &count)));
      ASSERT_EQ(Bytes(changed), Bytes(model)) << before;
      added += static_cast<int>(count.nodes + count.initializers + count.functions + count.imports);
    }
  }
  std::printf("%d added\n", added);
  EXPECT_GT(added, 5000);
}

TEST(StripUnused, WhatTheCheckerFindsIsRemovedAndNothingGetsWrong) {
  int removed = 0;
  int kept = 0;
  for (const std::string& text : ModelTexts()) {
    const onnx::ModelProto model = ParsedModel(text);
    onnx::ModelProto stripped = model;
    Stripped count;
    ASSERT_TRUE(Ok(Strip(&stripped, kUnused, &count)));
    const bool is_right = FindingsOf(model, IsError).empty();
    EXPECT_EQ(NewErrors(model, stripped), "") << text;
    if (is_right && model.has_graph() && model.graph().node_size() > 0) {  // otherwise a last import stays, unused
      EXPECT_EQ(FindingsOf(stripped, IsUnused), "") << text;
    }
    const std::int64_t sum = count.nodes + count.initializers + count.functions + count.imports;
    EXPECT_EQ(sum == 0, Bytes(stripped) == Bytes(model)) << text;
    ++(sum == 0 ? kept : removed);
  }
  std::printf("%d models changed, and %d did not\n", removed, kept);
  EXPECT_GT(removed, 20);
  EXPECT_GT(kept, 100);
}

std::string NodesLeft(const std::string& nodes, const std::string& rest = "") {
  onnx::ModelProto model =
      ParsedModel("<ir_version: 10, opset_import: [\"\": 21, \"d\": 1]>\ng (bool c, float[2] x) => (float[2] y) { " +
                  nodes + " }\n" + rest);
  EXPECT_TRUE(Ok(Strip(&model, kUnused)));
  std::string outputs;
  for (const auto& node : model.graph().node()) outputs += (outputs.empty() ? "" : " ") + node.output(0);
  return outputs;
}

TEST(StripUnused, NodesThatMayHaveAnEffectStay) {
  const std::string kBody = R"(<domain: "d", opset_import: ["": 21, "d": 1]> f (p) => (q) { q = Neg (p) }
<domain: "d", opset_import: ["": 21, "d": 1]> e (p) => (q) { q = Neg (p) r = d.unknown (p) }
<domain: "d", opset_import: ["": 21, "d": 1]> h (p) => (q) { q = d.e (p) })";
  EXPECT_EQ(NodesLeft("a = Neg (x) y = Neg (x) b = d.unknown (a)"), "a y b");
  EXPECT_EQ(NodesLeft("a = Neg (x) y = Neg (x) b = d.f (a) s = d.e (a) t = d.h (a)", kBody), "a y s t");
  const std::string kOther = ", else_branch = n () => (float[2] v) { v = Neg (x) }> ";
  EXPECT_EQ(NodesLeft("y = Neg (x) a = If (c) <then_branch = m () => (float[2] u) { u = d.unknown (x) }" + kOther),
            "y a");
  EXPECT_EQ(NodesLeft("y = Neg (x) a = If (c) <then_branch = m () => (float[2] u) { u = Neg (x) }" + kOther), "y");
}

TEST(StripUnused, DefaultValuesOfInputsAndWhatTrainingReadsStay) {
  const std::string text = R"(<ir_version: 10, opset_import: ["": 21], training_info: [{
  algorithm: (step () => (float[2] new) { new = Sub (w, grad) }),
  update_binding: ["bound": "new"]
}]>
g (float[2] x, float[2] given = {1, 2}) => (float[2] y) <float[2] w = {1, 2}, float[2] bound = {1, 2}> {
  grad = Neg (x)
  y = Neg (x)
}
)";
  onnx::ModelProto model = ParsedModel(text);
  Stripped count;
  ASSERT_TRUE(Ok(Strip(&model, kUnused, &count)));
  EXPECT_EQ(Bytes(model), Bytes(ParsedModel(text)));
  ASSERT_TRUE(Ok(Strip(&model, {.unused = true, .training = true}, &count)));
  EXPECT_EQ(count.training, 1);
  EXPECT_EQ(count.nodes, 1);
  EXPECT_EQ(count.initializers, 2);
  EXPECT_EQ(model.graph().initializer_size(), 1);
}

// ---- all options

TEST(StripModels, AreRightIfTheyWereAndTheirTextsAreRewritten) {
  RandomValues random(33);
  int texts = 0;
  for (const std::string& text : ModelTexts()) {
    const onnx::ModelProto model = ParsedModel(text);
    StripOptions options = OptionsOf(static_cast<unsigned>(random.Below(1u << kOptions.size())));
    options.unused = random.OneIn(2);
    options.weights = random.OneIn(2);
    onnx::ModelProto stripped = model;
    ASSERT_TRUE(Ok(Strip(&stripped, options))) << text;
    if (!options.weights || FindingsOf(model, IsError).empty()) {  // an error in a weight may hide others
      EXPECT_EQ(NewErrors(model, stripped), "") << text;
    }
    const PrintResult result = Rewrite(text, stripped);
    ASSERT_TRUE(Ok(result)) << text;
    ASSERT_EQ(Bytes(ParsedModel(result.text)), Bytes(stripped)) << text << result.text;
    onnx::ModelProto again = stripped;
    ASSERT_TRUE(Ok(Strip(&again, options))) << text;
    EXPECT_EQ(Bytes(again), Bytes(stripped)) << text;
    ++texts;
  }
  EXPECT_GT(texts, 200);
}

TEST(StripModels, OfAnyMessagesHaveNothingMoreToStrip) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    RandomValues random(seed);
    onnx::ModelProto model;
    RandomModel(&random).Fill(&model, 3);
    StripOptions options = OptionsOf(31);
    options.unused = true;
    ASSERT_TRUE(Ok(Strip(&model, options)));
    const std::string once = Bytes(model);
    ASSERT_TRUE(Ok(Strip(&model, options)));
    EXPECT_EQ(Bytes(model), once) << seed;
  }
}

TEST(StripModels, ThatAreNestedTooDeeplyAreRefused) {
  onnx::ModelProto deep;
  onnx::GraphProto* graph = deep.mutable_graph();
  for (int i = 0; i < 200; ++i) graph = graph->add_node()->add_attribute()->mutable_g();
  EXPECT_FALSE(Strip(&deep, {.docs = true, .unused = true}).ok());
}

// Each node has the output, but its annotations are read only once.
TEST(StripUnused, ManyAnnotationsOfOneValueTakeLinearTime) {
  onnx::ModelProto model = ParsedModel(
      "<ir_version: 8, opset_import: [\"\": 17]> g (float[2] x) => (float[2] y) <float s = {1}> { y = Abs (x) }");
  constexpr int kCount = 100'000;
  for (int i = 0; i < kCount; ++i) {
    onnx::NodeProto* const node = model.mutable_graph()->add_node();
    node->set_op_type("Unknown");
    node->add_output("a");
    onnx::TensorAnnotation* const annotation = model.mutable_graph()->add_quantization_annotation();
    annotation->set_tensor_name("a");
    annotation->add_quant_parameter_tensor_names()->set_value("s");
  }
  Stripped stripped;
  ASSERT_TRUE(Ok(Strip(&model, {.unused = true}, &stripped)));
  EXPECT_EQ(stripped.initializers, 0);
  EXPECT_EQ(model.graph().quantization_annotation_size(), kCount);
}

}  // namespace
}  // namespace onnxc::testing
