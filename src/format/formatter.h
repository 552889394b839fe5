// The formatter: a method for each construct of grammar/OnnxText.g4. Each writes the tokens of its construct from the
// current one on, and what the layout has between them: as src/print/lossless does for messages.
#pragma once

#include <onnxc/kind.h>

#include "format/token_writer.h"

namespace onnxc::format {

/// For texts that are known to be right.
class Formatter : private TokenWriter {
 public:
  using TokenWriter::Finish;
  using TokenWriter::TokenWriter;

  /// Writes a whole text, but for the comments at its end.
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
  void Attributes(bool are_big);  ///< `are_big`: there is a graph among them
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
  void Data();  ///< a blank and the data; nothing where there are none
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
