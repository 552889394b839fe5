# Finds the cryptographic library Nettle: the target onnxc::nettle. Read by the build, and by those who use what it installs.
find_path(Nettle_INCLUDE_DIR nettle/sha2.h)
if(ONNXC_STATIC_DEPENDENCIES)
  set(archive ${CMAKE_STATIC_LIBRARY_PREFIX}nettle${CMAKE_STATIC_LIBRARY_SUFFIX})
endif()
find_library(Nettle_LIBRARY NAMES ${archive} nettle)
mark_as_advanced(Nettle_INCLUDE_DIR Nettle_LIBRARY)
unset(archive)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Nettle REQUIRED_VARS Nettle_LIBRARY Nettle_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "install nettle-dev")

if(Nettle_FOUND AND NOT TARGET onnxc::nettle)
  add_library(onnxc::nettle UNKNOWN IMPORTED)
  set_target_properties(onnxc::nettle PROPERTIES
    IMPORTED_LOCATION ${Nettle_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${Nettle_INCLUDE_DIR})
endif()
