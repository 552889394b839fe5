#include "link/library.h"

#include <fmt/format.h>
#include <onnxc/file.h>
#include <onnxc/model_io.h>

#include <cstring>
#include <filesystem>
#include <utility>

#include "check/functions.h"
#include "external/external_entries.h"
#include "external/folder.h"
#include "source/nodes.h"
#include "source/report.h"
#include "tables/signatures.h"

namespace onnxc {
namespace {

Diagnostics Unreadable(const std::string& why) { return Only(MakeDiagnostic(diag::kCannotRead, kNowhere, why)); }

}  // namespace

Diagnostics ReadFunctions(ParseOptions parse, LinkInput* library) {
  const std::string_view bytes = library->source.text();
  Diagnostics found = RefuseOldSchema(bytes, Kind::kModel);
  if (!found.ok()) return found;
  parse.source_map_out = &library->places;
  parse.tell_functions_apart = true;
  found = Decode(bytes, DetectFormat(bytes, library->source.name(), Kind::kModel), &library->message, parse);
  if (found.ok() && library->message.functions().empty()) found.Add(MakeDiagnostic(diag::kNoFunctions, kNowhere));
  return found;
}

Diagnostics ReadLibrary(const std::string& path, ParseOptions parse, LinkInput* library) {
  const Diagnostics found = ReadFile(path, &library->source, parse.max_bytes);
  return found.ok() ? ReadFunctions(parse, library) : found;
}

Diagnostics ReadLibraryIn(const std::string& folder, const std::string& path, ParseOptions parse, LinkInput* library) {
  const std::string name = (std::filesystem::path(folder) / path).lexically_normal().string();
  library->source = SourceText(name, "");
  const OpenedFile opened = OpenInFolder(folder, path, Links::kInside);
  if (opened.file == nullptr) return Unreadable(fmt::format("it {}", opened.problem));
  if (opened.file->size() > parse.max_bytes) return InputTooLarge(parse.max_bytes, "the input");
  std::string bytes(static_cast<std::size_t>(opened.file->size()), '\0');
  if (const int error = opened.file->Read(0, bytes.data(), bytes.size()); error != 0) {
    return Unreadable(std::strerror(error));
  }
  library->source = SourceText(name, std::move(bytes));
  return ReadFunctions(parse, library);
}

bool CallsOthers(const onnx::ModelProto& model) {
  check::FunctionTable own;
  for (const onnx::FunctionProto& function : model.functions()) own.Add(function);
  bool calls = false;
  ForEachNode(model, [&](const onnx::NodeProto& node) {
    const int domain = FindDomain(NodeDomain(node.domain()));
    calls = calls || (own.Find(node) < 0 && (domain < 0 || FindVersions(domain, node.op_type()).empty()));
  });
  return calls;
}

}  // namespace onnxc
