// Compares the messages that the reference makes of the texts in tests/conformance/cases.jsonl with the messages of
// this library, at L1.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "testing/paths.h"
#include "testing/proto.h"

namespace onnxc::testing {
namespace {

std::string FromBase64(const std::string& text) {
  static constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned buffer = 0;
  int bits = 0;
  for (const char c : text) {
    if (c == '=') break;
    buffer = buffer << 6 | static_cast<unsigned>(kAlphabet.find(c));
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push_back(static_cast<char>(buffer >> bits & 0xff));
  }
  return bytes;
}

// The ids of the deliberate deviations; conform.py reads the same file.
std::set<std::string> Exempt() {
  std::set<std::string> ids;
  std::ifstream file(std::string(kCases).substr(0, std::string(kCases).rfind('/')) + "/exempt.txt");
  for (std::string line; std::getline(file, line);) {
    line = line.substr(0, line.find('#'));
    line.erase(line.find_last_not_of(' ') + 1);
    if (!line.empty()) ids.insert(line);
  }
  return ids;
}

template <typename Message>
void Check(const nlohmann::json& test, const std::string& text, bool is_exempt) {
  Message message;
  const bool is_accepted = Parse(text, &message).ok();
  if (!test["ok"].get<bool>()) return;  // accepting more texts is not an error
  Message expected;
  ASSERT_TRUE(expected.ParseFromString(FromBase64(test["pb_b64"].get<std::string>())));
  const bool is_same = is_accepted && L1(message) == L1(expected);
  EXPECT_NE(is_same, is_exempt) << test["id"] << ": " << text << "\n" << L1(message) << "reference:\n" << L1(expected);
}

TEST(Cases, MeanWhatTheReferenceSays) {
  const std::map<std::string, void (*)(const nlohmann::json&, const std::string&, bool)> check = {
      {"model", Check<onnx::ModelProto>},       {"graph", Check<onnx::GraphProto>},
      {"function", Check<onnx::FunctionProto>}, {"node", Check<onnx::NodeProto>},
      {"attr", Check<onnx::AttributeProto>},    {"type", Check<onnx::TypeProto>},
      {"tensor", Check<onnx::TensorProto>},     {"shape", Check<onnx::TensorShapeProto>}};
  const std::set<std::string> exempt = Exempt();
  ASSERT_FALSE(exempt.empty());
  std::ifstream file(kCases);
  int count = 0;
  for (std::string line; std::getline(file, line);) {
    const nlohmann::json test = nlohmann::json::parse(line);
    std::string text;
    if (test.contains("text_b64") && !test["text_b64"].is_null()) {
      text = FromBase64(test["text_b64"].get<std::string>());
    } else if (test.contains("text") && !test["text"].is_null()) {
      text = test["text"].get<std::string>();
    } else {
      continue;  // the text is a Python expression; hostile_test.cc tests these
    }
    ++count;
    check.at(test["kind"].get<std::string>())(test, text, exempt.contains(test["id"].get<std::string>()));
  }
  EXPECT_GT(count, 500);
}

}  // namespace
}  // namespace onnxc::testing
