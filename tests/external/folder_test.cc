// Locations that try to leave the model's folder, and valid locations.
#include "external/folder.h"

#include <fcntl.h>
#include <onnxc/checker.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <vector>

#include "external/external_entries.h"
#include "platform/linux/open_beneath.h"
#include "weights/weights_testing.h"

namespace onnxc::testing {
namespace {

namespace fs = std::filesystem;

/// A model in the folder `inside`, and a secret file outside of it.
class Locations : public InFolder {
 protected:
  Locations() {
    fs::create_directories(folder() / "inside" / "sub");
    WriteAs("secret.bin", "12345678");
    WriteAs("inside/w.bin", "12345678");
    WriteAs("inside/a..b.bin", "12345678");
    WriteAs("inside/..w.bin", "12345678");
    WriteAs("inside/sub/w.bin", "12345678");
  }

  [[nodiscard]] ExternalDataOptions Inside(bool allow_links = false) const {
    return {.directory = Path("inside"), .allow_links = allow_links};
  }

  static onnx::ModelProto ModelWith(const std::string& location) {
    onnx::ModelProto model = ModelOf(R"(<ir_version: 10, opset_import: ["" : 21]>
        g (float[2] x) => (float[2] y) <float[2] w = ["location": "w.bin"]> { y = Add(x, w) })");
    model.mutable_graph()->mutable_initializer(0)->mutable_external_data(0)->set_value(location);
    return model;
  }

  /// The error of reading a location; the checker must report the same.
  [[nodiscard]] std::string Refusal(const std::string& location, bool allow_links = false) const {
    onnx::ModelProto model = ModelWith(location);
    const Diagnostics checked = CheckModel(model, {.directory = Path("inside"), .allow_links = allow_links});
    const Diagnostics read = InlineExternal(&model, Inside(allow_links));
    EXPECT_EQ(checked.ok(), read.ok()) << location << "\n" << Told(checked) << "\n" << Told(read);
    if (!checked.ok()) {
      EXPECT_EQ(checked.items()[0].kind, read.items()[0].kind) << location;
    }
    if (read.ok()) {
      EXPECT_EQ(model.graph().initializer(0).raw_data(), "12345678") << location;
    }
    return Told(read);
  }
};

constexpr const char* kPath = R"(graph.initializer[0] "w".external_data["location"]: )";

TEST_F(Locations, InsideAreRead) {
  for (const char* location : {"w.bin", "./w.bin", "sub/w.bin", "./sub/./w.bin", "a..b.bin", "..w.bin"}) {
    EXPECT_EQ(Refusal(location), "") << location;
  }
}

TEST_F(Locations, OutsideAreRefused) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "the location '' is empty [external-location]"},
      {"/etc/passwd", "the location '/etc/passwd' is absolute [external-location]"},
      {Path("inside/w.bin"), "the location '" + Path("inside/w.bin") + "' is absolute [external-location]"},
      {"..", "the location '..' leaves the model's directory [external-location]"},
      {"../secret.bin", "the location '../secret.bin' leaves the model's directory [external-location]"},
      {"sub/../../secret.bin", "the location 'sub/../../secret.bin' leaves the model's directory [external-location]"},
      {"sub/../w.bin", "the location 'sub/../w.bin' leaves the model's directory [external-location]"},
      {"sub//w.bin", "the location 'sub//w.bin' has an empty component [external-location]"},
      {"sub/", "the location 'sub/' has an empty component [external-location]"},
      {std::string("w.bin\0.txt", 10), "the location 'w.bin\\x00.txt' contains a zero byte [external-location]"},
      {"none.bin", "the file 'none.bin' does not exist [external-file]"},
      {"w.bin/x", "the file 'w.bin/x' cannot be read: Not a directory [external-file]"},
      {"sub", "the file 'sub' is not a regular file [external-file]"},
      {".", "the file '.' is not a regular file [external-file]"},
  };
  for (const auto& [location, refusal] : cases) EXPECT_EQ(Refusal(location), kPath + refusal) << location;
}

TEST_F(Locations, LinksAreRefusedUnlessAskedFor) {
  fs::create_symlink("../secret.bin", folder() / "inside" / "out");
  fs::create_symlink("w.bin", folder() / "inside" / "in");
  fs::create_symlink("..", folder() / "inside" / "up");
  fs::create_symlink(folder() / "inside" / "w.bin", folder() / "inside" / "absolute");
  fs::create_hard_link(folder() / "secret.bin", folder() / "inside" / "hard");
  for (const char* location : {"out", "in", "up/secret.bin", "up/inside/w.bin", "absolute"}) {
    EXPECT_EQ(Refusal(location), std::string(kPath) + "the file '" + location +
                                     "' is a symbolic link, or is in a folder that is one [external-file]");
    EXPECT_EQ(Refusal(location, true), "");
  }
  EXPECT_EQ(Refusal("hard"), std::string(kPath) + "the file 'hard' has several hard links [external-file]");
  EXPECT_EQ(Refusal("hard", true), "");
  fs::create_symlink("loop", folder() / "inside" / "loop");
  EXPECT_NE(Refusal("loop", true), "");
}

TEST_F(Locations, PipesAndDevicesAreRefusedWithoutWaiting) {
  ASSERT_EQ(::mkfifo(Path("inside/pipe").c_str(), 0600), 0);
  EXPECT_EQ(Refusal("pipe"), std::string(kPath) + "the file 'pipe' is not a regular file [external-file]");
  fs::create_symlink("/dev/zero", folder() / "inside" / "zero");
  EXPECT_EQ(Refusal("zero", true), std::string(kPath) + "the file 'zero' is not a regular file [external-file]");
}

// The method of the kernel and our own method, which is used if the kernel has none, refuse the same locations.
TEST_F(Locations, BothWaysToOpenAgree) {
  fs::create_symlink("../secret.bin", folder() / "inside" / "out");
  fs::create_symlink("w.bin", folder() / "inside" / "in");
  fs::create_symlink("..", folder() / "inside" / "up");
  const Descriptor inside(::open(Path("inside").c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (OpenByKernel(inside.get(), "w.bin") == -ENOSYS) GTEST_SKIP() << "this kernel has no openat2";
  for (const char* location : {"w.bin", "sub/w.bin", "./w.bin", "out", "in", "up/secret.bin", "../secret.bin",
                               "sub/../w.bin", "none", "sub/none", "w.bin/x", "up/inside/w.bin"}) {
    const Descriptor by_kernel(OpenByKernel(inside.get(), location));
    const Descriptor by_step(OpenByStep(inside.get(), location));
    EXPECT_EQ(by_kernel.ok(), by_step.ok() || std::string(location) == "sub/../w.bin") << location;
  }
  EXPECT_EQ(OpenByStep(inside.get(), "out"), -ELOOP);
  EXPECT_EQ(OpenByStep(inside.get(), "up/secret.bin"), -ELOOP);
  EXPECT_EQ(OpenByStep(inside.get(), "../secret.bin"), -EXDEV);
  EXPECT_EQ(OpenByStep(inside.get(), "none"), -ENOENT);
}

class Entries : public InFolder {
 protected:
  /// Returns the findings about a tensor of 8 bytes with these entries, next to a file of 16 bytes.
  [[nodiscard]] std::string Refusal(const std::string& entries) const {
    WriteAs("w.bin", "0123456789abcdef");
    onnx::ModelProto model = ModelOf(R"(<ir_version: 10, opset_import: ["" : 21]>
        g (float[2] x) => (float[2] y) <float[2] w = [)" +
                                     entries + "]> { y = Add(x, w) }");
    EXPECT_EQ(CheckModel(model, {.directory = folder().string()}).ok(), InlineExternal(&model, Here()).ok()) << entries;
    return Told(InlineExternal(&model, Here()));
  }
};

TEST_F(Entries, NameARangeInTheFile) {
  const std::string file = R"("location": "w.bin")";
  EXPECT_EQ(Refusal(file), "");
  EXPECT_EQ(Refusal(file + R"(, "offset": "8", "length": "8", "checksum": "x")"), "");
  EXPECT_EQ(Refusal(file + R"(, "offset": "0008")"), "");
  const std::string path = R"(graph.initializer[0] "w".external_data)";
  for (const char* number : {"-1", "+1", " 1", "1 ", "1.0", "0x1", "1e3", "", "9223372036854775808",
                             "18446744073709551616", "99999999999999999999999999999999"}) {
    for (const std::string key : {"offset", "length"}) {
      EXPECT_EQ(Refusal(file + ", \"" + key + "\": \"" + number + "\""),
                path + "[\"" + key + "\"]: the " + key + " '" + number +
                    "' is not a decimal number that fits in 63 bits [external-number]");
    }
  }
  EXPECT_EQ(
      Refusal(file + R"(, "offset": "9")"),
      path +
          R"(["location"]: the tensor needs 8 bytes from offset 9, but the file has only 16 bytes [external-extent])");
  EXPECT_EQ(
      Refusal(file + R"(, "offset": "9223372036854775807")"),
      path + R"(["location"]: the tensor needs 8 bytes from offset 9223372036854775807, but the file has only 16 bytes)"
             " [external-extent]");
  EXPECT_EQ(
      Refusal(file + R"(, "length": "7")"),
      path + R"(["location"]: the tensor needs 8 bytes, but the length of its external data is 7 [external-length])");
  EXPECT_EQ(
      Refusal(file + R"(, "length": "9")"),
      path + R"(["location"]: the tensor needs 8 bytes, but the length of its external data is 9 [external-length])");
}

TEST_F(Entries, AreKnownAndDistinct) {
  const std::string path = R"(graph.initializer[0] "w")";
  EXPECT_EQ(Refusal(R"("offset": "0")"), path + ": the external data have no location [external-location-missing]");
  EXPECT_EQ(Refusal(R"("location": "w.bin", "location": "w.bin")"),
            path + R"(.external_data["location"]: the key 'location' is given twice [external-key-twice])");
  EXPECT_EQ(Refusal(R"("location": "w.bin", "offset": "0", "offset": "8")"),
            path + R"(.external_data["offset"]: the key 'offset' is given twice [external-key-twice])");
}

TEST_F(Entries, AreNotReadWhereAKeyIsUnknown) {
  WriteAs("w.bin", "01234567");
  onnx::ModelProto model = ModelOf(R"(<ir_version: 10, opset_import: ["" : 21]> g (float[2] x) => (float[2] y)
      <float[2] w = ["location": "w.bin", "basepath": "/etc"]> { y = Add(x, w) })");
  EXPECT_EQ(
      Told(InlineExternal(&model, Here())),
      R"(graph.initializer[0] "w".external_data["basepath"]: 'basepath' is not a key of external data [external-key])");
}

TEST_F(Entries, OfHugeTensorsMakeNoOverflow) {
  WriteAs("w.bin", "01234567");
  for (const char* dims : {"4611686018427387904, 4", "2305843009213693951", "4294967296, 4294967296"}) {
    onnx::ModelProto model = ModelOf(std::string(R"(<ir_version: 10, opset_import: ["" : 21]> g () => (y)
        <float[)") + dims + R"(] w = ["location": "w.bin", "offset": "4"]> { y = Relu(w) })");
    const std::string told = Told(InlineExternal(&model, Here()));
    const bool is_told =
        told.ends_with("[external-extent]") ||
        told.ends_with(
            "the size of the data cannot be computed from the type and dimensions of the tensor [external-size]");
    EXPECT_TRUE(is_told) << told;
  }
}

}  // namespace
}  // namespace onnxc::testing
