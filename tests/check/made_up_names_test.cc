// A correction that needs a new value gives it a name that nothing else in the model has, wherever names of values are.
#include <gtest/gtest.h>
#include <onnxc/checker.h>
#include <onnxc/model_io.h>
#include <onnxc/parser.h>

#include <string>

#include "testing/name_places.h"

namespace onnxc::testing {
namespace {

/// Adds `y = Clip <min = 0.0> (x)`, of which the corrected form has a constant `min_1`.
template <typename GraphOrFunction>
void AddMistake(GraphOrFunction* owner) {
  onnx::NodeProto* const node = owner->add_node();
  node->set_op_type("Clip");
  node->add_input("value");
  node->add_output("clipped");
  onnx::AttributeProto* const attribute = node->add_attribute();
  attribute->set_name("min");
  attribute->set_type(onnx::AttributeProto::FLOAT);
  attribute->set_f(0);
}

/// Returns the name of the constant, or a description of what is missing.
template <typename Proto, typename Check>
std::string NameIn(const Proto& message, const Check& check) {
  std::string text;
  if (!Encode(message, Format::kText, &text).ok()) return "no text";
  Proto read;
  SourceMap places;
  if (const Diagnostics found = Parse(text, &read, {.source_map_out = &places}); !found.ok())
    return "not read: " + text;
  const Diagnostics found = check(read, CheckOptions{.source_map = &places, .max_diagnostics = 1000});
  for (const Diagnostic& finding : found.items()) {
    for (const FixIt& fix : finding.fix_its) {
      const std::size_t end = fix.replacement.find(" = Constant");
      if (end != std::string::npos) return fix.replacement.substr(0, end);
    }
  }
  return "no correction: " + text;
}

TEST(MadeUpNames, AreNewInEveryPlace) {
  int places = 0;
  for (const StringPlace& string : AllStringPlaces(2)) {
    if (string.meaning != Meaning::kValue) continue;
    SCOPED_TRACE(ToString(string));
    onnx::ModelProto model = ModelWithNames({{Meaning::kValue, "value"},
                                             {Meaning::kNode, "node"},
                                             {Meaning::kFunction, "function"},
                                             {Meaning::kDimension, "N"},
                                             {Meaning::kDomain, "domain"}});
    AddString(string, "min_1", "domain", &model);
    if (string.place.front()->name() == "functions") {
      onnx::FunctionProto* const function = model.mutable_functions(model.functions_size() - 1);
      AddMistake(function);
      if (function->opset_import().empty()) function->add_opset_import()->set_version(21);
      EXPECT_EQ(NameIn(*function, CheckFunction), "min_2");
      function->mutable_node()->RemoveLast();
    }
    if (string.place.front()->name() == "graph") {
      onnx::GraphProto graph = model.graph();
      AddMistake(&graph);
      EXPECT_EQ(NameIn(graph, CheckGraph), "min_2");
    }
    AddMistake(model.mutable_graph());
    EXPECT_EQ(NameIn(model, CheckModel), "min_2");
    ++places;
  }
  EXPECT_GT(places, 20);
}

}  // namespace
}  // namespace onnxc::testing
