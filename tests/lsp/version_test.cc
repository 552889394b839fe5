// If only the changed nodes of a version are checked, the findings and types are the same as those of a complete check.
#include "verdict/version.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/long_text.h"
#include "lsp/reading.h"
#include "testing/predicates.h"
#include "verdict/judge.h"

namespace onnxc::lsp::version_test {
namespace {

using verdict::Version;

constexpr std::string_view kText = R"(<ir_version: 10, opset_import: ["" : 21, "my" : 1]>
g (float[N, 4] x, bool c) => (float[N, 4] y) <float[4] w = {1, 2, 3, 4}, int64[2] s = {-1, 2}> {
  [one] a = Relu (x)
  [two] b = Add (a, w)
  [three] d = Softmax <axis: int = 1> (b)
  [four] e = Mul (d, d)
  [five] f = Add (e, w)
  [six] h = NonZero (f)
  [seven] i = Shape (h)
  [eight] unread = Reshape (i, s)
  [nine] k = my.Twice (f)
  [ten] l = If (c) <then_branch = t () => (p) { p = Relu (x) }, else_branch = u () => (q) { q = Abs (k) }>
  [eleven] y = Identity (l)
}
<domain: "my", opset_import: ["" : 21]>
Twice (x) => (y) { y = Add (x, x) }
)";

std::shared_ptr<const Reading> ReadFrom(const std::string& text, const std::shared_ptr<const Reading>& before) {
  return std::make_shared<const Reading>(SourceText("text", text), before, nullptr);
}

/// Returns all findings about a version.
Diagnostics CheckAll(const std::shared_ptr<const Reading>& read, std::shared_ptr<const Version>* version) {
  verdict::Checked checked;
  Diagnostics found = verdict::CheckVersion(read, read->version(), "text", {}, {}, &checked);
  *version = std::move(checked.version);
  return found;
}

/// What is known of a later version; nothing if all of it must be checked, or inferred.
std::optional<Diagnostics> CheckAgain(const Version& before, const Reading& now, const CheckOptions& rules) {
  std::optional<Version::Change> change = before.Compare(now.version());
  return change ? before.CheckAgain(&*change, rules) : std::nullopt;
}
std::optional<Version::Types> InferAgain(const Version& before, const Reading& now) {
  std::optional<Version::Change> change = before.Compare(now.version());
  return change ? before.InferAgain(*std::move(change), {}) : std::nullopt;
}

std::string Rendered(Diagnostics found, const Reading& read) {
  found.Finish(verdict::kMostFindings);
  return RenderText(found, read.source());
}

std::string Said(const InferredValue* value) {
  return value == nullptr ? std::string("?") : fmt::format("{} {}", ToString(value->type), value->constant != nullptr);
}

/// Returns the types of all values of graphs and functions: once from a complete inference, and once from the types of
/// the earlier version.
std::string TypesOf(const Reading& read, const Inference& inference) {
  std::string all;
  for (const google::protobuf::Message* const message : read.parsed().messages) {
    if (message == nullptr) continue;
    for (const InferredValue& value : inference.ValuesOf(*message)) {
      all += fmt::format("{} {}\n", value.name, Said(&value));
    }
  }
  return all;
}
std::string TypesOf(const Reading& read, const Inference& inference, const Version& version,
                    const Version::Types& types) {
  std::string all;
  for (const google::protobuf::Message* const message : read.parsed().messages) {
    if (message == nullptr) continue;
    if (message != &read.model().graph()) {
      for (const InferredValue& value : version.ValuesOf(types, *message)) {
        all += fmt::format("{} {}\n", value.name, Said(&value));
      }
      continue;
    }
    for (const InferredValue& value : inference.ValuesOf(*message)) {  // the existing names
      all += fmt::format("{} {}\n", value.name, Said(version.Find(types, value.name)));
    }
  }
  return all;
}

/// Returns whether the types of the new version can be derived from the earlier version.
bool ExpectTypes(const Reading& now, const Version& version) {
  const Inference fresh = InferTypes(now.model());
  const auto types = InferAgain(version, now);
  if (types) {
    EXPECT_EQ(TypesOf(now, fresh, version, *types), TypesOf(now, fresh)) << now.source().text();
  }
  return types.has_value();
}

struct Edit {
  std::string_view before;
  std::string_view after;
  bool is_local;  ///< only the changed nodes need to be checked
};

class VersionOf : public ::testing::TestWithParam<Edit> {};

TEST_P(VersionOf, AnEditIsThatOfAFreshRun) {
  const auto read = ReadFrom(std::string(kText), nullptr);
  std::shared_ptr<const Version> version;
  ASSERT_TRUE(testing::Ok(CheckAll(read, &version)));
  ASSERT_NE(version, nullptr);
  std::string text(kText);
  const std::size_t at = text.find(GetParam().before);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, GetParam().before.size(), GetParam().after);
  const auto now = ReadFrom(text, read);
  ASSERT_TRUE(testing::Ok(now->errors()));
  const CheckOptions rules = {.source_map = &now->places(), .optional_rules = true, .max_diagnostics = 10000};
  const auto again = CheckAgain(*version, *now, rules);
  EXPECT_EQ(again.has_value(), GetParam().is_local) << text;
  if (again) {
    EXPECT_EQ(Rendered(*again, *now), Rendered(Check(now->model(), rules), *now));
  }
  (void)ExpectTypes(*now, *version);
}

INSTANTIATE_TEST_SUITE_P(
    Edits, VersionOf,
    ::testing::Values(Edit{"[three]", "[drei]", true}, Edit{"[three]", "", true}, Edit{"[three]", "[one]", false},
                      Edit{"[three] d", "# a comment\n  [three] d", true}, Edit{"axis: int = 1", "axis: int = 0", true},
                      Edit{"axis: int = 1", "axis: int = 7", false}, Edit{"Mul (d, d)", "Mul (d, b)", true},
                      Edit{"Mul (d, d)", "Mul (a, b)", true},  // nothing reads `d`
                      Edit{"Mul (d, d)", "Mul (d)", true}, Edit{"Mul (d, d)", "Mull (d, d)", true},  // errors
                      Edit{"Relu (x)", "Relu (x, c)", true}, Edit{"Relu (x)", "Relu <by: int = 1> (x)", true},
                      Edit{"Add (a, w)", "Add (a, c)", true}, Edit{"a = Relu", "= Relu", false},
                      Edit{"Mul (d, d)", "Mul (d, f)", false},       // `f` is defined later
                      Edit{"Mul (d, d)", "Mul (d, nothing)", true},  // this value does not exist
                      Edit{"Mul (d, d)", "Mul (d, D)", true}, Edit{"Mul (d, d)", "Mul (d, w1)", true},
                      Edit{"Mul (d, d)", "Mul (d, nan)", true}, Edit{"[three] d", "[three] dd", false},
                      Edit{"Mul (d, d)", "ReduceSum (d)", false},  // `e` has another type
                      Edit{"e = Mul (d, d)", "e, m = Mul (d, d)", true},
                      Edit{"e = Mul (d, d)", "m = Mul (d, d)", false},
                      Edit{"  [four] e", "  m = Neg (d)\n  [four] e", true},  // nothing reads `m`
                      Edit{"  [four] e", "  _m = Neg (d)\n  [four] e", true},
                      Edit{"  [four] e = Mul (d, d)", "  m = Neg (d)\n  [four] e = Mul (d, m)", true},
                      Edit{"  [four] e = Mul (d, d)", "  m = Neg (d)\n  [four] e = Mul (d, m)\n  n = Neg (e)", true},
                      Edit{"  [four] e", "  b = Neg (d)\n  [four] e", false},  // `b` is defined twice
                      Edit{"[seven]", "[sieben]", true},                       // its input has a size without a name
                      Edit{"Shape (h)", "Size (h)", false}, Edit{"[nine]", "[neun]", false},  // a call
                      Edit{"float[4] w", "float[3] w", false}, Edit{"bool c", "int64 c", false},
                      Edit{"[ten]", "[zehn]", false}, Edit{"y = Add (x, x)", "y = Mul (x, x)", false},
                      Edit{"[two] b = Add", "[two] b = other.Add", false},
                      Edit{"  [four] e", "  m = my.Twic (d)\n  [four] e", false}));

// An unknown name may be meant for an unused value, but not for one in the graph of an earlier node.
TEST(VersionWithUnknownName, UnusedValuesInEarlierGraphsAreLookedForAgain) {
  for (const bool has_unused : {false, true}) {
    const std::string before = fmt::format(
        "<ir_version: 10, opset_import: [\"\" : 21]>\n"
        "g (float[2] x, float[2] v, bool c) => (float[2] y) {{\n  y = If (c) <then_branch = t () => (p) {{ p = Relu "
        "(x) }},\n"
        "    else_branch = u () => (q) {{ {}q = Neg (x) }}>\n  spare = Abs (v)\n  _z = Relu (v)\n  _w = Neg (v)\n}}\n",
        has_unused ? "r = Abs (x) " : "");
    const auto read = ReadFrom(before, nullptr);
    std::shared_ptr<const Version> version;
    ASSERT_TRUE(testing::Ok(CheckAll(read, &version)));
    std::string text = before;
    text.replace(text.find("Relu (v)"), 8, "Relu (k)");
    const auto now = ReadFrom(text, read);
    const CheckOptions rules = {.source_map = &now->places(), .optional_rules = true, .max_diagnostics = 10000};
    const auto again = CheckAgain(*version, *now, rules);
    EXPECT_EQ(again.has_value(), !has_unused);
    if (again) {
      EXPECT_EQ(Rendered(*again, *now), Rendered(Check(now->model(), rules), *now));
    }
  }
}

// The type of a constant is compared even if an error prevents inference.
TEST(VersionWithError, TheTypeOfAConstantIsCompared) {
  std::string text = "<ir_version: 10, opset_import: [\"\" : 21]>\ng (float x) => (float y) {\n";
  for (int i = 0; i < 9; ++i) text += fmt::format("  a{} = Relu (x)\n", i);
  text += "  c = Constant <value: tensor = float {1}> ()\n";
  for (int i = 0; i < 9; ++i) text += fmt::format("  b{} = Relu (x)\n", i);
  text += "  y = Add (x, c)\n}\n";
  const auto read = ReadFrom(text, nullptr);
  std::shared_ptr<const Version> version;
  ASSERT_TRUE(testing::Ok(CheckAll(read, &version)));
  text.replace(text.find("= float {1}> ()"), 15, "= int64 {1}> (x)");
  const auto now = ReadFrom(text, read);
  const CheckOptions rules = {.source_map = &now->places(), .max_diagnostics = 10000};
  const Diagnostics fresh = Check(now->model(), rules);
  // An error of the constant, and one of the node that reads it.
  ASSERT_EQ(std::ranges::count(fresh.items(), Severity::kError, &Diagnostic::severity), 2);
  EXPECT_EQ(CheckAgain(*version, *now, rules), std::nullopt);
}

/// What is known from a version of the text after the edit, which is then undone.
class VersionWithFiles : public ::testing::TestWithParam<std::string_view> {};

TEST_P(VersionWithFiles, TheFilesAreLookedAtAgain) {
  std::string text = "<ir_version: 10, opset_import: [\"\" : 21, \"my\" : 1]>\n" + std::string(GetParam());
  const auto read = ReadFrom(text, nullptr);
  ASSERT_TRUE(testing::Ok(read->errors())) << RenderText(read->errors(), read->source());
  const Version version(read, read->version(), {}, std::make_shared<const Inference>(InferTypes(read->model())));
  CheckOptions rules = {.source_map = &read->places(), .optional_rules = true, .max_diagnostics = 10000};
  EXPECT_EQ(CheckAgain(version, *read, rules), std::nullopt) << "an edit was undone";
  text.replace(text.find("Neg"), 3, "Abs");
  const auto now = ReadFrom(text, read);
  rules.source_map = &now->places();
  EXPECT_EQ(CheckAgain(version, *now, rules), std::nullopt);
}

INSTANTIATE_TEST_SUITE_P(
    Files, VersionWithFiles,
    ::testing::Values("g (float[4] x) => (y) <float[4] w = [\"location\": \"w.bin\"]> { a = Neg (x) y = Add (a, w) }\n",
                      "g (float[4] x) => (y) {\n  a = Neg (x)\n"
                      "  w = Constant <value: tensor = float[4] = [\"location\": \"w.bin\"]> ()\n  y = Add (a, w)\n}\n",
                      "g (float[4] x) => (y) { a = Neg (x) y = my.Plus (a) }\n"
                      "<domain: \"my\", opset_import: [\"\" : 21]>\n"
                      "Plus <t: tensor = float[4] = [\"location\": \"w.bin\"]> (x) => (y) {\n"
                      "  w = Constant <value: tensor = @t> ()\n  y = Add (x, w)\n}\n"));

TEST(VersionOfTypes, OwnsTheNamesOfSizes) {
  std::string text(kText);
  const auto read = ReadFrom(text, nullptr);
  std::shared_ptr<const Version> version;
  ASSERT_TRUE(testing::Ok(CheckAll(read, &version)));
  const std::size_t at = text.find("  [four]");
  for (const char* const name : {"Rows", "Rows", "Cols", "Rows"}) {  // each text is freed before the next one
    const std::string node = fmt::format("  _o = Optional <type: type_proto = float[{}]> ()\n", name);
    const auto now = ReadFrom(std::string(text).insert(at, node), read);
    const auto types = InferAgain(*version, *now);
    ASSERT_TRUE(types);
    EXPECT_EQ(Said(version->Find(*types, "_o")), fmt::format("optional(float[{}]) false", name));
  }
}

TEST(VersionWithErrors, TheTypesAreThoseOfAFreshRun) {
  const auto read = ReadFrom(std::string(kText), nullptr);
  std::shared_ptr<const Version> version;
  ASSERT_TRUE(testing::Ok(CheckAll(read, &version)));
  std::string text(kText);
  text.replace(text.find("Mul (d, d)"), 10, "Mul (d, d))");
  const auto now = ReadFrom(text, read);
  ASSERT_FALSE(now->errors().ok());
  EXPECT_TRUE(ExpectTypes(*now, *version));
}

/// A valid graph, and random edits of it. Parts before and after the edited nodes have warnings, with notes and
/// corrections, on lines that have characters of several bytes.
class RightText {
 public:
  explicit RightText(std::mt19937* random) : random_(random) {
    for (std::size_t i = 0; i < kNodes; ++i) lines_.push_back(fmt::format("  v{} = Add (v{}, w)\n", i + 1, i));
    right_ = lines_;
  }

  [[nodiscard]] std::string now() const {
    std::string text =
        "<ir_version: 10, producer_name: \"é\", opset_import: [\"é\" : 1, \"\" : 21, \"no\" : 1, \"\" : 21]>\n"
        "g (float[N, 4] v0, float[M] u, bool c, float \"é 😀\") => (int64 y, int64 y)\n"
        "<float[4] w = {1, 2, 3, 4}, int64[2] s = {-1, 2}, float \"😀\" = {1}> { \"ä\" = Neg (u) [\"é\"] _a = Neg (u) ";
    for (const std::string& line : lines_) text += line;
    return text +
           fmt::format(
               "  [\"é\"] _u = Neg (u)  \"ö\" = If (c) <then_branch = t () => (p) <float[4] w = {{1, 2, 3, 4}}> {{\n"
               "    p = Neg (w) }}, else_branch = t () => (r) <float v{1} = {{1}}, float v{0} = {{1}}> {{\n"
               "    r = Add (v{1}, v{0}) }}> y = Size (v{0})\n}}\n"
               "<domain: \"é\", opset_import: [\"\" : 21]>\nf (x) => (y) {{ \"ü\" = Neg (x) y = Neg (x) }}\n",
               kNodes, kNodes / 2);
  }

  void Edit(bool was_right) {
    if (was_right) right_ = lines_;
    if (!was_right && Below(3) != 0) lines_ = right_;
    const std::size_t at = Below(lines_.size());
    std::string& line = lines_[at];
    switch (Below(8)) {
      case 0: line = Node(at, at); break;                                       // another operator
      case 1: line = Node(Below(at + 2), at); break;                            // another input
      case 2: line = Node(at, Below(kNodes)); break;                            // another output
      case 3: line.insert(0, "  [l" + std::to_string(Below(20)) + "]"); break;  // a node name, which may already exist
      case 4:
        lines_.insert(lines_.begin() + static_cast<std::ptrdiff_t>(at), Node(Below(at + 1), kNodes + Below(20)));
        break;
      case 5: line.clear(); break;
      case 6: line = line.substr(0, line.find_last_not_of(" \n") + 1) + (Below(2) == 0 ? "  " : "  # 😀 é\n"); break;
      default: line.insert(Below(line.size() + 1), 1, "a1 _,(#"[Below(7)]);
    }
  }

 private:
  static constexpr std::size_t kNodes = 60;

  std::size_t Below(std::size_t count) { return (*random_)() % count; }

  /// A node that reads the value `input` and defines the value after `output`.
  std::string Node(std::size_t input, std::size_t output) {
    constexpr std::string_view kForms[] = {"Relu (v{})",
                                           "Add (v{}, w)",
                                           "Softmax <axis: int = 1> (v{})",
                                           "Neg (v{})",
                                           "Reshape (v{}, s)",
                                           "ReduceSum <keepdims: int = 0> (v{})",
                                           "NonZero (v{})",
                                           "Transpose (v{})",
                                           "Cast <to: int = 1> (v{})",
                                           "Shape (v{})",
                                           "Add (v{})",
                                           "Reul (v{})",
                                           "Neg (v{}, w)",
                                           "Softmax <axs: int = 1> (v{})",
                                           "Relu (u{})",
                                           "Add (V{}, ww)",
                                           "Add (v{}, u)",
                                           "Constant <value: tensor = int64 {{1}}> (v{})"};
    const std::size_t form = Below(output < kNodes && Below(4) != 0 ? 4 : std::size(kForms));
    return fmt::format("  {}v{} = {}\n", output < kNodes ? "" : "_", output + 1,
                       fmt::format(fmt::runtime(kForms[form]), input));
  }

  std::mt19937* random_;
  std::vector<std::string> lines_;
  std::vector<std::string> right_;
};

TEST(Versions, AreThoseOfFreshRunsAfterAnyEdits) {
  std::mt19937 random(static_cast<unsigned>(CountOfEdits()));  // NOLINT(cert-msc51-cpp): the same edits each time
  RightText text(&random);
  std::shared_ptr<const Reading> before;
  std::shared_ptr<const Version> version;
  bool was_right = false;
  std::size_t again = 0;
  for (std::size_t edit = 0; edit < CountOfEdits(); ++edit) {
    SCOPED_TRACE(fmt::format("edit {}: {}", edit, text.now()));
    const auto now = ReadFrom(text.now(), before);
    was_right = now->IsRight();
    if (version != nullptr) (void)ExpectTypes(*now, *version);
    if (was_right) {
      before = now;
      const CheckOptions rules = {.source_map = &now->places(), .optional_rules = true, .max_diagnostics = 10000};
      const auto found = version == nullptr ? std::nullopt : CheckAgain(*version, *now, rules);
      std::shared_ptr<const Version> fresh;
      (void)CheckAll(now, &fresh);
      if (found) {
        ++again;
        ASSERT_EQ(Rendered(*found, *now), Rendered(Check(now->model(), rules), *now)) << "edit " << edit << "\n"
                                                                                      << text.now();
      }
      if (fresh != nullptr && (version == nullptr || random() % 4 != 0)) version = fresh;
      was_right = fresh != nullptr;
    }
    text.Edit(was_right);
  }
  EXPECT_GT(again, CountOfEdits() / 200);
}

}  // namespace
}  // namespace onnxc::lsp::version_test
