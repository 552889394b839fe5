# A toolchain file for `cmake --toolchain`: builds WebAssembly with emscripten. The environment variable
# ONNXC_EMSCRIPTEN names a folder with the commands emcc, em++, emar and emranlib, and ONNXC_PREFIX names the libraries
# that were compiled with them; scripts/wasm makes both.
set(CMAKE_SYSTEM_NAME Emscripten)
set(CMAKE_SYSTEM_VERSION 1)  # lets newer versions of CMake, which have a Platform/Emscripten.cmake, read ours
set(CMAKE_SYSTEM_PROCESSOR wasm32)
list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR}/wasm)  # Platform/Emscripten.cmake
set(CMAKE_USER_MAKE_RULES_OVERRIDE ${CMAKE_CURRENT_LIST_DIR}/wasm/rules.cmake)
set(CMAKE_C_COMPILER $ENV{ONNXC_EMSCRIPTEN}/emcc)
set(CMAKE_CXX_COMPILER $ENV{ONNXC_EMSCRIPTEN}/em++)
set(CMAKE_AR $ENV{ONNXC_EMSCRIPTEN}/emar CACHE FILEPATH "")
set(CMAKE_RANLIB $ENV{ONNXC_EMSCRIPTEN}/emranlib CACHE FILEPATH "")
set(CMAKE_C_FLAGS_INIT -fwasm-exceptions)
set(CMAKE_CXX_FLAGS_INIT -fwasm-exceptions)
set(CMAKE_FIND_ROOT_PATH $ENV{ONNXC_PREFIX})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
