// fuzz_seeds PROJECT OUT: writes a folder of seeds for each target, a folder with texts to compare with the reference,
// and the dictionary to OUT. The seeds are made from the golden files, the examples in the documents, the recorded
// cases, inputs with which errors were found before, and random messages.
#include <onnxc/model_io.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

#include "fuzz/files.h"
#include "fuzz/mutate/old.h"
#include "fuzz/mutate/settings.h"
#include "fuzz/mutate/words.h"
#include "fuzz/targets/target.h"
#include "testing/markdown.h"
#include "testing/old_message.h"
#include "testing/proto.h"
#include "testing/random_message.h"

namespace onnxc::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargest = 8192;    // the size of a seed in bytes
constexpr std::uint64_t kMessages = 100;  // the number of random messages of each kind

class Seeds {
 public:
  explicit Seeds(fs::path out) : out_(std::move(out)) {}

  void Add(const std::string& target, Kind kind, unsigned variant, const std::string& bytes) {
    AddInput(target, Prefix(kind, variant) + bytes);
  }

  void AddInput(const std::string& target, const std::string& input) {
    if (input.size() > kLargest) return;
    fs::create_directories(out_ / target);
    std::ofstream(out_ / target / std::to_string(++count_[target]), std::ios::binary) << input;
  }

  void AddText(Kind kind, const std::string& text) {
    Add("text", kind, 0, text);
    Add("format", kind, 0, text);
    for (const unsigned variant : {0u, 1u}) Add("written", kind, variant, text);
    if (kind == Kind::kModel) Add("text", kind, 1, text);
    if (kind == Kind::kModel) Add("lsp", kind, 0, text);
    AddForReference(kind, text);
    const auto message = testing::NewMessage(kind);
    if (Decode(text, Format::kText, message.get()).ok()) AddMessage(kind, *message);
  }

  void AddMessage(Kind kind, const google::protobuf::Message& message) {
    const std::string binary = testing::Bytes(message);
    Add("binary", kind, 0, binary);
    for (unsigned variant = 0; variant < (kind == Kind::kModel ? 3u : 1u); ++variant)
      Add("check", kind, variant, binary);
    for (unsigned variant = 0; variant < (kind == Kind::kModel ? 2u : 0u); ++variant)
      Add("infer", kind, variant, binary);
    Add("codec", kind, 3, binary);
    for (const unsigned variant : {0u, 1u}) Add("weights", kind, variant, binary);
    std::string bytes;
    if (Encode(message, Format::kTextProto, &bytes).ok()) Add("codec", kind, 0, bytes);
    if (Encode(message, Format::kJson, &bytes).ok()) Add("codec", kind, 1, bytes);
  }

  /// Adds a text whose parse result is compared with that of the reference parser. That parser accepts models, graphs,
  /// functions and nodes. A text of another kind is put inside of one of these.
  void AddForReference(Kind kind, const std::string& text) {
    switch (kind) {
      case Kind::kAttribute: return Add("reference", Kind::kNode, 0, "y = A <" + text + "\n> ()");
      case Kind::kType: return Add("reference", Kind::kGraph, 0, "g (" + text + "\n x) => () {}");
      case Kind::kTensor: return Add("reference", Kind::kNode, 0, "y = A <k = " + text + "\n> ()");
      case Kind::kShape: return Add("reference", Kind::kGraph, 0, "g (float[" + text + "\n] x) => () {}");
      case Kind::kSequence:
      case Kind::kMap:
      case Kind::kOptional: return;  // the reference has no syntax for them
      default: return Add("reference", kind, 0, text);
    }
  }

  [[nodiscard]] const std::map<std::string, int>& count() const { return count_; }

 private:
  fs::path out_;
  std::map<std::string, int> count_;
};

/// The names of golden files are NAME.KIND.onnxtxt, the names of examples NAME.onnxtxt.
void AddFiles(const fs::path& folder, Seeds* seeds) {
  for (const fs::path& path : FilesIn(folder)) {
    if (path.extension() != ".onnxtxt") continue;
    const std::string word = path.stem().extension().string();
    const Kind kind = FindKind(word.empty() ? word : word.substr(1)).value_or(Kind::kModel);
    seeds->AddText(kind, testing::ReadWhole(path));
  }
}

void AddBlocks(const fs::path& docs, Seeds* seeds) {
  for (const testing::Block& block : testing::AllBlocks(docs)) {
    if (block.words.size() < 2 || block.words[0] != "onnxtxt") continue;
    if (const auto kind = FindKind(block.words[1])) seeds->AddText(*kind, block.text);
  }
}

void AddCases(const fs::path& path, Seeds* seeds) {
  std::ifstream lines(path);
  for (std::string line; std::getline(lines, line);) {
    const nlohmann::json row = nlohmann::json::parse(line);
    const auto kind = FindKind(row.at("kind").get<std::string>());
    if (kind && row.contains("text") && row["text"].is_string()) seeds->AddText(*kind, row["text"].get<std::string>());
  }
}

void AddMessages(Seeds* seeds) {
  ForEachKind([&](const auto& row) {
    for (std::uint64_t seed = 0; seed < kMessages; ++seed) {
      const auto message = testing::NewMessage(row.kind);
      testing::FillAtRandom(message.get(), seed);
      seeds->AddMessage(row.kind, *message);
      std::string text;
      if (Encode(*message, Format::kText, &text).ok()) seeds->Add("text", row.kind, 0, text);
      const PrintOptions base = {.dialect = Dialect::kReference, .allow_loss = true};
      if (Encode(*message, Format::kText, &text, base).ok()) seeds->AddForReference(row.kind, text);
    }
  });
}

void AddNumbers(Seeds* seeds) {
  for (const std::string& word : Words()) {
    if (word.find_first_of("0123456789") == 0 || word.starts_with('-')) seeds->Add("number", Kind::kModel, 0, word);
  }
}

/// Adds a header and a complete safetensors file that fit the model in the target `weights`.
void AddSafetensors(Seeds* seeds) {
  seeds->Add("weights", Kind::kModel, 2,
             R"({"__metadata__":{"format":"pt"},"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
             R"("b":{"dtype":"I64","shape":[1],"data_offsets":[8,16]},"h":{"dtype":"F16","shape":[3],)"
             R"("data_offsets":[16,22]}})");
  seeds->Add("weights", Kind::kModel, 3, std::string("\2\0\0\0\0\0\0\0{}", 10));
}

/// Adds valid settings, each word of settings files, and errors.
void AddSettings(const fs::path& docs, Seeds* seeds) {
  for (const testing::Block& block : testing::AllBlocks(docs)) {
    if (block.text.find("[warnings]") != std::string::npos) seeds->Add("settings", Kind::kModel, 0, block.text);
  }
  for (std::uint64_t i = 0; i < 64; ++i) {
    const std::string word(SettingsWord(i));
    for (const unsigned variant : {0u, 1u}) seeds->Add("settings", Kind::kModel, variant, "a = " + word + "\n" + word);
  }
}

/// Adds the samples of old models, NAME.SCHEMA.textproto. Each is added in the wire format for all variants, and also
/// as it is.
void AddOldModels(const fs::path& folder, Seeds* seeds) {
  for (const fs::path& path : FilesIn(folder)) {
    const std::string stem = path.stem().string();  // the name of the schema contains a dot, too
    const auto* const row = std::ranges::find(old::kSchemas, stem.substr(stem.find('.') + 1), &old::SchemaRow::word);
    if (path.extension() != ".textproto" || row == old::kSchemas.end()) continue;
    const std::string text = testing::ReadWhole(path);
    const auto message = testing::NewOldMessage(row->schema);
    if (google::protobuf::TextFormat::ParseFromString(text, message.get())) {
      for (unsigned variant = 0; variant < 4; ++variant) {
        seeds->AddInput("old", PrefixOf(row->schema, variant) + testing::Bytes(*message));
      }
    }
    seeds->AddInput("old", PrefixOf(row->schema, 1) + text);
  }
}

nlohmann::json PositionAt(int line, int character) { return {{"line", line}, {"character", character}}; }

/// Adds the requests and documents of recorded sessions of the language server (tests/lsp/transcript_test.cc describes
/// the syntax of the files). Requests with positions are left out, because the fuzzer has another document.
class SessionSeeds {
 public:
  explicit SessionSeeds(Seeds* seeds) : seeds_(seeds) {}

  void Add(const fs::path& path) {
    std::ifstream lines(path);
    std::string document;
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("| ")) document += WithoutMarks(line.substr(2)) + "\n";
      if (line.starts_with("$ ") || line.starts_with("! ")) AddMessage(line);
      if (line.starts_with("= ")) AddBytes(nlohmann::json::parse(line.substr(2)).get<std::string>());
    }
    if (!document.empty()) seeds_->Add("lsp", Kind::kModel, 0, document);
  }

 private:
  static std::string WithoutMarks(const std::string& line) {
    std::string text;
    for (std::size_t at = 0; at < line.size(); ++at) {
      const bool is_mark = line[at] == '$' && at + 1 < line.size() && line[at + 1] >= '0' && line[at + 1] <= '9';
      is_mark ? static_cast<void>(++at) : text.push_back(line[at]);
    }
    return text;
  }

  void AddMessage(const std::string& line) {
    std::istringstream words(line.substr(2));
    std::string method;
    words >> method;
    const std::string more = line.substr(std::min(line.find('{'), line.size()));
    nlohmann::json params = {{"textDocument", {{"uri", "file:///nowhere/fuzz.onnxtxt"}, {"version", 2}}},
                             {"position", PositionAt(0, 70)},
                             {"range", {{"start", PositionAt(0, 46)}, {"end", PositionAt(0, 70)}}}};
    if (!more.empty()) params.update(nlohmann::json::parse(more));
    nlohmann::json message = {{"jsonrpc", "2.0"}, {"method", method}, {"params", params}};
    if (line[0] == '$') message["id"] = 1;
    const std::string text = message.dump();
    AddBytes("Content-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text);
  }

  void AddBytes(const std::string& bytes) {
    for (const unsigned variant : {1u, 2u}) seeds_->Add("lsp", Kind::kModel, variant, bytes);
  }

  Seeds* seeds_;
};

}  // namespace
}  // namespace onnxc::fuzz

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: fuzz_seeds PROJECT OUT\n";
    return 2;
  }
  const std::filesystem::path project = argv[1];
  const std::filesystem::path out = argv[2];
  onnxc::fuzz::Seeds seeds(out);
  onnxc::fuzz::AddFiles(project / "testdata", &seeds);
  onnxc::fuzz::AddBlocks(project / "docs", &seeds);
  onnxc::fuzz::AddCases(project / "tests/conformance/cases.jsonl", &seeds);
  onnxc::fuzz::AddMessages(&seeds);
  onnxc::fuzz::AddNumbers(&seeds);
  onnxc::fuzz::AddSafetensors(&seeds);
  onnxc::fuzz::AddSettings(project / "docs", &seeds);
  onnxc::fuzz::AddOldModels(project / "testdata/old", &seeds);
  onnxc::fuzz::SessionSeeds sessions(&seeds);
  for (const auto& path : onnxc::fuzz::FilesIn(project / "testdata/lsp")) sessions.Add(path);
  for (const auto& target : onnxc::fuzz::Targets()) {
    const auto found = project / "testdata/fuzz" / target.name;
    if (!std::filesystem::exists(found)) continue;
    for (const auto& path : onnxc::fuzz::FilesIn(found)) {
      seeds.AddInput(std::string(target.name), onnxc::testing::ReadWhole(path));
    }
  }
  std::ofstream(out / "dictionary") << onnxc::fuzz::Dictionary();
  for (const auto& [target, count] : seeds.count()) std::cout << target << ": " << count << " seeds\n";
  return 0;
}
