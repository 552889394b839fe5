// The operators that are known: the built-in ones, and those that files declare.
#pragma once

#include <onnxc/operators.h>

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
  /// All versions of an operator, oldest first.
  [[nodiscard]] std::span<const Operator> FindVersions(std::string_view domain, std::string_view name) const;
  /// The names of a domain's operators; null where no file declares any.
  [[nodiscard]] const std::vector<std::string_view>* NamesIn(std::string_view domain) const;
  [[nodiscard]] const std::vector<std::string_view>& domains() const { return domains_; }

  /// Adds a definition with its row. Returns the one that has the same name and version, or null.
  const DeclaredOperator* Add(DeclaredOperator definition, const Operator& row);
  /// To be called when all are there.
  void Finish();

  std::vector<LinkInput> files = {};  ///< what the definitions refer to

 private:
  std::deque<DeclaredOperator> definitions_;
  OwnedNameMap<std::vector<Operator>> versions_;  // by domain and name
  NameMap<std::vector<std::string_view>> names_;
  std::vector<std::string_view> domains_;
};

/// Looks up operators. A cheap value; what it was made of must outlive it.
class OperatorTable {
 public:
  OperatorTable() = default;  // the built-in operators alone
  explicit OperatorTable(const Operators& operators) : declared_(operators.declared_.get()) {}

  /// All versions of an operator, oldest first; empty where the domain has no such operator.
  [[nodiscard]] std::span<const Operator> FindVersions(std::string_view domain, std::string_view name) const;
  /// The definition that counts at opset `version`, or null.
  [[nodiscard]] const Operator* Find(std::string_view domain, std::string_view name, int version) const;
  /// The names of a domain's operators that exist at opset `version` and are not deprecated.
  [[nodiscard]] std::vector<std::string_view> Names(std::string_view domain, int version) const;
  /// The newest version of a domain that is known; 0 where the domain is not.
  [[nodiscard]] int NewestVersion(std::string_view domain) const;
  /// All domains that have operators: the built-in ones, then others.
  [[nodiscard]] std::vector<std::string_view> Domains() const;
  /// A file declares operators of the domain.
  [[nodiscard]] bool IsDeclared(std::string_view domain) const {
    return declared_ != nullptr && declared_->NamesIn(domain) != nullptr;
  }

 private:
  const DeclaredOperators* declared_ = nullptr;
};

/// OperatorTable::Find() for the nodes of a model, most of which are of the same few operators. The names live
/// elsewhere.
class RecentOperators {
 public:
  explicit RecentOperators(const OperatorTable& table) : table_(table) {}

  [[nodiscard]] const Operator* Find(std::string_view domain, std::string_view name, int version) {
    Entry& recent = entries_[LooksOf(name) % entries_.size()];
    if (recent.name != name || recent.domain != domain || recent.version != version) {
      recent = {domain, name, version, table_.Find(domain, name, version)};
    }
    return recent.op;
  }

 private:
  struct Entry {
    std::string_view domain = {};
    std::string_view name = {};
    int version = -1;
    const Operator* op = nullptr;
  };
  OperatorTable table_;
  std::array<Entry, 128> entries_{};
};

}  // namespace onnxc
