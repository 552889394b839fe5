// Prints functions. In addition to the output of the reference's printer, it prints default values, the documentation,
// and the types of values.
#include "print/reference/printer.h"
#include "syntax/words.h"

namespace onnxc::print {

void Printer::Function(const onnx::FunctionProto& function) {
  FunctionHeader(function);
  out_.Name(function.name());
  out_.Put(' ');
  FunctionAttributes(function);
  int next_value = 0;
  out_.Put('(');
  Parameters(function.input(), function.value_info(), &next_value);
  out_.Put(") => (");
  Parameters(function.output(), function.value_info(), &next_value);
  out_.Put(')');
  if (next_value < function.value_info_size()) {
    out_.Put(" \n");
    out_.Indent();
    out_.Put('<');
    ValueInfos(Elements(function.value_info()), "value_info", next_value);
    out_.Put('>');
  }
  out_.Put('\n');
  Body(Elements(function.node()));
}

void Printer::FunctionHeader(const onnx::FunctionProto& function) {
  out_.Put("<\n  domain: ");
  out_.String(function.domain());
  if (!function.overload().empty()) {
    out_.Put(",\n  overload: ");
    out_.String(function.overload());
  }
  out_.Put(",\n  opset_import: ");
  OpsetImports(function.opset_import(), ",");
  if (!function.doc_string().empty()) {
    out_.Put(",\n  doc_string: ");
    out_.String(function.doc_string());
  }
  Others(function);
  out_.Put("\n>\n");
}

void Printer::FunctionAttributes(const onnx::FunctionProto& function) {
  if (function.attribute().empty() && function.attribute_proto().empty()) return;
  int index = 0;
  out_.Put('<');
  out_.List(function.attribute(), ",", [&](const std::string& name) { out_.Name(name); });
  if (!function.attribute().empty() && !function.attribute_proto().empty()) out_.Put(',');
  out_.List(function.attribute_proto(), ",", [&](const onnx::AttributeProto& attribute) {
    const auto at = Path::Scope::Keyed(losses_.path(), "attribute_proto", index++, attribute.name());
    Attribute(attribute, AttributeRole::kFunction);
  });
  out_.Put('>');
}

// A type before a parameter's name is read as a separate value info, first for the inputs, then for the outputs. So a
// parameter gets a type only if the next value info has its name, which keeps the order of the value infos.
void Printer::Parameters(const Repeated<std::string>& names, const Repeated<onnx::ValueInfoProto>& values,
                         int* next_value) {
  out_.List(names, ", ", [&](const std::string& name) {
    if (*next_value < values.size() && values[*next_value].name() == name &&
        values[*next_value].type().value_case() != onnx::TypeProto::VALUE_NOT_SET) {
      const Path::Scope at(losses_.path(), "value_info", *next_value, name);
      ValueInfo(values[(*next_value)++]);
    } else if (syntax::IsTypeWord(name)) {
      out_.String(name);
    } else {
      out_.Name(name);
    }
  });
}

}  // namespace onnxc::print
