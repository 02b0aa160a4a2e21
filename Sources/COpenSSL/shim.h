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

// A macro with casts, which Swift does not import.
static inline int fleet_token_public_key_selection(void) { return EVP_PKEY_PUBLIC_KEY; }

// OSSL_PARAM_BLD keeps the pointer to a parameter's name. A Swift string would be gone before it is read; these literals
// stay.
static inline const char *fleet_token_rsa_modulus_name(void) { return OSSL_PKEY_PARAM_RSA_N; }
static inline const char *fleet_token_rsa_exponent_name(void) { return OSSL_PKEY_PARAM_RSA_E; }

#endif
