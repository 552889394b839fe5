// The table of the fields that the text syntax can express without records and annotations, with one row for each
// message that has dedicated syntax. Each dialect has its own way to handle all other fields, including fields that
// later schemas add.
#pragma once

#include <onnxc/proto.h>

#include <cstdint>

namespace onnxc {

/// A set of field numbers below 64.
using FieldSet = std::uint64_t;

template <typename... Number>
[[nodiscard]] constexpr FieldSet Fields(Number... numbers) {
  return (FieldSet{0} | ... | (FieldSet{1} << numbers));
}

template <typename Proto>
inline constexpr FieldSet kCarried = 0;

template <>
inline constexpr FieldSet kCarried<onnx::ModelProto> =
    Fields(onnx::ModelProto::kIrVersionFieldNumber, onnx::ModelProto::kOpsetImportFieldNumber,
           onnx::ModelProto::kProducerNameFieldNumber, onnx::ModelProto::kProducerVersionFieldNumber,
           onnx::ModelProto::kDomainFieldNumber, onnx::ModelProto::kModelVersionFieldNumber,
           onnx::ModelProto::kDocStringFieldNumber, onnx::ModelProto::kMetadataPropsFieldNumber,
           onnx::ModelProto::kGraphFieldNumber, onnx::ModelProto::kFunctionsFieldNumber);

template <>
inline constexpr FieldSet kCarried<onnx::FunctionProto> =
    Fields(onnx::FunctionProto::kNameFieldNumber, onnx::FunctionProto::kInputFieldNumber,
           onnx::FunctionProto::kOutputFieldNumber, onnx::FunctionProto::kAttributeFieldNumber,
           onnx::FunctionProto::kAttributeProtoFieldNumber, onnx::FunctionProto::kNodeFieldNumber,
           onnx::FunctionProto::kDocStringFieldNumber, onnx::FunctionProto::kOpsetImportFieldNumber,
           onnx::FunctionProto::kDomainFieldNumber, onnx::FunctionProto::kOverloadFieldNumber,
           onnx::FunctionProto::kValueInfoFieldNumber);

template <>
inline constexpr FieldSet kCarried<onnx::GraphProto> = Fields(
    onnx::GraphProto::kNodeFieldNumber, onnx::GraphProto::kNameFieldNumber, onnx::GraphProto::kInitializerFieldNumber,
    onnx::GraphProto::kInputFieldNumber, onnx::GraphProto::kOutputFieldNumber, onnx::GraphProto::kValueInfoFieldNumber);

template <>
inline constexpr FieldSet kCarried<onnx::NodeProto> =
    Fields(onnx::NodeProto::kInputFieldNumber, onnx::NodeProto::kOutputFieldNumber, onnx::NodeProto::kNameFieldNumber,
           onnx::NodeProto::kOpTypeFieldNumber, onnx::NodeProto::kDomainFieldNumber,
           onnx::NodeProto::kOverloadFieldNumber, onnx::NodeProto::kAttributeFieldNumber);

/// The syntax can express these fields and, in addition, the field that contains the value of the attribute.
template <>
inline constexpr FieldSet kCarried<onnx::AttributeProto> = Fields(onnx::AttributeProto::kNameFieldNumber,
                                                                  onnx::AttributeProto::kTypeFieldNumber,
                                                                  onnx::AttributeProto::kRefAttrNameFieldNumber);

/// The syntax can express these fields and, in addition, the field that contains the data.
template <>
inline constexpr FieldSet kCarried<onnx::TensorProto> = Fields(onnx::TensorProto::kDimsFieldNumber,
                                                               onnx::TensorProto::kDataTypeFieldNumber,
                                                               onnx::TensorProto::kNameFieldNumber,
                                                               onnx::TensorProto::kDataLocationFieldNumber);

template <>
inline constexpr FieldSet kCarried<onnx::ValueInfoProto> = Fields(onnx::ValueInfoProto::kNameFieldNumber,
                                                                  onnx::ValueInfoProto::kTypeFieldNumber);

template <>
inline constexpr FieldSet kCarried<onnx::TypeProto> = Fields(onnx::TypeProto::kTensorTypeFieldNumber,
                                                             onnx::TypeProto::kSequenceTypeFieldNumber,
                                                             onnx::TypeProto::kMapTypeFieldNumber,
                                                             onnx::TypeProto::kOptionalTypeFieldNumber,
                                                             onnx::TypeProto::kSparseTensorTypeFieldNumber,
                                                             onnx::TypeProto::kOpaqueTypeFieldNumber);

template <>
inline constexpr FieldSet kCarried<onnx::TypeProto::Tensor> = Fields(onnx::TypeProto::Tensor::kElemTypeFieldNumber,
                                                                     onnx::TypeProto::Tensor::kShapeFieldNumber);

template <>
inline constexpr FieldSet kCarried<onnx::TypeProto::SparseTensor> =
    Fields(onnx::TypeProto::SparseTensor::kElemTypeFieldNumber, onnx::TypeProto::SparseTensor::kShapeFieldNumber);

template <>
inline constexpr FieldSet kCarried<onnx::TypeProto::Sequence> = Fields(onnx::TypeProto::Sequence::kElemTypeFieldNumber);

template <>
inline constexpr FieldSet kCarried<onnx::TypeProto::Optional> = Fields(onnx::TypeProto::Optional::kElemTypeFieldNumber);

template <>
inline constexpr FieldSet kCarried<onnx::TypeProto::Map> = Fields(onnx::TypeProto::Map::kKeyTypeFieldNumber,
                                                                  onnx::TypeProto::Map::kValueTypeFieldNumber);

template <>
inline constexpr FieldSet kCarried<onnx::TypeProto::Opaque> = Fields(onnx::TypeProto::Opaque::kDomainFieldNumber,
                                                                     onnx::TypeProto::Opaque::kNameFieldNumber);

template <>
inline constexpr FieldSet kCarried<onnx::TensorShapeProto> = Fields(onnx::TensorShapeProto::kDimFieldNumber);

template <>
inline constexpr FieldSet kCarried<onnx::TensorShapeProto::Dimension> = Fields(
    onnx::TensorShapeProto::Dimension::kDimValueFieldNumber, onnx::TensorShapeProto::Dimension::kDimParamFieldNumber);

template <>
inline constexpr FieldSet kCarried<onnx::OperatorSetIdProto> = Fields(onnx::OperatorSetIdProto::kDomainFieldNumber,
                                                                      onnx::OperatorSetIdProto::kVersionFieldNumber);

template <>
inline constexpr FieldSet kCarried<onnx::StringStringEntryProto> =
    Fields(onnx::StringStringEntryProto::kKeyFieldNumber, onnx::StringStringEntryProto::kValueFieldNumber);

}  // namespace onnxc
