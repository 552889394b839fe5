# OpenSSL's checksums and base64: OpenSSL::Crypto. The static library is used if it can be linked: Fedora has none, and
# Debian sid's needs zstd's static library, on which its package does not depend.
if(ONNXC_STATIC_DEPENDENCIES)
  set(OPENSSL_USE_STATIC_LIBS ON)
  find_package(OpenSSL QUIET COMPONENTS Crypto)
  set(OPENSSL_USE_STATIC_LIBS ${OPENSSL_FOUND})
endif()
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
if(OPENSSL_USE_STATIC_LIBS)
  set(probe ${CMAKE_CURRENT_BINARY_DIR}/checksums.cc)
  file(WRITE ${probe} [[
    #define OPENSSL_API_COMPAT 10100
    #include <openssl/evp.h>
    #include <openssl/sha.h>
    int main(int, char** arguments) {
      unsigned char text[8];
      SHA_CTX sha1;
      SHA256_CTX sha256;
      return SHA1_Init(&sha1) + SHA256_Init(&sha256) + EVP_EncodeBlock(text, reinterpret_cast<unsigned char*>(*arguments), 1);
    }
]])
  try_compile(ONNXC_OPENSSL_ARCHIVE ${CMAKE_CURRENT_BINARY_DIR}/checksums ${probe} LINK_LIBRARIES OpenSSL::Crypto)
  if(NOT ONNXC_OPENSSL_ARCHIVE)
    message(STATUS "OpenSSL's archive cannot be linked here: the shared library is taken")
    find_library(ONNXC_OPENSSL_LIBRARY crypto)
    set_target_properties(OpenSSL::Crypto PROPERTIES IMPORTED_LOCATION ${ONNXC_OPENSSL_LIBRARY} INTERFACE_LINK_LIBRARIES "")
  endif()
endif()
