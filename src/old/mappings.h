// What becomes of the fields of the old schemas: the table that the conversion follows, and docs/old-formats.md shows.
// A field without a row has the same name, number and type today, and is kept as it is.
#pragma once

#include <span>
#include <string_view>

#include "old/schema.h"
#include "source/message_path.h"

namespace onnxc::old {

class Conversion;

enum class Fate {
  kMetadata,  ///< an entry of metadata_props of the message, or of the nearest one around it that has some
  kMapped,    ///< something else of today's schema
  kRefused,   ///< nothing of today's schema: an error, or left out where that is allowed
};

/// Maps a field that is set. `from` is the message that has it; `to` is what becomes of that message, whose fields that
/// are kept are there already.
using Map = void (*)(Conversion& conversion, const Place& from, google::protobuf::Message* to);

struct Mapping {
  Schema schema;
  std::string_view field;  ///< `GraphProto.input`; of an enum, a value of it
  Fate fate;
  std::string_view becomes;  ///< for kRefused: why
  Map map = nullptr;         ///< for kMapped; null where the row of a message around it does it
};

/// In the order in which the rows of a message are worked on.
[[nodiscard]] std::span<const Mapping> Mappings();

/// The row of a field, or of an enum's value, by its name without the package; null where there is none.
[[nodiscard]] const Mapping* FindMapping(Schema schema, std::string_view field);

// The functions of the rows, in onnx.cc, torch.cc, torch_graph.cc and torch_tensor.cc.
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
