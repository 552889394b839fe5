# Turns the pages of `onnxc explain`, docs/explain/KIND.md, into a C++ table.
file(GLOB pages CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/docs/explain/*.md)
set(ONNXC_EXPLAIN_PAGES ${CMAKE_CURRENT_BINARY_DIR}/generated/explain_pages.cc)
add_custom_command(OUTPUT ${ONNXC_EXPLAIN_PAGES}
  COMMAND ${CMAKE_COMMAND} -D output=${ONNXC_EXPLAIN_PAGES} -D folder=${CMAKE_CURRENT_SOURCE_DIR}/docs/explain
    -P ${CMAKE_CURRENT_LIST_DIR}/embed_pages.cmake
  DEPENDS ${pages} ${CMAKE_CURRENT_LIST_DIR}/embed_pages.cmake VERBATIM
  COMMENT "Embedding docs/explain")
