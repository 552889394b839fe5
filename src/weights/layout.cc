#include "weights/layout.h"

#include <algorithm>

#include "source/unicode.h"

namespace onnxc {
namespace {

constexpr std::uint64_t kLarge = std::uint64_t{1} << 20;
constexpr std::uint64_t kLargeAlignment = std::uint64_t{64} << 10;

}  // namespace

void NameSlots(std::vector<Slot>* slots) {
  NameMap<int> count;
  for (const Slot& slot : *slots) ++count[slot.tensor->name()];
  for (Slot& slot : *slots) {
    const std::string& name = slot.tensor->name();
    const bool is_key = !name.empty() && count[name] == 1 && IsUtf8(name);
    slot.key = is_key ? name : slot.path;
  }
}

void LayOut(std::vector<Slot>* slots) {
  std::uint64_t end = 0;
  for (Slot& slot : *slots) {
    const std::uint64_t alignment = slot.size >= kLarge ? kLargeAlignment : kPage;
    slot.offset = (end + alignment - 1) / alignment * alignment;
    end = slot.offset + slot.size;
  }
}

}  // namespace onnxc
