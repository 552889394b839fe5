// The parts that are reused from the previous version are equal to the parts that a new parse reads.
#include "lsp/reading.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <onnxc/diagnostic.h>

#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "lsp/long_text.h"

namespace onnxc::lsp::reading_test {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

std::shared_ptr<Reading> Read(const std::string& text, const std::shared_ptr<const Reading>& before,
                              lower::Expected expected = lower::Expected::kNoErrors) {
  return std::make_shared<Reading>(SourceText("text", text), before, nullptr, WithSymbols::kYes, expected);
}

/// Appends the positions of all parts of a message, in the order of its fields.
void Describe(const Message& message, const SourceMap& places, std::string* all) {
  const auto add = [&](int field, int index) {
    const SourceRange* const range = places.Find(message, field, index);
    *all += range == nullptr ? std::string(" -") : fmt::format(" {}..{}", range->begin, range->end);
  };
  all->append("\n").append(message.GetDescriptor()->name());
  add(0, 0);
  std::vector<const FieldDescriptor*> fields;
  const auto* reflection = message.GetReflection();
  reflection->ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    const int count = field->is_repeated() ? reflection->FieldSize(message, field) : 1;
    for (int i = 0; i < count; ++i) add(field->number(), i);
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    for (int i = 0; i < count; ++i) {
      const bool is_list = field->is_repeated();
      Describe(is_list ? reflection->GetRepeatedMessage(message, field, i) : reflection->GetMessage(message, field),
               places, all);
    }
  }
}

std::string Of(SourceRange range) { return fmt::format("{}..{}", range.begin, range.end); }

std::string Describe(const Reading& reading) {
  std::string all = RenderText(reading.errors(), reading.source()) + reading.model().DebugString();
  Describe(reading.model(), reading.places(), &all);
  const PartialModel& read = reading.parsed();
  for (const Occurrence& name : read.symbols.occurrences()) {
    const Symbol& symbol = read.symbols.symbols()[name.symbol];
    all += fmt::format("\n{} {} {} {}", Of(name.range), name.is_definition, name.symbol, name.next);
    all += fmt::format(" {}.{}.{} {} {} {} {} {}", symbol.domain, symbol.name, symbol.overload,
                       static_cast<int>(symbol.kind), symbol.scope, symbol.owner, symbol.definition, symbol.first);
  }
  for (const TextNode& node : read.symbols.nodes()) {
    all += fmt::format("\n{} {} {} {} {} {}:", Of(node.range), Of(node.label), Of(node.operator_range), node.scope,
                       node.operator_name, node.is_whole);
    for (const SymbolId output : read.symbols.OutputsOf(node)) all += fmt::format(" {}", output);
    for (const SymbolId input : read.symbols.InputsOf(node)) all += fmt::format(" < {}", input);
    for (const TextAttribute& attribute : read.symbols.AttributesOf(node)) {
      all += fmt::format(" {} {}", Of(attribute.range), attribute.name);
    }
  }
  for (std::size_t i = 0; i < read.symbols.scopes().size(); ++i) {
    const TextScope& scope = read.symbols.scopes()[i];
    all += fmt::format("\n{} {} {} {} {} {} {} {} {} {}", Of(scope.range), Of(scope.name_range), scope.name,
                       scope.parent, scope.node, scope.symbol, Of(scope.header), Of(scope.body),
                       fmt::join(scope.inputs, ","), fmt::join(scope.outputs, ","));
    all += ' ';
    all += read.messages[i] == nullptr ? "-" : std::string(read.messages[i]->GetDescriptor()->name());
  }
  return all;
}

TEST(Reading, IsThatOfAFreshRunAfterAnyEdits) {
  std::mt19937 random(17);  // NOLINT(cert-msc51-cpp): a fixed seed, so that the edits are the same each time
  LongText text(&random);
  std::shared_ptr<const Reading> before;
  std::size_t right = 0;
  bool was_right = true;
  for (std::size_t edit = 0; edit < CountOfEdits(); ++edit) {
    text.Edit(was_right);
    SCOPED_TRACE(fmt::format("edit {}: {}", edit, text.now()));
    const auto expected = was_right ? lower::Expected::kNoErrors : lower::Expected::kErrors;
    const std::shared_ptr<Reading> read = Read(text.now(), before, expected);
    const std::shared_ptr<Reading> fresh = Read(text.now(), nullptr);
    ASSERT_EQ(Describe(*read), Describe(*fresh)) << "edit " << edit << "\n" << text.now();
    ASSERT_EQ(read->IsRight(), fresh->IsRight());
    was_right = read->IsRight();
    if (!was_right) continue;
    before = read;
    ++right;
  }
  EXPECT_GT(right, CountOfEdits() / 8);
}

// The symbols are copied from an older version than the nodes.
TEST(Reading, HasTheSameSymbolsIfTheyAreAddedLater) {
  std::mt19937 random(19);  // NOLINT(cert-msc51-cpp): a fixed seed, so that the edits are the same each time
  LongText text(&random);
  std::shared_ptr<const Reading> before;
  std::shared_ptr<const Reading> indexed;
  bool was_right = true;
  for (std::size_t edit = 0; edit < CountOfEdits(); ++edit) {
    text.Edit(was_right);
    SCOPED_TRACE(fmt::format("edit {}: {}", edit, text.now()));
    const auto read = std::make_shared<Reading>(SourceText("text", text.now()), before, nullptr, WithSymbols::kNo);
    ASSERT_TRUE(read->parsed().symbols.nodes().empty());
    was_right = read->IsRight();
    if (was_right) before = read;
    if (edit % 4 != 0) continue;
    read->AddSymbols(indexed.get());
    ASSERT_EQ(Describe(*read), Describe(*Read(text.now(), nullptr))) << "edit " << edit << "\n" << text.now();
    if (was_right) indexed = read;
  }
}

TEST(Reading, TakesOverTheNodesThatWereNotChanged) {
  std::mt19937 random(1);  // NOLINT(cert-msc51-cpp): a fixed seed, so that the text is the same each time
  const LongText text(&random);
  const std::shared_ptr<const Reading> before = Read(text.now(), nullptr);
  ASSERT_TRUE(before->IsRight());
  std::string changed = text.now();
  changed.insert(changed.find("= Relu", changed.size() / 4) - 1, "_changed");
  const std::shared_ptr<const Reading> after = Read(changed, before);
  ASSERT_TRUE(after->IsRight());
  int same = 0;
  const int count = before->model().graph().node_size();
  for (int i = 0; i < count; ++i) {
    same += static_cast<int>(&before->model().graph().node(i) == &after->model().graph().node(i));
  }
  EXPECT_GT(same, count - 8);
  EXPECT_LT(same, count);
}

TEST(Reading, TakesOverTheNodesAroundAMistake) {
  std::mt19937 random(1);  // NOLINT(cert-msc51-cpp): a fixed seed, so that the text is the same each time
  const LongText text(&random);
  const std::shared_ptr<const Reading> before = Read(text.now(), nullptr);
  ASSERT_TRUE(before->IsRight());
  std::string changed = text.now();
  changed.insert(changed.find("= Relu", changed.size() / 4) - 1, " =");
  const std::shared_ptr<Reading> after = Read(changed, before);
  ASSERT_FALSE(after->IsRight());
  std::set<const onnx::NodeProto*> known;
  for (const onnx::NodeProto& node : before->model().graph().node()) known.insert(&node);
  int same = 0;
  for (const onnx::NodeProto& node : after->model().graph().node()) same += static_cast<int>(known.contains(&node));
  EXPECT_GT(same, before->model().graph().node_size() - 12);
  EXPECT_LT(same, before->model().graph().node_size());
  EXPECT_EQ(Describe(*after), Describe(*Read(changed, nullptr)));
}

// A pragma of a graph applies only to the graph, even if the next item has no header.
TEST(Reading, IsUnderThePragmasOfItsItem) {
  const std::string header = "<ir_version: 10, opset_import: [\"\" : 21]>\n";
  const std::string body =
      "f (float[2] a) => (float[2] b) {\n  s = Relu (a)\n  t = LeakyRelu <alpha = 0.5> (s)\n  b = Relu (t)\n}\n";
  for (const std::string pragma : {"# onnxc: unset AttributeProto.type\n", "# onnxc: raw\n"}) {
    const std::string before = header + pragma + "g (float[2] x) => (float[2] y) { y = Relu (x) }\n" + body;
    const std::string after = header + pragma + body;
    EXPECT_EQ(Describe(*Read(after, Read(before, nullptr))), Describe(*Read(after, nullptr)));
    EXPECT_EQ(Describe(*Read(before, Read(after, nullptr))), Describe(*Read(before, nullptr)));
  }
}

TEST(Reading, OutlivesTheVersionsThatItBeganAt) {
  std::mt19937 random(2);  // NOLINT(cert-msc51-cpp): a fixed seed, so that the text is the same each time
  const LongText text(&random);
  std::shared_ptr<Reading> read = Read(text.now(), nullptr);
  const std::string whole = read->model().SerializeAsString();
  for (std::size_t i = 0; i < 300; ++i) read = Read(text.now() + std::string(i % 3, '\n'), read);
  EXPECT_EQ(read->model().SerializeAsString(), whole);
}

}  // namespace
}  // namespace onnxc::lsp::reading_test
