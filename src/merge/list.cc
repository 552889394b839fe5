#include "merge/list.h"

#include <algorithm>
#include <iterator>
#include <list>

#include "source/names.h"

namespace onnxc::merge {
namespace {

using diff::At;

class Ordering {
 public:
  Ordering(const std::vector<Entry>& entries, const Pairs& pairs)
      : entries_(entries),
        at_(entries.size(), order_.end()),
        stays_in_ours_(pairs.to_ours.FindStaying()),
        stays_in_theirs_(pairs.to_theirs.FindStaying()) {}

  std::vector<int> Run() {
    for (const int entry : In(&Entry::ours)) at_[At(entry)] = order_.insert(order_.end(), entry);
    int before = -1;
    for (const int entry : In(&Entry::base)) {  // what we removed keeps its place, because new elements may follow it
      if (entries_[At(entry)].ours < 0) at_[At(entry)] = order_.insert(Behind(before), entry);
      before = entry;
    }
    before = -1;
    for (const int entry : In(&Entry::theirs)) {
      if (IsPlacedByThem(entries_[At(entry)])) Place(entry, before);
      before = entry;
    }
    return {order_.begin(), order_.end()};
  }

 private:
  using Order = std::list<int>;

  /// Returns the entries of one version in its order.
  [[nodiscard]] std::vector<int> In(int Entry::*version) const {
    std::vector<int> list;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (entries_[i].*version >= 0) list.push_back(static_cast<int>(i));
    }
    std::ranges::sort(list, {}, [&](int entry) { return entries_[At(entry)].*version; });
    return list;
  }

  [[nodiscard]] Order::iterator Behind(int entry) { return entry < 0 ? order_.begin() : std::next(at_[At(entry)]); }

  [[nodiscard]] bool IsPlacedByThem(const Entry& entry) const {
    if (entry.base < 0) return entry.ours < 0;
    const bool was_moved_by_us = entry.ours >= 0 && !stays_in_ours_[At(entry.ours)];
    return !stays_in_theirs_[At(entry.theirs)] && !was_moved_by_us;
  }

  void Place(int entry, int before) {
    const auto is_added_by_us = [&](int other) {
      return entries_[At(other)].base < 0 && entries_[At(other)].theirs < 0;
    };
    const auto place = std::find_if_not(Behind(before), order_.end(), is_added_by_us);
    auto& now = at_[At(entry)];
    if (now == order_.end()) {
      now = order_.insert(place, entry);
    } else if (place != now) {
      order_.splice(place, order_, now);
    }
  }

  const std::vector<Entry>& entries_;
  Order order_;
  std::vector<Order::iterator> at_;
  std::vector<bool> stays_in_ours_;
  std::vector<bool> stays_in_theirs_;
};

}  // namespace

diff::Matching MatchKeys(const std::vector<std::string>& before, const std::vector<std::string>& after) {
  diff::Matching matching(before.size(), after.size());
  NameMap<int> places;
  for (std::size_t i = 0; i < after.size(); ++i) places.emplace(after[i], static_cast<int>(i));
  for (std::size_t i = 0; i < before.size(); ++i) {
    const auto found = places.find(before[i]);
    if (found == places.end() || !matching.AreFree(static_cast<int>(i), found->second)) continue;
    matching.Pair(static_cast<int>(i), found->second);
  }
  return matching;
}

std::vector<Entry> EntriesOf(const Pairs& pairs) {
  const auto& [to_ours, to_theirs, added, doubtful] = pairs;
  std::vector<Entry> entries;
  for (int i = 0; i < to_ours.before_size(); ++i) {
    entries.push_back({i, to_ours.AfterOf(i), to_theirs.AfterOf(i), !doubtful.empty() && doubtful[At(i)]});
  }
  for (int i = 0; i < to_ours.after_size(); ++i) {
    if (to_ours.BeforeOf(i) < 0) entries.push_back({-1, i, added.AfterOf(i)});
  }
  for (int i = 0; i < to_theirs.after_size(); ++i) {
    if (to_theirs.BeforeOf(i) < 0 && added.BeforeOf(i) < 0) entries.push_back({-1, -1, i});
  }
  return entries;
}

std::vector<int> OrderOf(const std::vector<Entry>& entries, const Pairs& pairs) {
  return Ordering(entries, pairs).Run();
}

bool IsOrderUncertain(const std::vector<Entry>& entries, const Pairs& pairs) {
  if (std::ranges::all_of(entries, [](const Entry& entry) { return entry.ours == entry.theirs; })) return false;
  const auto has_placed = [](const diff::Matching& from_base) {  // a new element does not stay, either
    const std::vector<bool> stays = from_base.FindStaying();
    return std::ranges::find(stays, false) != stays.end();
  };
  return has_placed(pairs.to_ours) && has_placed(pairs.to_theirs);
}

}  // namespace onnxc::merge
