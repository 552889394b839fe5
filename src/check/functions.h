// The functions of a model, indexed by the names that nodes use to call them.
#pragma once

#include <onnxc/proto.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "source/function_key.h"
#include "source/names.h"

namespace onnxc::check {

/// Returns the name of a call as a text writes it, without the domain: "name" or "name:overload".
[[nodiscard]] std::string CalledName(std::string_view name, std::string_view overload);

/// Returns whether a runtime or another package may define operators in the domain, because its name is a reversed DNS
/// name. Any other domain that has functions belongs to the model alone.
[[nodiscard]] bool IsOfOthers(std::string_view domain);
/// Returns whether onnxc knows operators of the domain, or the domain is one of ONNX Runtime's domains.
[[nodiscard]] bool IsOfRuntime(std::string_view domain);

/// Returns "domain::name", followed by the overload if there is one, shortened for messages. The domain "ai.onnx" is
/// shown as "". Functions with different names may be shown alike; FunctionKey tells them apart.
[[nodiscard]] std::string ShownId(const onnx::FunctionProto& function);

class FunctionTable {
 public:
  /// Adds a function. Functions must be added in the order of the model.
  void Add(const onnx::FunctionProto& function);

  /// Returns whether an earlier function has the same id.
  [[nodiscard]] bool IsRepeated(int position) const { return At(position).is_repeated; }

  /// Returns the index of the function that the node calls, or -1 if there is none.
  [[nodiscard]] int Find(const onnx::NodeProto& node) const;
  /// Returns the index of the function of this name without an overload, or -1 if there is none.
  [[nodiscard]] int Find(std::string_view domain, std::string_view name) const;
  /// After this call, nodes with the domain, operator and overload of `node` call the function at `position`. Used if
  /// the function's own name is misspelt.
  void Rename(int position, const onnx::NodeProto& node);
  [[nodiscard]] const onnx::FunctionProto& operator[](int position) const { return *At(position).proto; }
  /// Returns the names of the function's attributes.
  [[nodiscard]] const NameSet& ParametersOf(int position);

  /// Declares `name` as another name of an attribute of the function. Used if the function declares the attribute with
  /// a misspelt name, so that references to the correct name are not reported, too.
  void AddParameter(int position, std::string_view name);
  /// RefersTo() returns whether some node of the function's body refers to an attribute of this name. Requires()
  /// returns whether one of these nodes requires a value for it.
  [[nodiscard]] bool RefersTo(int position, std::string_view name);
  [[nodiscard]] bool Requires(int position, std::string_view name);

  /// Returns the type of the attributes in the function's body that refer to `parameter`. Returns 0 if there are none
  /// or if their types differ.
  [[nodiscard]] int TypeOfUse(int position, std::string_view parameter);

  /// Returns the attributes that some node of the function's body requires, each once, in the order of the function.
  [[nodiscard]] std::span<const std::string_view> Needed(int position);

  /// Returns the overloads of the functions with this domain and name; "" is the function without an overload.
  [[nodiscard]] std::span<const std::string_view> OverloadsOf(std::string_view domain, std::string_view name);

  /// Returns the domain of the function with this name if there is exactly one such function, otherwise "".
  [[nodiscard]] std::string_view DomainOf(std::string_view name) const;

  /// Returns the names of the domain's functions, as CalledName() writes them, or null if the domain has no functions.
  [[nodiscard]] const std::vector<std::string>* NamesIn(std::string_view domain) const;

 private:
  struct Entry {
    const onnx::FunctionProto* proto;
    bool is_repeated = false;
    std::optional<NameSet> parameters = {};                    ///< computed when first needed
    std::optional<NameMap<int>> uses = {};                     ///< computed when first needed; by attribute name
    std::optional<NameSet> required = {};                      ///< computed when first needed
    std::optional<std::vector<std::string_view>> needed = {};  ///< computed when first needed
  };

  [[nodiscard]] const Entry& At(int position) const { return entries_[static_cast<std::size_t>(position)]; }
  [[nodiscard]] const NameMap<int>& UsesOf(int position);
  [[nodiscard]] const NameSet& RequiredBy(int position);

  FunctionMap<int> functions_;
  NameMap<std::vector<std::string>> domains_;
  NameMap<std::string_view> domain_of_;  // by function name; "" if several functions have the name
  std::vector<Entry> entries_;
  /// The overloads of each domain and name, in keys without an overload. Computed when first needed.
  std::optional<FunctionMap<std::vector<std::string_view>>> overloads_;
};

}  // namespace onnxc::check
