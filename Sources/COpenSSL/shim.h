// The system's libcrypto (OpenSSL 3). Only the JOSE module imports it.
#ifndef FLEET_TOKEN_COPENSSL_SHIM_H
#define FLEET_TOKEN_COPENSSL_SHIM_H

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

// Macros with arguments or casts, which Swift does not import.
static inline int fleet_token_public_key_selection(void) { return EVP_PKEY_PUBLIC_KEY; }

#endif
