// External data in a folder with files, links and a pipe, next to another folder that must not be accessed.
#include <onnxc/checker.h>
#include <onnxc/external_data.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "external/external_entries.h"
#include "fuzz/targets/findings.h"
#include "fuzz/targets/target.h"
#include "platform/descriptor.h"
#include "tables/raw_data.h"
#include "testing/folder.h"
#include "testing/proto.h"
#include "weights/tensors.h"

namespace onnxc::fuzz {
namespace {

namespace fs = std::filesystem;
using google::protobuf::Message;
using onnx::TensorProto;

/// The folders, and the kernel's reports of accesses outside of the model's folder.
class Sandbox {
 public:
  Sandbox() : watch_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
    fs::create_directories(model() / "sub");
    fs::create_directory(outside());
    std::string bytes;
    for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i * 7 % 251);
    root_.Write("model/small.bin", bytes);
    root_.Write("model/sub/inner.bin", bytes.substr(100));
    root_.Write("outside/secret.bin", bytes);
    fs::create_symlink("../outside/secret.bin", model() / "link");
    fs::create_symlink("../outside", model() / "linked");
    fs::create_hard_link(outside() / "secret.bin", model() / "hard");
    (void)::mkfifo((model() / "pipe").c_str(), 0600);
    constexpr std::uint32_t kWritten = IN_CREATE | IN_DELETE | IN_MODIFY | IN_MOVE | IN_ATTRIB;
    can_watch_ = ::inotify_add_watch(watch_.get(), outside().c_str(), kWritten | IN_OPEN) >= 0 &&
                 ::inotify_add_watch(watch_.get(), root_.path().c_str(), kWritten) >= 0;
    names_ = Names();
  }

  [[nodiscard]] fs::path model() const { return root_.path() / "model"; }
  [[nodiscard]] ExternalDataOptions options() const { return {.directory = model().string()}; }

  /// Returns a fault if there was a forbidden access since the last call.
  [[nodiscard]] std::optional<Fault> FindEscape() const {
    if (!can_watch_) return Fault{"inotify does not work"};
    alignas(inotify_event) char buffer[4096];
    if (::read(watch_.get(), buffer, sizeof(buffer)) > 0) return Fault{"something outside of the folder was touched"};
    if (Names() != names_) return Fault{"a file is left in the folder"};
    return std::nullopt;
  }

  /// Returns whether the location is a path of a file in the folder, without symbolic or hard links.
  [[nodiscard]] bool Holds(const std::string& location) const {
    const fs::path path = (fs::canonical(model()) / location).lexically_normal();
    std::error_code error;
    return fs::canonical(path, error) == path && path.string().starts_with(fs::canonical(model()).string() + "/") &&
           fs::hard_link_count(path, error) == 1;
  }

  void Write(const std::string& name, const std::string& bytes) const { root_.Write("model/" + name, bytes); }
  void Remove(const std::string& name) const { root_.Remove("model/" + name); }

 private:
  [[nodiscard]] fs::path outside() const { return root_.path() / "outside"; }
  [[nodiscard]] std::set<std::string> Names() const {
    std::set<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(model())) names.insert(entry.path().string());
    return names;
  }

  testing::Folder root_;
  Descriptor watch_;
  bool can_watch_ = false;
  std::set<std::string> names_;
};

/// Created only once, because creating the many files takes time.
const Sandbox& TheSandbox() {
  static const Sandbox sandbox;
  return sandbox;
}

std::unique_ptr<Message> Copy(const Message& message) {
  std::unique_ptr<Message> copy(message.New());
  copy->CopyFrom(message);
  return copy;
}

/// Returns the bytes of the message with the elements of all tensors in raw_data, because data that are read from a
/// file are stored there.
std::string Canonical(const Message& message) {
  const std::unique_ptr<Message> canonical = Copy(message);
  weights::ForEachTensor(canonical.get(), [](TensorProto* tensor, const Place&) {
    std::string scratch;
    const auto raw = RawBytes(*tensor, &scratch);
    if (!raw.has_value()) return;
    std::string bytes(*raw);
    ClearData(tensor);
    if (!bytes.empty()) tensor->set_raw_data(std::move(bytes));
  });
  return testing::Bytes(*canonical);
}

/// Returns, for each tensor in order, whether its data are in a file.
std::vector<bool> WhichAreExternal(Message* message) {
  std::vector<bool> which;
  weights::ForEachTensor(message,
                         [&](TensorProto* tensor, const Place&) { which.push_back(weights::IsExternal(*tensor)); });
  return which;
}

/// Returns whether two tensors share bytes of the file. If they do, Attach() is not run, because AttachWeights() looks
/// for separate data of each tensor.
bool SharesBytes(Message* message) {
  std::set<std::pair<std::uint64_t, std::uint64_t>> ranges;  // offset, length
  bool is_shared = false;
  weights::ForEachTensor(message, [&](TensorProto* tensor, const Place&) {
    if (!weights::IsExternal(*tensor)) return;
    const ExternalEntries entries = ReadEntries(*tensor);
    is_shared = !ranges.insert({entries.offset, entries.length.value_or(0)}).second || is_shared;
  });
  std::uint64_t end = 0;
  for (const auto& [offset, length] : ranges) {
    is_shared = is_shared || offset < end;
    end = std::max(end, offset + length);
  }
  return is_shared;
}

std::optional<Fault> Findings(const Diagnostics& found) { return CheckFindings(found, SourceText("message", "")); }

/// Moves the data of one message out of it and back in several ways.
class Ways {
 public:
  Ways(const Message& message, std::string name, std::uint64_t threshold)
      : message_(message), name_(std::move(name)), threshold_(threshold) {}
  Ways(const Ways&) = delete;
  Ways& operator=(const Ways&) = delete;
  ~Ways() { sandbox_.Remove(name_); }

  std::optional<Fault> Run() {
    const std::unique_ptr<Message> inlined = Copy(message_);
    const Diagnostics found = InlineExternal(inlined.get(), sandbox_.options());
    if (auto fault = Findings(found)) return fault;
    if (found.ok()) {
      if (auto fault = CheckLocations()) return fault;
      whole_ = Canonical(*inlined);
    }
    const std::unique_ptr<Message> saved = Copy(message_);
    const Diagnostics out = Save(saved.get());
    if (auto fault = Findings(out)) return fault;
    if (out.ok() && !found.ok()) return Fault{"saved, but not inlined: " + found.items().front().message};
    if (!out.ok()) {
      if (found.ok() && name_ == "weights") return Fault{"inlined, but not saved: " + out.items().front().message};
      return std::nullopt;
    }
    if (auto fault = ComesBack(Copy(*saved), "saved")) return fault;
    if (SharesBytes(saved.get())) return std::nullopt;
    return Attach(WhichAreExternal(saved.get()));
  }

 private:
  Diagnostics Save(Message* message) {
    PendingFile file;
    Diagnostics found = SaveExternal(message,
                                     {.source = sandbox_.options(),
                                      .directory = sandbox_.model().string(),
                                      .file_name = name_,
                                      .size_threshold = threshold_},
                                     &file);
    if (found.ok()) found.Append(file.Commit());
    return found;
  }

  std::optional<Fault> CheckLocations() {
    std::optional<Fault> fault;
    weights::ForEachTensor(Copy(message_).get(), [&](TensorProto* tensor, const Place&) {
      if (!weights::IsExternal(*tensor)) return;
      const std::string location(ReadEntries(*tensor).location);
      if (!sandbox_.Holds(location)) fault = Fault{"read from outside of the folder: " + location};
    });
    return fault;
  }

  std::optional<Fault> ComesBack(std::unique_ptr<Message> message, const std::string& how) {
    const Diagnostics found = InlineExternal(message.get(), sandbox_.options());
    if (!found.ok()) return Fault{how + ", but not read again: " + found.items().front().message};
    if (Canonical(*message) != whole_) return Fault{how + " and read again it is another message"};
    return std::nullopt;
  }

  /// Checks that elided data are restored from the file if it contains the same tensors.
  std::optional<Fault> Attach(const std::vector<bool>& saved) {
    const std::unique_ptr<Message> elided = Copy(message_);
    const Diagnostics found = ElideWeights(elided.get(), Elision::kChecksum, threshold_, sandbox_.options());
    if (auto fault = Findings(found)) return fault;
    if (!found.ok() || !fs::exists(sandbox_.model() / name_)) return std::nullopt;
    const bool is_whole = WhichAreExternal(elided.get()) == saved;
    const Diagnostics attached = AttachWeights(elided.get(), (sandbox_.model() / name_).string(), sandbox_.options());
    if (auto fault = Findings(attached)) return fault;
    if (attached.ok()) return ComesBack(Copy(*elided), "attached");
    return is_whole ? std::optional(Fault{"not attached: " + attached.items().front().message}) : std::nullopt;
  }

  const Message& message_;
  const Sandbox& sandbox_ = TheSandbox();
  std::string name_;
  std::uint64_t threshold_;
  std::string whole_;
};

std::optional<Fault> RunMessage(const Input& input) {
  const auto message = testing::NewMessage(input.kind);
  if (!message->ParsePartialFromArray(input.bytes.data(), static_cast<int>(input.bytes.size()))) return std::nullopt;
  if (input.kind == Kind::kModel) {
    const auto& model = static_cast<const onnx::ModelProto&>(*message);
    if (auto fault = Findings(CheckModel(model, {.directory = TheSandbox().model().string()}))) return fault;
  }
  constexpr std::uint64_t kSmall = 16;
  return Ways(*message, input.variant == 0 ? "weights" : "weights.safetensors",
              input.bytes.size() % 2 == 0 ? 1 : kSmall)
      .Run();
}

/// Attaches a safetensors file, made from the input, to a model whose data are elided.
std::optional<Fault> RunSafetensors(std::string_view bytes, bool is_header) {
  constexpr std::size_t kData = 64;
  std::string file(bytes);
  if (is_header) {
    const std::uint64_t length = bytes.size();
    file.insert(0, sizeof(length), '\0');
    std::memcpy(file.data(), &length, sizeof(length));
    file.append(kData, 'x');
  }
  onnx::ModelProto model;
  const Diagnostics parsed = Parse(R"(<ir_version: 10, opset_import: ["" : 21]> g () => ()
      <float[2] w = ["elided": ""], int64[1] b = ["elided": ""], float16[3] h = ["elided": ""]> {})",
                                   &model);
  if (!parsed.ok()) return Fault{"the model is wrong: " + parsed.items().front().message};
  const Sandbox& sandbox = TheSandbox();
  const std::string name = "given.safetensors";
  sandbox.Write(name, file);
  const Diagnostics found = AttachWeights(&model, (sandbox.model() / name).string(), sandbox.options());
  const Diagnostics read = found.ok() ? InlineExternal(&model, sandbox.options()) : Diagnostics();
  sandbox.Remove(name);
  if (auto fault = Findings(found)) return fault;
  if (!read.ok()) return Fault{"attached, but not read: " + read.items().front().message};
  for (const TensorProto& tensor : model.graph().initializer()) {
    if (found.ok() && tensor.raw_data().size() != DataSize(tensor)) return Fault{"attached data of another size"};
  }
  return std::nullopt;
}

}  // namespace

// In variants 0 and 1, the input is a message whose data are written to a raw file or to a safetensors file. In variant
// 2, the input is the header of a safetensors file, and in variant 3 the whole file.
std::optional<Fault> RunWeights(const Input& input) {
  const Sandbox& sandbox = TheSandbox();
  std::optional<Fault> fault = input.variant < 2 ? RunMessage(input) : RunSafetensors(input.bytes, input.variant == 2);
  if (!fault) fault = sandbox.FindEscape();
  return fault;
}

}  // namespace onnxc::fuzz
