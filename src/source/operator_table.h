// All known operators: the built-in ones, and those that files declare.
#pragma once

#include <onnxc/operators.h>
#include <onnxc/proto.h>

#include <array>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "source/names.h"
#include "tables/declared_operator.h"
#include "tables/signatures.h"

namespace onnxc {

/// The operators that some files declare.
class DeclaredOperators {
 public:
  /// Returns all versions of an operator, oldest first.
  [[nodiscard]] std::span<const Operator> FindVersions(std::string_view domain, std::string_view name) const;
  /// Returns the names of a domain's operators, or null if no file declares operators of the domain.
  [[nodiscard]] const std::vector<std::string_view>* NamesIn(std::string_view domain) const;
  [[nodiscard]] const std::vector<std::string_view>& domains() const { return domains_; }

  /// Adds a definition with its row. If there already is one with the same name and version, returns that one and adds
  /// nothing; otherwise returns null.
  const DeclaredOperator* Add(DeclaredOperator definition, const Operator& row);
  /// Must be called after all definitions were added.
  void Finish();

  std::vector<LinkInput> files = {};  ///< the definitions refer to these files

 private:
  std::deque<DeclaredOperator> definitions_;
  OwnedNameMap<std::vector<Operator>> versions_;  // the key is a domain and a name
  NameMap<std::vector<std::string_view>> names_;
  std::vector<std::string_view> domains_;
};

/// Looks up operators. The table is cheap to copy. It refers to the declared operators, which must outlive it.
class OperatorTable {
 public:
  OperatorTable() = default;  // only the built-in operators
  explicit OperatorTable(const Operators& operators) : declared_(operators.declared_.get()) {}

  /// Returns all versions of an operator, oldest first. Returns none if the domain has no such operator.
  [[nodiscard]] std::span<const Operator> FindVersions(std::string_view domain, std::string_view name) const;
  /// Returns the definition of an operator in operator set version `version`, or null if there is none.
  [[nodiscard]] const Operator* Find(std::string_view domain, std::string_view name, int version) const;
  /// Returns the names of a domain's operators that exist in operator set version `version` and are not deprecated.
  [[nodiscard]] std::vector<std::string_view> Names(std::string_view domain, int version) const;
  /// Returns the newest known version of a domain, or 0 if the domain is not known.
  [[nodiscard]] int NewestVersion(std::string_view domain) const;
  /// Returns all domains that have operators, built-in domains first.
  [[nodiscard]] std::vector<std::string_view> Domains() const;
  /// Returns whether a file declares operators of the domain.
  [[nodiscard]] bool IsDeclared(std::string_view domain) const {
    return declared_ != nullptr && declared_->NamesIn(domain) != nullptr;
  }

 private:
  const DeclaredOperators* declared_ = nullptr;
};

/// Caches OperatorTable::Find() for the nodes of a model, most of which use the same few operators. The nodes must not
/// change as long as the cache is used.
class RecentOperators {
 public:
  explicit RecentOperators(const OperatorTable& table) : table_(table) {}

  [[nodiscard]] const Operator* Find(const onnx::NodeProto& node, int version) {
    Entry& recent = entries_[LooksOf(node.op_type()) % entries_.size()];
    if (recent.node == nullptr || recent.version != version || recent.node->op_type() != node.op_type() ||
        recent.node->domain() != node.domain()) {
      recent = {&node, version, table_.Find(node.domain(), node.op_type(), version)};
    }
    return recent.op;
  }

 private:
  struct Entry {  // without initializers: an array of zeros is made in little time
    const onnx::NodeProto* node;
    int version;
    const Operator* op;
  };
  OperatorTable table_;
  std::array<Entry, 128> entries_{};
};

}  // namespace onnxc
