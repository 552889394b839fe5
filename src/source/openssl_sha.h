// OpenSSL's checksums in the API of version 1.1, which needs no provider. With it, a static program contains less than
// 100 KB of OpenSSL.
#pragma once

#define OPENSSL_API_COMPAT 10100
#include <openssl/sha.h>
