// Runs the command while system calls fail, or a signal arrives at them, one call after the other. Either the old file
// is unchanged and an error is reported, or the new file is complete; no other file is left in the folder.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <set>
#include <string>

#include "platform/descriptor.h"
#include "platform/replacement.h"
#include "testing/folder.h"
#include "testing/paths.h"

namespace onnxc::testing::faults_test {
namespace {

constexpr const char* kText =
    "<ir_version: 8, opset_import: [\"\": 17]>\ng (float[N] x) => (float[N] y) { y = Relu(x) }\n";

struct Outcome {
  int exit_status = 0;  // 128 plus the signal, if a signal ended the command
  std::string failed;   // the function that was made to fail; "" if none was
};

class Faults : public ::testing::Test {
 protected:
  void SetUp() override {
    if (kFaults[0] == 0) GTEST_SKIP() << "SKIPPED: sanitizers have calls of their own";
    folder_.Write("m.onnxtxt", kText);
    ASSERT_EQ(Run("").exit_status, 0);
    expected_ = folder_.Read("out.onnx");
  }

  /// Compiles a text, which replaces an old file, with these variables in the environment.
  Outcome Run(const std::string& environment, bool is_new = false) {
    folder_.Remove("log");
    folder_.Remove("out.onnx");
    if (!is_new) folder_.Write("out.onnx", "old");
    const std::string call = "cd " + folder_.path().string() + " && env LD_PRELOAD=" + kFaults +
                             " ONNXC_FAULT_LOG=log " + environment + " " + kCommand +
                             " compile m.onnxtxt -o out.onnx 2>errors";
    const int status = std::system(call.c_str());
    return {.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
            .failed = folder_.Read("log")};
  }

  /// Expects either the complete old file or the complete new file.
  void ExpectOneOf(bool is_written, bool is_new) {
    if (is_written) {
      EXPECT_EQ(folder_.Read("out.onnx"), expected_);
    } else {
      EXPECT_EQ(folder_.Read("out.onnx"), is_new ? "" : "old");
      EXPECT_EQ(folder_.Exists("out.onnx"), !is_new);
    }
  }

  void ExpectNothingElse() {
    for (const std::string& name : folder_.List()) {
      EXPECT_TRUE((std::set<std::string>{"m.onnxtxt", "out.onnx", "errors", "log"}).contains(name)) << name;
    }
  }

  /// Makes each call fail in turn. Returns the functions that were made to fail.
  std::set<std::string> FailEach(const std::string& environment, bool is_new) {
    std::set<std::string> failed;
    for (int at = 1; at < 100; ++at) {
      const std::string variables = environment + " ONNXC_FAULT_AT=" + std::to_string(at);
      SCOPED_TRACE(variables);
      const Outcome outcome = Run(variables, is_new);
      if (outcome.failed.empty()) {
        EXPECT_EQ(outcome.exit_status, 0);
        return failed;
      }
      SCOPED_TRACE(outcome.failed);
      failed.insert(outcome.failed.substr(0, outcome.failed.size() - 1));
      ExpectOneOf(outcome.exit_status == 0, is_new);
      ExpectNothingElse();
      if (outcome.exit_status == 0) continue;  // the call was not needed, or there is another way
      EXPECT_EQ(outcome.exit_status, 2);
      const std::string errors = folder_.Read("errors");
      EXPECT_TRUE(errors.starts_with("out.onnx: error: cannot write: ") ||
                  errors.starts_with("m.onnxtxt: error: cannot read: "))
          << errors;
      EXPECT_NE(errors.find("Input/output error"), std::string::npos) << errors;
    }
    ADD_FAILURE() << "the command never ends";
    return failed;
  }

  Folder folder_;

 private:
  std::string expected_;
};

const std::string kFail = "ONNXC_FAULT_ERRNO=" + std::to_string(EIO);

TEST_F(Faults, OneCallFails) {
  const std::set<std::string> failed = FailEach(kFail, /*is_new=*/false);
  for (const char* function : {"open", "mmap", "write", "fsync", "close", "rename", "fchmod", "fchown", "access"}) {
    EXPECT_TRUE(failed.contains(function)) << function;
  }
}

TEST_F(Faults, OneCallFailsFromThenOn) { FailEach(kFail + " ONNXC_FAULT_STAYS=1", /*is_new=*/false); }

TEST_F(Faults, OneCallFailsForANewFile) {
  FailEach(kFail, /*is_new=*/true);
  FailEach(kFail + " ONNXC_FAULT_STAYS=1", /*is_new=*/true);
}

// After a signal that asks a process to end, the folder contains either the old file or the new file, and no other
// file.
TEST_F(Faults, SignalsLeaveNothing) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    (void)std::signal(signal, SIG_DFL);  // the caller may have set it to be ignored, like nohup
    for (int at = 1; at < 100; ++at) {
      const std::string variables =
          "ONNXC_FAULT_SIGNAL=" + std::to_string(signal) + " ONNXC_FAULT_AT=" + std::to_string(at);
      SCOPED_TRACE(variables);
      const Outcome outcome = Run(variables);
      ExpectNothingElse();
      const bool is_new = folder_.Read("out.onnx") != "old";
      ExpectOneOf(is_new, /*is_new=*/false);
      if (outcome.failed.empty()) break;
      EXPECT_EQ(outcome.exit_status, 128 + signal);
    }
  }
}

// A process that is killed may leave a temporary file if it is killed at certain moments, but never an incomplete
// output.
TEST_F(Faults, KillingLeavesWholeFiles) {
  for (int at = 1; at < 100; ++at) {
    const Outcome outcome = Run("ONNXC_FAULT_SIGNAL=9 ONNXC_FAULT_AT=" + std::to_string(at));
    ExpectOneOf(folder_.Read("out.onnx") != "old", /*is_new=*/false);
    if (outcome.failed.empty()) break;
  }
}

TEST_F(Faults, ShortAndInterruptedWrites) {
  ASSERT_EQ(Run("ONNXC_FAULT_SHORT=1").exit_status, 0);
  ExpectOneOf(/*is_written=*/true, /*is_new=*/false);
}

// If there is not enough space, an error is reported, and the old file is unchanged.
TEST_F(Faults, MemoryRunsOut) {
  folder_.Write("out.onnx", "old");
  const std::string call = "cd " + folder_.path().string() + " && truncate -s 4G m.onnxtxt && ulimit -v 1000000 && " +
                           kCommand + " compile m.onnxtxt -o out.onnx 2>errors";
  const int status = std::system(call.c_str());
  EXPECT_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 2);
  EXPECT_EQ(folder_.Read("errors"), "onnxc: error: out of memory\n");
  EXPECT_EQ(folder_.Read("out.onnx"), "old");
}

/// A command that moves weights, and the file that it writes next to the output.
struct Job {
  std::string name;
  std::string command;
  std::string side_file = "none";
};

void PrintTo(const Job& job, std::ostream* out) { *out << job.name; }

/// Each command runs in a folder with a model `in.onnx`, whose weights are in `old.data`, and a text without weights.
class FaultsOfWeights : public ::testing::TestWithParam<Job> {
 protected:
  void SetUp() override {
    if (kFaults[0] == 0) GTEST_SKIP() << "SKIPPED: sanitizers have calls of their own";
    folder_.Write("m.onnxtxt",
                  "# onnxc: raw\n<ir_version: 8, opset_import: [\"\": 17]>\ng () => (float[4] y)\n"
                  "  <float[4] a = {1, 2, 3, 4}, int64[4] b = {1, 2, 3, 4}> { y = Relu(a) }\n");
    ASSERT_EQ(Call("", "compile m.onnxtxt -o whole.onnx"), 0);
    ASSERT_EQ(Call("", "weights extract whole.onnx old.data -o in.onnx --size-threshold 1"), 0);
    ASSERT_EQ(Call("", "print --weights elide in.onnx -o gap.onnxtxt --size-threshold 1"), 0);
    ASSERT_EQ(Run("").exit_status, 0);
    expected_ = folder_.Read("out");
    expected_side_ = folder_.Read(GetParam().side_file);
  }

  int Call(const std::string& environment, const std::string& command) {
    const std::string call = "cd " + folder_.path().string() + " && env ONNXC_FAULT_LOG=log " + environment + " " +
                             kCommand + " " + command + " 2>errors";
    const int status = std::system(call.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  Outcome Run(const std::string& environment) {
    for (const std::string& name : {std::string("log"), std::string("out"), GetParam().side_file}) {
      folder_.Remove(name);
    }
    const int status = Call(std::string("LD_PRELOAD=") + kFaults + " " + environment, GetParam().command);
    return {.exit_status = status, .failed = folder_.Read("log")};
  }

  /// Expects either all output files, or no model. A file with weights may exist without the model, but it must be
  /// complete.
  void ExpectWhole(bool is_done) {
    EXPECT_EQ(folder_.Read("out"), is_done ? expected_ : "");
    EXPECT_EQ(folder_.Exists("out"), is_done);
    std::set<std::string> names = {"m.onnxtxt", "whole.onnx", "old.data", "in.onnx",           "gap.onnxtxt",
                                   "errors",    "log",        "out",      GetParam().side_file};
    for (const std::string& name : folder_.List()) EXPECT_TRUE(names.contains(name)) << name;
    if (is_done || folder_.Exists(GetParam().side_file)) {
      EXPECT_EQ(folder_.Read(GetParam().side_file), expected_side_);
    }
  }

  /// Each call in turn fails in this way.
  void FailEach(const std::string& fault) {
    for (int at = 1; at < 150; ++at) {
      const std::string variables = fault + " ONNXC_FAULT_AT=" + std::to_string(at);
      const Outcome outcome = Run(variables);
      if (outcome.failed.empty()) return;
      SCOPED_TRACE(variables + " " + outcome.failed);
      ExpectWhole(outcome.exit_status == 0);
      if (outcome.exit_status == 0) continue;  // the call was not needed, or there is another way
      const std::string errors = folder_.Read("errors");
      const bool is_of_weights = errors.find(" [external-file]") != std::string::npos ||
                                 errors.find(" [weights-unreadable]") != std::string::npos;
      EXPECT_EQ(outcome.exit_status, is_of_weights ? 1 : 2) << errors;
      EXPECT_NE(errors.find("Input/output error"), std::string::npos) << errors;
    }
    ADD_FAILURE() << "the command never ends";
  }

  Folder folder_;

 private:
  std::string expected_;
  std::string expected_side_;
};

TEST_P(FaultsOfWeights, OneCallFails) {
  FailEach(kFail);
  FailEach(kFail + " ONNXC_FAULT_STAYS=1");
}

// If any step fails, both the model and the file with its weights are the old files.
TEST_P(FaultsOfWeights, TwoOldFilesStay) {
  if (GetParam().side_file == "none") return;
  for (int at = 1;; ++at) {
    ASSERT_LT(at, 150) << "the command never ends";
    folder_.Remove("log");
    folder_.Write("out", "old");
    folder_.Write(GetParam().side_file, "old");
    const int status =
        Call(std::string("LD_PRELOAD=") + kFaults + " " + kFail + " ONNXC_FAULT_AT=" + std::to_string(at),
             GetParam().command);
    const std::string failed = folder_.Read("log");
    if (failed.empty()) break;
    if (status == 0) continue;
    EXPECT_EQ(folder_.Read("out"), "old") << failed;
    EXPECT_EQ(folder_.Read(GetParam().side_file), "old") << failed;
  }
}

// A process that is killed leaves a temporary file only if it is killed between the calls that give the new files their
// names, and only if they replace old files: never while bytes are written, or wait for the disk.
TEST_P(FaultsOfWeights, KillingLeavesTemporaryFilesOnlyBetweenNames) {
  const Descriptor nameless(OpenNameless(folder_.path().string(), 0600));
  if (!nameless.ok()) GTEST_SKIP() << "SKIPPED: the file system has no files without names";
  for (const bool is_new : {true, false}) {
    for (int at = 1;; ++at) {
      ASSERT_LT(at, 150) << "the command never ends";
      for (const std::string& name : {std::string("log"), std::string("out"), GetParam().side_file}) {
        folder_.Remove(name);
        if (!is_new && name != "log" && name != "none") folder_.Write(name, "old");
      }
      const std::string kill = std::string("LD_PRELOAD=") + kFaults + " ONNXC_FAULT_SIGNAL=9 ONNXC_FAULT_AT=";
      (void)Call(kill + std::to_string(at), GetParam().command);
      const std::string killed = folder_.Read("log");
      for (const std::string& name : folder_.List()) {
        if (!name.starts_with(".onnxc-")) continue;
        folder_.Remove(name);
        const bool is_between_names =
            std::set<std::string>{"linkat\n", "close\n", "renameat2\n", "rename\n"}.contains(killed);
        EXPECT_TRUE(!is_new && is_between_names) << name << " before " << killed;
      }
      if (killed.empty()) break;
    }
  }
}

// A call transfers no bytes, as if another process had shortened the file while it is read, or the disk accepted no
// more data.
TEST_P(FaultsOfWeights, OneCallMovesNothing) {
  for (const std::string function : {"pread", "pwrite", "write", "copy_file_range"}) {
    FailEach("ONNXC_FAULT_ERRNO=0 ONNXC_FAULT_ONLY=" + function);
  }
}

TEST_P(FaultsOfWeights, ShortAndInterruptedCalls) {
  ASSERT_EQ(Run("ONNXC_FAULT_SHORT=1").exit_status, 0) << folder_.Read("errors");
  ExpectWhole(/*is_done=*/true);
}

// If the kernel cannot copy between two files, onnxc copies the data itself.
TEST_P(FaultsOfWeights, FilesThatTheKernelDoesNotCopy) {
  for (const int error : {EXDEV, EINVAL, ENOSYS, EOPNOTSUPP, EPERM}) {
    const Outcome outcome =
        Run("ONNXC_FAULT_AT=1 ONNXC_FAULT_ONLY=copy_file_range ONNXC_FAULT_ERRNO=" + std::to_string(error));
    EXPECT_EQ(outcome.failed.empty(), GetParam().name != "extract");
    EXPECT_EQ(outcome.exit_status, 0) << folder_.Read("errors");
    ExpectWhole(/*is_done=*/true);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Commands, FaultsOfWeights,
    ::testing::Values(Job{"extract", "weights extract in.onnx new.data -o out --size-threshold 1", "new.data"},
                      Job{"extract_typed",
                          "compile m.onnxtxt --save-as-external new.safetensors -o out --size-threshold 1",
                          "new.safetensors"},
                      Job{"inline", "weights inline in.onnx -o out"},
                      Job{"attach", "weights attach gap.onnxtxt old.data -o out"},
                      Job{"attach_model", "weights attach gap.onnxtxt in.onnx -o out"},
                      Job{"elide", "print --weights elide in.onnx -o out --size-threshold 1"}),
    [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace onnxc::testing::faults_test
