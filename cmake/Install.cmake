# `cmake --install`: installs the headers, the library, the command, and the files with which CMake and
# pkg-config find them.
set(default ${PROJECT_IS_TOP_LEVEL})
if(ONNXC_PROTO_TARGET)
  set(default OFF)  # another project installs the messages
endif()
if(ONNXC_STATIC)
  set(default OFF)  # a static build is only for the program, which scripts/release packs
endif()
option(ONNXC_INSTALL "Make install rules" ${default})
if(NOT ONNXC_INSTALL)
  return()
endif()
if(ONNXC_PROTO_TARGET)
  message(FATAL_ERROR "ONNXC_INSTALL and ONNXC_PROTO_TARGET exclude each other: an installed onnxc brings its messages.")
endif()
include(CMakePackageConfigHelpers)

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME library)
install(DIRECTORY include/onnxc DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.h)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/generated/onnxc/onnx.pb.h
  ${CMAKE_CURRENT_BINARY_DIR}/generated/onnxc/version.h
  ${CMAKE_CURRENT_BINARY_DIR}/generated/onnxc/diagnostic_kinds.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/onnxc)
install(FILES proto/onnx.proto DESTINATION ${CMAKE_INSTALL_DATADIR}/onnxc)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libonnxc-dev RENAME copyright)
install(TARGETS onnxc onnxc_proto EXPORT onnxc)
if(ONNXC_CLI)
  install(TARGETS onnxc_cli COMPONENT command)
  install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT command)
  install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT command FILES_MATCHING PATTERN *.md)
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright COMPONENT command)
endif()
if(BUILD_SHARED_LIBS)  # the command and the libraries find each other wherever the prefix is moved
  set_target_properties(onnxc onnxc_proto PROPERTIES INSTALL_RPATH $ORIGIN)
  if(ONNXC_CLI)
    file(RELATIVE_PATH bin_to_lib /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
    set_target_properties(onnxc_cli PROPERTIES INSTALL_RPATH $ORIGIN/${bin_to_lib})
  endif()
endif()

# CMake

set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/onnxc)
set(ONNXC_IS_STATIC TRUE)
if(BUILD_SHARED_LIBS)
  set(ONNXC_IS_STATIC FALSE)
endif()
configure_package_config_file(cmake/onnxcConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/onnxcConfig.cmake
  INSTALL_DESTINATION ${config_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/onnxcConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(EXPORT onnxc NAMESPACE onnxc:: FILE onnxcTargets.cmake DESTINATION ${config_dir})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/onnxcConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/onnxcConfigVersion.cmake
  cmake/FindAntlrRuntime.cmake DESTINATION ${config_dir})

# pkg-config

get_filename_component(antlr_dir ${AntlrRuntime_LIBRARY} DIRECTORY)
set(ONNXC_PC_LIBS_PRIVATE -lantlr4-runtime)
if(NOT antlr_dir IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES)
  set(ONNXC_PC_LIBS_PRIVATE "-L${antlr_dir} -lantlr4-runtime")
endif()
file(RELATIVE_PATH ONNXC_PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
set(ONNXC_PC_REQUIRES protobuf)
set(ONNXC_PC_REQUIRES_PRIVATE "fmt libcrypto")
set(ONNXC_PC_LIBS "")
if(NOT BUILD_SHARED_LIBS)  # a program that links the static library must also link the libraries that it uses
  set(ONNXC_PC_REQUIRES "protobuf fmt libcrypto")
  set(ONNXC_PC_REQUIRES_PRIVATE "")
  set(ONNXC_PC_LIBS " ${ONNXC_PC_LIBS_PRIVATE}")
  set(ONNXC_PC_LIBS_PRIVATE "")
endif()
configure_file(cmake/onnxc.pc.in ${CMAKE_CURRENT_BINARY_DIR}/onnxc.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/onnxc.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(PROJECT_IS_TOP_LEVEL AND ONNXC_CLI)
  include(Package)
endif()
