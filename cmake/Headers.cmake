# The public headers that are made from facts written elsewhere: the version of the project.
configure_file(cmake/version.h.in ${CMAKE_CURRENT_BINARY_DIR}/generated/onnxc/version.h @ONLY)
