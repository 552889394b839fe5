// Finds imports that a correction has repeated.
#pragma once

#include <onnxc/source.h>

#include <optional>
#include <string>
#include <string_view>

namespace onnxc::verdict {

/// `made` is the text that a correction has written. If it is a part of an entry of an `opset_import: [...]`, and
/// another entry of this list imports the same domain, returns the domain: only one of the two imports can be used, so
/// the correction would cost the author the other one. The text may have errors.
[[nodiscard]] std::optional<std::string> DomainImportedTwice(std::string_view text, SourceRange made);

}  // namespace onnxc::verdict
