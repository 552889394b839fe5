// The paths of files that tests use. The values differ between checkouts. Only paths.cc contains them, so that a
// compiler cache can share all other objects between checkouts.
#pragma once

namespace onnxc::testing {

extern const char* const kTestdata;  ///< The folder testdata.
extern const char* const kDocs;      ///< The folder docs.
extern const char* const kCases;     ///< The file tests/conformance/cases.jsonl.
extern const char* const kCommand;   ///< The program onnxc. Empty in a build without it.
extern const char* const kFaults;    ///< A library that makes system calls fail. Empty under a sanitizer.
extern const char* const kMemory;    ///< A library that makes allocations fail. Empty under a sanitizer.

}  // namespace onnxc::testing
