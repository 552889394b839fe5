// Removes elements from lists of messages.
#pragma once

#include <google/protobuf/repeated_field.h>

#include <utility>

namespace onnxc::edit {

/// Removes all elements for which `is_wanted` returns false. The others keep their order and are not copied.
template <typename Element, typename IsWanted>
void Keep(google::protobuf::RepeatedPtrField<Element>* list, const IsWanted& is_wanted) {
  int kept = 0;
  for (int i = 0; i < list->size(); ++i) {
    if (!is_wanted(std::as_const(*list)[i], i)) continue;
    if (i != kept) list->SwapElements(i, kept);
    ++kept;
  }
  list->DeleteSubrange(kept, list->size() - kept);
}

}  // namespace onnxc::edit
