// The syntax stage: text to parse trees.
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

/// Parses a text and hands its parts to `listener`; the last part is the context of the whole file. Stops at the first
/// error, of which no diagnostic is made, and when the listener returns false. Returns true if it did not have to stop.
/// Parsing continues after each part where `continuation` says; if that is null, with the next token.
[[nodiscard]] bool ParseQuietly(std::string_view text, EntryRule entry, PartListener& listener,
                                Continuation* continuation = nullptr);

/// Parses the nodes of a body, beginning with the node at the offset `begin`. Returns the offset of the body's closing
/// bracket, or nothing if there is an error before it.
[[nodiscard]] std::optional<std::size_t> ParseNodes(std::string_view text, std::size_t begin, PartListener& listener);

/// Parses a text that is known to have an error, and reports all errors. The listener gets all parts; a part that could
/// not be parsed has `exception` set in its context. `continuation` is as for ParseQuietly(); the text from `next` to
/// where it says must hold whole nodes without errors.
void ParseReporting(std::string_view text, EntryRule entry, PartListener& listener, Diagnostics* diagnostics,
                    Continuation* continuation = nullptr);

/// The context could not be parsed: children and labels may be missing.
[[nodiscard]] inline bool IsBroken(const Context* context) { return context->exception != nullptr; }

}  // namespace onnxc::syntax
