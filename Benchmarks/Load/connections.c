// Requests tokens over TLS, each on a connection of its own, as phones do.
//
//   API_KEY=… connections PORT THREADS SECONDS FIRST full|resumed    as fast as responses arrive, for so many seconds
//   API_KEY=… connections PORT THREADS 0 FIRST full                  one request of each thread, all at the same moment
//   connections PORT THREADS SECONDS RATE full|resumed CALLERS EVERY FROM TO    an open loop, of independent callers
//
// The first two ask for /token/driver/v-ID with an ID of its own. In the open loop, requests are due at random moments, RATE a
// second on average, whatever the responses do, and each has an address of 127.0.0.0/8 of its own. A line of the file CALLERS
// is a request: its path and the caller's JWT. A line of the output is a response:
//
//   NUMBER DUE LATENCY STATUS BODY
//
// with the microseconds at which it was due, and from then to its end; a status of 0 is a connection that broke. BODY is that of
// one in EVERY, and of all that were due between FROM and TO seconds; otherwise it is "-".
//
// "resumed" presents the ticket of the thread's connection before. Certificates are not verified. The last line is a JSON
// object; `last` is the seconds to the last response, `sent` and `received` are bytes of HTTP.

#include <arpa/inet.h>
#include <math.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int port;
static double seconds;
static bool resumes;
static const char *api_key;
static SSL_CTX *context;
static pthread_barrier_t begin;
static double started;
static atomic_long next_id, answers, refused, broken, resumed, sent, received;

// Of the open loop.
static FILE *callers;
static pthread_mutex_t schedule = PTHREAD_MUTEX_INITIALIZER;
static double rate, next_due, from, to;
static long every, next_number;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

// Sends the request in the buffer from an address, and replaces it by the response. Returns its status, or 0 if the connection
// broke.
static int request(SSL_SESSION **session, in_addr_t source, char *buffer, int size) {
    int status = 0, descriptor = socket(AF_INET, SOCK_STREAM, 0), one = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr = {source}};
    struct timeval patience = {.tv_sec = 60};
    SSL *tls = SSL_new(context);
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (source) {
        setsockopt(descriptor, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &one, sizeof one);
        if (bind(descriptor, (struct sockaddr *)&own, sizeof own)) perror("bind"), exit(1);
    }
    SSL_set_fd(tls, descriptor);
    if (*session) SSL_set_session(tls, *session);
    if (!connect(descriptor, (struct sockaddr *)&address, sizeof address) && SSL_connect(tls) == 1) {
        if (SSL_session_reused(tls)) resumed++;
        int count = 0, part = SSL_write(tls, buffer, strlen(buffer));
        if (part > 0) sent += part;
        // To the end, which the server closes; all bodies end with the brace of an object.
        while (part > 0 && count < size - 1) {
            part = SSL_read(tls, buffer + count, size - 1 - count);
            if (part > 0) count += part;
        }
        received += count;
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
    if (status == 200) answers++;
    else if (status) refused++;
    else broken++;
    return status;
}

static void *run(void *_) {
    SSL_SESSION *session = NULL;
    double *last = calloc(1, sizeof *last);
    char buffer[16384];
    pthread_barrier_wait(&begin);
    do {
        snprintf(buffer, sizeof buffer,
            "GET /token/driver/v-%ld HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: %s\r\nConnection: close\r\n\r\n",
            next_id++, api_key);
        request(&session, 0, buffer, sizeof buffer);
        *last = now() - started;
    } while (now() - started < seconds);
    SSL_SESSION_free(session);
    return last;
}

// Takes the next request from the file and writes it into the buffer. Returns its number, or -1 at the end.
static long take(char *buffer, int size, double *due) {
    static char line[8192];
    pthread_mutex_lock(&schedule);
    long number = -1;
    next_due -= log(1 - drand48()) / rate;
    if (next_due < seconds && fgets(line, sizeof line, callers)) {
        char *rest, *path = strtok_r(line, " \n", &rest), *token = strtok_r(NULL, " \n", &rest);
        number = next_number++;
        *due = next_due;
        snprintf(buffer, size, "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\nConnection: close\r\n\r\n",
            path, token);
    }
    pthread_mutex_unlock(&schedule);
    return number;
}

static void *run_open(void *_) {
    SSL_SESSION *session = NULL;
    double *last = calloc(1, sizeof *last), due;
    char buffer[16384];
    long number;
    pthread_barrier_wait(&begin);
    while ((number = take(buffer, sizeof buffer, &due)) >= 0) {
        double pause = started + due - now();
        if (pause > 0) nanosleep(&(struct timespec){pause, (pause - (long)pause) * 1e9}, NULL);
        // Neighbours in time are none in the network: of four million addresses, 127.64.0.0 and what follows.
        in_addr_t source = htonl(0x7f400000 + ((unsigned)number * 2654435761u >> 10));
        int status = request(&session, source, buffer, sizeof buffer);
        *last = now() - started;
        char *body = status && (number % every == 0 || (from <= due && due < to)) ? strstr(buffer, "\r\n\r\n") : NULL;
        printf("%ld %.0f %.0f %d %s\n", number, due * 1e6, (*last - due) * 1e6, status, body ? body + 4 : "-");
    }
    SSL_SESSION_free(session);
    return last;
}

int main(int count, char **arguments) {
    if (count != 6 && count != 10) return fprintf(stderr, "usage: see the source\n"), 64;
    bool is_open = count == 10;
    port = atoi(arguments[1]);
    int threads = atoi(arguments[2]);
    seconds = atof(arguments[3]);
    next_id = atol(arguments[4]);
    rate = atof(arguments[4]);
    resumes = !strcmp(arguments[5], "resumed");
    if (is_open) {
        if (!(callers = fopen(arguments[6], "r"))) return perror(arguments[6]), 1;
        every = atol(arguments[7]);
        from = atof(arguments[8]);
        to = atof(arguments[9]);
    }
    api_key = getenv("API_KEY");
    context = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_session_cache_mode(context, resumes ? SSL_SESS_CACHE_CLIENT : SSL_SESS_CACHE_OFF);
    pthread_barrier_init(&begin, NULL, threads + 1);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 128 * 1024);
    pthread_t *workers = calloc(threads, sizeof *workers);
    for (int i = 0; i < threads; i++) {
        if (pthread_create(&workers[i], &attributes, is_open ? run_open : run, NULL)) return perror("pthread_create"), 1;
    }
    started = now();
    pthread_barrier_wait(&begin);
    double last = 0;
    for (int i = 0; i < threads; i++) {
        double *end;
        pthread_join(workers[i], (void **)&end);
        if (*end > last) last = *end;
    }
    printf("{\"answers\": %ld, \"refused\": %ld, \"broken\": %ld, \"resumed\": %ld, \"last\": %.6f, \"started\": %.6f, "
        "\"sent\": %ld, \"received\": %ld}\n", answers, refused, broken, resumed, last, started, sent, received);
}
