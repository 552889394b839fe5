class Onnxc < Formula
  desc "Read, write, check and compare ONNX models as text"
  homepage "@URL@"
  url "@URL@/onnxc-@VERSION@.tar.gz"
  sha256 "@SHA256@"
  license "Apache-2.0"

  depends_on "cli11" => :build
  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "nlohmann-json" => :build
  depends_on "tomlplusplus" => :build
  depends_on "xxhash" => :build
  depends_on "antlr4-cpp-runtime"
  depends_on "fmt"
  depends_on :linux
  depends_on "openssl@3"
  depends_on "protobuf"

  def install
    system "cmake", "-G", "Ninja", "-S", ".", "-B", "build", "-DONNXC_TESTS=OFF", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    (testpath/"g.onnxtxt").write "g (float[N] x) => (float[N] y) { y = Relu(x) }"
    system bin/"onnxc", "check", "g.onnxtxt"
  end
end
