// Where the tests find files. These values differ between checkouts. They are compiled into paths.cc alone, so that a
// compiler cache can serve all other objects to every checkout.
#pragma once

namespace onnxc::testing {

extern const char* const kTestdata;  ///< The folder testdata.
extern const char* const kDocs;      ///< The folder docs.
extern const char* const kCases;     ///< The file tests/conformance/cases.jsonl.
extern const char* const kCommand;   ///< The program onnxc. Empty in a build without it.
extern const char* const kFaults;    ///< A library that makes system calls fail. Empty under a sanitizer.
extern const char* const kMemory;    ///< A library that makes allocations fail. Empty under a sanitizer.

}  // namespace onnxc::testing
