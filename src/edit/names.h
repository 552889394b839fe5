// Finds every name in a model, and what it names.
#pragma once

#include <google/protobuf/descriptor.h>
#include <onnxc/proto.h>

#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "source/id_slots.h"
#include "source/message_path.h"
#include "source/names.h"

namespace onnxc::edit {

/// The kinds of things that have names. The first ones are those of NameKind, in the same order.
enum class EntityKind : std::uint8_t { kValue, kNode, kFunction, kDimension, kDomain, kAttribute, kOperator };

/// An index in one of the lists of Names.
using NameId = std::uint32_t;
inline constexpr NameId kNoName = std::numeric_limits<NameId>::max();

/// The thing that all uses of one name refer to.
struct Entity {
  EntityKind kind = EntityKind::kValue;
  /// A value or a node: its graph or function. A dimension: the main graph or a function. An attribute: the entity of
  /// the function. A function or operator: a number of its domain and overload. The model has only one set of domains.
  NameId owner = 0;
  std::string_view name;
  NameId site = kNoName;  ///< its definition if there is one, otherwise its first use
  bool is_defined = false;
};

/// A string of the message that is a name.
struct NameSite {
  enum class Form : std::uint8_t {
    kName,
    kMetadataKey,  ///< the key of a function's metadata that declares one of its parameters
    kPart,         ///< the name is only a part of the string, such as `N` in "T[N]"
  };
  const google::protobuf::Message* message = nullptr;
  const google::protobuf::FieldDescriptor* field = nullptr;
  int index = 0;  ///< the position in the field if it is repeated
  NameId entity = kNoName;
  Form form = Form::kName;
};

/// A graph or a function, which contains the names of values and nodes.
struct NameScope {
  const google::protobuf::Message* message = nullptr;
  NameId parent = kNoName;    ///< the scope whose values are visible here, too
  NameId function = kNoName;  ///< the entity of a function
};

/// All names of a model, in all its graphs and functions. Refers to the model. Messages must not be nested too deeply
/// (wire/nesting.h). Time and memory are linear in the model without its weights.
class Names {
 public:
  explicit Names(const onnx::ModelProto& model);

  [[nodiscard]] std::span<const NameSite> sites() const { return sites_; }
  [[nodiscard]] std::span<const Entity> entities() const { return entities_; }
  /// The first scope is the main graph; the others follow in no particular order.
  [[nodiscard]] std::span<const NameScope> scopes() const { return scopes_; }

  /// Returns the entity, or kNoName.
  [[nodiscard]] NameId Find(EntityKind kind, NameId owner, std::string_view name) const;

 private:
  friend class NameReader;

  std::vector<NameSite> sites_;
  std::vector<Entity> entities_;
  std::vector<NameScope> scopes_;
  IdSlots slots_;                    // of the entities
  std::deque<std::string> decoded_;  // names that are not a part of the model as they are
};

/// A message, or an element of one of its fields.
struct Target {
  const google::protobuf::Message& message;
  int field = 0;
  int index = 0;
};

/// Returns the path of what is in `place.message` or inside of it; "" if it is not.
[[nodiscard]] std::string PathTo(const Target& target, const Place& place);

/// Returns whether the table of fields says of this string field what it names, or that it names nothing.
[[nodiscard]] bool IsClassified(const google::protobuf::FieldDescriptor* field);

}  // namespace onnxc::edit
