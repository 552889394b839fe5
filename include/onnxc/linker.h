// Functions from libraries that join a model.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/parser.h>
#include <onnxc/proto.h>
#include <onnxc/source.h>

#include <vector>

namespace onnxc {

/// A file of functions: a text that has only functions, or a model whose functions are used.
struct LinkInput {
  SourceText source;         ///< named in findings
  onnx::ModelProto message;  ///< must not be moved while `places` is used
  SourceMap places = {};     ///< of a text; may be empty
};

/// Adds to the model the functions of the libraries that its nodes call, also in subgraphs, and those that these call
/// in turn, in the order of the libraries. A call names domain, function and overload. Imports that the functions have
/// and the model lacks join it.
///
/// A library that has the name of the model's own source is left out.
///
/// Errors, with the places on both sides: two libraries, or a library and the model, define the same function; a
/// function that is added imports another version of a domain than the model. (Two definitions are no conflict if
/// nothing calls the function: the model's own, or that of the first library, is used.) The findings are grouped by
/// source; where one is an error the model is left as it was.
[[nodiscard]] std::vector<SourceFindings> Link(onnx::ModelProto* model, const SourceText& source,
                                               const SourceMap& places, const std::vector<LinkInput>& libraries);

}  // namespace onnxc
