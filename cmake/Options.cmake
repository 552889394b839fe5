# What a user of the build may choose, and what every target of ours is compiled with.
option(ONNXC_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(ONNXC_WERROR "Treat warnings as errors" ${PROJECT_IS_TOP_LEVEL})
set(ONNXC_SANITIZE "" CACHE STRING "Sanitizers for everything that is compiled here, such as address,undefined")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # A precompiled header is cached only when ccache is told that its time stamps do not matter.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${CCACHE_PROGRAM})
endif()

if(ONNXC_SANITIZE)
  add_compile_options(-fsanitize=${ONNXC_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${ONNXC_SANITIZE})
endif()

add_library(onnxc_warnings INTERFACE)
target_compile_options(onnxc_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>  # g++ 12 warns of std::string's own operator+ (GCC bug 105651)
  $<$<BOOL:${ONNXC_WERROR}>:-Werror>)
