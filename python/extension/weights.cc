#include "weights.h"

#include <onnxc/external_data.h>
#include <onnxc/file.h>
#include <onnxc/linker.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cli/side_file.h"
#include "files/target.h"
#include "files/write_file.h"
#include "link/library.h"
#include "reading.h"
#include "source/report.h"
#include "weights/weight_files.h"

namespace onnxc::python {
namespace {

ExternalDataOptions DataOptions(const WeightsRequest& request) {
  return {.directory = request.directory, .allow_links = request.allow_links};
}

/// Returns the path of some file in the folder of the input's external data.
std::string InFolder(const WeightsRequest& request) {
  return request.directory.empty() ? "model" : request.directory + "/model";
}

/// Returns the bytes of the message after a call of change(message).
Answer Changed(const Input& input, const std::function<Diagnostics(google::protobuf::Message*)>& change) {
  const TypedMessage message(input);
  Diagnostics found = Read(input, message.get());
  if (found.ok()) found.Append(change(message.get()));
  std::string bytes;
  if (found.ok()) found.Append(Encode(*message, Format::kBinary, &bytes));
  return Finished(std::move(bytes), std::move(found), input);
}

/// Joins the answers about several inputs. The findings are joined only at the end, because each join reads all of
/// them.
class JoinedAnswers {
 public:
  void Add(Answer answer) {
    ok_ = ok_ && answer.ok;
    if (answer.findings.empty()) return;
    std::move(answer.rendered.begin(), answer.rendered.end(), std::back_inserter(rendered_));
    findings_.push_back(std::move(answer.findings));
  }

  [[nodiscard]] bool ok() const { return ok_; }

  /// Returns the joined answer. It has the value if no answer has an error.
  [[nodiscard]] Answer Take(std::string value) {
    return {.ok = ok_, .value = ok_ ? std::move(value) : "", .findings = Findings(), .rendered = std::move(rendered_)};
  }

 private:
  [[nodiscard]] std::string Findings() {
    if (findings_.size() <= 1) return findings_.empty() ? "" : std::move(findings_.front());
    auto all = nlohmann::ordered_json::parse(findings_.front());
    for (std::size_t i = 1; i < findings_.size(); ++i) {
      auto more = nlohmann::ordered_json::parse(findings_[i]);
      for (auto& finding : more["diagnostics"]) all["diagnostics"].push_back(std::move(finding));
      all["suppressed"] = all.value("suppressed", 0) + more.value("suppressed", 0);
    }
    return all.dump();
  }

  bool ok_ = true;
  std::vector<std::string> rendered_;
  std::vector<std::string> findings_;  // as RenderJson() writes them
};

}  // namespace

Answer ElideWeights(const Input& input, const WeightsRequest& request, bool checksums) {
  return Changed(input, [&](google::protobuf::Message* message) {
    const Elision elision = checksums ? Elision::kChecksum : Elision::kNothing;
    return onnxc::ElideWeights(message, elision, request.size_threshold, DataOptions(request));
  });
}

Answer AttachWeights(const Input& input, const WeightsRequest& request, const std::string& file) {
  return Changed(input, [&](google::protobuf::Message* message) {
    return onnxc::AttachWeights(message, file, DataOptions(request));
  });
}

Answer InlineWeights(const Input& input, const WeightsRequest& request) {
  return Changed(input,
                 [&](google::protobuf::Message* message) { return InlineExternal(message, DataOptions(request)); });
}

Answer ExtractWeights(const Input& input, const WeightsRequest& request, const std::string& path,
                      const std::string& name, bool replace) {
  const TypedMessage message(input);
  Diagnostics found = Read(input, message.get());
  // If the input comes from a file, its name is the path of the file.
  const std::string file_name(input.name);
  const std::string source = IsSameFile(file_name, path) ? path : InFolder(request);
  if (const auto wrong = cli::WrongSideFile(name, file_name, path); found.ok() && wrong) {
    found.Add(MakeDiagnostic(diag::kCannotWrite, kNowhere, *wrong));
  }
  WeightFiles weights;
  if (found.ok()) AddWeightFiles(*message, source, &weights);
  SaveExternalOptions options =
      cli::SaveOptionsFor({.name = name, .size_threshold = request.size_threshold}, DataOptions(request), path);
  options.replace = replace;
  PendingFile file;
  if (found.ok()) found.Append(SaveExternal(message.get(), options, &file));
  std::string bytes;
  if (found.ok()) found.Append(Encode(*message, FormatOfSuffix(path).value_or(Format::kBinary), &bytes));
  if (!found.ok()) return Finished({}, std::move(found), input);
  const std::string_view all = bytes;
  Written written = TryToWriteFile(path, {&all, 1}, &file, &weights);
  Answer answer = Finished({}, std::move(written.found), input);
  answer.error = written.error;
  return answer;
}

Answer LinkFunctions(const Input& input, const std::vector<Input>& libraries) {
  onnx::ModelProto model;
  SourceMap places;
  Diagnostics found = Read(input, &model, &places);
  if (!found.ok()) return Finished({}, std::move(found), input);
  JoinedAnswers answers;
  std::vector<LinkInput> read;
  read.reserve(libraries.size());  // the source maps refer to the messages, so the inputs must not move in memory
  for (const Input& library : libraries) {
    LinkInput& next = read.emplace_back(LinkInput{Named(library), {}, {}});
    answers.Add(Finished({}, ReadFunctions({}, &next), library));
  }
  if (!answers.ok()) return answers.Take({});
  std::unordered_map<const char*, const Input*> library_of_text;
  for (const Input& library : libraries) library_of_text.emplace(library.bytes.data(), &library);
  const SourceText source = Named(input);
  for (SourceFindings& findings : Link(&model, source, places, read)) {
    const auto library = library_of_text.find(findings.source.text().data());
    answers.Add(
        Finished({}, std::move(findings.diagnostics), library == library_of_text.end() ? input : *library->second));
  }
  if (!answers.ok()) return answers.Take({});
  std::string bytes;
  answers.Add(Finished({}, Encode(model, Format::kBinary, &bytes), input));
  return answers.Take(std::move(bytes));
}

}  // namespace onnxc::python
