#include "testing/paths.h"

namespace onnxc::testing {

const char* const kTestdata = ONNXC_TESTDATA;
const char* const kDocs = ONNXC_DOCS;
const char* const kCases = ONNXC_CASES;
const char* const kCommand = ONNXC_COMMAND;
const char* const kFaults = ONNXC_FAULTS;
const char* const kMemory = ONNXC_MEMORY;

}  // namespace onnxc::testing
