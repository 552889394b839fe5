// Names of the parser and its tree that are used in all lowering code.
#pragma once

#include "syntax/parse.h"
#include "syntax/tree.h"

namespace onnxc::lower {

using syntax::BeginsWith;
using syntax::ChildOf;
using syntax::ChildrenOf;
using syntax::Context;
using syntax::Continuation;
using syntax::EntryRule;
using syntax::First;
using syntax::Grammar;
using syntax::IsBroken;
using syntax::PartListener;
using syntax::RangeOf;
using syntax::SyntaxToken;
using syntax::TokensOf;

}  // namespace onnxc::lower
