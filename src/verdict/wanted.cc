#include "verdict/wanted.h"

#include "settings/allowed.h"

namespace onnxc::verdict {

Diagnostics Wanted(const Diagnostics& diagnostics, const SourceText& source, std::span<const Levels* const> settings) {
  return WithLevels(WithoutAllowed(diagnostics, source), settings);
}

Diagnostics Shown(Diagnostics wanted) {
  if (wanted.items().size() > kMostShown) wanted.Finish(kMostShown);
  return wanted;
}

}  // namespace onnxc::verdict
