// The syntax stage, which parses text to parse trees.
#pragma once

#include <onnxc/diagnostic.h>

#include <cstddef>
#include <optional>
#include <string_view>

#include "syntax/parser_base.h"
#include "syntax/tree.h"

namespace onnxc::syntax {

/// An entry rule of the grammar.
using EntryRule = Context* (*)(Grammar&);

/// Parses a text and passes its parts to `listener`; the last part is the context of the whole file. Stops at the first
/// error, without a diagnostic, and also if the listener returns false. Returns true if it did not stop. After each
/// part, parsing continues where `continuation` says or, if it is null, at the next token.
[[nodiscard]] bool ParseQuietly(std::string_view text, EntryRule entry, PartListener& listener,
                                Continuation* continuation = nullptr);

/// Parses the nodes of a body, beginning with the node at the offset `begin`. Returns the offset of the body's closing
/// bracket, or nothing if there is an error before it.
[[nodiscard]] std::optional<std::size_t> ParseNodes(std::string_view text, std::size_t begin, PartListener& listener);

/// Parses a text that is known to have an error, and reports all errors. The listener receives all parts; a part that
/// could not be parsed has `exception` set in its context.
void ParseReporting(std::string_view text, EntryRule entry, PartListener& listener, Diagnostics* diagnostics);

/// Returns whether the context could not be parsed, so that children and labels may be missing.
[[nodiscard]] inline bool IsBroken(const Context* context) { return context->exception != nullptr; }

}  // namespace onnxc::syntax
