// Parses a text, checks the model, and prints it. Errors are reported with their places in the text.
#include <onnxc/checker.h>
#include <onnxc/parser.h>
#include <onnxc/printer.h>

#include <iostream>
#include <string>

int main() {
  const std::string text = R"(
      <ir_version: 10, opset_import: ["" : 17]>
      g (float[N] x) => (float[N] y) { y = Relu(x) })";
  onnx::ModelProto model;
  onnxc::SourceMap places;
  onnxc::Diagnostics findings = onnxc::Parse(text, &model, {.source_map_out = &places});
  if (findings.ok()) findings = onnxc::CheckModel(model, {.source_map = &places});
  std::cerr << onnxc::RenderText(findings, onnxc::SourceText("g.onnxtxt", text));
  if (!findings.ok()) return 1;
  std::cout << onnxc::Print(model).text;
}
