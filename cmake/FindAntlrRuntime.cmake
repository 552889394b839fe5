# Finds the ANTLR C++ runtime: the target onnxc::antlr_runtime. The build uses this file, and so do projects
# that use an installed onnxc. ONNXC_ANTLR_RUNTIME names a prefix with include/antlr4-runtime and lib; without
# it, the system is searched.
set(ONNXC_ANTLR_RUNTIME "" CACHE PATH "Prefix of an ANTLR C++ runtime of yours: holds include/antlr4-runtime and lib")
if(NOT "${ONNXC_ANTLR_RUNTIME}" STREQUAL "${ONNXC_ANTLR_RUNTIME_SEARCHED}")
  unset(AntlrRuntime_INCLUDE_DIR CACHE)
  unset(AntlrRuntime_LIBRARY CACHE)
  unset(AntlrRuntime_VERSION CACHE)
endif()
set(ONNXC_ANTLR_RUNTIME_SEARCHED "${ONNXC_ANTLR_RUNTIME}" CACHE INTERNAL "")
if(ONNXC_ANTLR_RUNTIME)
  set(places PATHS ${ONNXC_ANTLR_RUNTIME} NO_DEFAULT_PATH)
endif()
find_path(AntlrRuntime_INCLUDE_DIR antlr4-runtime.h PATH_SUFFIXES include/antlr4-runtime antlr4-runtime ${places})
if(ONNXC_STATIC_DEPENDENCIES)
  set(archive ${CMAKE_STATIC_LIBRARY_PREFIX}antlr4-runtime${CMAKE_STATIC_LIBRARY_SUFFIX})
endif()
find_library(AntlrRuntime_LIBRARY NAMES ${archive} antlr4-runtime PATH_SUFFIXES lib lib64 lib/${CMAKE_LIBRARY_ARCHITECTURE} ${places})
mark_as_advanced(AntlrRuntime_INCLUDE_DIR AntlrRuntime_LIBRARY)
unset(places)
unset(archive)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(AntlrRuntime REQUIRED_VARS AntlrRuntime_LIBRARY AntlrRuntime_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "install libantlr4-runtime-dev, or set ONNXC_ANTLR_RUNTIME to its prefix")

if(AntlrRuntime_FOUND AND NOT TARGET onnxc::antlr_runtime)
  find_package(Threads REQUIRED)
  add_library(onnxc::antlr_runtime UNKNOWN IMPORTED)
  set_target_properties(onnxc::antlr_runtime PROPERTIES
    IMPORTED_LOCATION ${AntlrRuntime_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${AntlrRuntime_INCLUDE_DIR}
    INTERFACE_LINK_LIBRARIES Threads::Threads)
endif()
