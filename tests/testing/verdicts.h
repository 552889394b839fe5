// What `onnxc check` finds in a text, and what `onnxc check --fix` makes of it.
#pragma once

#include <algorithm>
#include <string>

#include "verdict/analyze.h"
#include "verdict/correct.h"

namespace onnxc::testing {

inline Diagnostics Judged(const SourceText& source) { return verdict::JudgeFor({})(source); }

inline Diagnostics Proven(const SourceText& source) { return verdict::Analyze(source, {}).found; }

inline std::string Fixed(const std::string& text) {
  const auto all = [](const Diagnostics& findings, const SourceText&) {
    Diagnostics errors;
    for (const Diagnostic& finding : findings.items()) {
      if (finding.severity == Severity::kError) errors.Add(finding);
    }
    return errors;
  };
  return std::string(verdict::CorrectAll(SourceText("-", text), Judged, all).source.text());
}

}  // namespace onnxc::testing
