#include "lsp/move_weights.h"

#include <fmt/format.h>
#include <onnxc/external_data.h>

#include <filesystem>
#include <string>

#include "lsp/constants.h"
#include "lsp/edits.h"
#include "lsp/parts.h"
#include "lsp/spelling.h"
#include "source/report.h"
#include "tables/raw_data.h"
#include "verdict/judge.h"
#include "weights/tensors.h"

namespace onnxc::lsp {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kId = "onnxc-move-";  // the prefix of the request's id; the name of the file follows

/// Returns the reason why the data cannot be moved out of the text, or "" if they can.
std::string_view WhyNot(const Snapshot& snapshot, const InitializerAt& initializer) {
  if (!snapshot.uri().starts_with("file://")) return "the document is not a file, so it has no folder";
  if (!snapshot.parsed().diagnostics.ok()) return "the text has errors";
  const onnx::TensorProto& tensor = *initializer.tensor;
  if (!weights::CanMoveData(tensor))
    return "the data of the tensor are not in the text, or do not match its type and dimensions";
  if (DataSize(tensor).value_or(0) < kSizeThreshold) return "the tensor is too small, or contains strings";
  if (HasComment(snapshot, initializer.range) || HasRecord(snapshot, initializer.range)) {
    return "a comment or an annotation inside of the tensor would be lost";
  }
  return {};
}

/// Returns the name reduced to letters, digits and a few characters that every file system accepts.
std::string NameOfFile(std::string_view name) {
  constexpr std::size_t kLongest = 100;
  std::string plain;
  for (const char c : name.substr(0, kLongest)) {
    const bool is_plain = (Lower(c) >= 'a' && Lower(c) <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
    plain += is_plain ? c : '_';
  }
  return plain;
}

/// Returns a file name such as `model.w.data` that does not exist in the folder of the document.
std::string FreshFile(const fs::path& document, const std::string& tensor) {
  const std::string begin = fmt::format("{}.{}", NameOfFile(document.stem().string()), NameOfFile(tensor));
  std::string name = begin + ".data";
  std::error_code error;
  for (int i = 1; fs::exists(fs::symlink_status(document.parent_path() / name, error)); ++i) {
    name = fmt::format("{}_{}.data", begin, i);
  }
  return name;
}

/// Returns whether the client can apply the edit safely. It must support versioned edits, because it would apply an
/// edit without a version even if the text has changed in the meantime.
bool CanApply(const Client& client) { return client.applies_edits && client.versioned_edits; }

[[noreturn]] void Fail(std::string_view why) { throw RequestError(ErrorCode::kRequestFailed, std::string(why)); }

void FailWhereWrong(const Diagnostics& found) {
  if (!found.ok()) Fail(found.items().front().message);
}

}  // namespace

Json MoveWeightsAction(const Snapshot& snapshot, std::size_t offset, const Client& client) {
  const std::optional<InitializerAt> found = FindInitializer(snapshot, offset);
  if (!CanApply(client) || !found || !WhyNot(snapshot, *found).empty()) return nullptr;
  const std::string title = fmt::format("Move the data of '{}' to a file", Quoted(found->tensor->name()));
  const Json place = {{"uri", snapshot.uri()}, {"position", snapshot.PositionAt(offset)}};
  return {{"title", title},
          {"kind", "refactor.extract"},
          {"command", {{"title", title}, {"command", kMoveWeights}, {"arguments", {place}}}}};
}

Json MoveWeights(const Workspace& workspace, const Json& place) {
  const auto snapshot = workspace.OpenAt(StringMember(place, "uri"));
  if (!CanApply(workspace.client)) Fail("the editor does not accept versioned changes from the server");
  const auto found = FindInitializer(*snapshot, snapshot->OffsetOf(Member(place, "position")));
  if (!found) Fail("no initializer is at this place");
  if (const std::string_view why = WhyNot(*snapshot, *found); !why.empty()) Fail(why);

  onnx::TensorProto tensor = *found->tensor;
  const std::string name = FreshFile(snapshot->path(), tensor.name());
  PendingFile file;
  FailWhereWrong(SaveExternal(&tensor, {.directory = verdict::FolderOf(snapshot->path()), .file_name = name}, &file));
  const std::string text = InitializerText(tensor);
  if (text.empty()) Fail("the text syntax cannot represent the tensor");
  if (snapshot->is_old()) throw RequestError(ErrorCode::kContentModified, "the text has changed");
  FailWhereWrong(file.Commit());

  const FixIt edit = {found->range, text};
  workspace.SendMessage({{"jsonrpc", "2.0"},
                         {"id", fmt::format("{}{}", kId, name)},
                         {"method", "workspace/applyEdit"},
                         {"params",
                          {{"label", fmt::format("Move data to {}", name)},
                           {"edit", WorkspaceEditOf({&edit, 1}, *snapshot, workspace.client)}}}});
  return {{"file", name}};
}

void TellWhetherMoved(const Workspace& workspace, const Json& response) {
  const Json& id = response["id"];
  if (!id.is_string() || !id.get<std::string>().starts_with(kId)) return;
  const Json& applied = Optional(response, "/result/applied");
  if (applied.is_boolean() && applied.get<bool>()) return;
  const std::string name = id.get<std::string>().substr(kId.size());
  workspace.Tell("window/showMessage", Workspace::MessageType::kWarning,
                 fmt::format("The editor did not change the text, so nothing refers to the new file '{}'.", name));
}

}  // namespace onnxc::lsp
