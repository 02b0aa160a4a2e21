// A PKCS#11 module that misbehaves when it is told to. Behind it is another one, which does the work.
//
// HOSTILE_BEHIND   the module behind it
// HOSTILE_CONTROL  a file with lines such as "C_Sign hang", read at each call
// HOSTILE_LOG      a file that gets the name of each function that is called, and "destructor"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef unsigned long word;

static volatile int inside;

static void *behind(const char *function) {
    static void *library;
    if (!library) library = dlopen(getenv("HOSTILE_BEHIND"), RTLD_NOW | RTLD_LOCAL);
    return dlsym(library, function);
}

// What a function is told to do, such as "hang" or "return 104".
static const char *told(const char *function) {
    static __thread char line[256];
    size_t length = strlen(function);
    FILE *file = fopen(getenv("HOSTILE_CONTROL"), "r");
    const char *found = "";
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        if (!strncmp(line, function, length) && line[length] == ' ') {
            found = line + length + 1;
            break;
        }
    }
    if (file) fclose(file);
    return found;
}

static int is(const char *function, const char *what) { return !strcmp(told(function), what); }

static void record(const char *function) {
    char line[64];
    int file = open(getenv("HOSTILE_LOG"), O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (file >= 0) {
        int length = snprintf(line, sizeof line, "%s\n", function);
        if (write(file, line, (size_t)length) != length) abort();
        close(file);
    }
}

static void enter(const char *function) {
    record(function);
    inside++;
    while (is(function, "hang")) usleep(10000);
    inside--;
}

// Calls the function behind, unless there is another value to return.
#define FORWARD(function, types, arguments)                          \
    enter(#function);                                                \
    word value = 0;                                                  \
    if (sscanf(told(#function), "return %lu", &value) == 1) return value; \
    value = ((word(*) types)behind(#function))arguments

// As a library that finishes its work when the process ends.
__attribute__((destructor)) static void end(void) {
    record("destructor");
    while (inside) usleep(10000);
}

// As libcrypto's, which is registered when it is first used: calls on other threads would crash in what it frees.
static void clean_up(void) {
    record("destructor");
    abort();
}

word C_Initialize(void *arguments) {
    atexit(clean_up);
    FORWARD(C_Initialize, (void *), (arguments));
    return value;
}

word C_Finalize(void *reserved) {
    FORWARD(C_Finalize, (void *), (reserved));
    return value;
}

word C_GetSlotList(unsigned char present, word *slots, word *count) {
    FORWARD(C_GetSlotList, (unsigned char, word *, word *), (present, slots, count));
    if (is("C_GetSlotList", "many")) *count = ~0UL;
    return value;
}

word C_GetTokenInfo(word slot, void *info) {
    FORWARD(C_GetTokenInfo, (word, void *), (slot, info));
    if (is("C_GetTokenInfo", "garbage")) memset(info, 0xff, 160);
    return value;
}

word C_OpenSession(word slot, word flags, void *application, void *notify, word *session) {
    FORWARD(C_OpenSession, (word, word, void *, void *, word *), (slot, flags, application, notify, session));
    return value;
}

word C_CloseSession(word session) {
    FORWARD(C_CloseSession, (word), (session));
    return value;
}

word C_Login(word session, word user, unsigned char *pin, word length) {
    FORWARD(C_Login, (word, word, unsigned char *, word), (session, user, pin, length));
    return value;
}

word C_FindObjectsInit(word session, word *template, word count) {
    FORWARD(C_FindObjectsInit, (word, word *, word), (session, template, count));
    return value;
}

word C_FindObjects(word session, word *objects, word maximum, word *count) {
    FORWARD(C_FindObjects, (word, word *, word, word *), (session, objects, maximum, count));
    if (is("C_FindObjects", "many")) *count = ~0UL;
    return value;
}

word C_FindObjectsFinal(word session) {
    FORWARD(C_FindObjectsFinal, (word), (session));
    return value;
}

word C_GetAttributeValue(word session, word object, word *template, word count) {
    FORWARD(C_GetAttributeValue, (word, word, word *, word), (session, object, template, count));
    if (is("C_GetAttributeValue", "many")) template[2] = ~0UL;
    if (is("C_GetAttributeValue", "none")) template[2] = 0;
    if (is("C_GetAttributeValue", "null")) template[1] = 0;
    if (is("C_GetAttributeValue", "zeros")) memset((void *)template[1], 0, template[2]);
    if (is("C_GetAttributeValue", "ones")) memset((void *)template[1], 0xff, template[2]);
    return value;
}

word C_SignInit(word session, word *mechanism, word key) {
    FORWARD(C_SignInit, (word, word *, word), (session, mechanism, key));
    return value;
}

word C_Sign(word session, unsigned char *data, word length, unsigned char *signature, word *size) {
    FORWARD(C_Sign, (word, unsigned char *, word, unsigned char *, word *), (session, data, length, signature, size));
    if (is("C_Sign", "many")) *size = ~0UL;
    if (is("C_Sign", "none")) *size = 0;
    if (is("C_Sign", "short")) *size = 3;
    if (is("C_Sign", "wrong")) signature[100] ^= 1;
    return value;
}
