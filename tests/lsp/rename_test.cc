// A rename changes the name and nothing else.
#include <gtest/gtest.h>
#include <onnxc/parser.h>

#include <map>
#include <random>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "lsp/right_texts.h"
#include "symbols/tokens.h"

namespace onnxc::lsp::rename_test {
namespace {

/// Gives new names to all names of a model that can be renamed, in the order in which they appear.
class AlphaRenaming {
 public:
  static std::string Of(const std::string& text) {
    onnx::ModelProto model;
    if (!Parse(text, &model, {.tell_functions_apart = true}).ok()) return "does not parse: " + text;
    AlphaRenaming renaming;
    for (onnx::FunctionProto& function : *model.mutable_functions()) renaming.Declare(&function);
    if (model.has_graph()) {
      renaming.Begin("");
      renaming.Rename(model.mutable_graph());
    }
    for (onnx::FunctionProto& function : *model.mutable_functions()) renaming.Rename(&function);
    return model.SerializeAsString();
  }

 private:
  using Names = std::map<std::string, std::string, std::less<>>;

  static void New(Names* names, std::string* name) {
    if (!name->empty()) *name = names->try_emplace(*name, "new" + std::to_string(names->size())).first->second;
  }

  void Begin(std::string function) {
    scopes_.assign(1, {});
    dimensions_.clear();
    function_ = std::move(function);
  }

  /// A value of a graph has its new name in this graph, and in its subgraphs.
  void Define(std::string* name) { New(&scopes_.back(), name); }
  void Use(std::string* name) {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      if (const auto found = scope->find(*name); found != scope->end()) return void(*name = found->second);
    }
    Define(name);
  }

  static std::string IdOf(const std::string& domain, const std::string& name, const std::string& overload) {
    return domain + "\n" + name + "\n" + overload;
  }
  void Declare(onnx::FunctionProto* function) {
    const std::string id = IdOf(function->domain(), function->name(), function->overload());
    functions_.try_emplace(id, "function" + std::to_string(functions_.size()));
    for (std::string& name : *function->mutable_attribute()) New(&attributes_[id], &name);
    for (auto& attribute : *function->mutable_attribute_proto()) {
      New(&attributes_[id], attribute.mutable_name());
      if (!attribute.ref_attr_name().empty()) New(&attributes_[id], attribute.mutable_ref_attr_name());
    }
  }

  void Rename(onnx::FunctionProto* function) {
    Begin(IdOf(function->domain(), function->name(), function->overload()));
    for (std::string& name : *function->mutable_input()) Define(&name);
    Rename(function->mutable_node());
    for (std::string& name : *function->mutable_output()) Use(&name);
    for (onnx::ValueInfoProto& value : *function->mutable_value_info()) Rename(&value);
    function->set_name(functions_[function_]);
  }

  void Rename(onnx::GraphProto* graph) {
    for (onnx::ValueInfoProto& value : *graph->mutable_input()) {
      Define(value.mutable_name());
      Rename(value.mutable_type());
    }
    for (onnx::TensorProto& tensor : *graph->mutable_initializer()) Define(tensor.mutable_name());
    for (onnx::SparseTensorProto& tensor : *graph->mutable_sparse_initializer()) {
      Define(tensor.mutable_values()->mutable_name());
    }
    Rename(graph->mutable_node());
    for (onnx::ValueInfoProto& value : *graph->mutable_output()) Rename(&value);
    for (onnx::ValueInfoProto& value : *graph->mutable_value_info()) Rename(&value);
  }

  void Rename(onnx::ValueInfoProto* value) {
    Use(value->mutable_name());
    if (value->has_type()) Rename(value->mutable_type());
  }

  // Renames dimensions in any message.
  void Rename(google::protobuf::Message* message) {
    if (auto* dim = dynamic_cast<onnx::TensorShapeProto::Dimension*>(message)) {
      if (dim->has_dim_param()) New(&dimensions_, dim->mutable_dim_param());
      return;
    }
    std::vector<const google::protobuf::FieldDescriptor*> fields;
    const auto* const reflection = message->GetReflection();
    reflection->ListFields(*message, &fields);
    for (const auto* field : fields) {
      if (field->cpp_type() != google::protobuf::FieldDescriptor::CPPTYPE_MESSAGE) continue;
      if (!field->is_repeated()) Rename(reflection->MutableMessage(message, field));
      for (int i = 0; field->is_repeated() && i < reflection->FieldSize(*message, field); ++i) {
        Rename(reflection->MutableRepeatedMessage(message, field, i));
      }
    }
  }

  // Renames the results of all nodes first, because the order of nodes must not matter.
  void Rename(google::protobuf::RepeatedPtrField<onnx::NodeProto>* nodes) {
    for (onnx::NodeProto& node : *nodes) {
      for (std::string& name : *node.mutable_output()) Define(&name);
    }
    for (onnx::NodeProto& node : *nodes) {
      for (std::string& name : *node.mutable_input()) Use(&name);
      const std::string id = IdOf(node.domain(), node.op_type(), node.overload());
      const auto function = functions_.find(id);
      if (function != functions_.end()) node.set_op_type(function->second);
      for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
        if (function != functions_.end()) New(&attributes_[id], attribute.mutable_name());
        if (!attribute.ref_attr_name().empty()) New(&attributes_[function_], attribute.mutable_ref_attr_name());
        if (!attribute.has_g()) continue;
        scopes_.emplace_back();
        Rename(attribute.mutable_g());
        scopes_.pop_back();
      }
    }
  }

  std::map<std::string, std::string> functions_;
  std::map<std::string, Names> attributes_;  // of functions
  std::vector<Names> scopes_;                // of values
  Names dimensions_;
  std::string function_;  // the message that encloses the part that is being renamed
};

// Renames each name at each place where it appears.
TEST(Rename, ChangesNothingButTheName) {
  constexpr const char* kNames[] = {"renamed", "float", "seq", "a name", "nan", "7", "Relu", "a\"b", "é"};
  std::mt19937 random(32);  // NOLINT(cert-msc51-cpp): a fixed seed, so that the names are the same each time
  std::size_t made = 0;
  for (const std::string& text : RightTexts()) {
    RightText document(text);
    const std::string before = AlphaRenaming::Of(text);
    for (const TextToken& token : TokensIn(text, {0, text.size()})) {
      if (token.kind == TokenKind::kMark) continue;
      const char* const name = kNames[random() % std::size(kNames)];
      const Json edit =
          document.Ask("textDocument/rename", {token.range.begin, token.range.begin}, {{"newName", name}});
      if (!edit.contains("changes")) continue;  // the rename is refused, or there is no name
      ++made;
      const std::string after = document.AfterEdit(edit);
      EXPECT_EQ(AlphaRenaming::Of(after), before)
          << "'" << document.text().substr(token.range.begin, 10) << "' to " << name << "\n"
          << text << "\n==>\n"
          << after;
    }
  }
  EXPECT_GT(made, 500u);
  RecordProperty("renames", static_cast<int>(made));
}

}  // namespace
}  // namespace onnxc::lsp::rename_test
