// Hash tables whose keys come from files. An attacker who knows the hash function can write names with equal hashes;
// each lookup then takes time linear in the size of the table. So the hash uses a random seed in each process.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace onnxc {

/// Returns a hash of bytes. It differs between processes, so no result may depend on it or on the order of a table.
[[nodiscard]] std::uint64_t HashOf(std::string_view bytes);

/// Returns a key for a list of parts of a name. Different lists have different keys, whatever characters they contain:
/// the size of each part stands before the part.
[[nodiscard]] std::string JoinedKey(std::initializer_list<std::string_view> parts);

/// The call operator is not noexcept, because standard tables then store the hash of each name, and compare hashes
/// before names.
struct NameHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view name) const { return static_cast<std::size_t>(HashOf(name)); }
};

/// A name and its hash, which is computed only once even if several lists are searched for the name.
struct HashedName {
  explicit HashedName(std::string_view name) : text(name), hash(static_cast<std::uint32_t>(HashOf(name))) {}

  std::string_view text;
  std::uint32_t hash;
};

/// A table that does not own the names.
template <typename Value>
using NameMap = std::unordered_map<std::string_view, Value, NameHash>;
using NameSet = std::unordered_set<std::string_view, NameHash>;

/// A table that owns the names.
template <typename Value>
using OwnedNameMap = std::unordered_map<std::string, Value, NameHash, std::equal_to<>>;
using OwnedNameSet = std::unordered_set<std::string, NameHash, std::equal_to<>>;

/// A set of the names of a list that is usually short: the first names are compared one by one, without a table.
class SeenNames {
 public:
  /// `most` is the maximum number of names, so that the table is allocated only once.
  explicit SeenNames(std::size_t most) : most_(most) {}

  /// Adds the name. Returns false if it was added before.
  bool Add(std::string_view name) {
    if (!many_.empty()) return many_.insert(name).second;
    const auto end = few_.begin() + static_cast<std::ptrdiff_t>(count_);
    if (std::find(few_.begin(), end, name) != end) return false;
    if (count_ < few_.size()) {
      few_[count_++] = name;
      return true;
    }
    many_.reserve(most_);
    many_.insert(few_.begin(), few_.end());
    return many_.insert(name).second;
  }

 private:
  std::size_t most_;
  std::array<std::string_view, 8> few_{};
  std::size_t count_ = 0;
  NameSet many_;
};

}  // namespace onnxc
