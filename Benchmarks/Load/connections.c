// Requests tokens over TLS, each on a connection of its own, as phones do.
//
//   API_KEY=… connections PORT THREADS SECONDS FIRST full|resumed    as fast as responses arrive, for so many seconds
//   API_KEY=… connections PORT THREADS 0 FIRST full                  one request of each thread, all at the same moment
//
// Each request asks for /token/driver/v-ID with an ID of its own. "resumed" presents the ticket of the thread's connection
// before. Certificates are not verified. One JSON object goes to standard output; `last` is the seconds to the last response.

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int port;
static double seconds;
static bool resumes;
static const char *api_key;
static SSL_CTX *context;
static pthread_barrier_t begin;
static double started;
static atomic_long next_id, answers, refused, broken, resumed;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

// Returns the status of the response, or 0 if the connection broke.
static int request(SSL_SESSION **session) {
    int status = 0, descriptor = socket(AF_INET, SOCK_STREAM, 0), one = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    SSL *tls = SSL_new(context);
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    SSL_set_fd(tls, descriptor);
    if (*session) SSL_set_session(tls, *session);
    if (!connect(descriptor, (struct sockaddr *)&address, sizeof address) && SSL_connect(tls) == 1) {
        if (SSL_session_reused(tls)) resumed++;
        char buffer[16384];
        int length = snprintf(buffer, sizeof buffer,
            "GET /token/driver/v-%ld HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: %s\r\nConnection: close\r\n\r\n",
            next_id++, api_key);
        int count = 0, part = SSL_write(tls, buffer, length);
        // To the end, which the server closes; all bodies end with the brace of an object.
        while (part > 0 && count < (int)sizeof buffer - 1) {
            part = SSL_read(tls, buffer + count, sizeof buffer - 1 - count);
            if (part > 0) count += part;
        }
        buffer[count] = 0;
        if (count > 12 && !strncmp(buffer, "HTTP/1.1 ", 9) && strrchr(buffer, '}')) status = atoi(buffer + 9);
        if (resumes) {
            SSL_SESSION_free(*session);
            *session = SSL_get1_session(tls);
        }
        SSL_shutdown(tls);
    }
    SSL_free(tls);
    close(descriptor);
    return status;
}

static void *run(void *_) {
    SSL_SESSION *session = NULL;
    double *last = calloc(1, sizeof *last);
    pthread_barrier_wait(&begin);
    do {
        int status = request(&session);
        *last = now() - started;
        if (status == 200) answers++;
        else if (status) refused++;
        else broken++;
    } while (now() - started < seconds);
    SSL_SESSION_free(session);
    return last;
}

int main(int count, char **arguments) {
    if (count != 6) return fprintf(stderr, "usage: see the source\n"), 64;
    port = atoi(arguments[1]);
    int threads = atoi(arguments[2]);
    seconds = atof(arguments[3]);
    next_id = atol(arguments[4]);
    resumes = !strcmp(arguments[5], "resumed");
    api_key = getenv("API_KEY");
    context = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_session_cache_mode(context, resumes ? SSL_SESS_CACHE_CLIENT : SSL_SESS_CACHE_OFF);
    pthread_barrier_init(&begin, NULL, threads + 1);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 128 * 1024);
    pthread_t *workers = calloc(threads, sizeof *workers);
    for (int i = 0; i < threads; i++) {
        if (pthread_create(&workers[i], &attributes, run, NULL)) return perror("pthread_create"), 1;
    }
    started = now();
    pthread_barrier_wait(&begin);
    double last = 0;
    for (int i = 0; i < threads; i++) {
        double *end;
        pthread_join(workers[i], (void **)&end);
        if (*end > last) last = *end;
    }
    printf("{\"answers\": %ld, \"refused\": %ld, \"broken\": %ld, \"resumed\": %ld, \"last\": %.6f}\n", answers, refused, broken,
        resumed, last);
}
