// The functions of a model, by what nodes call them.
#pragma once

#include <onnxc/proto.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "source/names.h"

namespace onnxc::check {

/// "domain::name", with the overload where there is one; "ai.onnx" is the same as "".
[[nodiscard]] std::string FunctionId(std::string_view domain, std::string_view name, std::string_view overload);

/// A call as a text writes it, without the domain: "name", or "name:overload".
[[nodiscard]] std::string CalledName(std::string_view name, std::string_view overload);

/// Returns whether a runtime or another package may define operators in the domain: its name is a reversed DNS name.
/// Any other domain that has functions is the model's own.
[[nodiscard]] bool IsOfOthers(std::string_view domain);
/// Returns whether the domain is one of the operators that onnxc knows, or one of ONNX Runtime's.
[[nodiscard]] bool IsOfRuntime(std::string_view domain);

/// The same as a finding shows it, however long the names are.
[[nodiscard]] std::string ShownId(const onnx::FunctionProto& function);

class FunctionTable {
 public:
  /// To be called for the functions in the model's order. False where there is such a function already.
  bool Add(const onnx::FunctionProto& function);

  /// The position of the function that the node calls; -1 where there is none.
  [[nodiscard]] int Find(const onnx::NodeProto& node) const;
  [[nodiscard]] const onnx::FunctionProto& operator[](int position) const { return *At(position).proto; }
  /// The attributes that a function takes.
  [[nodiscard]] const NameSet& ParametersOf(int position);

  /// The type of the attributes that refer to one of the function's: 0 where there is none, or they differ.
  [[nodiscard]] int TypeOfUse(int position, std::string_view parameter);

  /// The attributes without which a node of the function's body cannot do, each once, as the function lists them.
  [[nodiscard]] std::span<const std::string_view> Needed(int position);

  /// The domain of the function with that name, where there is one alone; "" otherwise.
  [[nodiscard]] std::string_view DomainOf(std::string_view name) const;

  /// The names of the domain's functions, as calls write them; null where it has none.
  [[nodiscard]] const std::vector<std::string>* NamesIn(std::string_view domain) const;

 private:
  struct Key {
    std::string_view domain;
    std::string_view name;
    std::string_view overload;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };
  struct Entry {
    const onnx::FunctionProto* proto;
    std::optional<NameSet> parameters = {};                    ///< once somebody has asked
    std::optional<NameMap<int>> uses = {};                     ///< the same; by parameter
    std::optional<std::vector<std::string_view>> needed = {};  ///< the same
  };

  [[nodiscard]] const Entry& At(int position) const { return entries_[static_cast<std::size_t>(position)]; }

  std::unordered_map<Key, int, Hash> functions_;
  NameMap<std::vector<std::string>> domains_;
  NameMap<std::string_view> domain_of_;  // by the name of a function; "" where there are several
  std::vector<Entry> entries_;
};

}  // namespace onnxc::check
