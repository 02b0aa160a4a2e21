// The system's libcrypto (OpenSSL 3). Only the JOSE module imports it.
#ifndef FLEET_TOKEN_COPENSSL_SHIM_H
#define FLEET_TOKEN_COPENSSL_SHIM_H

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <openssl/x509.h>

// A macro with casts, which Swift does not import.
static inline int fleet_token_public_key_selection(void) { return EVP_PKEY_PUBLIC_KEY; }

// OSSL_PARAM_BLD keeps the pointer to a parameter's name. A Swift string would be gone before it is read; these literals
// stay.
static inline const char *fleet_token_rsa_modulus_name(void) { return OSSL_PKEY_PARAM_RSA_N; }
static inline const char *fleet_token_rsa_exponent_name(void) { return OSSL_PKEY_PARAM_RSA_E; }
static inline const char *fleet_token_group_name(void) { return OSSL_PKEY_PARAM_GROUP_NAME; }
static inline const char *fleet_token_public_key_name(void) { return OSSL_PKEY_PARAM_PUB_KEY; }

// SHA-256 with its state on the stack. EVP_Digest allocates two objects for each digest and takes 204 ns for 64 bytes, this
// 83 ns. OpenSSL deprecates it because a FIPS provider cannot replace it.
static inline int fleet_token_sha256(const void *message, size_t size, unsigned char *digest) {
    SHA256_CTX state;
    return SHA256_Init(&state) == 1 && SHA256_Update(&state, message, size) == 1 && SHA256_Final(digest, &state) == 1;
}

#endif
