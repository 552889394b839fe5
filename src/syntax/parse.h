// The syntax stage: text to parse trees.
#pragma once

#include <onnxc/diagnostic.h>

#include <cstddef>
#include <optional>
#include <string_view>

#include "syntax/parser_base.h"
#include "syntax/tree.h"

namespace onnxc {

/// An entry rule of the grammar.
using EntryRule = Context* (*)(Grammar&);

/// Parses a text and hands its parts to `listener`, the whole file's context as the last. True when there was no error;
/// stops at the first one, and when the listener says so. Nothing is said about the error.
[[nodiscard]] bool ParseQuietly(std::string_view text, EntryRule entry, PartListener& listener);

/// Parses the nodes of a body, beginning with the node at the offset `begin`. Returns the offset of the body's closing
/// bracket, or nothing if there is an error before it.
[[nodiscard]] std::optional<std::size_t> ParseNodes(std::string_view text, std::size_t begin, PartListener& listener);

/// Parses a text that is known to have an error, and reports all errors. The listener gets all parts; a part that could
/// not be parsed has `exception` set in its context.
void ParseReporting(std::string_view text, EntryRule entry, PartListener& listener, Diagnostics* diagnostics);

/// The context could not be parsed: children and labels may be missing.
[[nodiscard]] inline bool IsBroken(const Context* context) { return context->exception != nullptr; }

}  // namespace onnxc
