#include "source/meant.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "source/misspelt.h"

namespace onnxc {
namespace {

TEST(Nearest, FindsTheWordMeant) {
  const std::vector<std::string_view> words = {"float", "float16", "int64", "int4", "string", "bool"};
  EXPECT_EQ(Nearest("flaot", words), "float");
  EXPECT_EQ(Nearest("FLOAT", words), "float");
  EXPECT_EQ(Nearest("int46", words), "int64");
  EXPECT_EQ(Nearest("strng", words), "string");
  EXPECT_EQ(Nearest("booool", words), "bool");
  EXPECT_EQ(Nearest("tensor", words), "");
  EXPECT_EQ(Nearest("x", words), "");
  EXPECT_EQ(Nearest("", words), "");
  EXPECT_EQ(Nearest(std::string(100000, 'f'), words), "");
}

TEST(MeantName, IsSureOfOneSlipInALongWord) {
  const std::vector<std::pair<std::string_view, std::string_view>> slips = {
      {"hiden", "hidden"},
      {"hiddne", "hidden"},
      {"logitss", "logits"},
      {"lgoits", "logits"},
      {"input_maks", "input_mask"},
      {"batchnorm", "batchNorm"},
      {"tokentype_ids", "token_type_ids"},
      {"attenrion_out", "attention_out"},
      {"hiddneState", "hiddenState"},
      {"/model/layer.0/ouput_0", "/model/layer.0/output_0"}};
  for (const auto& [word, meant] : slips) {
    const Meant found = MeantName(word, {"x", meant, "other"});
    EXPECT_EQ(found.name, meant) << word;
    EXPECT_TRUE(found.is_sure) << word;
  }
}

TEST(MeantName, IsNotSureOfSiblings) {
  const std::vector<std::pair<std::string_view, std::string_view>> siblings = {{"k_proj", "q_proj"},
                                                                               {"W_f", "W_b"},
                                                                               {"sin_cache", "cos_cache"},
                                                                               {"rows", "cols"},
                                                                               {"w0", "x0"},
                                                                               {"mean", "median"},
                                                                               {"alphas", "alpha"},
                                                                               {"query_w", "queue_w"},
                                                                               {"train_x", "trait_x"},
                                                                               {"x_bhsd", "x_bshd"},
                                                                               {"boxes_xywh", "boxes_xyhw"},
                                                                               {"path_w", "patch_w"},
                                                                               {"content", "context"},
                                                                               {"encoded", "encoder"},
                                                                               {"symmetric", "asymmetric"},
                                                                               {"conv1_1", "conv11"},
                                                                               {"x_", "x"},
                                                                               {"masks", "masked"},
                                                                               {"dgate", "gate"},
                                                                               {"layer_a", "layer_b"},
                                                                               {"weights", "weight"}};
  for (const auto& [a, b] : siblings) {
    EXPECT_FALSE(MeantName(a, {"in", b, "other"}).is_sure) << a << " " << b;
    EXPECT_FALSE(MeantName(b, {"in", a, "other"}).is_sure) << b << " " << a;
  }
}

TEST(MeantName, TakesNoOtherNumberAndNoOneOfTwo) {
  const std::vector<std::string_view> names = {"h1", "h2", "hidden_a", "hidden_b", "conv1_out", "weights"};
  EXPECT_EQ(MeantName("wieghts", names).name, "weights");
  EXPECT_EQ(MeantName("h3", names).name, "");
  EXPECT_EQ(MeantName("conv3_out", names).name, "");
  EXPECT_EQ(MeantName("hidden_c", names).name, "");
  EXPECT_EQ(MeantName("hiden_a", names).name, "hidden_a");
  EXPECT_FALSE(MeantName("hiden", {"hidden", "hidenn"}).is_sure);
}

TEST(MeantName, AWordOfOtherNamesIsNoSlip) {
  EXPECT_TRUE(MeantName("casual_mask", {"causal_mask", "bias"}).is_sure);
  EXPECT_FALSE(MeantName("casual_mask", {"causal_mask", "casual_bias"}).is_sure);
  EXPECT_FALSE(MeantName("casualMask", {"causalMask", "casual2"}).is_sure);
  EXPECT_TRUE(MeantName("casual_mask", {"causal_mask", "casually"}).is_sure);
}

TEST(MeantName, IsSureOfAShortWordThatPeopleWrite) {
  EXPECT_TRUE(MeantName("lyer", {"layer"}).is_sure);
  EXPECT_TRUE(MeantName("lsat", {"last"}).is_sure);
  EXPECT_FALSE(MeantName("lat", {"last", "lat_x"}).is_sure);
  EXPECT_FALSE(MeantName("path", {"patch"}).is_sure);
  EXPECT_FALSE(MeantName("lin", {"line"}).is_sure);
}

TEST(MisspeltName, IsTheOnlyNearOneThatWaitsForAReader) {
  const auto only = [](std::string_view name) { return name == "ou0" ? Standing::kSpare : Standing::kUsual; };
  const auto all = [](std::string_view) { return Standing::kSpare; };
  EXPECT_EQ(MisspeltName("out0", {"in0", "ou0", "ot0"}, only).name, "ou0");
  EXPECT_EQ(MisspeltName("out1", {"in0", "ou0"}, only).name, "");
  EXPECT_EQ(MisspeltName("out0", {"in0", "ou0"}, all).name, "ou0");
  EXPECT_EQ(MisspeltName("out0", {"ou0", "ot0"}, all).name, "");
  EXPECT_EQ(MisspeltName("tt", {"t", "x"}, all).name, "");
  EXPECT_EQ(MisspeltName("state_in", {"state_ni"}, all).name, "state_ni");
  for (const auto& [one, other] :
       {std::pair("x_hw", "x_wh"), std::pair("x_nchw", "x_nhcw"), std::pair("ab_x", "ba_x")}) {
    EXPECT_EQ(MisspeltName(one, {other}, all).name, "") << one;
    EXPECT_EQ(MisspeltName(other, {one}, all).name, "") << other;
  }
  EXPECT_EQ(MisspeltName("query_b", {"queryb_"}, all).name, "queryb_");
  EXPECT_EQ(MisspeltName("x2_new", {"x_new", "x1_new"}, all).name, "");
}

TEST(IsSlip, KnowsWordsOfFourLetters) {
  EXPECT_TRUE(IsSlip("Gem", "Gemm"));
  EXPECT_TRUE(IsSlip("Gmm", "Gemm"));
  EXPECT_FALSE(IsSlip("Sin", "Sinh"));
  EXPECT_FALSE(IsSlip("Max", "Mas"));
}

TEST(MeantName, LooksAtWhatIsDoneWithAName) {
  const auto is = [](Standing standing) { return [standing](std::string_view) { return standing; }; };
  EXPECT_FALSE(MeantName("fyer", {"foyer"}).is_sure);
  EXPECT_TRUE(MeantName("fyer", {"foyer"}, is(Standing::kSpare)).is_sure);
  EXPECT_FALSE(MeantName("hiden", {"hidden"}, is(Standing::kTaken)).is_sure);
  for (const std::string_view sibling : {"q_proj", "sin_cache", "rows", "grid", "head"}) {
    EXPECT_FALSE(MeantName(sibling, {"k_proj", "cos_cache", "cols", "grad", "dead"}, is(Standing::kSpare)).is_sure);
  }
}

TEST(MeantName, ReadsLongNames) {
  const std::string front = "/" + std::string(100, 'm') + "/";
  EXPECT_TRUE(MeantName(front + "ouput", {front + "output"}).is_sure);
  EXPECT_EQ(MeantName(front + "q", {front + "k"}).name, "");
}

TEST(MeantName, KnowsLettersOfOtherScripts) {
  const Meant meant = MeantName("h\u0456dden", {"x", "hidden"});
  EXPECT_EQ(meant.name, "hidden");
  EXPECT_TRUE(meant.is_sure);
  EXPECT_EQ(Suggestion("h\u0456dden", meant), "; did you mean 'hidden'? U+0456 looks like 'i'");
  EXPECT_TRUE(MeantName("hidden", {"\uff48idden"}).is_sure);
}

TEST(Suggestion, AsksOnlyWhereItIsSure) {
  EXPECT_EQ(Suggestion("wieghts", {"weights", true}), "; did you mean 'weights'?");
  EXPECT_EQ(Suggestion("k_proj", {"q_proj", false}), "; there is also 'q_proj'");
  EXPECT_EQ(Suggestion("k", {}), "");
}

TEST(Nearest, PrefersALetterLostToAnotherLetter) {
  EXPECT_EQ(Nearest("ReduceMan", {"ReduceMax", "ReduceMean", "ReduceMin"}), "ReduceMean");
}

TEST(IsSlip, IsSureOfSlipsAlone) {
  for (const auto& [word, meant] : std::vector<std::pair<std::string_view, std::string_view>>{
           {"relu", "Relu"}, {"Rleu", "Relu"}, {"Reluu", "Relu"}, {"Softmx", "Softmax"}, {"leaky_relu", "LeakyRelu"}}) {
    EXPECT_TRUE(IsSlip(word, meant)) << word;
  }
  for (const auto& [word, meant] : std::vector<std::pair<std::string_view, std::string_view>>{{"Sort", "Sqrt"},
                                                                                              {"Rsqrt", "Sqrt"},
                                                                                              {"Flip", "Clip"},
                                                                                              {"Log2", "Log"},
                                                                                              {"Softmin", "Softmax"},
                                                                                              {"Silu", "Selu"},
                                                                                              {"Tril", "Trilu"},
                                                                                              {"Relu6", "Relu"},
                                                                                              {"Relu", ""},
                                                                                              {"", "Relu"}}) {
    EXPECT_FALSE(IsSlip(word, meant)) << word;
  }
}

// Computes the same distance by its definition, with a row for each byte.
std::size_t SlipsByTable(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> slips(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        slips[i][j] = i + j;
        continue;
      }
      slips[i][j] = std::min({slips[i - 1][j] + 1, slips[i][j - 1] + 1, slips[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) slips[i][j] = std::min(slips[i][j], slips[i - 2][j - 2] + 1);
    }
  }
  return slips[a.size()][b.size()];
}

TEST(Nearest, CountsSlips) {
  std::mt19937 random(1);
  const auto word = [&](std::size_t longest) {
    std::string made(2 + random() % (longest - 1), 'a');
    for (char& c : made) c = static_cast<char>('a' + random() % 3);
    return made;
  };
  int near = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::string a = word(i % 4 == 0 ? 64 : 8);
    const std::string b = word(i % 4 == 0 ? 70 : 8);
    SCOPED_TRACE(a + " " + b);
    const std::size_t slips = SlipsByTable(a, b);
    const bool begins_so = a.size() > 2 && a != b && b.starts_with(a);
    const bool is_near = (slips < (a.size() + 2) / 3 + 1 && slips < b.size()) || begins_so;
    EXPECT_EQ(Nearest(a, {b}), is_near ? b : "") << a << " " << b;
    near += is_near ? 1 : 0;
  }
  EXPECT_GT(near, 1000);
}

TEST(Nearest, KnowsBeginningsAndCase) {
  EXPECT_EQ(Nearest("opset", {"opset_import", "ir_version"}), "opset_import");
  EXPECT_EQ(Nearest("doc", {"doc_string", "document"}), "");  // either
  EXPECT_EQ(Nearest("W", {"w", "b"}), "w");
  EXPECT_EQ(Nearest("v", {"w", "b"}), "");
}

}  // namespace
}  // namespace onnxc
