# A toolchain file for `cmake --toolchain`: builds programs for older systems and other processors with the
# compiler of ziglang, a package of PyPI that contains the C library of each system. The environment variable
# ONNXC_ZIG names a folder with the commands cc, c++, ar and ranlib for one target, and ONNXC_PREFIX names the
# libraries that were compiled with them; scripts/wheels makes both.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR $ENV{ONNXC_PROCESSOR})
set(CMAKE_C_COMPILER $ENV{ONNXC_ZIG}/cc)
set(CMAKE_CXX_COMPILER $ENV{ONNXC_ZIG}/c++)
set(CMAKE_AR $ENV{ONNXC_ZIG}/ar)
set(CMAKE_RANLIB $ENV{ONNXC_ZIG}/ranlib)
# The wheel contains only the functions that are called, and no path of the build.
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH root)
foreach(language C CXX)
  set(CMAKE_${language}_FLAGS_INIT "-ffunction-sections -fdata-sections -ffile-prefix-map=${root}/=")
endforeach()
set(CMAKE_MODULE_LINKER_FLAGS_INIT "-s -Wl,--gc-sections")
set(CMAKE_FIND_ROOT_PATH $ENV{ONNXC_PREFIX})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
