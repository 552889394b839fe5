// OpenSSL's checksums by the API of its version 1.1, which needs no provider: a static program takes less than 100 KB
// of OpenSSL for them.
#pragma once

#define OPENSSL_API_COMPAT 10100
#include <openssl/sha.h>
