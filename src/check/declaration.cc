#include "check/declaration.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <onnxc/parser.h>
#include <onnxc/printer.h>

#include <algorithm>
#include <map>
#include <utility>

#include "check/functions.h"
#include "source/names.h"
#include "tables/attribute_types.h"
#include "tables/signatures.h"

namespace onnxc::check {
namespace {

using onnx::FunctionProto;

constexpr TypeSet kAllTypes{{~std::uint64_t{0}, ~std::uint64_t{0}}};
constexpr std::string_view kAny = "any";
constexpr std::size_t kMostFormals = 254;  // the table stores counts as bytes
constexpr std::size_t kMostGivenAttributes = 64;

std::string_view Trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

std::vector<std::string_view> SplitChoices(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('|', begin), text.size());
    parts.push_back(Trimmed(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return parts;
}

/// Removes the mark, such as `?`, from the end of the text. Returns whether the text ended with the mark.
bool TakeMark(std::string_view* text, std::string_view mark) {
  if (!text->ends_with(mark)) return false;
  text->remove_suffix(mark.size());
  *text = Trimmed(*text);
  return true;
}

void AddType(const onnx::TypeProto& type, TypeSet* types) {
  const TypeId id = TypeOf(type);
  if (id >= 128) {
    *types = kAllTypes;  // no built-in operator accepts such a type, so types are not compared
  } else {
    types->words[id / 64] |= std::uint64_t{1} << (id % 64);
  }
}

class DeclarationReader {
 public:
  DeclarationReader(const FunctionProto& function, const Place& place, Findings* findings)
      : function_(function), place_(place), findings_(*findings) {}

  std::optional<Declared> Read() {
    op_.domain = std::string(NodeDomain(function_.domain()));
    op_.function = &function_;
    op_.has_body = !IsDeclaration(function_);
    row_.since = Since();
    row_.name = AddWord(function_.name());
    op_.texts.push_back(function_.doc_string());
    if (!function_.overload().empty()) Fail(-1, "an operator cannot have an overload");
    ReadNames();
    ReadMetadata();
    for (const std::string& name : function_.attribute()) AddAttribute(name, nullptr);
    for (const onnx::AttributeProto& attribute : function_.attribute_proto()) {
      AddAttribute(attribute.name(), &attribute);
    }
    row_.inputs = static_cast<std::uint8_t>(ReadFormals(function_.input(), &row_.min_inputs, &row_.max_inputs));
    row_.outputs = static_cast<std::uint8_t>(ReadFormals(function_.output(), &row_.min_outputs, &row_.max_outputs));
    row_.attributes = static_cast<std::uint8_t>(op_.attributes.size());
    op_.texts.insert(op_.texts.end(), formal_texts_.begin(), formal_texts_.end());
    ReportUnused();
    if (!is_right_) return std::nullopt;
    return Declared{std::move(op_), row_};
  }

 private:
  struct Variable {
    int number;
    TypeSet types;
    bool is_used = false;
  };
  /// An entry of the metadata.
  struct Entry {
    std::string_view value;
    int index;
  };

  /// Returns the version in which the operator was introduced. The function specifies this version by importing its own
  /// domain in that version.
  std::uint8_t Since() {
    for (const onnx::OperatorSetIdProto& opset : function_.opset_import()) {
      if (NodeDomain(opset.domain()) != NodeDomain(function_.domain())) continue;
      if (opset.version() >= 1 && opset.version() <= 255) return static_cast<std::uint8_t>(opset.version());
      Fail(-1, "an operator must import its own domain, with a version from 1 to 255");
    }
    return 1;
  }

  std::uint16_t AddWord(std::string_view word) {
    op_.words.emplace_back(word);
    return static_cast<std::uint16_t>(op_.words.size() - 1);
  }

  /// Reports an error in a metadata entry, or in the operator if `entry` is -1.
  void Fail(int entry, const std::string& message) {
    is_right_ = false;
    const bool is_entry = entry >= 0 && entry < function_.metadata_props_size();
    if (!is_entry) {
      findings_.Report(diag::kOperatorDeclaration, {place_, FunctionProto::kNameFieldNumber}, message);
      return;
    }
    const Place at = place_.Child(function_.metadata_props(entry), FunctionProto::kMetadataPropsFieldNumber, entry);
    findings_.Report(diag::kOperatorDeclaration, at, message);
  }

  void ReadNames() {
    const auto too_many = [&](int count, std::size_t most, std::string_view what) {
      if (static_cast<std::size_t>(count) > most)
        Fail(-1, fmt::format("an operator can have at most {} {}", most, what));
    };
    too_many(function_.input_size(), kMostFormals, "inputs");
    too_many(function_.output_size(), kMostFormals, "outputs");
    too_many(function_.attribute_size() + function_.attribute_proto_size(), kMostGivenAttributes, "attributes");
    for (const std::string& name : function_.input()) names_.insert(name);
    for (const std::string& name : function_.output()) names_.insert(name);
    for (const std::string& name : function_.attribute()) names_.insert(name);
    for (const onnx::AttributeProto& attribute : function_.attribute_proto()) names_.insert(attribute.name());
    for (const onnx::ValueInfoProto& info : function_.value_info()) infos_.try_emplace(info.name(), &info);
  }

  void ReadMetadata() {
    for (int i = 0; i < function_.metadata_props_size(); ++i) {
      const onnx::StringStringEntryProto& entry = function_.metadata_props(i);
      if (!IsDeclaringKey(entry.key())) continue;
      if (names_.contains(entry.key())) {
        entries_.try_emplace(entry.key(), Entry{entry.value(), i});
      } else {
        variables_.try_emplace(entry.key(), ReadVariable(entry, i));
        unused_.push_back(i);
      }
    }
    if (variables_.size() > kMostVariables) {
      Fail(-1, fmt::format("an operator can have at most {} type variables", kMostVariables));
    }
  }

  Variable ReadVariable(const onnx::StringStringEntryProto& entry, int index) {
    Variable variable{static_cast<int>(variables_.size()), {}};
    for (const std::string_view word : SplitChoices(entry.value())) {
      onnx::TypeProto type;
      if (word == kAny) {
        variable.types = kAllTypes;
      } else if (Parse(word, &type).ok()) {
        AddType(type, &variable.types);
      } else {
        wrong_types_.emplace(index, word);
      }
    }
    return variable;
  }

  template <typename Formals>
  std::size_t ReadFormals(const Formals& names, std::uint8_t* min, std::uint8_t* max) {
    const auto count = std::min(static_cast<std::size_t>(names.size()), kMostFormals);
    *min = 0;
    *max = static_cast<std::uint8_t>(count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::string& name = names[static_cast<int>(i)];
      const auto entry = entries_.find(name);
      std::string_view text = entry == entries_.end() ? std::string_view() : Trimmed(entry->second.value);
      const bool may_miss = TakeMark(&text, "?");
      const bool is_list = TakeMark(&text, "...");
      if (is_list && i + 1 < count)
        Fail(entry->second.index,
             fmt::format("only the last input or output can be a list, but '{}' is not the last", Quoted(name)));
      if (is_list) *max = Operator::kUnlimited;
      if (!may_miss) *min = static_cast<std::uint8_t>(i + 1);
      Parameter parameter{.name = AddWord(name),
                          .arity = static_cast<std::uint8_t>(is_list    ? Arity::kVariadic
                                                             : may_miss ? Arity::kOptional
                                                                        : Arity::kSingle),
                          .homogeneous = false,
                          .variable = 0,
                          .types = 0};
      const auto info = infos_.find(name);
      TypeSet types{};
      DeclaredFormal formal = ReadType(text, entry == entries_.end() ? -1 : entry->second.index,
                                       info == infos_.end() ? nullptr : info->second, &parameter, &types);
      AddFormal(std::move(formal), parameter, types);
      formal_texts_.push_back(info == infos_.end() ? "" : info->second->doc_string());
    }
    return count;
  }

  void AddFormal(DeclaredFormal formal, Parameter parameter, const TypeSet& types) {
    const auto same = std::ranges::find_if(op_.types, [&](const TypeSet& other) {
      return other.words[0] == types.words[0] && other.words[1] == types.words[1];
    });
    parameter.types = static_cast<std::uint8_t>(same - op_.types.begin());
    if (same == op_.types.end()) op_.types.push_back(types);
    if (op_.types.size() > 255) Fail(-1, "an operator can have at most 255 sets of types");
    op_.parameters.push_back(parameter);
    op_.formals.push_back(std::move(formal));
  }

  /// Returns the type of a parameter: the type in the metadata or, if there is none, the declared type in `info`.
  DeclaredFormal ReadType(std::string_view text, int entry, const onnx::ValueInfoProto* info, Parameter* parameter,
                          TypeSet* types) {
    DeclaredFormal formal;
    *types = kAllTypes;
    if (text.empty()) {
      if (info == nullptr || info->type().value_case() == onnx::TypeProto::VALUE_NOT_SET) return formal;
      formal.type = info->type();
    } else if (text == kAny) {
      return formal;
    } else {
      const std::size_t bracket = std::min(text.find('['), text.size());
      const auto variable = variables_.find(Trimmed(text.substr(0, bracket)));
      formal.has_variable = variable != variables_.end();
      const std::string shape = std::string(text.substr(bracket));
      const std::string type_text = formal.has_variable ? "float" + shape : std::string(text);
      if (!Parse(type_text, &formal.type.emplace()).ok()) {
        formal.type.reset();
        Fail(entry, fmt::format("'{}' is neither a type nor a type variable of the operator", Quoted(text)));
        return formal;
      }
      if (formal.has_variable) {
        if (bracket == text.size()) formal.type.reset();
        variable->second.is_used = true;
        parameter->homogeneous = true;
        parameter->variable = static_cast<std::uint8_t>(variable->second.number);
        *types = variable->second.types;
        return formal;
      }
    }
    *types = {};
    AddType(*formal.type, types);
    return formal;
  }

  /// Adds an attribute to the operator. `given` is the attribute with its default value, or null if it has no default.
  void AddAttribute(const std::string& name, const onnx::AttributeProto* given) {
    if (op_.attributes.size() == kMostGivenAttributes) return;
    const auto entry = entries_.find(name);
    std::string_view text = entry == entries_.end() ? std::string_view() : Trimmed(entry->second.value);
    const bool may_miss = TakeMark(&text, "?") || given != nullptr;
    OperatorAttribute attribute{.name = AddWord(name), .type = 0, .required = !may_miss};
    std::vector<std::string_view> choices;
    const auto is_it = [&](const AttributeType& type) { return type.keyword == text; };
    const auto type = std::ranges::find_if(kAttributeTypes, is_it);
    if (type != std::end(kAttributeTypes) && type->code != 0) {
      attribute.type = static_cast<std::uint8_t>(type->code);
    } else if (!text.empty()) {
      attribute.type = onnx::AttributeProto::STRING;
      choices = SplitChoices(text);
    }
    std::string standard;
    if (given != nullptr) {
      if (attribute.type != 0 && choices.empty() && attribute.type != given->type()) {
        Fail(entry->second.index, fmt::format("the default value of '{}' has a different type", Quoted(name)));
      }
      attribute.type = static_cast<std::uint8_t>(given->type());
      standard = DefaultOf(*given);
      MoveToFront(given->s(), entry == entries_.end() ? -1 : entry->second.index, &choices);
    } else if (op_.has_body && attribute.type == 0) {
      attribute.type = TypeOfUse(name);
    }
    if (!choices.empty() && attribute.type != onnx::AttributeProto::STRING &&
        attribute.type != onnx::AttributeProto::STRINGS) {
      Fail(entry->second.index, fmt::format("'{}' is not a string, so it has no choices", Quoted(name)));
    }
    op_.attributes.push_back(attribute);
    op_.choices.push_back(std::move(choices));
    op_.texts.push_back(std::move(standard));
    op_.texts.push_back(given == nullptr ? "" : given->doc_string());
  }

  /// Moves the default value, `standard`, to the front of the choices.
  void MoveToFront(std::string_view standard, int entry, std::vector<std::string_view>* choices) {
    if (choices->empty()) return;
    const auto found = std::ranges::find(*choices, standard);
    if (found == choices->end())
      return Fail(entry, fmt::format("the default '{}' is not among the choices", Quoted(standard)));
    std::rotate(choices->begin(), found, found + 1);
  }

  static std::string DefaultOf(const onnx::AttributeProto& attribute) {
    const PrintResult printed = Print(attribute);
    const std::size_t equals = printed.text.find(" = ");
    return equals == std::string::npos ? "" : printed.text.substr(equals + 3);
  }

  std::uint8_t TypeOfUse(const std::string& name) {
    if (!uses_) {
      uses_.emplace();
      (void)uses_->Add(function_);
    }
    return static_cast<std::uint8_t>(uses_->TypeOfUse(0, name));
  }

  /// Reports metadata keys that are neither a parameter nor a type variable that a parameter uses: they are probably
  /// misspelt.
  void ReportUnused() {
    std::vector<std::string_view>
        names;  // names for suggestions; none if there are too many, because each key is compared with each name
    if (names_.size() <= 2 * kMostFormals + kMostGivenAttributes) names.assign(names_.begin(), names_.end());
    std::ranges::sort(names);
    for (const int index : unused_) {
      const onnx::StringStringEntryProto& entry = function_.metadata_props(index);
      const auto variable = variables_.find(entry.key());
      if (variable->second.is_used) {
        if (const auto wrong = wrong_types_.find(index); wrong != wrong_types_.end()) {
          Fail(index, fmt::format("'{}' is not a type", Quoted(wrong->second)));
        }
        continue;
      }
      if (op_.has_body) continue;  // the metadata of a function with nodes are not a declaration
      const std::string_view near = Nearest(entry.key(), names);
      Fail(index, fmt::format("'{}' is not an input, output, attribute or type variable{}", Quoted(entry.key()),
                              near.empty() ? "" : fmt::format("; did you mean '{}'?", Quoted(near))));
    }
  }

  const FunctionProto& function_;
  const Place& place_;
  Findings& findings_;
  DeclaredOperator op_;
  Operator row_{};
  bool is_right_ = true;
  NameSet names_;  // names of inputs, outputs and attributes
  NameMap<const onnx::ValueInfoProto*> infos_;
  NameMap<Entry> entries_;
  NameMap<Variable> variables_;
  std::vector<int> unused_;  // entries whose keys are not the name of a parameter
  std::map<int, std::string_view> wrong_types_;
  std::vector<std::string> formal_texts_;
  std::optional<FunctionTable> uses_;
};

}  // namespace

bool IsDeclaration(const FunctionProto& function) {
  if (!function.node().empty()) return false;
  const NameSet inputs(function.input().begin(), function.input().end());
  return function.output().empty() ||
         std::ranges::any_of(function.output(), [&](const std::string& output) { return !inputs.contains(output); });
}

std::optional<Declared> ReadDeclaration(const FunctionProto& function, const Place& place, Findings* findings) {
  return DeclarationReader(function, place, findings).Read();
}

}  // namespace onnxc::check
