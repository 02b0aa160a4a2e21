// Sends requests at a constant rate: an open loop, so a slow server cannot slow down its own measurement.
//
//   API_KEY=… openloop PORT RATE SECONDS CONNECTIONS FIRST IDS [EVERY]
//
// Request i is due at start + i / RATE and asks for /token/driver/v-ID with ID = FIRST + i % IDS (0: all distinct). Its
// latency counts from when it was due, also when all connections were busy then, which wrk's figures would omit. One
// JSON object goes to standard error; the body of each EVERY-th answer with a token, a line each, to standard output.
//
// A virtual machine is stopped now and then, with all that runs in it. This program notices that on its own clock: it
// wakes later than it asked for, or one turn of its loop takes too long. "accepted" has all requests; "undisturbed" has
// those that were due outside of such stalls and of the time after them in which a server works off what has gathered.
// Which requests these are depends on no response. With a core of its own, this program cannot be late because of the
// server.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { BUFFER = 16384, REQUEST = 512 };
enum {
    STALL = 500000,           // nanoseconds that this program is late
    STALL_BEFORE = 1000000,   // requests that were due so long before a stall may be under way when it begins
    STALL_AFTER = 4,          // a server at 70 % needs 2.3 times the length of a stall to work off what has gathered
    STALLS = 65536,
    STALLS_SEARCHED = 64,
};

typedef struct {
    int descriptor;
    bool busy;
    int64_t due;
    size_t count;
    char buffer[BUFFER];
} Connection;

typedef struct {
    uint32_t *microseconds;
    size_t count;
} Latencies;

// The requests due in this time are disturbed.
typedef struct {
    int64_t begin, end;
} Stall;

static int port, poll_descriptor;
static const char *api_key;
static size_t capacity;
static Latencies accepted, undisturbed, refused;
static Stall stalls[STALLS];
static size_t stall_count;
static int64_t stalled;
static uint64_t statuses[600], answers, errors, with_retry_after, every;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static void open_connection(Connection *connection) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    connection->descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(connection->descriptor, (struct sockaddr *)&address, sizeof address)) fail("connect");
    int yes = 1;
    setsockopt(connection->descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    fcntl(connection->descriptor, F_SETFL, O_NONBLOCK);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
    epoll_ctl(poll_descriptor, EPOLL_CTL_ADD, connection->descriptor, &event);
    connection->busy = false;
    connection->count = 0;
}

// Closing a connection with a request in progress is an error.
static void reopen(Connection *connection) {
    errors += connection->busy;
    close(connection->descriptor);
    open_connection(connection);
}

static void ask(Connection *connection, uint64_t id, int64_t due) {
    char request[REQUEST];
    int length = snprintf(request, sizeof request,
        "GET /token/driver/v-%lu HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: %s\r\n\r\n", (unsigned long)id, api_key);
    connection->busy = true;
    connection->due = due;
    connection->count = 0;
    if (write(connection->descriptor, request, length) != length) reopen(connection);
}

static void keep(Latencies *latencies, int64_t nanoseconds) {
    if (latencies->count < capacity) latencies->microseconds[latencies->count++] = nanoseconds / 1000;
}

static void add_stall(int64_t begin, int64_t end) {
    if (end - begin <= STALL || stall_count == STALLS) return;
    stalls[stall_count++] = (Stall){begin - STALL_BEFORE, end + STALL_AFTER * (end - begin)};
    stalled += end - begin;
}

static bool is_disturbed(int64_t due) {
    for (size_t index = stall_count; index-- && stall_count - index <= STALLS_SEARCHED;) {
        if (stalls[index].begin <= due && due <= stalls[index].end) return true;
    }
    return false;
}

// Returns whether a response is complete, and counts it.
static bool take(Connection *connection, int64_t time) {
    connection->buffer[connection->count] = 0;
    char *end = strstr(connection->buffer, "\r\n\r\n");
    if (!end) return false;
    char *body = end + 4;
    char *length = strcasestr(connection->buffer, "\r\ncontent-length:");
    if (!length || length > end) {
        fputs("An answer has no Content-Length.\n", stderr);
        exit(1);
    }
    size_t size = strtoul(length + 17, NULL, 10);
    if (connection->count < (size_t)(body - connection->buffer) + size) return false;
    int status = atoi(connection->buffer + 9);
    statuses[status > 0 && status < 600 ? status : 0]++;
    answers++;
    if (status == 200) {
        keep(&accepted, time - connection->due);
        if (!is_disturbed(connection->due)) keep(&undisturbed, time - connection->due);
        if (every && statuses[200] % every == 0) {
            fwrite(body, 1, size, stdout);
            putchar('\n');
        }
    } else {
        keep(&refused, time - connection->due);
        *end = 0;
        with_retry_after += strcasestr(connection->buffer, "\r\nretry-after:") != NULL;
    }
    connection->busy = false;
    return true;
}

// Returns whether the connection is free for another request.
static bool receive(Connection *connection) {
    for (;;) {
        ssize_t count = read(connection->descriptor, connection->buffer + connection->count,
            BUFFER - 1 - connection->count);
        if (count < 0 && errno == EAGAIN) return false;
        if (count <= 0) {
            reopen(connection);
            return true;
        }
        connection->count += count;
        if (connection->busy && take(connection, now())) return true;
    }
}

static int compare(const void *left, const void *right) {
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

static void print_latencies(const char *name, Latencies *latencies) {
    static const double shares[] = {0.5, 0.9, 0.99, 0.999, 1};
    static const char *names[] = {"p50", "p90", "p99", "p99.9", "max"};
    qsort(latencies->microseconds, latencies->count, sizeof(uint32_t), compare);
    fprintf(stderr, ", \"%s\": {", name);
    for (size_t index = 0; latencies->count && index < 5; index++) {
        size_t rank = (size_t)(shares[index] * (latencies->count - 1) + 0.5);
        fprintf(stderr, "%s\"%s\": %u", index ? ", " : "", names[index], latencies->microseconds[rank]);
    }
    fputs("}", stderr);
}

int main(int count, char **arguments) {
    api_key = getenv("API_KEY");
    if (count < 7 || !api_key) {
        fputs("usage: API_KEY=... openloop PORT RATE SECONDS CONNECTIONS FIRST IDS [EVERY]\n", stderr);
        return 2;
    }
    port = atoi(arguments[1]);
    double rate = atof(arguments[2]), seconds = atof(arguments[3]);
    size_t places = strtoul(arguments[4], NULL, 10);
    uint64_t first = strtoull(arguments[5], NULL, 10), ids = strtoull(arguments[6], NULL, 10);
    every = count > 7 ? strtoull(arguments[7], NULL, 10) : 0;
    capacity = (size_t)(rate * seconds) + 1;
    // Long runs are measured by their first five million responses.
    if (capacity > 5000000) capacity = 5000000;
    accepted.microseconds = malloc(capacity * sizeof(uint32_t));
    undisturbed.microseconds = malloc(capacity * sizeof(uint32_t));
    refused.microseconds = malloc(capacity * sizeof(uint32_t));
    Connection *connections = calloc(places, sizeof(Connection));
    Connection **idle = calloc(places, sizeof(Connection *));
    struct epoll_event events[64];
    if (!accepted.microseconds || !undisturbed.microseconds || !refused.microseconds || !connections || !idle) fail("malloc");
    signal(SIGPIPE, SIG_IGN);
    // Avoid the default timer slack of 50 us.
    prctl(PR_SET_TIMERSLACK, 1);
    poll_descriptor = epoll_create1(EPOLL_CLOEXEC);
    size_t idle_count = 0;
    for (size_t index = 0; index < places; index++) {
        open_connection(&connections[index]);
        idle[idle_count++] = &connections[index];
    }
    // The server accepts them: about 100 us each.
    usleep(1000 * (100 + places / 5));

    uint64_t sent = 0, total = (uint64_t)(rate * seconds);
    // Requests without a response five seconds after the last one was due count as unanswered.
    int64_t start = now(), last = start + (int64_t)((seconds + 5) * 1e9), woken = start;
    for (;;) {
        int64_t time = now();
        add_stall(woken, time);
        int64_t due = start + (int64_t)(sent * (1e9 / rate));
        while (sent < total && idle_count && due <= time) {
            ask(idle[--idle_count], first + (ids ? sent % ids : sent), due);
            // A connection that failed on write was reopened and is free.
            if (!idle[idle_count]->busy) idle_count++;
            due = start + (int64_t)(++sent * (1e9 / rate));
        }
        if (time >= last || (sent == total && idle_count == places)) break;
        int64_t wait = sent == total || !idle_count ? 100000000 : due - time;
        if (wait < 0) wait = 0;
        struct timespec timeout = {wait / 1000000000, wait % 1000000000};
        int ready = epoll_pwait2(poll_descriptor, events, 64, &timeout, NULL);
        woken = now();
        add_stall(time + wait, woken);
        for (int index = 0; index < ready; index++) {
            Connection *connection = events[index].data.ptr;
            bool was_busy = connection->busy;
            if (receive(connection) && was_busy) idle[idle_count++] = connection;
        }
    }
    double duration = (now() - start) / 1e9;

    fflush(stdout);
    fprintf(stderr, "{\"due\": %lu, \"answers\": %lu, \"errors\": %lu, \"unanswered\": %lu, \"retryAfter\": %lu, "
        "\"seconds\": %.6f, \"stalls\": %lu, \"stalled\": %.6f, \"statuses\": {",
        (unsigned long)total, (unsigned long)answers, (unsigned long)errors, (unsigned long)(total - answers - errors),
        (unsigned long)with_retry_after, duration, (unsigned long)stall_count, stalled / 1e9);
    const char *separator = "";
    for (int status = 0; status < 600; status++) {
        if (!statuses[status]) continue;
        fprintf(stderr, "%s\"%d\": %lu", separator, status, (unsigned long)statuses[status]);
        separator = ", ";
    }
    fputs("}", stderr);
    print_latencies("accepted", &accepted);
    print_latencies("undisturbed", &undisturbed);
    print_latencies("refused", &refused);
    fputs("}\n", stderr);
    return 0;
}
