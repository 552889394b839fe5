#include "edit/names.h"

#include <algorithm>
#include <optional>

#include "check/declaration.h"
#include "source/free_names.h"
#include "source/message_cast.h"
#include "symbols/tokens.h"
#include "tables/signatures.h"

namespace onnxc::edit {

/// What a string field says.
enum class NameRole : std::uint8_t {
  kNone,  // text for people or tools, or the name of something that nothing renames
  kDefinition,
  kUse,                // of a value
  kInitializationUse,  // of a value in the training step's graph `initialization`
  kAlgorithmUse,       // of a value in its graph `algorithm`, which also sees the values of the main graph
  kGradientUse,        // of a value, if the attribute belongs to the operator Gradient
  kNode,
  kFunction,
  kOperator,  // of a call: a function of the model, or an operator
  kDimension,
  kDomain,
  kFormal,  // an attribute of the enclosing function
  kGiven,   // an attribute of the called function or operator
  kMetadataKey,
  kMetadataValue,
};

namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

struct NameField {
  std::string_view field;  // as `Message.field`
  NameRole role;
  std::string_view holder = "";  // if set: only in messages that this field contains, directly or in one message
};

/// What each string field of a model is. The first row that fits a field is valid.
constexpr NameField kNameFields[] = {
    {"AttributeProto.name", NameRole::kFormal, "FunctionProto.attribute_proto"},
    {"AttributeProto.name", NameRole::kGiven, "NodeProto.attribute"},
    {"AttributeProto.name", NameRole::kNone},
    {"AttributeProto.ref_attr_name", NameRole::kFormal},
    {"AttributeProto.doc_string", NameRole::kNone},
    {"AttributeProto.s", NameRole::kGradientUse, "NodeProto.attribute"},
    {"AttributeProto.strings", NameRole::kGradientUse, "NodeProto.attribute"},
    {"DeviceConfigurationProto.device", NameRole::kNone},
    {"DeviceConfigurationProto.name", NameRole::kNone},
    {"FunctionProto.attribute", NameRole::kFormal},
    {"FunctionProto.doc_string", NameRole::kNone},
    {"FunctionProto.domain", NameRole::kDomain},
    {"FunctionProto.input", NameRole::kDefinition},
    {"FunctionProto.name", NameRole::kFunction},
    {"FunctionProto.output", NameRole::kUse},
    {"FunctionProto.overload", NameRole::kNone},
    {"GraphProto.doc_string", NameRole::kNone},
    {"GraphProto.name", NameRole::kNone},
    {"ModelProto.doc_string", NameRole::kNone},
    {"ModelProto.domain", NameRole::kNone},
    {"ModelProto.producer_name", NameRole::kNone},
    {"ModelProto.producer_version", NameRole::kNone},
    {"NodeDeviceConfigurationProto.configuration_id", NameRole::kNone},
    {"NodeProto.doc_string", NameRole::kNone},
    {"NodeProto.domain", NameRole::kDomain},
    {"NodeProto.input", NameRole::kUse},
    {"NodeProto.name", NameRole::kNode},
    {"NodeProto.op_type", NameRole::kOperator},
    {"NodeProto.output", NameRole::kDefinition},
    {"NodeProto.overload", NameRole::kNone},
    {"OperatorSetIdProto.domain", NameRole::kDomain},
    {"ShardingSpecProto.tensor_name", NameRole::kUse},
    {"SimpleShardedDimProto.dim_param", NameRole::kDimension},
    {"StringStringEntryProto.key", NameRole::kAlgorithmUse, "TrainingInfoProto.initialization_binding"},
    {"StringStringEntryProto.key", NameRole::kAlgorithmUse, "TrainingInfoProto.update_binding"},
    {"StringStringEntryProto.key", NameRole::kMetadataKey, "FunctionProto.metadata_props"},
    {"StringStringEntryProto.key", NameRole::kNone},
    {"StringStringEntryProto.value", NameRole::kInitializationUse, "TrainingInfoProto.initialization_binding"},
    {"StringStringEntryProto.value", NameRole::kAlgorithmUse, "TrainingInfoProto.update_binding"},
    {"StringStringEntryProto.value", NameRole::kUse, "TensorAnnotation.quant_parameter_tensor_names"},
    {"StringStringEntryProto.value", NameRole::kMetadataValue, "FunctionProto.metadata_props"},
    {"StringStringEntryProto.value", NameRole::kNone},
    {"TensorAnnotation.tensor_name", NameRole::kUse},
    {"TensorProto.doc_string", NameRole::kNone},
    {"TensorProto.name", NameRole::kNone, "SparseTensorProto.indices"},
    {"TensorProto.name", NameRole::kDefinition, "GraphProto.sparse_initializer"},
    {"TensorProto.name", NameRole::kDefinition, "GraphProto.initializer"},
    {"TensorProto.name", NameRole::kNone},
    {"TensorShapeProto.Dimension.denotation", NameRole::kNone},
    {"TensorShapeProto.Dimension.dim_param", NameRole::kDimension},
    {"TypeProto.Opaque.domain", NameRole::kNone},
    {"TypeProto.Opaque.name", NameRole::kNone},
    {"TypeProto.denotation", NameRole::kNone},
    {"ValueInfoProto.doc_string", NameRole::kNone},
    {"ValueInfoProto.name", NameRole::kDefinition, "GraphProto.input"},
    {"ValueInfoProto.name", NameRole::kUse},
};

/// Returns the name of a field as in the table: without the package.
std::string_view NameOfField(const FieldDescriptor* field) {
  if (field == nullptr) return "";
  const std::string_view package = field->file()->package();
  return std::string_view(field->full_name()).substr(package.empty() ? 0 : package.size() + 1);
}

std::uint32_t HashOf(EntityKind kind, NameId owner, std::string_view name) {
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;
  const std::uint64_t hash =
      onnxc::HashOf(name) ^ ((std::uint64_t{owner} << 8 | static_cast<std::uint8_t>(kind)) * kOdd);
  return static_cast<std::uint32_t>(hash ^ (hash >> 32));
}

}  // namespace

/// Walks over a model.
class NameReader {
 public:
  NameReader(const onnx::ModelProto& model, Names* names) : names_(*names) {
    (void)OpenScope(model.graph(), kNoName);
    for (const onnx::FunctionProto& function : model.functions()) {
      if (!function.name().empty()) {
        (void)Add(EntityKind::kFunction, FamilyOf(function.domain(), function.overload()), function.name());
      }
    }
    Read(model, nullptr, nullptr, {});
    for (const auto& [site, scope] : uses_) Bind(site, Resolve(scope, names_.sites_[site]), false);
  }

 private:
  /// What encloses a message.
  struct Around {
    NameId scope = 0;
    NameId item = 0;            // the scope of the main graph or of a function
    NameId function = kNoName;  // the entity of the function
    NameId callee = kNoName;    // the entity that the enclosing node calls
    bool is_gradient = false;   // the enclosing node is the operator Gradient
  };
  /// The fields of a message that contain names or messages.
  struct Fields {
    std::vector<std::pair<const FieldDescriptor*, NameRole>> names;
    std::vector<const FieldDescriptor*> messages;
  };

  // ---- messages

  const Fields& FieldsOf(const Message& message, const FieldDescriptor* holder, const FieldDescriptor* outer) {
    const auto [found, is_new] = fields_.try_emplace({holder, outer});
    for (int i = 0; is_new && i < message.GetDescriptor()->field_count(); ++i) {
      const FieldDescriptor* const field = message.GetDescriptor()->field(i);
      if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) found->second.messages.push_back(field);
      if (field->cpp_type() != FieldDescriptor::CPPTYPE_STRING) continue;
      const auto fits = [&](const NameField& row) {
        return row.field == NameOfField(field) &&
               (row.holder.empty() || row.holder == NameOfField(holder) || row.holder == NameOfField(outer));
      };
      const auto* const row = std::ranges::find_if(kNameFields, fits);
      if (row != std::end(kNameFields) && row->role != NameRole::kNone)
        found->second.names.emplace_back(field, row->role);
    }
    return found->second;
  }

  void Read(const Message& message, const FieldDescriptor* holder, const FieldDescriptor* outer, Around around) {
    if (const auto* const graph = MessageCast<onnx::GraphProto>(message)) Enter(*graph, holder, &around);
    if (const auto* const node = MessageCast<onnx::NodeProto>(message)) Enter(*node, &around);
    if (const auto* const function = MessageCast<onnx::FunctionProto>(message)) Enter(*function, &around);
    if (MessageCast<onnx::TrainingInfoProto>(message) != nullptr) initialization_ = algorithm_ = around.scope;
    const Fields& fields = FieldsOf(message, holder, outer);
    const auto* const reflection = message.GetReflection();
    std::string scratch;
    for (const auto& [field, role] : fields.names) {
      if (!field->is_repeated()) {
        AddName(role, {&message, field}, reflection->GetStringReference(message, field, &scratch), around);
        continue;
      }
      for (int i = 0; i < reflection->FieldSize(message, field); ++i) {
        AddName(role, {&message, field, i}, reflection->GetRepeatedStringReference(message, field, i, &scratch),
                around);
      }
    }
    for (const FieldDescriptor* const field : fields.messages) {
      if (!field->is_repeated()) {
        if (reflection->HasField(message, field)) Read(reflection->GetMessage(message, field), field, holder, around);
        continue;
      }
      for (int i = 0; i < reflection->FieldSize(message, field); ++i) {
        Read(reflection->GetRepeatedMessage(message, field, i), field, holder, around);
      }
    }
  }

  /// The main graph, the algorithms of training steps, and their subgraphs share one set of values, because a training
  /// step runs the main graph together with its algorithm.
  void Enter(const onnx::GraphProto& graph, const FieldDescriptor* holder, Around* around) {
    using Training = onnx::TrainingInfoProto;
    if (holder->containing_type() == onnx::ModelProto::descriptor()) return;
    const bool is_training = holder->containing_type() == Training::descriptor();
    const bool is_initialization = is_training && holder->number() == Training::kInitializationFieldNumber;
    around->scope = OpenScope(graph, is_initialization ? kNoName : around->scope);
    if (is_training) (is_initialization ? initialization_ : algorithm_) = around->scope;
  }

  void Enter(const onnx::NodeProto& node, Around* around) {
    around->is_gradient = IsGradient(node);
    around->callee = kNoName;
    if (node.op_type().empty()) return;
    const NameId family = FamilyOf(node.domain(), node.overload());
    const NameId function = names_.Find(EntityKind::kFunction, family, node.op_type());
    around->callee = function != kNoName ? function : Add(EntityKind::kOperator, family, node.op_type());
  }

  void Enter(const onnx::FunctionProto& function, Around* around) {
    around->function =
        names_.Find(EntityKind::kFunction, FamilyOf(function.domain(), function.overload()), function.name());
    around->scope = around->item = OpenScope(function, kNoName, around->function);
    formals_.clear();
    if (function.metadata_props().empty()) return;
    formals_.insert(function.input().begin(), function.input().end());
    formals_.insert(function.output().begin(), function.output().end());
  }

  NameId OpenScope(const Message& message, NameId parent, NameId function = kNoName) {
    names_.scopes_.push_back({&message, parent, function});
    return static_cast<NameId>(names_.scopes_.size() - 1);
  }

  /// Returns a number that stands for a domain and an overload.
  NameId FamilyOf(std::string_view domain, std::string_view overload) {
    return families_.try_emplace({NodeDomain(domain), overload}, static_cast<NameId>(families_.size())).first->second;
  }

  // ---- names

  void AddName(NameRole role, NameSite site, std::string_view name, const Around& around) {
    if (name.empty()) return;
    const auto add = [&](EntityKind kind, NameId owner, bool is_definition = false) {
      if (owner != kNoName) Bind(AddSite(site), Add(kind, owner, name), is_definition);
    };
    const auto use = [&](NameId scope) { uses_.emplace_back(AddSite(site), scope); };
    switch (role) {
      case NameRole::kNone: return;
      case NameRole::kDefinition: return add(EntityKind::kValue, around.scope, true);
      case NameRole::kUse: return use(around.scope);
      case NameRole::kInitializationUse: return use(initialization_);
      case NameRole::kAlgorithmUse: return use(algorithm_);
      case NameRole::kGradientUse:
        if (around.is_gradient) use(around.scope);
        return;
      case NameRole::kNode: return add(EntityKind::kNode, around.scope);
      case NameRole::kFunction: return Bind(AddSite(site), around.function, true);
      case NameRole::kOperator: return Bind(AddSite(site), around.callee, false);
      case NameRole::kDimension: return add(EntityKind::kDimension, around.item);
      case NameRole::kDomain: return add(EntityKind::kDomain, NodeDomain(name).empty() ? kNoName : 0);
      case NameRole::kFormal:
        return add(EntityKind::kAttribute, around.function, site.field->name() != "ref_attr_name");
      case NameRole::kGiven:
        if (around.callee == kNoName || names_.entities_[around.callee].kind != EntityKind::kFunction) return;
        return add(EntityKind::kAttribute, around.callee);
      case NameRole::kMetadataKey:
        if (!check::IsDeclaringKey(name)) return;
        site.form = NameSite::Form::kMetadataKey;
        if (formals_.contains(name)) return use(around.scope);
        if (const NameId own = names_.Find(EntityKind::kAttribute, around.function, name); own != kNoName) {
          Bind(AddSite(site), own, false);
        }
        return;
      case NameRole::kMetadataValue: return AddDimensions(site, name, around);
    }
  }

  /// Adds the dimensions in the type of an input or output, such as `N` in "T[N]".
  void AddDimensions(NameSite site, std::string_view type, const Around& around) {
    const auto& entry = static_cast<const onnx::StringStringEntryProto&>(*site.message);
    if (!check::IsDeclaringKey(entry.key()) || !formals_.contains(entry.key())) return;
    site.form = NameSite::Form::kPart;
    bool is_inside = false;
    for (const TextToken& token : TokensIn(type, {0, type.size()})) {
      const std::string_view word = type.substr(token.range.begin, token.range.end - token.range.begin);
      if (token.kind == TokenKind::kMark) is_inside = word != "]" && (is_inside || word == "[");
      if (!is_inside || (token.kind != TokenKind::kName && token.kind != TokenKind::kString)) continue;
      const std::string_view name = names_.decoded_.emplace_back(NameOf(word));
      Bind(AddSite(site), Add(EntityKind::kDimension, around.item, name), false);
    }
  }

  NameId AddSite(const NameSite& site) {
    names_.sites_.push_back(site);
    return static_cast<NameId>(names_.sites_.size() - 1);
  }

  /// Returns the entity. It is added if it is new.
  NameId Add(EntityKind kind, NameId owner, std::string_view name) {
    if (const NameId found = names_.Find(kind, owner, name); found != kNoName) return found;
    const auto id = static_cast<NameId>(names_.entities_.size());
    AddId(&names_.slots_, id, HashOf(kind, owner, name), id);
    names_.entities_.push_back({.kind = kind, .owner = owner, .name = name});
    return id;
  }

  void Bind(NameId site, NameId id, bool is_definition) {
    names_.sites_[site].entity = id;
    Entity& entity = names_.entities_[id];
    if (entity.site == kNoName || (is_definition && !entity.is_defined)) entity.site = site;
    entity.is_defined = entity.is_defined || is_definition;
  }

  /// Returns the value that a name means in a scope: that of the innermost scope that defines it. A name that no scope
  /// defines belongs to the outermost one.
  NameId Resolve(NameId scope, const NameSite& site) {
    std::string scratch;
    const auto* const reflection = site.message->GetReflection();
    const std::string_view name =
        site.field->is_repeated()
            ? reflection->GetRepeatedStringReference(*site.message, site.field, site.index, &scratch)
            : reflection->GetStringReference(*site.message, site.field, &scratch);
    for (;; scope = names_.scopes_[scope].parent) {
      if (names_.scopes_[scope].parent == kNoName) return Add(EntityKind::kValue, scope, name);
      if (const NameId found = names_.Find(EntityKind::kValue, scope, name); found != kNoName) return found;
    }
  }

  Names& names_;
  std::map<std::pair<const FieldDescriptor*, const FieldDescriptor*>, Fields> fields_;  // by holder and its holder
  std::map<std::pair<std::string_view, std::string_view>, NameId> families_;            // by domain and overload
  std::vector<std::pair<NameId, NameId>> uses_;                                         // of values: site and scope
  NameSet formals_;            // the inputs and outputs of the current function, if it has metadata
  NameId initialization_ = 0;  // scopes of the current training step
  NameId algorithm_ = 0;
};

Names::Names(const onnx::ModelProto& model) { NameReader(model, this); }

NameId Names::Find(EntityKind kind, NameId owner, std::string_view name) const {
  const auto is_same = [&](NameId id) {
    const Entity& entity = entities_[id];
    return entity.kind == kind && entity.owner == owner && entity.name == name;
  };
  return FindId(slots_, HashOf(kind, owner, name), is_same);
}

std::string PathTo(const Target& target, const Place& place) {
  if (&place.message == &target.message) return PathOf(Spot(place, target.field, target.index));
  const auto* const reflection = place.message.GetReflection();
  std::vector<const google::protobuf::FieldDescriptor*> fields;
  reflection->ListFields(place.message, &fields);
  for (const auto* const field : fields) {
    if (field->cpp_type() != google::protobuf::FieldDescriptor::CPPTYPE_MESSAGE) continue;
    const int count = field->is_repeated() ? reflection->FieldSize(place.message, field) : 1;
    for (int i = 0; i < count; ++i) {
      const google::protobuf::Message& child = field->is_repeated()
                                                   ? reflection->GetRepeatedMessage(place.message, field, i)
                                                   : reflection->GetMessage(place.message, field);
      std::string path = PathTo(target, place.Child(child, field->number(), i));
      if (!path.empty()) return path;
    }
  }
  return "";
}

bool IsClassified(const FieldDescriptor* field) {
  return std::ranges::any_of(kNameFields, [&](const NameField& row) { return row.field == NameOfField(field); });
}

}  // namespace onnxc::edit
