// Adds functions from libraries to a model.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/parser.h>
#include <onnxc/proto.h>
#include <onnxc/source.h>

#include <vector>

namespace onnxc {

/// A file of functions: a text with only functions, or a model of which only the functions are used.
struct LinkInput {
  SourceText source;         ///< the text or the bytes of the file; its name appears in findings
  onnx::ModelProto message;  ///< must not be moved while `places` is used
  SourceMap places = {};     ///< the source map if the file is a text; may be empty
};

/// Adds those functions of the libraries that nodes of the model call, including nodes in subgraphs. Functions that the
/// added functions call are added, too. The added functions are in the order of the libraries. A call names a function
/// by domain, name and overload. Imports that the functions need and the model lacks are added, too.
///
/// A library whose source has the same name as the model's source is ignored.
///
/// It is an error if two libraries, or a library and the model, define the same function, or if an added function
/// imports another version of a domain than the model imports. The finding shows both definitions or both imports. (If
/// nothing calls the function, two definitions are not an error.) The findings are grouped by source. If one of them is
/// an error, the model is unchanged.
[[nodiscard]] std::vector<SourceFindings> Link(onnx::ModelProto* model, const SourceText& source,
                                               const SourceMap& places, const std::vector<LinkInput>& libraries);

}  // namespace onnxc
