// The suffixes of files, and their formats.
#pragma once

#include <onnxc/model_io.h>

#include <array>
#include <string_view>

namespace onnxc {

struct Suffix {
  std::string_view suffix;  ///< in lower case; the suffixes of files may be in upper case
  Format format;
};

inline constexpr std::array<Suffix, 9> kSuffixes = {{
    {".onnxtxt", Format::kText},
    {".onnxtext", Format::kText},
    {".onnx", Format::kBinary},
    {".pb", Format::kBinary},
    {".textproto", Format::kTextProto},
    {".pbtxt", Format::kTextProto},
    {".prototxt", Format::kTextProto},
    {".txtpb", Format::kTextProto},
    {".json", Format::kJson},
}};

}  // namespace onnxc
