#include <fmt/format.h>
#include <onnxc/operators.h>

#include <algorithm>
#include <utility>

#include "check/declaration.h"
#include "check/functions.h"
#include "source/operator_table.h"
#include "wire/nesting.h"

namespace onnxc {
namespace {

/// Finds the lines of places in a text. The places must be requested in order.
class Lines {
 public:
  explicit Lines(const LinkInput& file) : file_(file) {}

  /// Returns where the operator is declared: a line of a text, or a part of a message.
  std::string PlaceOf(const onnx::FunctionProto& function, const Place& place) {
    const std::string name = Quoted(file_.source.name());
    const SourceRange* const range = file_.places.Find(function, onnx::FunctionProto::kNameFieldNumber);
    const std::string_view text = file_.source.text();
    if (range == nullptr || range->begin < at_ || range->begin > text.size()) {
      return fmt::format("{}: {}", name, PathOf(place));
    }
    line_ += std::ranges::count(text.substr(at_, range->begin - at_), '\n');
    at_ = range->begin;
    return fmt::format("{}:{}", name, line_);
  }

 private:
  const LinkInput& file_;
  std::size_t at_ = 0;
  std::ptrdiff_t line_ = 1;
};

void ReadFile(const LinkInput& file, DeclaredOperators* operators, check::Findings* findings) {
  const Place root{file.message};
  Lines lines(file);
  for (int i = 0; i < file.message.functions_size(); ++i) {
    const onnx::FunctionProto& function = file.message.functions(i);
    const Place place = root.Child(function, onnx::ModelProto::kFunctionsFieldNumber, i);
    auto declared = check::ReadDeclaration(function, place, findings);
    if (!declared) continue;
    const std::string name = check::ShownId(function);
    const Spot spot(place, onnx::FunctionProto::kNameFieldNumber);
    if (!OperatorTable().FindVersions(declared->definition.domain, function.name()).empty()) {
      findings->Report(diag::kOperatorTwice, spot, name, "it is built in");
      continue;
    }
    declared->definition.where = lines.PlaceOf(function, place);
    const Operator row = declared->row;
    if (const auto* const other = operators->Add(std::move(declared->definition), row)) {
      findings->Report(diag::kOperatorTwice, spot, name, "see " + other->where);
    }
  }
}

}  // namespace

Operators Operators::From(std::vector<LinkInput> files, std::vector<SourceFindings>* found) {
  Operators operators;
  const auto made = std::make_shared<DeclaredOperators>();
  made->files = std::move(files);
  for (const LinkInput& file : made->files) {
    Diagnostics problems = wire::CheckNesting(file.message);
    if (problems.ok()) {
      const CheckOptions options{.source_map = &file.places};
      check::Findings findings(options);
      ReadFile(file, made.get(), &findings);
      problems.Append(std::move(findings).Finish());
    }
    if (!problems.empty()) found->push_back({file.source, std::move(problems)});
  }
  made->Finish();
  operators.declared_ = made;
  return operators;
}

}  // namespace onnxc
