# Turns the pages of `onnxc explain`, docs/explain/KIND.md, into a C++ table, and the page of `onnxc help syntax` into a function.
file(GLOB pages CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/docs/explain/*.md)
set(card ${CMAKE_CURRENT_SOURCE_DIR}/docs/card.onnxtxt)
set(ONNXC_EXPLAIN_PAGES ${CMAKE_CURRENT_BINARY_DIR}/generated/explain_pages.cc)
add_custom_command(OUTPUT ${ONNXC_EXPLAIN_PAGES}
  COMMAND ${CMAKE_COMMAND} -D output=${ONNXC_EXPLAIN_PAGES} -D folder=${CMAKE_CURRENT_SOURCE_DIR}/docs/explain -D card=${card}
    -P ${CMAKE_CURRENT_LIST_DIR}/embed_pages.cmake
  DEPENDS ${pages} ${card} ${CMAKE_CURRENT_LIST_DIR}/embed_pages.cmake VERBATIM
  COMMENT "Embedding docs/explain")
