#include "old/mappings.h"

#include <algorithm>
#include <array>

namespace onnxc::old {
namespace {

using enum Schema;
using enum Fate;

constexpr std::string_view kNoSparse = "no message of onnx 0.2 contains such a tensor";

constexpr std::array kMappings = {
    Mapping{kOnnx01, "GraphProto.input", kMapped,
            "`input`, with the type from `--input`, or with the type of the initializer with the same name",
            &MapInputNames},
    Mapping{kOnnx01, "GraphProto.output", kMapped, "`output`, with its inferred type", &MapOutputNames},
    Mapping{kOnnx01, "GraphProto.ir_version", kMapped, "`ir_version` 3 of the model; `metadata_props` of a subgraph",
            &MapGraphVersion},
    Mapping{kOnnx01, "GraphProto.producer_version", kMapped,
            "`producer_version` of the model; `metadata_props` of a subgraph", &MapProducerVersion},
    Mapping{kOnnx01, "GraphProto.producer_tag", kMapped, "`producer_name` of the model; `metadata_props` of a subgraph",
            &MapProducerTag},
    Mapping{kOnnx01, "GraphProto.domain", kMapped, "`domain` of the model; `metadata_props` of a subgraph",
            &MapGraphDomain},

    Mapping{kOnnx02, "ModelProto.ir_version", kMapped, "3, and the model imports version 1 of the operators",
            &MapModelVersion},
    Mapping{kOnnx02, "TypeProto.sparse_tensor_type", kMapped,
            "`sparse_tensor_type`, which is field 8 in the current schema", &MapSparseType},
    Mapping{kOnnx02, "SparseTensorProto.dims", kRefused, kNoSparse},
    Mapping{kOnnx02, "SparseTensorProto.indices", kRefused, kNoSparse},
    Mapping{kOnnx02, "SparseTensorProto.values", kRefused, kNoSparse},

    Mapping{kTorch, "ModelProto.ir_version", kMapped, "10, the first version that has all needed features",
            &MapTorchVersion},
    Mapping{kTorch, "ModelProto.methods", kMapped,
            "`functions` of the domain `torch.methods`; their initializers become Constant nodes", &MapMethods},
    Mapping{kTorch, "ModelProto.name", kMetadata, "`torch.name`"},
    Mapping{kTorch, "ModelProto.annotations", kMetadata, "`torch.annotations[0]` and so on"},
    Mapping{kTorch, "ModelProto.blob_lists", kMetadata, "`torch.blob_lists[0]` and so on"},
    Mapping{kTorch, "ModelProto.plans", kMetadata, "`torch.plans[0]` and so on"},
    Mapping{kTorch, "GraphProto.initializer", kMapped,
            "`initializer`; chunks of one tensor are joined, and an alias becomes an Identity node", &MapInitializers},
    Mapping{kTorch, "GraphProto.annotations", kMetadata, "`torch.annotations[0]` and so on"},
    Mapping{kTorch, "NodeProto.domain", kMapped, "`domain`; a domain of caffe2 cannot be converted", &MapNodeDomain},
    Mapping{kTorch, "NodeProto.annotations", kMetadata, "`torch.annotations[0]` and so on"},
    Mapping{kTorch, "NodeProto.device_option", kMetadata, "`torch.device_option`"},
    Mapping{kTorch, "NodeProto.aten_function", kMetadata, "`torch.aten_function`"},
    Mapping{kTorch, "TensorProto.alias", kMapped,
            "an Identity node, or a copy of the data if an Identity node would not mean the same", &MapAlias},
    Mapping{kTorch, "TensorProto.strides", kMapped, "the order of the data, and `torch.strides[0]` and so on",
            &MapStrides},
    Mapping{kTorch, "TensorProto.external_data", kMapped, "`external_data`: location, offset and length",
            &MapExternalData},
    Mapping{kTorch, "TensorProto.annotations", kMetadata, "`torch.annotations[0]` and so on"},
    Mapping{kTorch, "TensorProto.device_option", kMetadata, "`torch.device_option`"},
    Mapping{kTorch, "TensorProto.require_gradient", kMetadata, "`torch.require_gradient`"},
    Mapping{kTorch, "TensorProto.is_buffer", kMetadata, "`torch.is_buffer`"},
    Mapping{kTorch, "TensorProto.Segment.chuck_num", kMetadata, "`torch.segment.chuck_num`"},
    Mapping{kTorch, "TensorProto.Segment.chuck_id", kMetadata, "`torch.segment.chuck_id`"},
    Mapping{kTorch, "TensorShapeProto.stride", kMetadata, "`torch.type.tensor_type.shape.stride[0]` and so on"},
    Mapping{kTorch, "TypeProto.special_type", kMapped, "`opaque_type` in the domain `caffe2`", &MapSpecialType},
    Mapping{kTorch, "TypeProto.SpecialBlob.type_name", kMapped, "`name` of the `opaque_type`"},
    Mapping{kTorch, "TypeProto.sequence_type", kMapped,
            "`sequence_type`; a tuple, and a list of several types, become `opaque(torch, tuple)` and metadata",
            &MapSequenceType},
    Mapping{kTorch, "TypeProto.Sequence.elem_type_list", kMetadata,
            "`torch.type.sequence_type.elem_type_list[0]` and so on"},
    Mapping{kTorch, "TypeProto.Sequence.sequence_type", kMetadata, "`torch.type.sequence_type.sequence_type`"},
    Mapping{kTorch, "TensorProto.DataType.SPECIAL", kRefused, "ONNX has no such type"},
};

}  // namespace

std::span<const Mapping> Mappings() { return kMappings; }

const Mapping* FindMapping(Schema schema, std::string_view field) {
  const auto found =
      std::ranges::find_if(kMappings, [&](const Mapping& row) { return row.schema == schema && row.field == field; });
  return found == kMappings.end() ? nullptr : &*found;
}

}  // namespace onnxc::old
