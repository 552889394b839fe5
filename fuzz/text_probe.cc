// Parses inputs for tests/conformance/differential.py, or makes such inputs. An input is a prefix and a text (see
// targets/target.h). The length of each input and of each answer precedes it, in eight bytes, little-endian.
//
//   text_probe < inputs > answers           parses each input; an answer is 'y' and the message, or 'n' and
//                                           a line `KIND BEGIN END` for each error
//   text_probe COUNT SEED FOLDER > inputs   makes COUNT random inputs from the files in the folder
#include <onnxc/model_io.h>

#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "fuzz/files.h"
#include "fuzz/mutate/text.h"
#include "fuzz/targets/target.h"
#include "testing/markdown.h"
#include "testing/proto.h"
#include "testing/random_values.h"

namespace onnxc::fuzz {
namespace {

void Write(const std::string& bytes) {
  const std::uint64_t size = bytes.size();
  std::cout.write(reinterpret_cast<const char*>(&size), sizeof(size)).write(bytes.data(), std::ssize(bytes));
}

bool Read(std::string* bytes) {
  std::uint64_t size = 0;
  if (!std::cin.read(reinterpret_cast<char*>(&size), sizeof(size))) return false;
  bytes->resize(size);
  return static_cast<bool>(std::cin.read(bytes->data(), static_cast<std::streamsize>(size)));
}

std::string Answer(const std::string& input) {
  const Input parts = SplitInput(input);
  const auto message = testing::NewMessage(parts.kind);
  const Diagnostics found = Decode(parts.bytes, Format::kText, message.get());
  if (found.ok()) return "y" + testing::Bytes(*message);
  std::string answer = "n";
  for (const Diagnostic& item : found.items()) {
    if (item.severity != Severity::kError) continue;
    answer.append(Name(item.kind)).append(" ");
    answer.append(std::to_string(item.range.begin)).append(" ").append(std::to_string(item.range.end)).append("\n");
  }
  return answer;
}

/// Writes `count` changed texts. A changed text that can be parsed may be changed again, so that changes accumulate.
void Generate(std::uint64_t count, std::uint64_t seed, const std::string& folder) {
  constexpr std::size_t kLargestBase = 4000;
  std::vector<std::string> bases;
  for (const auto& path : FilesIn(folder)) bases.push_back(testing::ReadWhole(path));
  const std::size_t seeds = bases.size();
  testing::RandomValues random(seed);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string& base = random.Pick(bases);
    const std::string input = random.OneIn(3) ? CrossText(base, random.Pick(bases), random.Bits())
                                              : ChangeText(base, random.OneIn(4) ? 2 : 1, random.Bits());
    Write(input);
    if (input.size() > kLargestBase || Answer(input).front() != 'y') continue;
    if (bases.size() < 4 * seeds) {
      bases.push_back(input);
    } else {
      bases[seeds + random.Below(3 * seeds)] = input;
    }
  }
}

}  // namespace
}  // namespace onnxc::fuzz

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  if (argc == 4) {
    onnxc::fuzz::Generate(std::strtoull(argv[1], nullptr, 10), std::strtoull(argv[2], nullptr, 10), argv[3]);
    return 0;
  }
  if (argc != 1) {
    std::cerr << "usage: text_probe [COUNT SEED FOLDER]\n";
    return 2;
  }
  for (std::string input; onnxc::fuzz::Read(&input);) {
    onnxc::fuzz::Write(onnxc::fuzz::Answer(input));
    std::cout.flush();
  }
  return 0;
}
