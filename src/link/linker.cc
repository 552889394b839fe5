#include <fmt/format.h>
#include <onnxc/linker.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "check/declaration.h"
#include "check/findings.h"
#include "check/functions.h"
#include "link/linked_parts.h"
#include "source/meant.h"
#include "source/message_path.h"
#include "source/names.h"
#include "source/nodes.h"
#include "tables/signatures.h"
#include "wire/nesting.h"

namespace onnxc {
namespace {

/// A function or an import, and its place. The model is file 0, and the libraries follow.
template <typename Element>
struct Origin {
  std::size_t file = 0;
  int index = 0;  ///< index among the functions, or among the imports
  const Element* element = nullptr;
  SourceRange range = kNowhere;  ///< in the file's text
  std::string path = {};         ///< in the file's message
};
using FunctionOrigin = Origin<onnx::FunctionProto>;
using ImportOrigin = Origin<onnx::OperatorSetIdProto>;

/// A library function that the model needs, and the node of the model that leads to it.
struct NeededFunction : FunctionOrigin {
  const onnx::NodeProto* call = nullptr;
};

/// The operator set versions at which a function changes its meaning.
class Changes {
 public:
  explicit Changes(const onnx::FunctionProto& function) : function_(function) {}

  /// Returns whether the function has the same meaning if its nodes of `domain` use the operator set version `other`
  /// instead of `ours`.
  [[nodiscard]] bool IsTheSame(std::string_view domain, std::int64_t ours, std::int64_t other) {
    if (ours == other) return true;
    const int known = FindDomain(domain);
    if (known < 0) return false;
    const std::set<std::int64_t>& versions = Of(known);
    return versions.upper_bound(std::min(ours, other)) == versions.upper_bound(std::max(ours, other));
  }

 private:
  /// Returns the versions at which one of the function's operators of the domain changed. The nodes are inspected only
  /// once for each domain.
  const std::set<std::int64_t>& Of(int domain) {
    const auto made = versions_.try_emplace(domain);
    std::set<std::int64_t>& versions = made.first->second;
    if (!made.second) return versions;
    ForEachNode(function_, [&](const onnx::NodeProto& node) {
      if (FindDomain(NodeDomain(node.domain())) != domain) return;
      for (const Operator& op : FindVersions(domain, node.op_type())) versions.insert(op.since);
    });
    return versions;
  }

  const onnx::FunctionProto& function_;
  std::map<int, std::set<std::int64_t>> versions_;  // the versions of each domain
};

class Linker {
 public:
  Linker(onnx::ModelProto* model, const SourceText& source, const SourceMap& places,
         const std::vector<LinkInput>& libraries, Adding adding)
      : model_(model), adding_(adding) {
    files_.push_back({source, places, *model});
    for (std::size_t i = 0; i < libraries.size(); ++i) {
      const LinkInput& library = libraries[i];
      if (library.source.name() == source.name()) continue;
      files_.push_back({library.source, library.places, library.message, i});
    }
    found_.resize(files_.size());
  }

  std::vector<SourceFindings> Run(LinkedParts* linked) {
    for (std::size_t file = 0; file < files_.size(); ++file)
      found_[file].Append(wire::CheckNesting(files_[file].message));
    if (std::ranges::any_of(found_, [](const Diagnostics& found) { return !found.ok(); })) return Findings();
    for (std::size_t file = 0; file < files_.size(); ++file) Define(file);
    ForEachNode(*model_, [&](const onnx::NodeProto& node) { Need(node, 0, &node); });
    for (std::size_t i = 0; i < needed_.size(); ++i) {  // the list grows during the loop
      const NeededFunction caller = needed_[i];
      ForEachNode(*caller.element, [&](const onnx::NodeProto& node) { Need(node, caller.file, caller.call); });
    }
    std::ranges::sort(needed_, {}, [](const FunctionOrigin& needed) { return std::pair(needed.file, needed.index); });
    TakeModelImports();
    for (const FunctionOrigin& function : needed_) TakeImports(function);
    if (ok_) *linked = Join();
    return Findings();
  }

 private:
  struct File {
    const SourceText& source;
    const SourceMap& places;
    const onnx::ModelProto& message;
    std::size_t library = 0;  // its index in the list of libraries
  };

  void Define(std::size_t file) {
    const File& in = files_[file];
    for (int i = 0; i < in.message.functions_size(); ++i) {
      const onnx::FunctionProto& function = in.message.functions(i);
      if (file != 0 && check::IsDeclaration(function)) continue;  // it has no body that could be added
      FunctionOrigin origin{file, i, &function};
      const SourceRange* range = in.places.Find(function, onnx::FunctionProto::kNameFieldNumber);
      if (range != nullptr) origin.range = *range;
      const Place root{in.message};
      origin.path = PathOf(root.Child(function, onnx::ModelProto::kFunctionsFieldNumber, i));
      definitions_[FunctionKey(function)].push_back(std::move(origin));
      if (file != 0) names_[NodeDomain(function.domain())].push_back(function.name());
    }
  }

  /// Reports a node of `file` whose operator has no definition, if a library defines other functions of the same
  /// domain. Operators that a runtime may define are not reported.
  void ReportUnknown(const onnx::NodeProto& node, std::size_t file) {
    const auto library = names_.find(NodeDomain(node.domain()));
    if (library == names_.end() || FindDomain(library->first) >= 0 || check::IsOfOthers(library->first)) return;
    if (!HasRoom(file)) return;
    const SourceRange* const range = files_[file].places.Find(node, onnx::NodeProto::kOpTypeFieldNumber);
    const std::string name = check::CalledName(node.op_type(), node.overload());
    Diagnostic diagnostic = MakeDiagnostic(diag::kUnknownFunction, range == nullptr ? kNowhere : *range,
                                           Quoted(node.domain()), Quoted(name));
    const Meant meant = MeantName(node.op_type(), library->second);
    diagnostic.message += Suggestion(node.op_type(), meant);
    if (meant.is_sure && range != nullptr && node.overload().empty()) {
      if (auto fix_it = check::Respell(*range, node.op_type(), meant.name)) diagnostic.fix_its = {*std::move(fix_it)};
    }
    found_[file].Add(std::move(diagnostic));
  }

  /// Adds to `needed_` the library function that a node of `file` calls, if there is one. `call` is the node of the
  /// model that leads to this node, or is this node.
  void Need(const onnx::NodeProto& node, std::size_t file, const onnx::NodeProto* call) {
    const auto found = definitions_.find(FunctionKey(node));
    if (found == definitions_.end()) return ReportUnknown(node, file);
    const std::vector<FunctionOrigin>& origins = found->second;
    if (!seen_.insert(&origins).second) return;
    const std::string first = origins.size() > 1 ? origins[0].element->SerializeAsString() : std::string();
    for (std::size_t i = 1; i < origins.size(); ++i) {
      if (origins[i].file == 0 || origins[i].element->SerializeAsString() == first)
        continue;  // reported by the checker
      Report(diag::kDuplicateDefinition, origins[i], origins[0], check::ShownId(*origins[i].element));
    }
    if (origins[0].file != 0) needed_.push_back({origins[0], call});
  }

  // ---- imports

  template <typename Proto>
  ImportOrigin OriginOf(std::size_t file, const Proto& importer, int index, const Place& place) {
    ImportOrigin origin{file, index, &importer.opset_import(index)};
    const SourceRange* range = files_[file].places.Find(*origin.element);
    if (range != nullptr) origin.range = *range;
    origin.path = PathOf({place, Proto::kOpsetImportFieldNumber, index});
    return origin;
  }

  void TakeModelImports() {
    for (int i = 0; i < model_->opset_import_size(); ++i) {
      const std::string_view domain = NodeDomain(model_->opset_import(i).domain());
      imports_.insert_or_assign(domain, OriginOf(0, *model_, i, Place{*model_}));
    }
  }

  void TakeImports(const FunctionOrigin& origin) {
    const onnx::FunctionProto& function = *origin.element;
    const Place root{files_[origin.file].message};
    const Place place = root.Child(function, onnx::ModelProto::kFunctionsFieldNumber, origin.index);
    Changes changes(function);
    for (int i = 0; i < function.opset_import_size(); ++i) {
      const onnx::OperatorSetIdProto& import = function.opset_import(i);
      const std::string_view domain = NodeDomain(import.domain());
      ImportOrigin here = OriginOf(origin.file, function, i, place);
      const auto [other, is_new] = imports_.try_emplace(domain, here);
      if (is_new) {
        new_imports_.push_back(&import);
        linked_imports_.push_back({files_[origin.file].library, origin.index, i});
      } else if (!changes.IsTheSame(domain, import.version(), other->second.element->version())) {
        Report(diag::kOpsetConflict, here, other->second, check::ShownId(function), import.version(), Quoted(domain),
               other->second.element->version());
      }
    }
  }

  // ---- results

  LinkedParts Join() {
    LinkedParts linked{model_->functions_size(), model_->opset_import_size(), {}, std::move(linked_imports_)};
    for (const onnx::OperatorSetIdProto* import : new_imports_) Add(*import, model_->mutable_opset_import());
    for (const NeededFunction& function : needed_) {
      Add(*function.element, model_->mutable_functions());
      linked.functions.push_back({files_[function.file].library, function.index, function.call});
      const std::string_view domain = NodeDomain(function.element->domain());
      if (!imports_.try_emplace(domain, ImportOrigin{}).second) continue;
      // Adds an import for a domain that the calls need and nothing imports.
      onnx::OperatorSetIdProto* import = model_->add_opset_import();
      import->set_domain(function.element->domain());
      import->set_version(1);
    }
    return linked;
  }

  template <typename Element>
  void Add(const Element& element, google::protobuf::RepeatedPtrField<Element>* list) {
    if (adding_ == Adding::kCopies) {
      *list->Add() = element;
    } else {
      list->UnsafeArenaAddAllocated(const_cast<Element*>(&element));  // nobody changes it
    }
  }

  template <typename Element, typename... Args>
  void Report(const DiagnosticBase<Args...>& kind, const Origin<Element>& blamed, const Origin<Element>& other,
              std::type_identity_t<Args>... args) {
    if (!HasRoom(blamed.file)) return;
    const SourceText& text = files_[other.file].source;
    Diagnostic diagnostic = MakeDiagnostic(kind, blamed.range, args...);
    if (blamed.range == kNowhere) diagnostic.path = blamed.path;
    if (other.range == kNowhere) {
      diagnostic.message += fmt::format("; see {}: {}", Quoted(text.name()), other.path);
    } else if (other.file == blamed.file) {
      diagnostic.notes.push_back({other.range, "the other one is here"});
    } else {
      const SourcePosition at = text.PositionAt(other.range.begin);
      diagnostic.message += fmt::format("; see {}:{}:{}", Quoted(text.name()), at.line, at.column);
    }
    found_[blamed.file].Add(std::move(diagnostic));
  }

  /// Counts an error in a file. Returns false if the limit of reported errors is reached. The limit is needed because
  /// looking up the line of each error takes time linear in the text.
  bool HasRoom(std::size_t file) {
    ok_ = false;
    constexpr std::size_t kMost = 100;  // the number of findings for each file
    if (found_[file].items().size() < kMost) return true;
    Suppress(Severity::kError, &found_[file]);
    return false;
  }

  std::vector<SourceFindings> Findings() {
    std::vector<SourceFindings> findings;
    for (std::size_t file = 0; file < files_.size(); ++file) {
      if (!found_[file].empty()) findings.push_back({files_[file].source, std::move(found_[file])});
    }
    return findings;
  }

  onnx::ModelProto* model_;
  Adding adding_;
  std::vector<File> files_;
  std::vector<Diagnostics> found_;  // the findings of each file
  bool ok_ = true;
  FunctionMap<std::vector<FunctionOrigin>> definitions_;
  NameMap<std::vector<std::string_view>> names_;       // names of the functions of all libraries, by domain
  std::set<const std::vector<FunctionOrigin>*> seen_;  // those of `definitions_` that are called
  std::vector<NeededFunction> needed_;                 // functions of libraries that are added
  NameMap<ImportOrigin> imports_;
  std::vector<const onnx::OperatorSetIdProto*> new_imports_;
  std::vector<LinkedImport> linked_imports_;  // where each of them is
};

}  // namespace

std::vector<SourceFindings> Link(onnx::ModelProto* model, const SourceText& source, const SourceMap& places,
                                 const std::vector<LinkInput>& libraries) {
  LinkedParts ignored;
  return Link(model, source, places, libraries, Adding::kCopies, &ignored);
}

std::vector<SourceFindings> Link(onnx::ModelProto* model, const SourceText& source, const SourceMap& places,
                                 const std::vector<LinkInput>& libraries, Adding adding, LinkedParts* linked) {
  return Linker(model, source, places, libraries, adding).Run(linked);
}

}  // namespace onnxc
