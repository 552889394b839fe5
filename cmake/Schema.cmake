# The messages: onnxc::proto, made from proto/onnx.proto, or another library's target.
set(ONNXC_PROTO_TARGET "" CACHE STRING
  "A CMake target of yours that holds onnx::ModelProto (IR version 14 or newer), to be used instead of the bundled schema")
set(ONNXC_PROTO_HEADER "onnx/onnx-ml.pb.h" CACHE STRING "The header of that target's messages")

find_package(Protobuf REQUIRED)
if(ONNXC_PROTO_TARGET)
  add_library(onnxc_proto INTERFACE)
  target_link_libraries(onnxc_proto INTERFACE ${ONNXC_PROTO_TARGET})
  target_compile_definitions(onnxc_proto INTERFACE "ONNXC_PROTO_HEADER=<${ONNXC_PROTO_HEADER}>")
else()
  set(proto_dir ${CMAKE_CURRENT_BINARY_DIR}/generated/onnxc)
  file(MAKE_DIRECTORY ${proto_dir})
  add_custom_command(
    OUTPUT ${proto_dir}/onnx.pb.cc ${proto_dir}/onnx.pb.h
    COMMAND protobuf::protoc --cpp_out=speed:${proto_dir} --proto_path=${CMAKE_CURRENT_SOURCE_DIR}/proto onnx.proto
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/proto/onnx.proto
    COMMENT "Generating the messages from proto/onnx.proto")
  add_library(onnxc_proto STATIC ${proto_dir}/onnx.pb.cc ${proto_dir}/onnx.pb.h)
  target_include_directories(onnxc_proto SYSTEM PUBLIC
    $<BUILD_INTERFACE:${CMAKE_CURRENT_BINARY_DIR}/generated> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(onnxc_proto PUBLIC protobuf::libprotobuf)
  # Without NDEBUG the generated code prints a complaint for each string that is no UTF-8, which models may hold.
  target_compile_definitions(onnxc_proto PRIVATE NDEBUG)
endif()
set_target_properties(onnxc_proto PROPERTIES EXPORT_NAME proto)
add_library(onnxc::proto ALIAS onnxc_proto)
