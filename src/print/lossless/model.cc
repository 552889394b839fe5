// Prints models and headers.
#include <algorithm>
#include <array>
#include <vector>

#include "print/lossless/printer.h"
#include "tables/header_keys.h"

namespace onnxc::print {
namespace {

using Model = onnx::ModelProto;

/// The order of the usual keys of models and functions. Other keys follow in the order of their field numbers.
constexpr std::array<std::string_view, 9> kKeys = {"ir_version",    "domain",        "overload",
                                                   "opset_import",  "producer_name", "producer_version",
                                                   "model_version", "doc_string",    "metadata_props"};

constexpr FieldSet kItems = Fields(Model::kGraphFieldNumber, Model::kFunctionsFieldNumber);

/// Guesses the clauses for the whole model from its small fields and the first elements of each list. The guess is
/// usually right, because most models are uniform.
ClauseScope Guess(const onnx::ModelProto& model, const GraphParts& parts) {
  Census census;
  census.CountAround(model);
  const auto count_first = [&](const auto& elements, auto... place) {
    constexpr std::size_t kSample = 64;
    (void)elements.ForEach(0, std::min(kSample, elements.size()),
                           [&](const auto& element, std::string_view) { census.Count(element, place...); });
  };
  count_first(parts.initializers, TensorRole::kInitializer);
  count_first(parts.value_infos);
  count_first(parts.nodes);
  return census.Choose();
}

/// Returns whether the model's header could also be that of a function, so that the text would be read as a file of
/// functions: it has a domain and no key that only models have.
bool LooksLikeFunction(const onnx::ModelProto& model) {
  if (!model.has_domain()) return false;
  std::vector<const google::protobuf::FieldDescriptor*> fields;
  model.GetReflection()->ListFields(model, &fields);
  return std::none_of(fields.begin(), fields.end(), [](const google::protobuf::FieldDescriptor* field) {
    return HasKey(Model::descriptor(), field->name()) && !HasKey(onnx::FunctionProto::descriptor(), field->name());
  });
}

}  // namespace

std::optional<PrintResult> PrintParts(const onnx::ModelProto& model, const GraphParts& parts,
                                      const PrintOptions& options, Sink* sink) {
  ClauseScope scope = Guess(model, parts);
  for (;;) {
    LosslessPrinter printer(options, sink);
    Census census;
    census.CountAround(model);
    if (!printer.Whole(model, parts, scope, &census)) return std::nullopt;
    const ClauseScope chosen = census.Choose();
    if (chosen == scope) return printer.Finish();
    scope = chosen;
    if (sink != nullptr) sink->Restart();
  }
}

PrintResult PrintInScope(const onnx::ModelProto& model, const ClauseScope& scope) {
  LosslessPrinter printer(PrintOptions{});
  (void)printer.Whole(model, GraphParts(model.graph()), scope, nullptr);
  return printer.Finish();
}

bool LosslessPrinter::Whole(const onnx::ModelProto& model, const GraphParts& parts, const ClauseScope& scope,
                            Census* census) {
  const bool has_header = !IsWhole(model, kItems);
  const bool is_library = !model.has_graph() && !model.functions().empty() && !has_header;
  if (!model.has_graph() && !is_library) {
    RecordInPlace(model);
    return !is_malformed_;
  }
  Top(scope, {}, is_library ? "functions" : LooksLikeFunction(model) ? "model" : "");
  if (has_header) {
    Header(model, kItems);
    out_.NewLine();
  }
  bool is_first = true;
  const auto item = [&](auto write) {
    const DepthGuard guard(*this);
    if (!std::exchange(is_first, false)) {
      out_.NewLine();
      out_.NewLine();
    }
    write();
  };
  if (model.has_graph()) {
    item([&] {
      const Rest rest = GraphRest(model.graph());
      Before(model.graph(), rest, Style::kLines);
      census_ = census;
      GraphItself(model.graph(), parts);
      census_ = nullptr;
    });
  }
  for (const onnx::FunctionProto& function : model.functions()) {
    item([&] { Function(function, FunctionRest(function)); });
  }
  return !is_malformed_;
}

void LosslessPrinter::Header(const Message& message, FieldSet native) {
  const google::protobuf::Descriptor& type = *message.GetDescriptor();
  const google::protobuf::Reflection& reflection = *message.GetReflection();
  std::vector<const Field*> fields;
  FieldSet done = native;
  for (const std::string_view key : kKeys) {
    const Field* field = type.FindFieldByName(std::string(key));
    if (field == nullptr || (native >> field->number() & 1) != 0) continue;
    if (field->is_repeated() ? reflection.FieldSize(message, field) > 0 : reflection.HasField(message, field)) {
      fields.push_back(field);
      done |= Fields(field->number());
    }
  }
  listed_.clear();
  reflection.ListFields(message, &listed_);
  for (const Field* field : listed_) {
    if (field->number() >= 64 || (done >> field->number() & 1) == 0) fields.push_back(field);
  }
  if (!reflection.GetUnknownFields(message).empty()) fields.push_back(nullptr);

  bool first = true;
  out_.Put('<');
  out_.Block(fields, &first, [&](const Field* field) {
    out_.Put(field == nullptr ? std::string_view("unknown_fields") : field->name());
    out_.Put(": ");
    if (field == nullptr) return UnknownFields(message);
    FieldValue(message, *field);
  });
  out_.NewLine();
  out_.Put('>');
}

PrintResult LosslessPrinter::Finish() {
  PrintResult result;
  if (is_too_deep_) {
    Diagnostic diagnostic = MakeDiagnostic(diag::kNestingTooDeep, kNowhere);
    if (options_.allow_loss) diagnostic.severity = Severity::kWarning;
    result.diagnostics.Add(std::move(diagnostic));
    result.diagnostics.Finish(options_.max_diagnostics);
  }
  if (result.diagnostics.ok()) result.text = out_.Take();
  return result;
}

}  // namespace onnxc::print
