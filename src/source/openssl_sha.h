// OpenSSL's checksums in the API of version 1.1. Unlike the newer API, it needs no provider, so a static program
// contains less than 100 KB of OpenSSL.
#pragma once

#define OPENSSL_API_COMPAT 10100
#include <openssl/sha.h>
