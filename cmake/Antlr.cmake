# The parser: generated from grammar/OnnxText.g4 by the ANTLR tool, compiled against the ANTLR C++ runtime.
set(generated ${CMAKE_CURRENT_BINARY_DIR}/generated/syntax)
add_custom_command(
  OUTPUT ${generated}/OnnxTextParser.cpp ${generated}/OnnxTextParser.h ${generated}/OnnxTextLexer.cpp ${generated}/OnnxTextLexer.h
  COMMAND antlr4 -Dlanguage=Cpp -no-listener -no-visitor -Werror -Xexact-output-dir -o ${generated} ${CMAKE_CURRENT_SOURCE_DIR}/grammar/OnnxText.g4
  DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/grammar/OnnxText.g4
  COMMENT "Generating the parser from grammar/OnnxText.g4")
add_library(onnxc_antlr_parser OBJECT ${generated}/OnnxTextParser.cpp)
target_include_directories(onnxc_antlr_parser SYSTEM PUBLIC /usr/include/antlr4-runtime ${CMAKE_CURRENT_BINARY_DIR}/generated)
target_include_directories(onnxc_antlr_parser PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/src ${CMAKE_CURRENT_SOURCE_DIR}/include)
target_link_libraries(onnxc_antlr_parser PUBLIC antlr4-runtime)
target_compile_options(onnxc_antlr_parser PRIVATE -Wno-deprecated)  # generated lambdas capture this by [=]
