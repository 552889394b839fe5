// The table of the fields of the old schemas, with their conversions. docs/old-formats.md shows it. A field without a
// row has the same name, number and type in the current schema, and is copied.
#pragma once

#include <span>
#include <string_view>

#include "old/schema.h"
#include "source/message_path.h"

namespace onnxc::old {

class Conversion;

enum class Fate {
  kMetadata,  ///< becomes an entry of metadata_props of the message, or of the nearest enclosing message that has
              ///< metadata_props
  kMapped,    ///< becomes something else in the current schema
  kRefused,   ///< has no counterpart in the current schema: an error, or left out if that is allowed
};

/// Converts a field that is set. `from` is the message with the field. `to` is the converted message; the fields
/// without a row are already copied to it.
using Map = void (*)(Conversion& conversion, const Place& from, google::protobuf::Message* to);

struct Mapping {
  Schema schema;
  std::string_view field;  ///< `GraphProto.input`; for an enum, one of its values
  Fate fate;
  std::string_view becomes;  ///< for kRefused: the reason
  Map map = nullptr;  ///< for kMapped: the function that converts the field; null if the function of an enclosing
                      ///< message does so
};

/// Returns all rows. The rows of a message are in the order in which they are applied.
[[nodiscard]] std::span<const Mapping> Mappings();

/// Returns the row of a field, or of an enum's value, by its name without the package. Returns null if there is none.
[[nodiscard]] const Mapping* FindMapping(Schema schema, std::string_view field);

// The functions of the rows, implemented in onnx.cc, torch.cc, torch_graph.cc and torch_tensor.cc.
void MapInputNames(Conversion& conversion, const Place& from, google::protobuf::Message* to);
void MapOutputNames(Conversion& conversion, const Place& from, google::protobuf::Message* to);
void MapGraphVersion(Conversion& conversion, const Place& from, google::protobuf::Message* to);
void MapProducerVersion(Conversion& conversion, const Place& from, google::protobuf::Message* to);
void MapProducerTag(Conversion& conversion, const Place& from, google::protobuf::Message* to);
void MapGraphDomain(Conversion& conversion, const Place& from, google::protobuf::Message* to);
void MapModelVersion(Conversion& conversion, const Place& from, google::protobuf::Message* to);
void MapSparseType(Conversion& conversion, const Place& from, google::protobuf::Message* to);
void MapTorchVersion(Conversion& conversion, const Place& from, google::protobuf::Message* to);
void MapMethods(Conversion& conversion, const Place& from, google::protobuf::Message* to);
void MapNodeDomain(Conversion& conversion, const Place& from, google::protobuf::Message* to);
void MapInitializers(Conversion& conversion, const Place& from, google::protobuf::Message* to);
void MapAlias(Conversion& conversion, const Place& from, google::protobuf::Message* to);
void MapStrides(Conversion& conversion, const Place& from, google::protobuf::Message* to);
void MapExternalData(Conversion& conversion, const Place& from, google::protobuf::Message* to);
void MapSpecialType(Conversion& conversion, const Place& from, google::protobuf::Message* to);
void MapSequenceType(Conversion& conversion, const Place& from, google::protobuf::Message* to);

}  // namespace onnxc::old
