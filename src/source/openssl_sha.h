// OpenSSL's checksums by the API of its version 1.1, which needs no provider: a static program takes 65 KB of OpenSSL
// for them, where EVP would take megabytes, and they cost nothing at the start.
#pragma once

#define OPENSSL_API_COMPAT 10100
#include <openssl/sha.h>
