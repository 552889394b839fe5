#include "lsp/elements.h"

#include <fmt/format.h>

#include <algorithm>

namespace onnxc::lsp {

std::string ElementsOf(const ConstantValue& constant, std::size_t most) {
  std::string list;
  const auto add = [&](const auto& elements, const auto& show) {
    for (std::size_t i = 0; i < std::min(elements.size(), most); ++i) {
      list += fmt::format("{}{}", i == 0 ? "" : ", ", show(elements[i]));
    }
    if (elements.size() > most) list += ", ...";
  };
  add(constant.integers, [](const Dimension& element) { return ToString(element); });
  add(constant.reals, [](double element) { return fmt::format("{}", element); });
  return "{" + list + "}";
}

}  // namespace onnxc::lsp
