# The properties of emscripten as a platform of CMake: static libraries and single programs, but no shared libraries.
set(UNIX ON)
set_property(GLOBAL PROPERTY TARGET_SUPPORTS_SHARED_LIBS FALSE)
set(CMAKE_STATIC_LIBRARY_PREFIX lib)
set(CMAKE_STATIC_LIBRARY_SUFFIX .a)
set(CMAKE_FIND_LIBRARY_PREFIXES lib)
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
set(CMAKE_EXECUTABLE_SUFFIX .mjs)
set(CMAKE_DL_LIBS "")
set(CMAKE_SIZEOF_VOID_P 4)  # CMake finds it in programs of other kinds only
set(CMAKE_SYSTEM_PREFIX_PATH /)  # in ONNXC_PREFIX
set(CMAKE_SYSTEM_INCLUDE_PATH /include)
set(CMAKE_SYSTEM_LIBRARY_PATH /lib)
