# The messages: onnxc::proto, which is made from proto/onnx.proto, or a target of another library.
set(ONNXC_PROTO_TARGET "" CACHE STRING
  "A CMake target of yours that holds onnx::ModelProto (IR version 14 or newer), to be used instead of the bundled schema")
set(ONNXC_PROTO_HEADER "onnx/onnx-ml.pb.h" CACHE STRING "The header of that target's messages")

if(NOT TARGET protobuf::libprotobuf)
  if(ONNXC_STATIC_DEPENDENCIES)
    set(Protobuf_USE_STATIC_LIBS ON)
  endif()
  # The CMake package of protobuf itself is preferred: since version 22 it also lists abseil, with which programs must
  # be linked. Debian 12 and 13 have an older version without such a package; CMake's own module finds that version.
  find_package(Protobuf CONFIG QUIET)
  if(NOT Protobuf_FOUND)
    find_package(Protobuf REQUIRED)
  endif()
endif()
if(ONNXC_PROTO_TARGET)
  if(NOT TARGET ${ONNXC_PROTO_TARGET})
    message(FATAL_ERROR "ONNXC_PROTO_TARGET: there is no target ${ONNXC_PROTO_TARGET} here. "
      "Make or find it before onnxc is added.")
  endif()
  add_library(onnxc_proto INTERFACE)
  target_link_libraries(onnxc_proto INTERFACE ${ONNXC_PROTO_TARGET})
  target_compile_definitions(onnxc_proto INTERFACE "ONNXC_PROTO_HEADER=<${ONNXC_PROTO_HEADER}>")
else()
  set(proto_dir ${CMAKE_CURRENT_BINARY_DIR}/generated/onnxc)
  file(MAKE_DIRECTORY ${proto_dir})
  add_custom_command(
    OUTPUT ${proto_dir}/onnx.pb.cc ${proto_dir}/onnx.pb.h
    # The schema requests the lite runtime, like ONNX's own schema; with `speed`, its messages have the
    # reflection that we need.
    COMMAND protobuf::protoc --cpp_out=speed:${proto_dir} --proto_path=${CMAKE_CURRENT_SOURCE_DIR}/proto onnx.proto
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/proto/onnx.proto
    COMMENT "Generating the messages from proto/onnx.proto"
    VERBATIM)
  add_library(onnxc_proto ${proto_dir}/onnx.pb.cc ${proto_dir}/onnx.pb.h)
  target_include_directories(onnxc_proto SYSTEM PUBLIC
    $<BUILD_INTERFACE:${CMAKE_CURRENT_BINARY_DIR}/generated> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(onnxc_proto PUBLIC protobuf::libprotobuf)
  # Without NDEBUG, the generated code prints a warning for each string that is not UTF-8, but models may
  # contain such strings.
  target_compile_definitions(onnxc_proto PRIVATE NDEBUG)
  set_target_properties(onnxc_proto PROPERTIES DEFINE_SYMBOL "" VERSION ${PROJECT_VERSION} SOVERSION ${ONNXC_SOVERSION})
endif()
set_target_properties(onnxc_proto PROPERTIES EXPORT_NAME proto)
add_library(onnxc::proto ALIAS onnxc_proto)

# The old schemas of ONNX, for src/old/. They have our own protobuf packages, so they do not clash with other
# messages.
set(old_dir ${CMAKE_CURRENT_BINARY_DIR}/generated/old/old_schemas)
file(MAKE_DIRECTORY ${old_dir})
add_library(onnxc_old_proto OBJECT)
foreach(schema onnx_v1 onnx_v2 torch_2018)
  add_custom_command(
    OUTPUT ${old_dir}/${schema}.pb.cc ${old_dir}/${schema}.pb.h
    COMMAND protobuf::protoc --cpp_out=${old_dir} --proto_path=${CMAKE_CURRENT_SOURCE_DIR}/proto/old ${schema}.proto
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/proto/old/${schema}.proto
    COMMENT "Generating the messages from proto/old/${schema}.proto"
    VERBATIM)
  target_sources(onnxc_old_proto PRIVATE ${old_dir}/${schema}.pb.cc ${old_dir}/${schema}.pb.h)
endforeach()
target_include_directories(onnxc_old_proto SYSTEM PUBLIC ${CMAKE_CURRENT_BINARY_DIR}/generated/old)
target_link_libraries(onnxc_old_proto PUBLIC protobuf::libprotobuf)
target_compile_definitions(onnxc_old_proto PRIVATE NDEBUG)

# Compiled before all other files, so that unsuitable messages are refused with one clear error.
add_library(onnxc_schema_check OBJECT ${CMAKE_CURRENT_SOURCE_DIR}/cmake/schema_check.cc)
target_include_directories(onnxc_schema_check PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/include)
target_link_libraries(onnxc_schema_check PRIVATE onnxc_proto)
