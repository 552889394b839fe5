// Links like Link(), and says which parts of the libraries were added.
#pragma once

#include <onnxc/linker.h>

#include <cstddef>
#include <vector>

namespace onnxc {

/// A function of a library that was added to a model.
struct LinkedFunction {
  std::size_t library = 0;  ///< its index in the list of libraries
  int index = 0;            ///< its index among the functions of the library
  /// The first node of the model that calls the function. If only other added functions call it, this is the node that
  /// calls the first of them.
  const onnx::NodeProto* call = nullptr;
};

/// An import of a function of a library that was added to the imports of a model.
struct LinkedImport {
  std::size_t library = 0;
  int function = 0;
  int index = 0;  ///< its index among the imports of the function
};

/// The parts that were added to a model. Functions are in the order of the libraries.
struct LinkedParts {
  int first_function = 0;  ///< the index of the first added function in the model
  int first_import = 0;
  std::vector<LinkedFunction> functions = {};
  std::vector<LinkedImport> imports = {};
};

/// Whether a model gets copies of the functions and imports, or refers to those of the libraries themselves. In the
/// second case, the model must be in an arena and must not be changed, and the libraries must exist as long as it.
enum class Adding { kCopies, kReferences };

[[nodiscard]] std::vector<SourceFindings> Link(onnx::ModelProto* model, const SourceText& source,
                                               const SourceMap& places, const std::vector<LinkInput>& libraries,
                                               Adding adding, LinkedParts* linked);

}  // namespace onnxc
