#include "edit.h"

#include <onnxc/diagnostic_kinds.h>
#include <onnxc/extract.h>
#include <onnxc/inline.h>
#include <onnxc/parser.h>
#include <onnxc/remove.h>
#include <onnxc/rename.h>
#include <onnxc/set.h>
#include <onnxc/sort.h>
#include <onnxc/strip.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "reading.h"

namespace onnxc::python {
namespace {

using nlohmann::json;

Diagnostics Extract(onnx::ModelProto* model, const SourceMap* places, const json& request) {
  return ExtractPart(model, {.from = request.at("inputs").get<std::vector<std::string>>(),
                             .to = request.at("outputs").get<std::vector<std::string>>(),
                             .source_map = places});
}

/// Renames in the text if the input is one, because errors then have places.
Diagnostics RenameAll(onnx::ModelProto* model, const Input& input, const json& request) {
  RenameOptions options{.regex = request.at("regex").get<bool>()};
  for (const json& rule : request.at("names")) {
    options.rules.push_back({rule.at(0).get<std::string>(), rule.at(1).get<std::string>()});
  }
  for (const json& word : request.at("only")) {
    const auto found = std::ranges::find(kNameKinds, word.get<std::string>());
    options.kinds.push_back(static_cast<NameKind>(found - kNameKinds.begin()));
  }
  if (FormatOf(input) != Format::kText) return Rename(model, options);
  const RenameResult renamed = RenameText(input.bytes, options);
  return renamed.ok() ? Parse(renamed.text, model) : renamed.diagnostics;
}

Diagnostics Set(onnx::ModelProto* model, const SourceMap* places, const json& request) {
  SetOptions options{.number_only = request.at("number_only").get<bool>(),
                     .allow_other_meaning = request.at("allow_other_meaning").get<bool>(),
                     .removed_outputs = request.at("remove_outputs").get<std::vector<std::string>>(),
                     .added_outputs = request.at("add_outputs").get<std::vector<std::string>>(),
                     .all_outputs = request.at("all_outputs").get<bool>(),
                     .ir_version = request.at("ir_version").get<std::int64_t>(),
                     .source_map = places};
  for (const json& input : request.at("inputs")) {
    NewInput& added = options.inputs.emplace_back();
    added.name = input.at(0).get<std::string>();
    // python/onnxc/editing.py has already reported the errors of this text, with their places in the text.
    if (Diagnostics found = Parse(input.at(1).get<std::string>(), &added.type); !found.ok()) return found;
  }
  for (const json& dimension : request.at("dimensions")) {
    NewDimension& added = options.dimensions.emplace_back();
    added.symbol = dimension.at(0).get<std::string>();
    if (dimension.at(1).is_number()) {
      added.size.set_dim_value(dimension.at(1).get<std::int64_t>());
      continue;
    }
    const auto text = dimension.at(1).get<std::string>();
    const auto size = ReadDimension(text);
    if (!size) {
      Diagnostics found;
      found.Add({.kind = DiagnosticKind::kUnknownName,
                 .message = "'" + text +
                            "' is neither a size nor the name of a dimension; another name is "
                            "written in quotation marks: \"2*M\""});
      return found;
    }
    added.size = *size;
  }
  for (const json& opset : request.at("opsets")) {
    options.opsets.push_back({opset.at(0).get<std::string>(), opset.at(1).get<std::int64_t>()});
  }
  return SetInModel(model, options);
}

Diagnostics Remove(onnx::ModelProto* model, const SourceMap* places, const json& request) {
  return RemoveNodes(model, {.nodes = request.at("nodes").get<std::vector<std::string>>(),
                             .operators = request.at("operators").get<std::vector<std::string>>(),
                             .with = request.at("with").get<std::string>(),
                             .source_map = places});
}

Diagnostics StripParts(onnx::ModelProto* model, const json& request) {
  const auto parts = request.at("parts").get<std::vector<std::string>>();
  const auto has = [&](std::string_view part) { return std::ranges::find(parts, part) != parts.end(); };
  return Strip(model, {.docs = has("docs"),
                       .metadata = has("metadata"),
                       .names = has("names"),
                       .weights = has("weights"),
                       .value_info = has("value_info"),
                       .unused = has("unused"),
                       .training = has("training")});
}

Diagnostics EditModel(onnx::ModelProto* model, const SourceMap* places, const Input& input, std::string_view request) {
  const json document = json::parse(request);
  const auto verb = document.at("verb").get<std::string>();
  if (verb == "extract") return Extract(model, places, document);
  if (verb == "rename") return RenameAll(model, input, document);
  if (verb == "set_model") return Set(model, places, document);
  if (verb == "inline_functions") {
    return InlineFunctions(model, {.functions = document.at("functions").get<std::vector<std::string>>(),
                                   .except = document.at("except").get<std::vector<std::string>>(),
                                   .source_map = places});
  }
  if (verb == "remove_nodes") return Remove(model, places, document);
  if (verb == "sort_nodes") return SortNodes(model, {.source_map = places});
  if (verb == "strip") return StripParts(model, document);
  return StripWeights(model);
}

}  // namespace

Answer Edit(const Input& input, std::string_view request) {
  const TypedMessage message(input);
  SourceMap places;
  Diagnostics found = Read(input, message.get(), &places);
  auto* const model = dynamic_cast<onnx::ModelProto*>(message.get());
  if (model == nullptr) return Finished({}, std::move(found), input);  // python/onnxc/editing.py refuses other messages
  if (found.ok()) found.Append(EditModel(model, places.size() > 0 ? &places : nullptr, input, request));
  std::string bytes;
  if (found.ok()) found.Append(Encode(*model, Format::kBinary, &bytes));
  return Finished(std::move(bytes), std::move(found), input);
}

}  // namespace onnxc::python
