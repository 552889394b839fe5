#include "tables/signatures.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "tables/declared_operator.h"
#include "tables/element_types.h"

namespace onnxc {
namespace {

constexpr std::size_t kOperatorCount = std::size(kOperators);

constexpr std::uint32_t Hash(int domain, std::string_view name) {  // FNV-1a
  std::uint32_t hash = 2166136261u ^ static_cast<std::uint32_t>(domain);
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return hash;
}

/// A hash table from an operator's name to its oldest version. It uses open addressing and is built at compile time.
struct OperatorIndex {
  static constexpr std::size_t kSlots = 1024;
  static constexpr std::uint16_t kEmpty = 0xffff;
  std::array<std::uint16_t, kSlots> slots{};

  constexpr OperatorIndex() {
    slots.fill(kEmpty);
    for (std::size_t i = 0; i < kOperatorCount; ++i) {
      const Operator& op = kOperators[i];
      if (i > 0 && kOperators[i - 1].name == op.name && kOperators[i - 1].domain == op.domain) continue;
      std::size_t slot = Hash(op.domain, kOperatorWords[op.name]) % kSlots;
      while (slots[slot] != kEmpty) slot = (slot + 1) % kSlots;
      slots[slot] = static_cast<std::uint16_t>(i);
    }
  }
};
constexpr OperatorIndex kIndex;

constexpr TypeId FindType(std::string_view name) {
  const auto* const found = std::lower_bound(std::begin(kTypeNames), std::end(kTypeNames), name);
  if (found == std::end(kTypeNames) || *found != name) return kOtherType;
  return static_cast<TypeId>(found - std::begin(kTypeNames));
}

constexpr auto kTensorTypes = [] {
  std::array<TypeId, kElementTypes.size()> ids{};
  ids.fill(kOtherType);
  ids[0] = kNoType;
  for (std::size_t i = 0; i < std::size(kTypeNames); ++i) {
    const std::string_view name = kTypeNames[i];
    if (!name.starts_with("tensor(")) continue;
    for (const ElementType& row : kElementTypes) {
      if (row.keyword == name.substr(7, name.size() - 8))
        ids[static_cast<std::size_t>(row.code)] = static_cast<TypeId>(i);
    }
  }
  return ids;
}();

std::string_view ElementName(int element_type) {
  const ElementType* const row = FindElementType(element_type);
  return row == nullptr ? std::string_view() : row->keyword;
}

/// `depth` is limited, because protobuf cannot read deeper types, and this function would overflow the stack.
std::string NestedName(const onnx::TypeProto& type, int depth) {
  constexpr int kDeepest = 50;
  if (depth > kDeepest) return {};
  const auto wrapped = [](std::string_view kind, std::string_view inner) {
    if (inner.empty()) return std::string();
    return std::string(kind).append("(").append(inner).append(")");
  };
  switch (type.value_case()) {
    case onnx::TypeProto::kTensorType: return wrapped("tensor", ElementName(type.tensor_type().elem_type()));
    case onnx::TypeProto::kSparseTensorType:
      return wrapped("sparse_tensor", ElementName(type.sparse_tensor_type().elem_type()));
    case onnx::TypeProto::kSequenceType: return wrapped("seq", NestedName(type.sequence_type().elem_type(), depth + 1));
    case onnx::TypeProto::kOptionalType:
      return wrapped("optional", NestedName(type.optional_type().elem_type(), depth + 1));
    case onnx::TypeProto::kMapType: {
      const std::string_view key = ElementName(type.map_type().key_type());
      const std::string value = NestedName(type.map_type().value_type(), depth + 1);
      if (key.empty() || value.empty()) return {};
      return std::string("map(").append(key).append(",").append(value).append(")");
    }
    case onnx::TypeProto::kOpaqueType:
      return "opaque(" + type.opaque_type().domain() + "," + type.opaque_type().name() + ")";
    case onnx::TypeProto::VALUE_NOT_SET: break;
  }
  return {};
}

}  // namespace

int FindDomain(std::string_view domain) {
  for (std::size_t i = 0; i < std::size(kOperatorDomains); ++i) {
    if (kOperatorDomains[i] == domain) return static_cast<int>(i);
  }
  return -1;
}

bool IsClosed(std::string_view domain) {
  const std::string_view name = NodeDomain(domain);
  return name.empty() || name == "ai.onnx.ml" || name == "ai.onnx.training";
}

int NewestVersion(int domain) { return kOperatorSetVersions[domain]; }

std::span<const Operator> FindVersions(int domain, std::string_view name) {
  for (std::size_t slot = Hash(domain, name) % OperatorIndex::kSlots; kIndex.slots[slot] != OperatorIndex::kEmpty;
       slot = (slot + 1) % OperatorIndex::kSlots) {
    const std::size_t first = kIndex.slots[slot];
    if (kOperators[first].domain != domain || kOperatorWords[kOperators[first].name] != name) continue;
    std::size_t last = first + 1;
    while (last < kOperatorCount && kOperators[last].name == kOperators[first].name &&
           kOperators[last].domain == domain) {
      ++last;
    }
    return {kOperators + first, last - first};
  }
  return {};
}

const Operator* FindOperator(std::string_view domain, std::string_view name, int version) {
  const int index = FindDomain(domain);
  if (index < 0) return nullptr;
  const Operator* newest = nullptr;
  for (const Operator& op : FindVersions(index, name)) {
    if (op.since <= version) newest = &op;
  }
  return newest;
}

std::vector<std::string_view> OperatorNames(int domain, int version) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < kOperatorCount; ++i) {
    const Operator& op = kOperators[i];
    if (op.domain != domain || op.since > version || op.deprecated) continue;
    if (names.empty() || names.back() != kOperatorWords[op.name]) names.push_back(kOperatorWords[op.name]);
  }
  return names;
}

namespace {

template <typename Row>
std::string_view WordOf(const Row& row) {
  return row.declared == nullptr ? kOperatorWords[row.name] : std::string_view(row.declared->words[row.name]);
}

}  // namespace

std::string_view Word(const Operator& op) { return WordOf(op); }

std::string_view Word(const Parameter& parameter) { return WordOf(parameter); }

std::string_view Word(const OperatorAttribute& attribute) { return WordOf(attribute); }

std::string_view DomainOf(const Operator& op) {
  return op.declared == nullptr ? kOperatorDomains[op.domain] : std::string_view(op.declared->domain);
}

std::span<const Operator> VersionsOf(const Operator& op) {
  return op.declared == nullptr ? FindVersions(op.domain, Word(op)) : op.declared->versions;
}

std::span<const Parameter> Inputs(const Operator& op) {
  if (op.declared != nullptr) return op.declared->Inputs(op);
  return {kParameters + op.first_input, op.inputs};
}

std::span<const Parameter> Outputs(const Operator& op) {
  if (op.declared != nullptr) return op.declared->Outputs(op);
  return {kParameters + op.first_output, op.outputs};
}

std::span<const OperatorAttribute> Attributes(const Operator& op) {
  if (op.declared != nullptr) return op.declared->attributes;
  return {kOperatorAttributes + op.first_attribute, op.attributes};
}

const TypeSet& Types(const Parameter& parameter) {
  return parameter.declared == nullptr ? kTypeSets[parameter.types] : parameter.declared->types[parameter.types];
}

TypeId TensorType(int element_type) {
  return FindElementType(element_type) == nullptr ? kNoType : kTensorTypes[static_cast<std::size_t>(element_type)];
}

TypeId TypeOf(const onnx::TypeProto& type) {
  if (type.has_tensor_type()) return TensorType(type.tensor_type().elem_type());
  if (type.has_map_type()) {  // an invalid key type is reported at its own place
    const ElementType* const key = FindElementType(type.map_type().key_type());
    if (key == nullptr || (key->literal != Literal::kInteger && key->literal != Literal::kString)) return kNoType;
  }
  const std::string name = NestedName(type, 0);
  return name.empty() ? kNoType : FindType(name);
}

std::string_view NameOf(TypeId type) {
  if (type == kNoType) return "an unknown type";
  return type == kOtherType ? "another type" : kTypeNames[type];
}

std::string TypeName(const onnx::TypeProto& type) { return NestedName(type, 0); }

}  // namespace onnxc
