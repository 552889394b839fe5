#include "source/named_list.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace onnxc {
namespace {

struct Element {
  std::string_view name = {};
  int number = 0;
};

std::vector<std::string> ManyNames() {
  std::vector<std::string> names;
  for (int i = 0; i < 1000; ++i) names.push_back("name" + std::to_string(i));
  return names;
}

TEST(NamedList, FindsWhatWasAddedInItsOrder) {
  const std::vector<std::string> names = ManyNames();
  for (const std::size_t reserved : {0, 1, 1000}) {
    NamedList<Element> list;
    if (reserved > 0) list.Reserve(reserved);
    for (int i = 0; i < 1000; ++i) {
      const HashedName name(names[static_cast<std::size_t>(i)]);
      EXPECT_EQ(list.Find(name), nullptr);
      EXPECT_EQ(list.Add(name, {.number = i}).name, name.text);
    }
    for (int i = 0; i < 1000; ++i) {
      const std::string same = names[static_cast<std::size_t>(i)];
      const Element* const found = list.Find(HashedName(same));
      ASSERT_NE(found, nullptr);
      EXPECT_EQ(found->number, i);
      EXPECT_EQ(list.elements()[static_cast<std::size_t>(i)].number, i);
    }
    EXPECT_EQ(list.Find(HashedName("name1000")), nullptr);
    EXPECT_EQ(list.Take().size(), 1000u);
  }
}

TEST(NamedList, WithoutElementsFindsNothing) {
  NamedList<Element> list;
  list.Reserve(0);
  EXPECT_EQ(list.Find(HashedName("")), nullptr);
  list.Add(HashedName(""), {.number = 7});
  EXPECT_EQ(list.Find(HashedName(""))->number, 7);
}

}  // namespace
}  // namespace onnxc
