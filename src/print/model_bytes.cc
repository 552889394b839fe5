// Prints the bytes of a model without parsing the whole message, the reverse of src/lower/model_bytes.h. Only small
// parts of the model are parsed at once.
#include <google/protobuf/arena.h>
#include <onnxc/arena.h>
#include <onnxc/printer.h>

#include <array>
#include <climits>
#include <cstddef>
#include <optional>

#include "print/lossless/printer.h"
#include "print/reference/printer.h"
#include "wire/message.h"
#include "wire/wire.h"

namespace onnxc {

using print::GraphParts;
using print::Printer;
using print::PrintParts;

namespace {

/// The bytes of a ModelProto, divided into its parts.
struct ModelSlices {
  std::vector<std::string_view> nodes = {};
  std::vector<std::string_view> initializers = {};
  std::vector<std::string_view> value_infos = {};
  onnx::ModelProto* others;  ///< all fields except these lists of the graph

  [[nodiscard]] GraphParts Parts() const { return {nodes, initializers, value_infos}; }
};

/// Calls visit(field, all of its bytes) for the fields of a message. Returns false if the bytes are malformed.
template <typename Visit>
bool ForEachField(std::string_view bytes, Visit visit) {
  while (!bytes.empty()) {
    const char* const begin = bytes.data();
    const wire::WireField field = wire::TakeField(&bytes);
    if (field.number == 0) return false;
    visit(field, std::string_view(begin, bytes.data()));
  }
  return true;
}

std::vector<std::string_view>* ListOf(int field, ModelSlices* slices) {
  switch (field) {
    case onnx::GraphProto::kNodeFieldNumber: return &slices->nodes;
    case onnx::GraphProto::kInitializerFieldNumber: return &slices->initializers;
    case onnx::GraphProto::kValueInfoFieldNumber: return &slices->value_infos;
    default: return nullptr;
  }
}

/// Divides the bytes of a model into its parts. Returns nothing if the bytes are malformed, or if there is not exactly
/// one graph field: several graphs would have to be merged first. The message `others` is allocated in `arena`.
std::optional<ModelSlices> Slice(std::string_view bytes, google::protobuf::Arena* arena) {
  if (bytes.size() > INT_MAX) return std::nullopt;
  ModelSlices slices{.others = NewIn<onnx::ModelProto>(arena)};
  std::string others;
  std::string graph_others;
  std::string_view graph;
  int graphs = 0;
  bool is_plain = true;
  const auto take_apart = [&](const wire::WireField& field, std::string_view whole) {
    std::vector<std::string_view>* const list = ListOf(field.number, &slices);
    if (list == nullptr) {
      graph_others += whole;
    } else if (field.is_delimited) {
      list->push_back(field.value);
    } else {
      is_plain = false;
    }
  };
  is_plain = ForEachField(bytes,
                          [&](const wire::WireField& field, std::string_view whole) {
                            if (field.number == onnx::ModelProto::kGraphFieldNumber && field.is_delimited) {
                              graph = field.value;
                              ++graphs;
                            } else {
                              others += whole;
                            }
                          }) &&
             graphs == 1;
  if (!is_plain || !ForEachField(graph, take_apart) || !is_plain) return std::nullopt;
  // FromWire() detects bytes that are not a model.
  others += wire::Tag(onnx::ModelProto::kGraphFieldNumber, graph_others.size()) + graph_others;
  if (!wire::FromWire(others, slices.others).ok()) return std::nullopt;
  return slices;
}

/// Prints to the sink; the result contains the end of the text. Returns nothing if parts are not messages.
std::optional<PrintResult> PrintSlices(const ModelSlices& slices, const PrintOptions& options, Sink* sink) {
  if (options.dialect == Dialect::kReference) {
    Printer printer(options, sink);
    printer.Model(*slices.others, slices.Parts());
    if (printer.is_malformed()) return std::nullopt;
    return printer.Finish();
  }
  std::optional<PrintResult> printed = PrintParts(*slices.others, slices.Parts(), options, sink);
  // If there are findings, the complete message is read and printed again to report them. This also finds out whether
  // it is nested too deeply to be read.
  if (printed && !printed->diagnostics.empty()) printed.reset();
  return printed;
}

}  // namespace

Diagnostics PrintFromBytes(std::string_view bytes, Sink* sink, const PrintOptions& options) {
  // The message contains no nodes, initializers and other long lists, so most models fit into this block.
  alignas(std::max_align_t) std::array<char, std::size_t{8} << 10> block;
  google::protobuf::Arena arena(block.data(), block.size());
  if (const std::optional<ModelSlices> slices = Slice(bytes, &arena)) {
    std::optional<PrintResult> printed = PrintSlices(*slices, options, sink);
    const bool is_printed = printed && printed->diagnostics.ok();
    is_printed ? sink->Write(printed->text) : sink->Restart();
    if (printed) return std::move(printed->diagnostics);
  }
  onnx::ModelProto model;
  Diagnostics found = wire::FromWire(bytes, &model);
  if (!found.ok()) return found;
  PrintResult result = Print(model, options);
  if (result.diagnostics.ok()) sink->Write(result.text);
  return std::move(result.diagnostics);
}

}  // namespace onnxc
