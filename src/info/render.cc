#include <fmt/format.h>
#include <onnxc/info.h>

#include <iterator>

#include "source/json.h"
#include "source/report.h"
#include "source/unicode.h"
#include "source/words.h"

namespace onnxc {
namespace {

std::string DomainWord(const std::string& domain) { return domain.empty() ? "ai.onnx" : Quoted(domain); }

std::string OperatorName(const std::string& domain, const std::string& name) {
  return domain.empty() ? Quoted(name) : Quoted(domain) + "." + Quoted(name);
}

/// A table. Each line has a title, which is followed by cells.
class Table {
 public:
  /// Adds a line. `title` is empty except in the first line of a group.
  void Line(std::string_view title, std::string_view cell) {
    out_ += fmt::format("  {:<13}{}", title, cell);
    out_.erase(out_.find_last_not_of(' ') + 1);
    out_ += '\n';
  }

  /// Adds one line for each row. cells(row) returns two texts: the first cell, which gets the same width in all rows,
  /// and the rest of the line.
  template <typename Rows, typename Cells>
  void Group(std::string_view title, const Rows& rows, Cells cells) {
    std::vector<std::pair<std::string, std::string>> lines;
    std::size_t width = 0;
    for (const auto& row : rows) {
      lines.push_back(cells(row));
      width = std::max(width, CountCharacters(lines.back().first));
    }
    for (const auto& [first, rest] : lines) {
      Line(title, width == 0 ? rest : fmt::format("{}{:{}}{}", first, "", width - CountCharacters(first) + 2, rest));
      title = {};
    }
  }

  [[nodiscard]] std::string Take() { return std::move(out_); }

 private:
  std::string out_;
};

void AddTensors(std::string_view title, const std::vector<TensorTotal>& totals, Table* table) {
  table->Group(title, totals, [](const TensorTotal& total) {
    const std::string outside =
        total.external_bytes == 0 ? "" : fmt::format(" ({} in other files)", total.external_bytes);
    return std::pair(total.element_type,
                     fmt::format("{:>14} in {}, {}{}", Counted(total.elements, "element"),
                                 Counted(total.tensors, "tensor"), Counted(total.bytes, "byte"), outside));
  });
}

std::string TableOf(const FileInfo& file) {
  const ModelInfo& model = file.model;
  Table table;
  const auto value = [](const ValueSummary& summary) { return std::pair(Quoted(summary.name), Shown(summary.type)); };
  table.Line("format", fmt::format("{}, {}; {} as binary", file.format, Counted(file.bytes, "byte"), model.bytes));
  const bool is_model = file.kind == "model";
  table.Line(is_model ? "IR version" : "kind", is_model ? std::to_string(model.ir_version) : file.kind);
  if (!model.producer_name.empty() || !model.producer_version.empty()) {
    table.Line("producer", Quoted(model.producer_name) + " " + Quoted(model.producer_version));
  }
  if (!model.domain.empty()) table.Line("domain", Quoted(model.domain));
  if (model.model_version != 0) table.Line("version", std::to_string(model.model_version));
  table.Group("opsets", model.opset_imports, [](const OpsetSummary& import) {
    return std::pair(DomainWord(import.domain), std::to_string(import.version));
  });
  const std::string depth = model.subgraphs == 0 ? "" : fmt::format(", up to {} deep", model.subgraph_depth);
  if (is_model || file.kind == "graph") {
    table.Line("graph", fmt::format("{}: {}, {}{}", Quoted(model.graph_name), Counted(model.nodes, "node"),
                                    Counted(model.subgraphs, "subgraph"), depth));
  }
  table.Group("values", model.values, value);
  AddTensors("data", model.data, &table);
  table.Group("inputs", model.inputs, value);
  table.Group("outputs", model.outputs, value);
  AddTensors("parameters", model.initializers, &table);
  AddTensors("constants", model.constants, &table);
  table.Group("largest", model.largest, [](const LargeTensor& tensor) {
    std::string readers;
    for (const std::string& reader : tensor.readers)
      readers += (readers.empty() ? ", read by " : ", ") + Quoted(reader);
    return std::pair(Quoted(tensor.name), fmt::format("{}, {}{}{}", Shown(tensor.type), Counted(tensor.bytes, "byte"),
                                                      tensor.is_external ? " in another file" : "", readers));
  });
  table.Group("functions", model.functions, [](const FunctionSummary& function) {
    const std::string overload = function.overload.empty() ? "" : ":" + Quoted(function.overload);
    return std::pair(OperatorName(function.domain, function.name) + overload, Counted(function.nodes, "node"));
  });
  table.Group("operators", model.operators, [](const OperatorTotal& total) {
    return std::pair(OperatorName(total.domain, total.op_type), fmt::format("{:>7}", total.nodes));
  });
  return Shown(file.name) + "\n" + table.Take();
}

using Json = nlohmann::ordered_json;

template <typename Rows, typename Convert>
Json List(const Rows& rows, Convert convert) {
  Json list = Json::array();
  for (const auto& row : rows) list.push_back(convert(row));
  return list;
}

Json Tensors(const std::vector<TensorTotal>& totals) {
  return List(totals, [](const TensorTotal& total) {
    return Json{{"element_type", total.element_type},
                {"tensors", total.tensors},
                {"elements", total.elements},
                {"bytes", total.bytes},
                {"external_bytes", total.external_bytes}};
  });
}

Json Largest(const LargeTensor& tensor) {
  return {{"name", tensor.name},
          {"type", tensor.type},
          {"bytes", tensor.bytes},
          {"is_external", tensor.is_external},
          {"readers", tensor.readers}};
}

Json ObjectOf(const FileInfo& file) {
  const ModelInfo& model = file.model;
  const auto value = [](const ValueSummary& summary) { return Json{{"name", summary.name}, {"type", summary.type}}; };
  Json object = {{"file", file.name},
                 {"kind", file.kind},
                 {"format", file.format},
                 {"file_bytes", file.bytes},
                 {"bytes", model.bytes},
                 {"ir_version", model.ir_version},
                 {"producer_name", model.producer_name},
                 {"producer_version", model.producer_version},
                 {"domain", model.domain},
                 {"model_version", model.model_version},
                 {"opset_imports", List(model.opset_imports,
                                        [](const OpsetSummary& import) {
                                          return Json{{"domain", import.domain}, {"version", import.version}};
                                        })},
                 {"graph", model.graph_name},
                 {"nodes", model.nodes},
                 {"subgraphs", model.subgraphs},
                 {"subgraph_depth", model.subgraph_depth},
                 {"values", List(model.values, value)},
                 {"data", Tensors(model.data)},
                 {"inputs", List(model.inputs, value)},
                 {"outputs", List(model.outputs, value)},
                 {"parameters", Tensors(model.initializers)},
                 {"constants", Tensors(model.constants)},
                 {"functions", List(model.functions,
                                    [](const FunctionSummary& function) {
                                      return Json{{"domain", function.domain},
                                                  {"name", function.name},
                                                  {"overload", function.overload},
                                                  {"nodes", function.nodes}};
                                    })},
                 {"operators", List(model.operators, [](const OperatorTotal& total) {
                    return Json{{"domain", total.domain}, {"op_type", total.op_type}, {"nodes", total.nodes}};
                  })}};
  if (!model.largest.empty()) object["largest"] = List(model.largest, Largest);
  return object;
}

}  // namespace

std::string RenderText(std::span<const FileInfo> files) {
  std::string text;
  for (const FileInfo& file : files) text += (text.empty() ? "" : "\n") + TableOf(file);
  return text;
}

std::string RenderJson(std::span<const FileInfo> files) { return JsonText({{"models", List(files, ObjectOf)}}); }

}  // namespace onnxc
