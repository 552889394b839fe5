#include "service.h"

#include <onnxc/formatter.h>
#include <onnxc/graphviz.h>
#include <onnxc/info.h>
#include <onnxc/model_io.h>
#include <onnxc/parser.h>

#include <algorithm>
#include <array>
#include <climits>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "cli/explain_pages.h"
#include "cli/formats.h"
#include "codec/suffixes.h"
#include "files/write_file.h"
#include "reading.h"
#include "source/message_cast.h"
#include "source/nodes.h"
#include "source/operator_table.h"
#include "tables/signatures.h"
#include "unknown_sizes.h"
#include "verdict/wanted.h"
#include "weights/weight_files.h"
#include "wire/message.h"

namespace onnxc::python {
namespace {

/// Returns how an input is analyzed that is only parsed.
verdict::AnalyzeOptions Parsing(const Input& input, const ParseOptions& options) {
  verdict::AnalyzeOptions analysis =
      AnalysisOf(input, [options](const Input& text, google::protobuf::Message* message, SourceMap*) {
        return Decode(text.bytes, Format::kText, message, options);
      });
  analysis.format = Format::kText;
  return analysis;
}

/// Collects a text that is written in pieces.
class StringSink final : public Sink {
 public:
  void Write(std::string_view piece) override { text.append(piece); }
  void Restart() override { text.clear(); }
  std::string text;
};

std::string Joined(std::vector<std::string> chunks) {
  if (chunks.size() == 1) return std::move(chunks.front());
  std::size_t size = 0;
  for (const std::string& chunk : chunks) size += chunk.size();
  std::string bytes;
  bytes.reserve(size);
  for (const std::string& chunk : chunks) bytes += chunk;
  return bytes;
}

Answer CompileText(const Input& input, bool tell_functions_apart, std::size_t most = verdict::kMostFindings) {
  const ParseOptions options{.max_diagnostics = most, .tell_functions_apart = tell_functions_apart};
  std::string bytes;
  Diagnostics found;
  if (input.type == "ModelProto") {
    std::vector<std::string> chunks;
    found = ParseToBytes(input.bytes, &chunks, options);
    bytes = Joined(std::move(chunks));
  } else {
    const TypedMessage message(input);
    found = Decode(input.bytes, Format::kText, message.get(), options);
    if (found.ok()) found.Append(wire::ToWire(*message, &bytes));  // the parser limits the nesting
  }
  return Finished(std::move(bytes), std::move(found), input, Parsing(input, options));
}

/// Returns the message in a format.
Answer Encoded(const Input& input, Format format) {
  const TypedMessage message(input);
  Diagnostics found = Read(input, message.get());
  std::string bytes;
  if (found.ok()) found.Append(Encode(*message, format, &bytes));
  return Finished(std::move(bytes), std::move(found), input);
}

/// Collects the operators that neither the table of operators nor a function of the model defines.
class ForeignOperators {
 public:
  void AddFunction(const onnx::FunctionProto& function) {
    functions_.emplace(NodeDomain(function.domain()), function.name());
  }
  void Add(const onnx::NodeProto& node) {
    const Name name(NodeDomain(node.domain()), node.op_type());
    if (table_.Find(name.first, name.second, INT_MAX) == nullptr && !functions_.contains(name)) foreign_.insert(name);
  }
  /// Adds the operators of all nodes of a model, graph or function.
  template <typename Nodes>
  void AddAll(const Nodes& nodes) {
    RecentOperators recent(table_);
    ForEachNode(nodes, [&](const onnx::NodeProto& node) {
      if (recent.Find(node, INT_MAX) == nullptr) Add(node);
    });
  }
  /// Returns the value of Answer::foreign.
  [[nodiscard]] std::string AsJson() const {
    if (foreign_.empty()) return {};
    return nlohmann::json(foreign_).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }

 private:
  using Name = std::pair<std::string_view, std::string_view>;  // a domain and a name

  OperatorTable table_;
  std::set<Name> functions_;
  std::set<Name> foreign_;
};

/// Returns the value of Answer::foreign for a model, graph, function or node, and "" for other messages.
std::string ForeignOperatorsOf(const google::protobuf::Message& message) {
  ForeignOperators foreign;
  if (const auto* model = MessageCast<onnx::ModelProto>(message)) {
    for (const auto& function : model->functions()) foreign.AddFunction(function);
    foreign.AddAll(*model);
  } else if (const auto* graph = MessageCast<onnx::GraphProto>(message)) {
    foreign.AddAll(graph->node());
  } else if (const auto* function = MessageCast<onnx::FunctionProto>(message)) {
    foreign.AddAll(function->node());
  } else if (const auto* node = MessageCast<onnx::NodeProto>(message)) {
    ForEachNode(*node, [&](const onnx::NodeProto& one) { foreign.Add(one); });
  }
  return foreign.AsJson();
}

/// Checks a message that was read.
Diagnostics CheckPlaced(const verdict::ReadText& read, const CheckOptions& options) {
  if (read.places->size() == 0 && options.max_diagnostics >= verdict::kMostFindings) {
    return Check(*read.message, options);
  }
  CheckOptions placed = options;
  if (read.places->size() > 0) placed.source_map = read.places;
  placed.max_diagnostics = std::max(options.max_diagnostics, verdict::kMostFindings);
  return Check(*read.message, placed);
}

/// Returns the files with weights of the message that writing `path` could replace. If there is no file at `path`, the
/// message is not read.
WeightFiles WeightFilesAt(const Input& input, const std::string& path) {
  WeightFiles files;
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return files;
  const TypedMessage message(input);
  if (Read(input, message.get()).ok()) AddWeightFiles(*message, std::string(input.name), &files);
  return files;
}

struct Inferred {
  std::optional<std::string> model;  ///< nothing if the input cannot be read as a model
  Diagnostics found;
  std::string foreign = {};
};

/// Returns whether a call has fewer outputs than the function that it calls. The checker reports such a call only if it
/// infers types.
bool HasShortCalls(const onnx::ModelProto& model) {
  std::map<std::pair<std::string_view, std::string_view>, int> outputs;
  for (const onnx::FunctionProto& function : model.functions()) {
    int& most = outputs[{NodeDomain(function.domain()), function.name()}];
    most = std::max(most, function.output_size());
  }
  bool has = false;
  ForEachNode(model, [&](const onnx::NodeProto& node) {
    const auto found = outputs.find({NodeDomain(node.domain()), node.op_type()});
    has |= found != outputs.end() && node.output_size() < found->second;
  });
  return has;
}

/// Returns errors about calls that inference cannot follow: functions that call themselves, and calls with too few
/// outputs.
Diagnostics FindEndlessCalls(const onnx::ModelProto& model, const SourceMap& places) {
  const CheckOptions options{.source_map = places.size() > 0 ? &places : nullptr,
                             .max_diagnostics = verdict::kMostFindings,
                             .external_files = false,
                             .infer = HasShortCalls(model)};
  Diagnostics calls;
  const Diagnostics all = Check(model, options);
  for (const Diagnostic& finding : all.items()) {
    const std::string_view kind = Name(finding.kind);
    if (kind == "recursion" || kind == "call-outputs") calls.Add(finding);
  }
  return calls;
}

/// Returns the model that was read with the types of its values.
Inferred InferIn(const verdict::ReadText& read, const InferRequest& request) {
  InferOptions options = request.options;
  Inferred result{.model = std::nullopt, .found = {}};
  auto* const model = dynamic_cast<onnx::ModelProto*>(read.message);
  if (model == nullptr) return result;
  result.foreign = ForeignOperatorsOf(*model);
  if (read.places->size() > 0) options.source_map = read.places;
  options.max_diagnostics = verdict::kMostFindings;
  options.constant_defaults = request.as_onnx;
  const Inference inference = InferTypes(*model, options);
  result.found.Append(inference.diagnostics);
  if (model->functions_size() > 0) result.found.Append(FindEndlessCalls(*model, *read.places));
  std::optional<UnknownSizes> unknown;
  if (request.as_onnx) unknown.emplace(model->graph(), inference);
  result.found.Append(AddTypes(model, inference, request.overwrite));
  if (unknown) unknown->WriteTo(model->mutable_graph());
  std::string bytes;
  const Diagnostics written = Encode(*model, Format::kBinary, &bytes);
  if (written.ok()) result.model = std::move(bytes);
  result.found.Append(written);
  return result;
}

}  // namespace

Answer Compile(const Input& input) { return CompileText(input, /*tell_functions_apart=*/false); }

Answer CompileQuietly(const Input& input) { return CompileText(input, /*tell_functions_apart=*/false, /*most=*/0); }

Answer Print(const Input& input, const PrintOptions& options) {
  if (input.type == "ModelProto" && FormatOf(input) == Format::kBinary) {
    StringSink sink;
    Diagnostics found = RefuseOldSchema(input);
    if (found.ok()) found = PrintFromBytes(input.bytes, &sink, options);
    return Finished(std::move(sink.text), found, input);
  }
  const TypedMessage message(input);
  Diagnostics found = Read(input, message.get());
  std::string text;
  if (found.ok()) found.Append(Encode(*message, Format::kText, &text, options));
  return Finished(std::move(text), found, input);
}

Answer Convert(const Input& input) {
  if (FormatOf(input) == Format::kText) return CompileText(input, /*tell_functions_apart=*/true);
  return Encoded(input, Format::kBinary);
}

bool IsBinary(const Input& input) { return FormatOf(input) == Format::kBinary && RefuseOldSchema(input).ok(); }

Answer Save(const Input& input, const std::string& path) {
  const Format format = FormatOfSuffix(path).value_or(Format::kBinary);
  Answer answer = format == Format::kBinary ? Convert(input)
                  : format == Format::kText ? Print(input, {})
                                            : Encoded(input, format);
  if (!answer.ok) return answer;
  const WeightFiles weights = WeightFilesAt(input, path);
  if (format == Format::kText && !answer.value.ends_with('\n')) answer.value += '\n';
  const std::string_view bytes = answer.value;
  Written written = TryToWriteFile(path, {&bytes, 1}, nullptr, &weights);
  answer.error = written.error;
  answer.value.clear();
  // An error without a number of the system.
  if (written.error == 0 && !written.found.ok()) return Finished({}, std::move(written.found), input);
  return answer;
}

Answer CheckBytes(const Input& input, const CheckOptions& options, bool only_errors) {
  std::optional<std::string> foreign;  // of the input, which is checked before its corrected versions
  verdict::AnalyzeOptions analysis = AnalysisOf(input);
  analysis.check = [&](const verdict::ReadText& read) {
    if (!foreign) foreign = ForeignOperatorsOf(*read.message);
    return CheckPlaced(read, options);
  };
  Diagnostics found = verdict::JudgeFor(analysis)(Named(input));
  if (!foreign) foreign.emplace();  // the input cannot be read
  if (only_errors && found.ok()) found = {};
  Answer answer = Finished({}, std::move(found), input, analysis, options.max_diagnostics);
  answer.foreign = *std::move(foreign);
  return answer;
}

Answer Infer(const Input& input, const InferRequest& request) {
  std::optional<Inferred> inferred;  // from the input, which is read before its corrected versions
  verdict::AnalyzeOptions analysis = AnalysisOf(input);
  analysis.check = [&](const verdict::ReadText& read) {
    Inferred each = InferIn(read, request);
    Diagnostics found = std::move(each.found);
    if (!inferred) inferred = std::move(each);
    return found;
  };
  Diagnostics found = verdict::JudgeFor(analysis)(Named(input));
  if (!inferred) inferred.emplace();  // the input cannot be read
  const bool is_wanted = inferred->model.has_value() && (!request.strict || found.ok());
  Answer answer = Finished({}, std::move(found), input, analysis);
  answer.ok = is_wanted;
  answer.foreign = std::move(inferred->foreign);
  if (is_wanted) answer.value = *std::move(inferred->model);
  return answer;
}

Answer FormatSource(const Input& input, std::size_t width) {
  const ParseOptions options{.max_diagnostics = verdict::kMostFindings,
                             .tell_functions_apart = input.type == "ModelProto"};
  FormatResult result = FormatText(input.bytes, {.kind = KindOfType(input.type),
                                                 .width = width,
                                                 .max_diagnostics = options.max_diagnostics,
                                                 .tell_functions_apart = options.tell_functions_apart});
  return Finished(std::move(result.text), std::move(result.diagnostics), input, Parsing(input, options));
}

Answer Compare(const Input& before, const Input& after, const DiffOptions& options) {
  const TypedMessage first(before);
  const TypedMessage second(after);
  if (const Diagnostics found = Read(before, first.get()); !found.ok()) return Finished({}, found, before);
  if (const Diagnostics found = Read(after, second.get()); !found.ok()) return Finished({}, found, after);
  const std::vector<Difference> differences = Diff(*first, *second, options);
  return {.ok = true, .value = RenderJson(differences), .rendered = {RenderText(differences, /*color=*/true)}};
}

Answer Draw(const Input& input) {
  const TypedMessage message(input);
  const Diagnostics found = Read(input, message.get());
  std::string dot;
  if (found.ok()) {
    if (const auto* model = dynamic_cast<const onnx::ModelProto*>(message.get())) dot = DrawDot(*model);
    if (const auto* graph = dynamic_cast<const onnx::GraphProto*>(message.get())) dot = DrawDot(*graph);
    if (const auto* function = dynamic_cast<const onnx::FunctionProto*>(message.get())) dot = DrawDot(*function);
  }
  return Finished(std::move(dot), found, input);
}

Answer Describe(const Input& input) {
  const TypedMessage message(input);
  const Diagnostics found = Read(input, message.get());
  const auto* model = dynamic_cast<const onnx::ModelProto*>(message.get());
  std::string json;
  if (found.ok() && model != nullptr) {
    const FileInfo file{.name = std::string(input.name),
                        .format = "binary",
                        .bytes = static_cast<std::int64_t>(input.bytes.size()),
                        .model = Inspect(*model)};
    json = RenderJson({&file, 1});
  }
  return Finished(std::move(json), found, input);
}

std::string SuffixesInWords() {
  std::string words;
  for (const Suffix& row : kSuffixes) words.append(words.empty() ? "" : ", ").append(row.suffix);
  return words;
}

std::string SuffixesAsJson() {
  nlohmann::ordered_json suffixes;
  for (const auto& [suffix, format] : kSuffixes) {
    suffixes[std::string(suffix)] = std::ranges::find(cli::kOutputFormats, format, &cli::OutputFormat::format)->word;
  }
  return suffixes.dump();
}

std::optional<std::string> Explain(std::string_view kind) {
  const auto page = std::ranges::find(cli::ExplainPages(), kind, &cli::Page::kind);
  if (page == cli::ExplainPages().end()) return std::nullopt;
  return std::string(page->text);
}

std::string RulesAsJson() {
  nlohmann::json rules = nlohmann::json::array();
  for (const Rule& rule : ListRules()) {
    rules.push_back({{"name", rule.name},
                     {"severity", rule.severity == Severity::kError ? "error" : "warning"},
                     {"optional", rule.is_optional},
                     {"source", rule.source},
                     {"sentence", rule.sentence}});
  }
  return rules.dump();
}

}  // namespace onnxc::python
