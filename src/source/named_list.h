// Lists whose elements are found by their names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "source/id_slots.h"
#include "source/large_pages.h"
#include "source/names.h"

namespace onnxc {

/// Elements with a member `name`, in the order in which they were added. Names are unique. The list does not own the
/// names. Adding an element may move the others.
template <typename Element>
class NamedList {
 public:
  /// Reserves memory for `count` elements in an empty list.
  void Reserve(std::size_t count) {
    elements_.reserve(count);
    AdviseLargePages(elements_.data(), count * sizeof(Element));
    ReserveIds(&slots_, count);
  }

  /// Returns the element of this name, or null.
  [[nodiscard]] Element* Find(const HashedName& name) {
    const std::uint32_t id = IdOf(name);
    return id == kNoId ? nullptr : &elements_[id];
  }
  [[nodiscard]] const Element* Find(const HashedName& name) const {
    const std::uint32_t id = IdOf(name);
    return id == kNoId ? nullptr : &elements_[id];
  }

  /// Prefetches what Find() and Add() read for this name.
  void Fetch(const HashedName& name) const { FetchSlot(slots_, name.hash); }

  /// Adds an element. Its name must not be in the list yet.
  Element& Add(const HashedName& name, const Element& element) {
    AddId(&slots_, elements_.size(), name.hash, static_cast<std::uint32_t>(elements_.size()));
    Element& added = elements_.emplace_back(element);
    added.name = name.text;
    return added;
  }

  [[nodiscard]] const std::vector<Element>& elements() const { return elements_; }
  /// Returns the elements. The list must not be used afterwards.
  [[nodiscard]] std::vector<Element> Take() { return std::move(elements_); }

 private:
  [[nodiscard]] std::uint32_t IdOf(const HashedName& name) const {
    return FindId(slots_, name.hash, [&](std::uint32_t id) { return elements_[id].name == name.text; });
  }

  std::vector<Element> elements_;
  IdSlots slots_;
};

}  // namespace onnxc
