// Prints functions.
#include "print/lossless/printer.h"
#include "source/plain_node.h"
#include "syntax/words.h"

namespace onnxc::print {
namespace {

using Function = onnx::FunctionProto;

/// The fields that are written after the header.
constexpr FieldSet kItself =
    Fields(Function::kNameFieldNumber, Function::kInputFieldNumber, Function::kOutputFieldNumber,
           Function::kAttributeFieldNumber, Function::kAttributeProtoFieldNumber, Function::kNodeFieldNumber,
           Function::kValueInfoFieldNumber);

}  // namespace

void LosslessPrinter::Whole(const onnx::FunctionProto& function) {
  scope_ = ChooseScope(function);
  const Rest rest = FunctionRest(function);
  Top(scope_, rest);
  Function(function, {});
}

// Returns only clauses and no fields, because all fields that are not in kItself are written in the header.
LosslessPrinter::Rest LosslessPrinter::FunctionRest(const onnx::FunctionProto& function) {
  Rest rest;
  VisitRows(function, [&](Row row, bool written, bool present, bool is_default) {
    AddRow(row, written, present, is_default, &rest);
  });
  return rest;
}

bool LosslessPrinter::IsNative(const onnx::FunctionProto& function) { return !FunctionRest(function).needs_pragma; }

void LosslessPrinter::Function(const onnx::FunctionProto& function, const Rest& rest) {
  Before(function, rest, Style::kLines);
  if (!IsWhole(function, kItself)) {
    Header(function, kItself);
    out_.NewLine();
  }
  int next_value = 0;
  ValueName(function.name());
  FormalAttributes(function);
  out_.Put(' ');
  Parameters(function.input(), function.value_info(), &next_value);
  out_.Put(" => ");
  Parameters(function.output(), function.value_info(), &next_value);
  out_.Put(' ');
  if (next_value < function.value_info_size()) {
    bool first = true;
    out_.Put('<');
    for (int i = next_value; i < function.value_info_size(); ++i) {
      out_.BlockMember(&first, [&] { ValueInfo(function.value_info(i)); });
    }
    out_.NewLine();
    out_.Put("> ");
  }
  Body(function, Elements(function.node()));
}

void LosslessPrinter::FormalAttributes(const onnx::FunctionProto& function) {
  if (function.attribute().empty() && function.attribute_proto().empty()) return;
  const auto name = [&](const std::string& value) { out_.Name(value); };
  const auto attribute = [&](const onnx::AttributeProto& value) { Attribute(value); };
  const bool has_graph = std::ranges::any_of(function.attribute_proto(), HoldsGraphs);
  out_.Put(' ');
  Lines('<', '>', has_graph ? ListStyle::kBlock : ListStyle::kFill, [&](bool block) {
    bool first = true;
    out_.Members(function.attribute(), block, &first, name);
    out_.Members(function.attribute_proto(), block, &first, attribute);
  });
}

// A type before a parameter's name is read as a separate value info, first for the inputs, then for the outputs. So a
// parameter gets a type only if the next value info has its name, which keeps the order of the value infos.
void LosslessPrinter::Parameters(const Repeated<std::string>& names, const Repeated<onnx::ValueInfoProto>& values,
                                 int* next_value) {
  const auto parameter = [&](const std::string& name) {
    if (*next_value < values.size()) {
      const onnx::ValueInfoProto& value = values[*next_value];
      if (value.name() == name && value.has_type() && IsNative(value.type()) && ValueRest(value).IsEmpty() &&
          IsWhole(value.type(), kCarried<onnx::TypeProto>)) {
        ++*next_value;
        return ValueInfo(value);
      }
    }
    ValueName(name);
  };
  Lines('(', ')', ListStyle::kOneEach, [&, start = *next_value](bool block) {
    bool first = true;
    *next_value = start;
    out_.Members(names, block, &first, parameter);
  });
}

}  // namespace onnxc::print
