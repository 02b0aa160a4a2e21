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

#endif
