#include "weights/layout.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "source/unicode.h"

namespace onnxc::weights {
namespace {

constexpr std::uint64_t kLarge = std::uint64_t{1} << 20;
constexpr std::uint64_t kLargeAlignment = std::uint64_t{64} << 10;

/// The sources of slots may overlap in their file. A group is the range that overlapping sources cover together. In the
/// new file, these sources keep their places relative to each other.
struct Group {
  FileRange range;
  std::optional<std::uint64_t> offset = {};  ///< set as soon as the group has a place in the new file
};

auto Begin(const FileRange& range) { return std::tuple<std::string_view, std::uint64_t>(range.location, range.offset); }

/// Returns the groups, sorted by their beginnings.
std::vector<Group> FindGroups(const std::vector<Slot>& slots) {
  std::vector<FileRange> ranges;
  for (const Slot& slot : slots) {
    if (slot.source.has_value()) ranges.push_back(*slot.source);
  }
  std::ranges::sort(ranges);
  std::vector<Group> groups;
  for (FileRange& range : ranges) {
    FileRange* const last = groups.empty() ? nullptr : &groups.back().range;
    if (last != nullptr && last->location == range.location && range.offset < last->offset + last->size) {
      last->size = std::max(last->size, range.offset - last->offset + range.size);
    } else {
      groups.push_back({std::move(range)});
    }
  }
  return groups;
}

}  // namespace

void NameSlots(std::vector<Slot>* slots) {
  const auto name_of = [](const Slot& slot) -> const std::string& {
    return slot.tensor->name().empty() ? slot.value : slot.tensor->name();
  };
  NameMap<int> count;
  for (const Slot& slot : *slots) ++count[name_of(slot)];
  for (Slot& slot : *slots) {
    const std::string& name = name_of(slot);
    slot.is_named = !name.empty() && count[name] == 1 && IsUtf8(name);
    slot.key = slot.is_named ? name : slot.path;
  }
}

std::vector<Extent> LayOut(std::vector<Slot>* slots) {
  std::vector<Group> groups = FindGroups(*slots);
  std::vector<Extent> extents;
  std::uint64_t end = 0;
  const auto append = [&](Extent extent, std::uint64_t size) {
    const std::uint64_t alignment = size >= kLarge ? kLargeAlignment : kPage;
    extent.offset = (end + alignment - 1) / alignment * alignment;
    end = extent.offset + size;
    extents.push_back(std::move(extent));
    return extents.back().offset;
  };
  for (Slot& slot : *slots) {
    if (!slot.source.has_value()) {
      slot.offset = append({.tensor = slot.tensor}, slot.size);
      continue;
    }
    // The last group that begins at or before the slot's source contains the source.
    Group& group = *std::prev(
        std::ranges::upper_bound(groups, Begin(*slot.source), {}, [](const Group& one) { return Begin(one.range); }));
    if (!group.offset.has_value()) group.offset = append({.source = group.range}, group.range.size);
    slot.offset = *group.offset + (slot.source->offset - group.range.offset);
  }
  return extents;
}

}  // namespace onnxc::weights
