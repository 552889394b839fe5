// The memory of an inference (infer/memory.h): it owns the names that it stores, and computes with sizes.
#include "infer/memory.h"

#include <gtest/gtest.h>
#include <onnxc/infer.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace onnxc::infer {
namespace {

TEST(Memory, OwnsTheNamesOfSymbols) {
  const onnx::ModelProto model;
  Memory memory(model, 0);
  std::string name = "M";
  const Dim before = memory.Named(name);
  name = "Q";  // as if another text had the same place in memory
  EXPECT_EQ(before.symbol(), "M");
  EXPECT_FALSE(memory.Named(name).Equals(before));
  EXPECT_TRUE(memory.Named("M").Equals(before));
}

TEST(Stack, KeepsAFreeBlock) {
  constexpr std::size_t kMoreThanTheFirst = 5000;
  constexpr std::size_t kLarge = std::size_t{1} << 16;
  Stack stack;
  const Stack::Top mark = stack.Mark();
  const std::byte* const first = stack.New<std::byte>(kMoreThanTheFirst).data();
  stack.Release(mark);
  const std::vector<std::byte> other(kLarge);  // would get the memory of a block that was freed
  EXPECT_EQ(stack.New<std::byte>(kMoreThanTheFirst).data(), first);
  stack.Release(mark);
  const std::span<std::byte> larger = stack.New<std::byte>(2 * kLarge);
  std::ranges::fill(larger, std::byte{1});
  EXPECT_EQ(stack.New<std::byte>(1)[0], std::byte{0}) << "blocks do not overlap";
  EXPECT_EQ(larger.back(), std::byte{1});
}

TEST(Memory, ZeroDividedByASymbolIsZero) {
  const onnx::ModelProto model;
  Memory memory(model, 0);
  const Dim n = memory.Named("N");
  const Dim sum = memory.Add(n, 1);
  EXPECT_TRUE(memory.DivideExactly(0, n).Is(0));
  EXPECT_TRUE(memory.DivideExactly(0, sum).Is(0));
  EXPECT_TRUE(memory.FloorDivide(0, n).Is(0));
  EXPECT_TRUE(memory.DivideExactly(0, 0).IsUnknown());
  EXPECT_TRUE(memory.DivideExactly(0, Dim()).IsUnknown());
  EXPECT_TRUE(memory.DivideExactly(n, 0).IsUnknown());
}

}  // namespace
}  // namespace onnxc::infer
