# The parser: C++ generated from grammar/OnnxText.g4 by the ANTLR tool, compiled against the ANTLR C++ runtime.
#
# Tool and runtime are packaged apart, and must fit together. Tools 4.7 to 4.9 write the same code in the same serialised
# form, which the runtimes 4.7 to 4.9 read; 4.10 changed both. A tool may use what only the runtimes of its own minor version
# have, so it must not be of a newer one; 4.9.3 also uses what came with the runtime 4.9.3. (Debian 13 has tool 4.9.2 and
# runtime 4.9, which fit.) src/syntax/parser_base.h rests on that code too.
set(default "")
if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/parser)  # a source archive of a release
  set(default ${CMAKE_CURRENT_SOURCE_DIR}/parser)
elseif(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/PKG-INFO)  # a source distribution of the Python package
  set(default ${CMAKE_CURRENT_SOURCE_DIR}/build/python/parser)
endif()
set(ONNXC_PARSER_SOURCES ${default} CACHE PATH "A folder with the generated parser; then no ANTLR tool is needed")
set(ONNXC_ANTLR_JAR "" CACHE FILEPATH "An ANTLR tool of yours: antlr-4.x-complete.jar, run through java")
set(oldest 4.7)
set(beyond 4.10)

function(onnxc_antlr_error)
  string(CONCAT message ${ARGV})
  message(FATAL_ERROR "${message}\n"
    "onnxc needs an ANTLR tool and an ANTLR C++ runtime of versions 4.7 to 4.9, the tool's minor version no newer than the "
    "runtime's. Debian 12 and 13 have fitting pairs: antlr4 and libantlr4-runtime-dev. Elsewhere, point at your own:\n"
    "  -DONNXC_ANTLR_JAR=FILE        the tool, antlr-4.9-complete.jar for instance\n"
    "  -DONNXC_ANTLR_RUNTIME=PREFIX  the runtime: holds include/antlr4-runtime and lib\n")
endfunction()

# -- the tool

if(NOT ONNXC_PARSER_SOURCES)
  if(ONNXC_ANTLR_JAR)
    if(NOT EXISTS ${ONNXC_ANTLR_JAR})
      onnxc_antlr_error("ONNXC_ANTLR_JAR: there is no file ${ONNXC_ANTLR_JAR}.")
    endif()
    find_program(ONNXC_JAVA java)
    if(NOT ONNXC_JAVA)
      onnxc_antlr_error("ONNXC_ANTLR_JAR is set, but there is no java to run it.")
    endif()
    set(antlr_tool ${ONNXC_JAVA} -cp ${ONNXC_ANTLR_JAR} org.antlr.v4.Tool)
    set(antlr_tool_file ${ONNXC_ANTLR_JAR})
  else()
    find_program(ONNXC_ANTLR_TOOL NAMES antlr4)
    if(NOT ONNXC_ANTLR_TOOL)
      onnxc_antlr_error("The ANTLR tool (the command antlr4) was not found.")
    endif()
    set(antlr_tool ${ONNXC_ANTLR_TOOL})
    set(antlr_tool_file ${ONNXC_ANTLR_TOOL})
  endif()
  execute_process(COMMAND ${antlr_tool} OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT output MATCHES "Version ([0-9]+\\.[0-9]+(\\.[0-9]+)?)")
    onnxc_antlr_error("${antlr_tool_file} is no ANTLR tool that runs here; it says:\n${output}")
  endif()
  set(antlr_tool_version ${CMAKE_MATCH_1})
endif()

# -- the runtime, which tells its version only when run

find_package(AntlrRuntime QUIET)
if(NOT AntlrRuntime_FOUND)
  onnxc_antlr_error("The ANTLR C++ runtime (antlr4-runtime.h and libantlr4-runtime) was not found.")
endif()
if(NOT AntlrRuntime_VERSION)
  set(probe ${CMAKE_CURRENT_BINARY_DIR}/antlr_version.cc)
  file(WRITE ${probe}
    "#include <RuntimeMetaData.h>\n#include <cstdio>\nint main() { std::puts(antlr4::RuntimeMetaData::VERSION.c_str()); }\n")
  try_run(ran compiled ${CMAKE_CURRENT_BINARY_DIR}/antlr_version ${probe}
    CMAKE_FLAGS -DINCLUDE_DIRECTORIES=${AntlrRuntime_INCLUDE_DIR}
    LINK_LIBRARIES ${AntlrRuntime_LIBRARY} CXX_STANDARD 20 COMPILE_OUTPUT_VARIABLE log RUN_OUTPUT_VARIABLE output)
  unset(ran CACHE)
  unset(compiled CACHE)
  if(NOT output MATCHES "^([0-9]+\\.[0-9]+(\\.[0-9]+)?)")
    onnxc_antlr_error("${AntlrRuntime_LIBRARY} is no ANTLR C++ runtime that can be used here:\n${log}${output}")
  endif()
  set(AntlrRuntime_VERSION ${CMAKE_MATCH_1} CACHE INTERNAL "")
endif()

# -- do they fit?

if(ONNXC_PARSER_SOURCES)
  set(antlr_tool_version ${oldest})  # the code is that of a tool that fits; the runtime must
endif()
string(REGEX MATCH "^[0-9]+\\.[0-9]+" least_runtime ${antlr_tool_version})
if(antlr_tool_version VERSION_GREATER_EQUAL 4.9.3)
  set(least_runtime ${antlr_tool_version})
endif()
if(antlr_tool_version VERSION_LESS oldest OR antlr_tool_version VERSION_GREATER_EQUAL beyond
    OR AntlrRuntime_VERSION VERSION_LESS least_runtime OR AntlrRuntime_VERSION VERSION_GREATER_EQUAL beyond)
  onnxc_antlr_error("The ANTLR tool ${antlr_tool_version} (${antlr_tool_file}) and the ANTLR C++ runtime "
    "${AntlrRuntime_VERSION} (${AntlrRuntime_LIBRARY}) do not fit.")
endif()
message(STATUS "ANTLR tool ${antlr_tool_version}, C++ runtime ${AntlrRuntime_VERSION}")

# -- generate: ONNXC_GENERATED_PARSER, found by `#include "syntax/OnnxTextParser.h"` from ONNXC_GENERATED

set(ONNXC_GENERATED ${CMAKE_CURRENT_BINARY_DIR}/generated)
set(ONNXC_GENERATED_PARSER ${ONNXC_GENERATED}/syntax/OnnxTextParser.cpp)
set(ONNXC_GENERATED_LEXER ${ONNXC_GENERATED}/syntax/OnnxTextLexer.cpp)  # for a test: the scanner must agree with it
set(grammar ${CMAKE_CURRENT_SOURCE_DIR}/grammar/OnnxText.g4)
if(ONNXC_PARSER_SOURCES)
  file(GLOB sources ${ONNXC_PARSER_SOURCES}/OnnxText*)
  file(COPY ${sources} DESTINATION ${ONNXC_GENERATED}/syntax)
else()
  add_custom_command(
    OUTPUT ${ONNXC_GENERATED_PARSER} ${ONNXC_GENERATED}/syntax/OnnxTextParser.h
      ${ONNXC_GENERATED_LEXER} ${ONNXC_GENERATED}/syntax/OnnxTextLexer.h
    COMMAND ${antlr_tool} -Dlanguage=Cpp -no-listener -no-visitor -Werror -Xexact-output-dir
      -o ${ONNXC_GENERATED}/syntax OnnxText.g4
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/grammar  # what it writes names the file as it was given
    DEPENDS ${grammar} ${antlr_tool_file}
    COMMENT "Generating the parser from grammar/OnnxText.g4"
    VERBATIM)
endif()
add_custom_target(onnxc_generated_parser DEPENDS ${ONNXC_GENERATED_PARSER})  # scripts/wheel packs it
set_source_files_properties(${ONNXC_GENERATED_PARSER} ${ONNXC_GENERATED_LEXER} PROPERTIES COMPILE_OPTIONS -w)
