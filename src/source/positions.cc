#include "source/positions.h"

#include <algorithm>

#include "source/unicode.h"

namespace onnxc {

Positions::Positions(const Diagnostics& diagnostics, std::string_view text) : size_(text.size()) {
  std::vector<std::size_t> offsets = {0};
  const auto add = [&](const SourceRange& range) {
    if (range == kNowhere) return;
    offsets.push_back(std::min(range.begin, size_));
    offsets.push_back(std::min(range.end, size_));
  };
  for (const Diagnostic& diagnostic : diagnostics.items()) {
    add(diagnostic.range);
    for (const Note& note : diagnostic.notes) add(note.range);
    for (const FixIt& fix_it : diagnostic.fix_its) add(fix_it.range);
  }
  std::sort(offsets.begin(), offsets.end());
  offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());

  TextPosition place;
  places_.reserve(offsets.size());
  for (const std::size_t offset : offsets) {
    for (;;) {
      const std::size_t line_break = text.substr(0, offset).find('\n', place.offset);
      if (line_break == std::string_view::npos) break;
      place.offset = place.line_begin = line_break + 1;
      place.position = {.line = place.position.line + 1, .column = 1};
    }
    place.position.column += CountCharacters(text.substr(place.offset, offset - place.offset));
    place.offset = offset;
    places_.push_back(place);
  }
}

const TextPosition& Positions::At(std::size_t offset) const {
  const auto found =
      std::lower_bound(places_.begin(), places_.end(), std::min(offset, size_),
                       [](const TextPosition& place, std::size_t value) { return place.offset < value; });
  return found == places_.end() ? places_.back() : *found;
}

}  // namespace onnxc
