// The formatter has a method for each construct of grammar/OnnxText.g4. Each method writes the tokens of its construct,
// beginning with the current token, with the white space of the formatting style between them. src/print/lossless does
// the same for messages.
#pragma once

#include <onnxc/kind.h>

#include "format/token_writer.h"

namespace onnxc::format {

/// Formats texts that have no errors.
class Formatter : private TokenWriter {
 public:
  using TokenWriter::Finish;
  using TokenWriter::TokenWriter;

  /// Writes a whole text, except for the comments at its end.
  void File(Kind kind);

 private:
  // ---- models, graphs, functions
  void Item();
  void Header();
  void Named();
  void BehindName();
  void Values();
  void Value();
  void Body();

  // ---- nodes and attributes
  void Node();
  void Names(std::size_t end);
  void Operator();
  void Operands();
  [[nodiscard]] bool SwapOperands(bool are_big);
  void Inputs();
  void Attributes(bool are_big);  ///< `are_big`: some attribute has a graph
  void Attribute();
  void AttributeValue();
  void AttributeItem();

  // ---- types and tensors: value.cc
  [[nodiscard]] bool BeginsType() const;
  void Type();
  void InnerType();
  void Opaque();
  void Dim();
  void Tensor();
  void Data();  ///< a space and the data, if there are any
  void Dense();
  void Element();

  // ---- any field of any message: value.cc
  enum class Style { kLines, kInline };
  void Annotations(Style style);
  void DottedName();
  void FieldValue();
  void Member();
  void Record();
  void Native();
};

}  // namespace onnxc::format
