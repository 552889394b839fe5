// Measures the speed of each stage of the pipeline: stages [--benchmark_...] FILE ...
//
// For each text (.onnxtxt) or model (.onnx) there is one benchmark for each stage. The input of the stage is already in
// memory. The rate in bytes per second always refers to the size of the text, even if the stage does not read the text,
// so that the stages can be compared.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <onnxc/arena.h>
#include <onnxc/formatter.h>
#include <onnxc/infer.h>
#include <onnxc/model_io.h>
#include <onnxc/parser.h>
#include <onnxc/printer.h>

#include <array>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "print/common/numbers.h"
#include "syntax/parse.h"
#include "syntax/scanner.h"

namespace onnxc {
namespace {

// NOLINTBEGIN(google-build-using-namespace): the stages are in all of these namespaces
using namespace print;
using namespace syntax;
// NOLINTEND(google-build-using-namespace)

struct Input {
  std::string text;
  std::string bytes;
  std::vector<float> floats;  ///< of the initializers
};

/// Receives the parts of a text and does nothing with them.
class Nothing final : public PartListener {
 public:
  bool PartCompleted(Context*) override { return true; }
};

onnx::ModelProto* NewModel(google::protobuf::Arena* arena) { return NewIn<onnx::ModelProto>(arena); }

void Check(bool ok) {
  if (!ok) std::abort();
}

void Scan(const Input& input) {
  Scanner scanner(input.text);
  SyntaxToken token;
  do {
    scanner.Next(token);
  } while (token.type != antlr4::Token::EOF);
}

void ScanAndParse(const Input& input) {
  Nothing nothing;
  Check(ParseQuietly(
      input.text, [](Grammar& parser) -> Context* { return parser.itemsFile(); }, nothing));
}

void ToModel(const Input& input) {
  google::protobuf::Arena arena(ModelArena());
  Check(Parse(input.text, NewModel(&arena)).ok());
}

void ToBytes(const Input& input) {
  std::vector<std::string> chunks;
  Check(ParseToBytes(input.text, &chunks).ok());
}

/// For comparison: the time that protobuf needs to parse the bytes of the same model.
void ProtobufParse(const Input& input) {
  google::protobuf::Arena arena(ModelArena());
  Check(NewModel(&arena)->ParseFromString(input.bytes));
}

void FormatWhole(const Input& input) { Check(FormatText(input.text).diagnostics.ok()); }

void Register(const std::string& file, const std::string& stage, const Input& input,
              const std::function<void(const Input&)>& run) {
  benchmark::RegisterBenchmark((file + "/" + stage).c_str(), [&input, run](benchmark::State& state) {
    for (auto _ : state) run(input);
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(input.text.size()));
  })->Unit(benchmark::kMillisecond);
}

/// Registers a stage whose input is a model.
void RegisterWithModel(const std::string& file, const std::string& stage, const Input& input,
                       const std::function<void(const onnx::ModelProto&)>& run,
                       const google::protobuf::ArenaOptions& options = ModelArena()) {
  benchmark::RegisterBenchmark((file + "/" + stage).c_str(), [&input, run, options](benchmark::State& state) {
    google::protobuf::Arena arena(options);
    onnx::ModelProto* model = NewModel(&arena);
    Check(model->ParseFromString(input.bytes));
    for (auto _ : state) run(*model);
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(input.text.size()));
  })->Unit(benchmark::kMillisecond);
}

/// Registers a stage that writes each float of the initializers as text. "items per second" means floats per second.
template <typename Write>
void RegisterFloats(const std::string& file, const std::string& stage, const Input& input, const Write& write) {
  if (input.floats.empty()) return;
  benchmark::RegisterBenchmark((file + "/" + stage).c_str(), [&input, write](benchmark::State& state) {
    std::array<char, kRoomForNumber> text;
    for (auto _ : state) {
      for (const float value : input.floats) benchmark::DoNotOptimize(write(value, text.data()));
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(input.floats.size()));
  })->Unit(benchmark::kMillisecond);
}

bool Load(const std::string& path, Input* input) {
  SourceText source("", "");
  onnx::ModelProto model;
  if (!ReadFile(path, &source).ok()) return false;
  if (!Decode(source.text(), DetectFormat(source.text(), path, Kind::kModel), &model).ok()) return false;
  const bool is_text = DetectFormat(source.text(), path, Kind::kModel) == Format::kText;
  for (const auto& tensor : model.graph().initializer()) {
    input->floats.insert(input->floats.end(), tensor.float_data().begin(), tensor.float_data().end());
  }
  input->text = is_text ? std::string(source.text()) : Print(model).text;
  return Encode(model, Format::kBinary, &input->bytes).ok();
}

void RegisterAll(const std::string& file, const Input& input) {
  Register(file, "scan", input, &Scan);
  Register(file, "scan+parse", input, &ScanAndParse);
  Register(file, "text->model", input, &ToModel);
  Register(file, "text->bytes", input, &ToBytes);
  Register(file, "bytes->model(protobuf)", input, &ProtobufParse);
  RegisterWithModel(file, "model->bytes(protobuf)", input, [](const onnx::ModelProto& model) {
    std::string bytes;
    Check(model.SerializeToString(&bytes));
  });
  const auto print = [](const onnx::ModelProto& model) { benchmark::DoNotOptimize(Print(model).text); };
  RegisterWithModel(file, "model->text", input, print);
  RegisterWithModel(file, "model->text(protobuf's arena)", input, print, {});
  RegisterWithModel(file, "model->types", input, [](const onnx::ModelProto& model) {
    benchmark::DoNotOptimize(InferTypes(model).ValuesOf(model.graph()).size());
  });
  RegisterFloats(file, "floats", input, [](float value, char* at) { return print::WriteNumber(value, at); });
  RegisterFloats(file, "floats(std::to_chars)", input,
                 [](float value, char* at) { return std::to_chars(at, at + kLongestNumber, value).ptr; });
  RegisterFloats(file, "floats({fmt})", input, [](float value, char* at) { return fmt::format_to(at, "{}", value); });
  Register(file, "text->text(format)", input, &FormatWhole);
}

}  // namespace
}  // namespace onnxc

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  std::vector<onnxc::Input> inputs(static_cast<std::size_t>(argc));
  for (int i = 1; i < argc; ++i) {
    onnxc::Input& input = inputs[static_cast<std::size_t>(i)];
    if (!onnxc::Load(argv[i], &input)) {
      std::fprintf(stderr, "stages: cannot read %s\n", argv[i]);
      return 2;
    }
    onnxc::RegisterAll(std::filesystem::path(argv[i]).stem(), input);
  }
  benchmark::RunSpecifiedBenchmarks();
}
