// fuzz_replay TARGET PATH...: runs a target on files and folders, without libFuzzer. Prints failures; the exit status
// is 1 if there are any.
#include <iostream>

#include "fuzz/files.h"
#include "fuzz/targets/target.h"
#include "source/protobuf_compat.h"
#include "testing/markdown.h"

int main(int argc, char** argv) {
  using namespace onnxc;
  const fuzz::Target* target = argc < 3 ? nullptr : fuzz::FindTarget(argv[1]);
  if (target == nullptr) {
    std::cerr << "usage: fuzz_replay TARGET PATH...\n";
    return 2;
  }
  protobuf::SilenceLog();
  int inputs = 0;
  int faults = 0;
  for (int i = 2; i < argc; ++i) {
    for (const std::filesystem::path& path : fuzz::FilesIn(argv[i])) {
      ++inputs;
      const auto fault = fuzz::RunTarget(*target, testing::ReadWhole(path));
      if (!fault) continue;
      ++faults;
      std::cout << "== " << path.string() << ": " << fault->what << "\n-- text\n" << fault->text << "\n";
    }
  }
  std::cout << argv[1] << ": " << inputs << " inputs, " << faults << " faults\n";
  return faults == 0 ? 0 : 1;
}
