// Prints models, and the header entries of both models and functions.
#include "print/reference/printer.h"

namespace onnxc::print {

void Printer::Model(const onnx::ModelProto& model, const GraphParts& parts) {
  const auto text = [&](bool present, std::string_view key, const std::string& value) {
    if (!present) return;
    out_.Put(",\n   ");
    out_.Put(key);
    out_.Put(": ");
    out_.String(value);
  };
  out_.Put("<\n   ir_version: ");
  out_.Number(model.ir_version());
  out_.Put(",\n   opset_import: ");
  OpsetImports(model.opset_import(), ", ");
  text(model.has_producer_name(), "producer_name", model.producer_name());
  text(model.has_producer_version(), "producer_version", model.producer_version());
  text(model.has_domain(), "domain", model.domain());
  if (model.has_model_version()) {
    out_.Put(",\n   model_version: ");
    out_.Number(model.model_version());
  }
  text(model.has_doc_string(), "doc_string", model.doc_string());
  if (!model.metadata_props().empty()) {
    out_.Put(",\n   metadata_props: ");
    Pairs(model.metadata_props(), "metadata_props");
  }
  Others(model);
  out_.Put("\n>\n");

  if (!model.has_graph()) losses_.Add("graph", "a model without a graph");
  {
    const Path::Scope at(losses_.path(), "graph");
    Graph(model.graph(), parts, GraphRole::kTop);
  }
  int index = 0;
  for (const onnx::FunctionProto& function : model.functions()) {
    const Path::Scope at(losses_.path(), "functions", index++, function.name());
    out_.Put('\n');
    Function(function);
  }
}

void Printer::OpsetImports(const Repeated<onnx::OperatorSetIdProto>& imports, std::string_view separator) {
  int index = 0;
  out_.Put('[');
  out_.List(imports, separator, [&](const onnx::OperatorSetIdProto& import) {
    const Path::Scope at(losses_.path(), "opset_import", index++, import.domain());
    Others(import);
    out_.String(import.domain());
    out_.Put(" : ");
    out_.Number(import.version());
  });
  out_.Put(']');
}

PrintResult Printer::Finish() {
  PrintResult result{.text = {}, .diagnostics = losses_.Finish()};
  if (result.diagnostics.ok()) result.text = out_.Take();
  return result;
}

}  // namespace onnxc::print
