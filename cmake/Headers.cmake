# Generates public headers from facts that are defined elsewhere: the version of the project, and the kinds of
# findings, which are in src/tables/.
set(headers_dir ${CMAKE_CURRENT_BINARY_DIR}/generated/onnxc)
configure_file(cmake/version.h.in ${headers_dir}/version.h @ONLY)

set(ONNXC_KIND_ROWS "")
foreach(table diagnostics rules)
  set(file ${CMAKE_CURRENT_SOURCE_DIR}/src/tables/${table}.def)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} text)
  string(REGEX MATCHALL "ONNXC_(DIAGNOSTIC|RULE)\\(k[A-Za-z0-9]+, \"[a-z0-9-]+\"" rows "${text}")
  foreach(row IN LISTS rows)
    string(REGEX REPLACE "^[^(]*\\((k[A-Za-z0-9]+), \"([a-z0-9-]+)\"$" "  \\1,  ///< \\2\n" row "${row}")
    string(APPEND ONNXC_KIND_ROWS "${row}")
  endforeach()
endforeach()
configure_file(cmake/diagnostic_kinds.h.in ${headers_dir}/diagnostic_kinds.h @ONLY)
