# A toolchain file for `cmake --toolchain`: builds programs for aarch64 with Debian's cross compiler
# (g++-aarch64-linux-gnu), and runs them with qemu-user-static. The environment variable ONNXC_SYSROOT names a
# folder with Debian's packages for arm64, which scripts/release unpacks.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -L /usr/aarch64-linux-gnu)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH $ENV{ONNXC_SYSROOT})
# Headers that differ by processor, such as OpenSSL's configuration: Debian's compilers look for them in the machine's own folder.
set(CMAKE_CXX_STANDARD_INCLUDE_DIRECTORIES $ENV{ONNXC_SYSROOT}/usr/include/aarch64-linux-gnu)
# A header of protobuf writes its own path into messages of errors: the program must not depend on the folder of the build.
set(CMAKE_CXX_FLAGS_INIT -ffile-prefix-map=$ENV{ONNXC_SYSROOT}=)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
