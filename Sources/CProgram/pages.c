#define _GNU_SOURCE
#include "CProgram.h"

#ifdef __linux__
#include <link.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

// Called for the program first, then for its libraries.
static int release(struct dl_phdr_info *program, size_t size, void *unused) {
    (void)size;
    (void)unused;
    uintptr_t page = (uintptr_t)getpagesize();
    for (ElfW(Half) index = 0; index < program->dlpi_phnum; index++) {
        const ElfW(Phdr) *segment = &program->dlpi_phdr[index];
        // Pages that can be written may differ from the file, and would be lost.
        if (segment->p_type != PT_LOAD || segment->p_flags & PF_W) continue;
        uintptr_t start = (program->dlpi_addr + segment->p_vaddr) & ~(page - 1);
        uintptr_t end = program->dlpi_addr + segment->p_vaddr + segment->p_memsz;
        // It fails for locked memory, which is to stay.
        (void)madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 1;
}

void fleet_token_release_pages(void) { dl_iterate_phdr(release, NULL); }
#else
void fleet_token_release_pages(void) {}
#endif
