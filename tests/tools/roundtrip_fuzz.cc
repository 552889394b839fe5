// roundtrip_fuzz: prints and parses any number of random messages, and reports those that are not the same afterwards.
//
//   roundtrip_fuzz [--count N] [--seed S] [--kind K] [--reference | --layout] [--faults N] [--generate-only]
//                  [--write FOLDER]
//
// Message number I has the seed S + I. Without --kind, messages of all kinds take turns. A fault can be repeated with
// `--count 1 --kind K --seed SEED`. Exit status 1 if a message is not the same afterwards.
#include <onnxc/kind.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "old/schema.h"
#include "testing/random_message.h"
#include "testing/roundtrip.h"

namespace {

/// Returns whether the message is a model whose messages hold no known fields but pairs of strings. If it has unknown
/// fields, or strings that are not text, it cannot be recognized as a model.
bool IsNearlyEmpty(const google::protobuf::Message& message) {
  const auto* const model = dynamic_cast<const onnx::ModelProto*>(&message);
  if (model == nullptr) return false;
  onnx::ModelProto known = *model;
  known.DiscardUnknownFields();
  const auto is_filled = [](const auto& parts) {
    return std::ranges::any_of(parts, [](const auto& part) { return part.ByteSizeLong() > 0; });
  };
  return known.graph().ByteSizeLong() == 0 && !is_filled(known.opset_import()) && !is_filled(known.training_info()) &&
         !is_filled(known.functions()) && !is_filled(known.configuration());
}

}  // namespace

int main(int argc, char** argv) {
  using namespace onnxc;
  std::uint64_t count = 100'000;
  std::uint64_t seed = std::random_device()();
  int most_faults = 10;
  bool reference = false;
  bool layout = false;
  bool generate_only = false;
  std::string folder;
  std::string only;
  CLI::App app("Prints and parses messages at random");
  app.add_option("--count", count, "How many messages, of all kinds together");
  app.add_option("--seed", seed, "The seed of the first message");
  app.add_option("--kind", only, "Messages of this kind only");
  app.add_option("--faults", most_faults, "How many faults to tell before giving up");
  app.add_flag("--reference", reference, "The reference dialect loses nothing in silence");
  app.add_flag("--layout", layout, "The printer lays texts out as the formatter does");
  app.add_flag("--generate-only", generate_only, "Only make the messages");
  app.add_option("--write", folder, "Only make the messages, as the files SEED.onnx of this folder");
  CLI11_PARSE(app, argc, argv);

  std::vector<Kind> kinds;
  ForEachKind([&](const auto& row) {
    if (only.empty() || row.word == only) kinds.push_back(row.kind);
  });
  if (kinds.empty()) {
    std::cerr << "no such kind: " << only << "\n";
    return 2;
  }

  const testing::Property property = layout      ? &testing::FindOtherLayout
                                     : reference ? &testing::FindSilentLoss
                                                 : &testing::FindLoss;
  const auto start = std::chrono::steady_clock::now();
  std::cout << "seed " << seed << std::endl;
  std::vector<std::uint64_t> done(kinds.size());
  std::uint64_t bytes = 0;
  int faults = 0;
  for (std::uint64_t i = 0; i < count && faults < most_faults; ++i) {
    const std::size_t row = i % kinds.size();
    const auto message = testing::NewMessage(kinds[row]);
    testing::FillAtRandom(message.get(), seed + i);
    ++done[row];
    bytes += message->ByteSizeLong();
    if (!folder.empty()) {
      if (IsNearlyEmpty(*message)) continue;
      const std::string written = message->SerializeAsString();
      if (old::FindSchema(written)) continue;  // the command refuses files that may be in an old schema
      std::ofstream(folder + "/" + std::to_string(seed + i) + ".onnx", std::ios::binary) << written;
      continue;
    }
    if (generate_only || !property(*message)) continue;
    ++faults;
    const std::string name(Name(kinds[row]));
    std::cout << testing::Describe("==== --kind " + name + " --seed " + std::to_string(seed + i), *message, property)
              << std::endl;
  }
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  for (std::size_t row = 0; row < kinds.size(); ++row) std::cout << Name(kinds[row]) << ": " << done[row] << ", ";
  std::cout << bytes << " bytes, " << time.count() << " s, " << faults << " faults, seed " << seed << "\n";
  return faults == 0 ? 0 : 1;
}
