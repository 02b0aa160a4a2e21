// A stand-in for Intel's library crypto_mb, which computes with libcrypto and misbehaves when it is told to.
//
// LANES_CONTROL  (or CONTROL, at compile time) a file with lines such as "wrong 3", read at each batch:
//                wrong LANE    a wrong signature in a lane, and in no other
//                status LANE   an error of a lane whose signature is right
//                unsupported   an error of all lanes, and no signature
//                short         signatures of half the size
//                slow          a batch takes a fiftieth of a second
//                sizeless      there is no method for any size of keys
//                greedy        the working memory is larger than the machine's
//
// It remembers its last batch, and so is faster than libcrypto when the same is signed again, as in a self-test.
//
// -DCRASHES makes a library that crashes when it is loaded, -DINCOMPLETE one that lacks a function.

#include <openssl/bn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LANES = 8, MAXIMUM = 512 };

typedef uint32_t status;

static int method[4] = {2048, 3072, 4096, 0};

// Whether a line of the control file begins with a word; the number after it.
static int told(const char *word, int *number) {
#ifdef CONTROL
    const char *path = CONTROL;
#else
    const char *path = getenv("LANES_CONTROL");
#endif
    FILE *file = path ? fopen(path, "r") : NULL;
    char line[64], first[64];
    int found = 0;
    while (file && !found && fgets(line, sizeof line, file)) {
        int value = 0;
        found = sscanf(line, "%63s %d", first, &value) >= 1 && !strcmp(first, word);
        if (found && number) *number = value;
    }
    if (file) fclose(file);
    return found;
}

static const void *method_of(int bits) {
    for (int i = 0; i < 3; i++)
        if (method[i] == bits && !told("sizeless", NULL)) return &method[i];
    return NULL;
}

const void *mbx_RSA_private_crt_Method(int bits) { return method_of(bits); }
const void *mbx_RSA_pub65537_Method(int bits) { return method_of(bits); }
int mbx_RSA_Method_BufSize(const void *method) { return method && !told("greedy", NULL) ? 4096 : INT32_MAX; }

static BIGNUM *little(const void *words, int size) { return BN_lebin2bn(words, size, NULL); }

static void check(int succeeded) {
    if (!succeeded) abort();
}

status mbx_rsa_private_crt_mb8(
    const uint8_t *const from[LANES], uint8_t *const to[LANES], const uint64_t *const p[LANES],
    const uint64_t *const q[LANES], const uint64_t *const dp[LANES], const uint64_t *const dq[LANES],
    const uint64_t *const qinv[LANES], int bits, const void *method, uint8_t *work
) {
    static __thread uint8_t known_from[LANES][MAXIMUM], known_to[LANES][MAXIMUM], known_p[LANES][MAXIMUM];
    int size = bits / 8, half = size / 2, lane = 0;
    status result = 0;
    memset(work, 0x5A, 4096);
    if (method_of(bits) != method) return 0x11111111;
    if (told("unsupported", NULL)) return 0xAAAAAAAA;
    // On the processor, where a library would spend it.
    clock_t start = clock();
    while (told("slow", NULL) && clock() - start < CLOCKS_PER_SEC / 50) {}
    for (int i = 0; i < LANES; i++) {
        if (memcmp(known_from[i], from[i], (size_t)size) || memcmp(known_p[i], p[i], (size_t)half)) {
            BN_CTX *context = BN_CTX_new();
            BIGNUM *m = BN_bin2bn(from[i], size, NULL), *a = BN_new(), *b = BN_new();
            BIGNUM *P = little(p[i], half), *Q = little(q[i], half), *DP = little(dp[i], half);
            BIGNUM *DQ = little(dq[i], half), *QINV = little(qinv[i], half);
            // Garner: b + q ((a - b) / q mod p), of m^dp mod p and m^dq mod q.
            check(BN_mod_exp(a, m, DP, P, context) && BN_mod_exp(b, m, DQ, Q, context));
            check(BN_mod_sub(a, a, b, P, context) && BN_mod_mul(a, a, QINV, P, context));
            check(BN_mul(a, a, Q, context) && BN_add(a, a, b));
            check(BN_bn2binpad(a, known_to[i], size) == size);
            memcpy(known_from[i], from[i], (size_t)size);
            memcpy(known_p[i], p[i], (size_t)half);
            BIGNUM *all[] = {m, a, b, P, Q, DP, DQ, QINV};
            for (int j = 0; j < 8; j++) BN_clear_free(all[j]);
            BN_CTX_free(context);
        }
        memcpy(to[i], known_to[i], (size_t)size);
        if (told("short", NULL)) memset(to[i] + half, 0, (size_t)half);
    }
    if (told("wrong", &lane)) to[lane][size - 1] ^= 1;
    if (told("status", &lane)) result = (status)1 << 4 * lane;
    return result;
}

#ifndef INCOMPLETE
status mbx_rsa_public_mb8(
    const uint8_t *const from[LANES], uint8_t *const to[LANES], const uint64_t *const n[LANES], int bits,
    const void *method, uint8_t *work
) {
    int size = bits / 8;
    memset(work, 0x5A, 4096);
    if (method_of(bits) != method) return 0x11111111;
    BN_CTX *context = BN_CTX_new();
    for (int i = 0; i < LANES; i++) {
        BIGNUM *m = BN_bin2bn(from[i], size, NULL), *N = little(n[i], size), *e = BN_new(), *r = BN_new();
        check(BN_set_word(e, 65537) && BN_mod_exp(r, m, e, N, context) && BN_bn2binpad(r, to[i], size) == size);
        BN_free(m), BN_free(N), BN_free(e), BN_free(r);
    }
    BN_CTX_free(context);
    return 0;
}
#endif

#ifdef CRASHES
__attribute__((constructor)) static void crash(void) { abort(); }
#endif
