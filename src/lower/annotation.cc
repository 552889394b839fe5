#include "lower/annotation.h"

#include <algorithm>

#include "lower/field.h"
#include "lower/literal.h"
#include "syntax/parse.h"

namespace onnxc::lower {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

// Returns the message that contains the last field of a path. If a step of the path does not exist, reports this and
// returns null. The path to a field of a value's type may omit the leading `type.`.
Message* Follow(const std::vector<const SyntaxToken*>& path, Lowering& lowering, Message* message) {
  const auto* first = message->GetDescriptor()->FindFieldByName(NameOf(*path.front()));
  const auto* type = message->GetDescriptor()->FindFieldByName("type");
  if (first == nullptr && path.front()->text != kUnknownFields && type != nullptr && type->message_type() != nullptr &&
      type->message_type()->FindFieldByName(NameOf(*path.front())) != nullptr) {
    message = message->GetReflection()->MutableMessage(message, type);
  }
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const auto* step = message->GetDescriptor()->FindFieldByName(NameOf(*path[i]));
    if (step == nullptr || step->is_repeated() || step->message_type() == nullptr) {
      const std::size_t unknown = step == nullptr ? i : i + 1;
      lowering.Report(diag::kUnknownField, path[unknown]->range(),
                      step == nullptr ? message->GetDescriptor()->name() : step->name(), Quoted(path[unknown]->text));
      return nullptr;
    }
    message = message->GetReflection()->MutableMessage(message, step);
  }
  return message;
}

// Returns whether another field of the oneof that contains `field` is set. Setting `field` would delete the value of
// that other field.
bool IsOtherOfOneof(const Message& message, const FieldDescriptor* field) {
  const auto* oneof = field->real_containing_oneof();
  return oneof != nullptr && message.GetReflection()->HasOneof(message, oneof) &&
         !message.GetReflection()->HasField(message, field);
}

std::string_view Trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") + 1 - first);
}

}  // namespace

void Annotations::Read(const Context* element, Part part) {
  found_ = std::make_unique<Found>();
  found_->outer_clauses = lowering_.clauses_.size();
  found_->outer_is_raw = lowering_.is_raw_;
  const auto child = [&](std::size_t i) {
    return i < element->children.size() ? static_cast<const Context*>(element->children[i]) : nullptr;
  };
  const auto add = [&](const Context* path, const Context* value) {
    found_->fields.push_back(
        {static_cast<const Grammar::PathContext*>(path), static_cast<const Grammar::FieldValueContext*>(value)});
  };
  bool is_behind_header = false;
  for (std::size_t i = 0; child(i) != nullptr; ++i) {
    const std::size_t rule = child(i)->getRuleIndex();
    if (rule == Grammar::RuleHeader) {
      if (part == Part::kBeforeHeader) break;
      is_behind_header = true;
    } else if (part == Part::kBehindHeader && !is_behind_header && rule == Grammar::RuleAnnotation) {
      continue;
    } else if (rule == Grammar::RuleAnnotation && First(child(i)).type == Grammar::PRAGMA) {
      EnterPragma(First(child(i)));
    } else if (rule == Grammar::RuleAnnotation) {
      add(static_cast<const Context*>(child(i)->children[0]), static_cast<const Context*>(child(i)->children[1]));
    } else if (rule == Grammar::RulePath && child(i + 1) != nullptr) {  // the first annotation in an attribute's value
      add(child(i), child(i + 1));
      ++i;
    } else {
      break;
    }
  }
}

void Annotations::Leave() {
  lowering_.clauses_.resize(found_->outer_clauses);
  lowering_.is_raw_ = found_->outer_is_raw;
}

// Reads `# onnxc: clause, clause`.
void Annotations::EnterPragma(const SyntaxToken& pragma) {
  std::size_t at = pragma.text.find(':') + 1;
  while (at <= pragma.text.size()) {
    const std::size_t end = std::min(pragma.text.find(',', at), pragma.text.size());
    const std::string_view clause = Trimmed(pragma.text.substr(at, end - at));
    const std::size_t offset = clause.empty() ? at : static_cast<std::size_t>(clause.data() - pragma.text.data());
    EnterClause(clause, {pragma.begin + offset, pragma.begin + offset + clause.size()});
    at = end + 1;
  }
}

void Annotations::EnterClause(std::string_view clause, SourceRange range) {
  if (clause == "raw" || clause == "typed") {
    lowering_.is_raw_ = clause == "raw";
    return;
  }
  if (clause == "functions" || clause == "model") {
    found_->content = Found::ContentClause{clause == "model" ? Content::kModel : Content::kFunctions, clause, range};
    return;
  }
  const std::size_t blank = std::min(clause.find(' '), clause.size());
  const std::string_view verb = clause.substr(0, blank);
  const std::string_view name = Trimmed(clause.substr(blank));
  if (verb != "set" && verb != "unset") {
    return lowering_.Report(diag::kUnknownPragma, range, Quoted(clause));
  }
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos) return found_->own.push_back({verb == "set", name, range});
  const Descriptor* type =
      onnx::ModelProto::descriptor()->file()->FindMessageTypeByName(std::string(name.substr(0, dot)));
  const FieldDescriptor* field = type == nullptr ? nullptr : type->FindFieldByName(std::string(name.substr(dot + 1)));
  if (field == nullptr || field->is_repeated() || field->containing_oneof() != nullptr) {
    return lowering_.Report(diag::kUnknownPragma, range, Quoted(clause));
  }
  // A clause replaces an earlier one for the same field of the same element, so there are never more clauses than
  // fields.
  const auto same = std::find_if(lowering_.clauses_.begin() + static_cast<std::ptrdiff_t>(found_->outer_clauses),
                                 lowering_.clauses_.end(), [&](const auto& other) { return other.field == field; });
  if (same != lowering_.clauses_.end()) lowering_.clauses_.erase(same);
  lowering_.clauses_.push_back({verb == "set", field, nullptr});
}

// annotation : '@' path fieldValue | PRAGMA
void Annotations::SetFields(Message* message) {
  if (const auto& content = found_->content) {
    lowering_.Report(diag::kUnknownPragma, content->range, content->word);
  }
  for (const Field& field : found_->fields) {
    std::vector<const SyntaxToken*> path;
    for (const SyntaxToken& token : TokensOf(field.path)) {
      if (token.type != Grammar::DOT) path.push_back(&token);
    }
    if (Message* owner = Follow(path, lowering_, message)) BuildField(*path.back(), field.value, lowering_, owner);
  }
}

void Annotations::FinishRecord(Message* message) {
  if (found_ == nullptr) return;
  SetFields(message);
  for (const OwnClause& clause : found_->own) {
    lowering_.Report(diag::kPragmaOnRecord, clause.range, clause.field);
  }
}

void Annotations::FinishAnnotated(Message* message) {
  SetFields(message);
  if (found_->own.empty()) return lowering_.Finish(message);
  const std::size_t clauses = lowering_.clauses_.size();
  for (const OwnClause& clause : found_->own) {
    const FieldDescriptor* field = message->GetDescriptor()->FindFieldByName(std::string(clause.field));
    if (field != nullptr && clause.set && IsOtherOfOneof(*message, field)) {
      lowering_.Report(diag::kFieldSetTwice, clause.range, field->containing_oneof()->name());
    } else if (field == nullptr || field->is_repeated()) {
      lowering_.Report(diag::kUnknownField, clause.range, message->GetDescriptor()->name(), Quoted(clause.field));
    } else {
      lowering_.clauses_.push_back({clause.set, field, this});
    }
  }
  lowering_.ApplyClauses(message, this);
  lowering_.clauses_.resize(clauses);
}

void Annotations::DropOwn() {
  if (found_ == nullptr) return;
  found_->own.clear();
  found_->fields.clear();
}

}  // namespace onnxc::lower
