#include "codec/typed_bytes.h"

#include <google/protobuf/io/coded_stream.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "infer/annotate.h"
#include "infer/contents.h"
#include "lower/chunks.h"
#include "tables/data_fields.h"
#include "tables/element_count.h"
#include "tables/limits.h"
#include "wire/message.h"
#include "wire/nesting.h"
#include "wire/wire.h"

namespace onnxc::codec {
namespace {

using google::protobuf::Message;
using onnx::GraphProto;
using onnx::ModelProto;

constexpr int kAroundParts = 2;  // the model and the graph enclose each part of the graph

/// Writes a type as the bytes of the field `type` of value_info. Most values of a model have one of a few types, so
/// recently requested types are cached.
class TypeBytes {
 public:
  [[nodiscard]] const std::string& Of(const ValueType& type) {
    Entry& entry = entries_[PlaceOf(type)];
    if (!entry.is_set || !AreWrittenAlike(entry.type, type)) {
      const onnx::TypeProto proto = ToProto(type);
      if (type.element != nullptr && found_.ok()) found_.Append(wire::CheckNesting(proto, kAroundParts + 1));
      const std::string bytes = wire::ToWire(proto);
      entry = {true, type, wire::Tag(onnx::ValueInfoProto::kTypeFieldNumber, bytes.size()) + bytes};
    }
    return entry.bytes;
  }

  /// Returns the errors that were found in the types, such as a type that is nested too deeply.
  [[nodiscard]] Diagnostics TakeFound() { return std::move(found_); }

 private:
  struct Entry {
    bool is_set = false;
    ValueType type = {};
    std::string bytes = {};
  };

  static constexpr int kPlaceBits = 6;

  [[nodiscard]] static std::size_t PlaceOf(const ValueType& type) {
    std::uint64_t hash = static_cast<std::uint64_t>(type.element_type) + type.shape.size();
    for (const Dimension& dim : type.shape) hash = hash * 31 + static_cast<std::uint64_t>(dim.number());
    return hash * 0x9e3779b97f4a7c15u >> (64 - kPlaceBits);
  }

  /// Returns whether both types have the same bytes. Of a dimension, only the number or the name is written.
  [[nodiscard]] static bool AreWrittenAlike(const ValueType& a, const ValueType& b) {
    const auto are_alike = [](const Dimension& x, const Dimension& y) {
      if (x.IsNumber() || y.IsNumber()) return x.IsNumber() && y.IsNumber() && x.number() == y.number();
      return x.symbol() == y.symbol();
    };
    const auto have_one_shape = [&] {  // fast test: values often share their shape in memory
      return a.shape.data() == b.shape.data() && a.shape.size() == b.shape.size();
    };
    return a.kind == b.kind && a.element_type == b.element_type && a.has_rank == b.has_rank && a.element == b.element &&
           a.opaque == b.opaque && (have_one_shape() || std::ranges::equal(a.shape, b.shape, are_alike));
  }

  std::array<Entry, std::size_t{1} << kPlaceBits> entries_;
  Diagnostics found_;
};

/// The value_info entries that the model's graph gets, as the bytes of their field.
class NewValues {
 public:
  void Add(const InferredValue& value) {
    const std::string& type = types_.Of(value.type);
    std::array<std::uint8_t, 2 * wire::kLongestTag> tags;
    const auto name_tag = static_cast<std::size_t>(
        wire::WriteTag(onnx::ValueInfoProto::kNameFieldNumber, value.name.size(), tags.data()) - tags.data());
    const std::size_t size = name_tag + value.name.size() + type.size();
    std::uint8_t* end = wire::WriteTag(GraphProto::kValueInfoFieldNumber, size, tags.data());
    end = wire::WriteTag(onnx::ValueInfoProto::kNameFieldNumber, value.name.size(), end);
    lower::RoomFor(size + wire::kLongestTag, &chunks_)
        .append(reinterpret_cast<const char*>(tags.data()), static_cast<std::size_t>(end - tags.data()))
        .append(value.name)
        .append(type);
  }

  [[nodiscard]] Diagnostics TakeFound() { return types_.TakeFound(); }
  [[nodiscard]] lower::Chunks& chunks() { return chunks_; }

 private:
  TypeBytes types_;
  lower::Chunks chunks_;
};

/// Reads fields into a message, which keeps the fields that it already has. `around` is the number of enclosing
/// messages. Returns false if the bytes are malformed or nested too deeply.
bool Merge(std::string_view bytes, int around, Message* message) {
  google::protobuf::io::CodedInputStream stream(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                                static_cast<int>(bytes.size()));
  stream.SetRecursionLimit(kMaxDepth - around);
  return message->MergeFromCodedStream(&stream) && stream.ConsumedEntireMessage();
}

/// Like Merge(), but passes the values of the fields for which `is_other` returns true to `read`, and does not add
/// these fields to the message.
template <typename IsOther, typename Read>
bool MergeBut(std::string_view bytes, int around, Message* message, const IsOther& is_other, const Read& read) {
  const char* begin = bytes.data();
  while (!bytes.empty()) {
    const char* const at = bytes.data();
    const wire::WireField field = wire::TakeField(&bytes);
    if (field.number == 0) return false;
    if (!is_other(field)) continue;
    if (!Merge({begin, at}, around, message) || !read(field.value)) return false;
    begin = bytes.data();
  }
  return Merge({begin, bytes.data()}, around, message);
}

/// Reads an initializer without data of `long_data` bytes or more. If inference may use the elements, reads such data,
/// too.
bool MergeInitializer(std::string_view bytes, std::size_t long_data, onnx::TensorProto* tensor) {
  const auto is_data = [&](const wire::WireField& field) {
    const bool is_number = StorageIn(field.number) != Storage::kNone && StorageIn(field.number) != Storage::kString;
    return field.value.size() >= long_data && (is_number || field.number == onnx::TensorProto::kRawDataFieldNumber);
  };
  if (!MergeBut(bytes, kAroundParts, tensor, is_data, [](std::string_view) { return true; })) return false;
  const std::optional<std::int64_t> elements = Product(tensor->dims());
  if (elements && *elements > static_cast<std::int64_t>(infer::kMostElements)) return true;
  tensor->Clear();
  return Merge(bytes, kAroundParts, tensor);
}

/// Assembles the bytes of a model in which some messages have changed.
class Splicer {
 public:
  /// `nodes` are the indices of the graph's nodes that have changed.
  Splicer(const ModelProto& model, std::span<const int> nodes, bool overwrite, lower::Chunks* values)
      : model_(model), nodes_(nodes), overwrite_(overwrite), values_(*values) {}

  [[nodiscard]] Pieces Model(std::string_view bytes) {
    Pieces pieces;
    int trainings = 0;
    int functions = 0;
    ForEachField(bytes, [&](const wire::WireField& field, std::string_view whole) {
      if (field.number == ModelProto::kGraphFieldNumber) {
        Pieces graph = Graph(field.value);
        pieces.Add(wire::Tag(field.number, graph.size()));
        pieces.Append(std::move(graph));
      } else if (field.number == ModelProto::kTrainingInfoFieldNumber) {
        Put(field.number, model_.training_info(trainings++), 1, &pieces);
      } else if (field.number == ModelProto::kFunctionsFieldNumber && overwrite_) {
        Put(field.number, model_.functions(functions++), 1, &pieces);
      } else {
        pieces.Refer(whole);
      }
    });
    return pieces;
  }

  [[nodiscard]] Diagnostics TakeFound() { return std::move(found_); }

 private:
  template <typename Visit>
  static void ForEachField(std::string_view bytes, const Visit& visit) {
    while (!bytes.empty()) {
      const char* const begin = bytes.data();
      const wire::WireField field = wire::TakeField(&bytes);
      visit(field, std::string_view(begin, bytes.data()));
    }
  }

  void Put(int field, const Message& message, int around, Pieces* pieces) {
    if (found_.ok()) found_.Append(wire::CheckNesting(message, around));
    const std::size_t size = message.ByteSizeLong();
    if (size > INT_MAX && found_.ok()) found_.Add(wire::TooLargeToWrite(size));
    if (!found_.ok()) return;
    pieces->Add(wire::Tag(field, size) + wire::ToWireOfSize(message, size));
  }

  [[nodiscard]] Pieces Graph(std::string_view bytes) {
    const GraphProto& graph = model_.graph();
    Pieces pieces;
    int node = 0;
    auto next_node = nodes_.begin();
    int outputs = 0;
    int values = 0;
    bool has_new = false;
    const auto put_new = [&] {
      if (std::exchange(has_new, true)) return;
      for (std::string& chunk : values_) pieces.Add(std::move(chunk));
    };
    ForEachField(bytes, [&](const wire::WireField& field, std::string_view whole) {
      if (field.number > GraphProto::kValueInfoFieldNumber) put_new();
      switch (field.number) {
        case GraphProto::kNodeFieldNumber:
          if (next_node == nodes_.end() || *next_node != node++) return pieces.Refer(whole);
          return Put(field.number, graph.node(*next_node++), kAroundParts, &pieces);
        case GraphProto::kOutputFieldNumber: return Put(field.number, graph.output(outputs++), kAroundParts, &pieces);
        case GraphProto::kValueInfoFieldNumber:
          return Put(field.number, graph.value_info(values++), kAroundParts, &pieces);
        default: return pieces.Refer(whole);
      }
    });
    put_new();
    return pieces;
  }

  const ModelProto& model_;
  std::span<const int> nodes_;
  bool overwrite_;
  lower::Chunks& values_;
  Diagnostics found_;
};

}  // namespace

std::string_view Pieces::AddSize(std::string_view piece) {
  size_ += piece.size();
  return piece;
}

void Pieces::Refer(std::string_view piece) {
  AddSize(piece);
  const bool goes_on = !views_.empty() && views_.back().data() + views_.back().size() == piece.data();
  if (goes_on) {
    views_.back() = {views_.back().data(), views_.back().size() + piece.size()};
  } else {
    views_.push_back(piece);
  }
}

void Pieces::Append(Pieces&& others) {
  views_.insert(views_.end(), others.views_.begin(), others.views_.end());
  owned_.splice(owned_.end(), others.owned_);
  size_ += others.size_;
}

bool DecodeForTypes(std::string_view bytes, ModelProto* model, std::size_t long_data) {
  if (bytes.size() > INT_MAX) return false;
  if (bytes.size() < long_data) return Merge(bytes, 0, model) && model->has_graph();
  const auto is_long = [&](int field) {
    return [field, long_data](const wire::WireField& found) {
      return found.number == field && found.value.size() >= long_data;
    };
  };
  return MergeBut(bytes, 0, model, is_long(ModelProto::kGraphFieldNumber),
                  [&](std::string_view graph) {
                    return MergeBut(graph, 1, model->mutable_graph(), is_long(GraphProto::kInitializerFieldNumber),
                                    [&](std::string_view initializer) {
                                      return MergeInitializer(initializer, long_data,
                                                              model->mutable_graph()->add_initializer());
                                    });
                  }) &&
         model->has_graph();
}

Pieces EncodeTyped(std::string_view bytes, ModelProto* model, const Inference& inference, bool overwrite,
                   Diagnostics* found) {
  NewValues values;
  const std::vector<int> nodes = infer::AddTypesBut([&](const InferredValue& value) { values.Add(value); },
                                                    bytes.size(), model, inference, overwrite, found);
  Diagnostics wrong = values.TakeFound();
  Splicer splicer(*model, nodes, overwrite, &values.chunks());
  Pieces pieces = splicer.Model(bytes);
  if (wrong.ok()) wrong = splicer.TakeFound();
  if (wrong.ok() && pieces.size() > INT_MAX) wrong.Add(wire::TooLargeToWrite(pieces.size()));
  if (!wrong.ok()) pieces = {};
  found->Append(std::move(wrong));
  return pieces;
}

}  // namespace onnxc::codec
