// What a version of a document computes, and when.
#include "lsp/snapshot.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace onnxc::lsp::snapshot_test {
namespace {

std::string TextWith(const std::string& node) {
  return "<ir_version: 10, opset_import: [\"\" : 21]>\ng (float[N] x) => (float[N] y) {\n  a = Relu (x)\n  b = Neg "
         "(a)\n  " +
         node + "\n  c = Neg (b)\n  y = Relu (c)\n}\n";
}

std::shared_ptr<const Snapshot> Version(const std::string& text, const Snapshot* before) {
  static const auto settings = std::make_shared<const Settings>();
  Before known;
  if (before != nullptr) {
    known = {.read = {before->ReadSoFar().version},
             .indexed = before->IndexedSoFar(),
             .are_symbols_used = before->are_symbols_used()};
  }
  auto version =
      std::make_shared<const Snapshot>("file:///nowhere/a.onnxtxt", 0, text, Encoding::kUtf16, settings, known);
  (void)version->findings();
  return version;
}

TEST(Snapshot, HasSymbolsBeforeTheyAreUsedIfThoseBeforeWereUsed) {
  const auto first = Version(TextWith(""), nullptr);
  EXPECT_NE(first->IndexedSoFar(), nullptr);
  const auto second = Version(TextWith("d = Neg (a)"), first.get());
  second->Prepare();
  EXPECT_EQ(second->IndexedSoFar(), nullptr) << "nobody used the symbols of the first version";
  EXPECT_NE(second->symbols().FindValue(0, "d"), kNoSymbol);
  EXPECT_NE(second->IndexedSoFar(), nullptr);
  const auto third = Version(TextWith("e = Neg (a)"), second.get());
  EXPECT_NE(third->IndexedSoFar(), nullptr);
  third->Prepare();
  const auto fourth = Version(TextWith("f = Neg (a)"), third.get());
  fourth->Prepare();
  EXPECT_EQ(fourth->IndexedSoFar(), nullptr) << "to prepare them is not to use them";
}

}  // namespace
}  // namespace onnxc::lsp::snapshot_test
