# The options of the build, and the compiler flags of all our targets.
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
endif()

# The folder of src/platform/ that implements the headers there for this machine.
if(CMAKE_SYSTEM_NAME STREQUAL Linux)
  set(ONNXC_PLATFORM linux)
elseif(CMAKE_SYSTEM_NAME STREQUAL Emscripten)
  set(ONNXC_PLATFORM wasm)
else()
  message(FATAL_ERROR "onnxc does not run on ${CMAKE_SYSTEM_NAME}: src/platform/ has no folder for it. CONTRIBUTING.md tells how to add one.")
endif()

option(ONNXC_CLI "Build the onnxc command" ${PROJECT_IS_TOP_LEVEL})
option(ONNXC_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(ONNXC_PYTHON "Build the extension module of the Python package: scripts/wheel" OFF)
option(ONNXC_NPM "Build the WebAssembly module of the npm package: scripts/wasm" OFF)
option(ONNXC_BENCH "Build the benchmarks, which need Google Benchmark" OFF)
option(ONNXC_WERROR "Treat warnings as errors" ${PROJECT_IS_TOP_LEVEL})
option(ONNXC_HARDENING "Harden optimised builds: _FORTIFY_SOURCE, stack protector, control-flow protection, read-only relocations"
  ${PROJECT_IS_TOP_LEVEL})
option(ONNXC_FUZZ "Build the fuzzers; needs clang++ and its libFuzzer" OFF)
option(ONNXC_STATIC "Link the command with all that it needs, the C library too: one file that runs on any Linux of its processor" OFF)
set(default ${PROJECT_IS_TOP_LEVEL})
if(BUILD_SHARED_LIBS)
  set(default OFF)
endif()
option(ONNXC_STATIC_DEPENDENCIES "Link ANTLR, protobuf and OpenSSL statically, where archives are there: the command starts in half the time"
  ${default})
option(ONNXC_SMALL_PORTIONS "For fuzzing: small inputs are worked on as large ones are, in portions and by threads" OFF)
option(ONNXC_LTO "Optimise across files when linking" OFF)
set(ONNXC_SANITIZE "" CACHE STRING "Sanitizers for everything that is compiled here, such as address,undefined")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)  # so that programs are linked with -pie, whatever the default of the compiler is
if(ONNXC_STATIC)
  set(CMAKE_CXX_LINK_OPTIONS_PIE -fPIE -static-pie)
endif()
add_compile_options($<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition>)  # like clang: calls inside of a file can be inlined
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ${ONNXC_LTO})

find_program(ONNXC_CCACHE ccache)
mark_as_advanced(ONNXC_CCACHE)
if(ONNXC_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # ccache stores a precompiled header only if it is configured to ignore time stamps. Builds in several folders share
  # objects that are compiled with the same flags. ccache must compare the included files, and not the preprocessed
  # source without comments: otherwise, if only a comment changes in a header, ccache returns the old precompiled
  # header, in which `#pragma once` does not recognize the changed header, and the build fails.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
    CCACHE_DEPEND=1 CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${ONNXC_CCACHE})
endif()

if(ONNXC_SANITIZE)
  add_compile_options(-fsanitize=${ONNXC_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${ONNXC_SANITIZE})
elseif(ONNXC_HARDENING)
  set(optimised $<CONFIG:Release,RelWithDebInfo,MinSizeRel>)
  add_compile_options($<${optimised}:-fstack-protector-strong> $<${optimised}:-U_FORTIFY_SOURCE>
    $<${optimised}:-D_FORTIFY_SOURCE=2>)
  include(CheckCXXCompilerFlag)
  check_cxx_compiler_flag(-fcf-protection ONNXC_HAS_CF_PROTECTION)  # only on x86
  add_compile_options($<$<AND:${optimised},$<BOOL:${ONNXC_HAS_CF_PROTECTION}>>:-fcf-protection>)
  add_link_options($<${optimised}:LINKER:-z,relro,-z,now>)
endif()

if(ONNXC_SMALL_PORTIONS)
  add_compile_definitions(ONNXC_SMALL_PORTIONS)
endif()

if(ONNXC_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

add_library(onnxc_warnings INTERFACE)
target_compile_options(onnxc_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  # False warnings of g++ 12 about operator+ of std::string (GCC bug 105651).
  "$<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-stringop-overflow;-Wno-array-bounds;-Wno-maybe-uninitialized>"
  $<$<BOOL:${ONNXC_WERROR}>:-Werror>)

# onnxc_precompile(TARGET HEADER ...): precompiled headers in a form that ccache can keep.
function(onnxc_precompile target)
  target_precompile_headers(${target} PRIVATE ${ARGN})
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>
    "$<$<CXX_COMPILER_ID:Clang,AppleClang>:SHELL:-Xclang -fno-pch-timestamp>")
endfunction()

# onnxc_compile_fast(TARGET): for code that need not be fast, such as tests and the code around the library. With -O1, it
# compiles in about two thirds of the time that -O3 takes.
function(onnxc_compile_fast target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()
