import COpenSSL
import Libc

/// Memory for secrets: whole pages that are in no core dump, and wiped before they are given back.
final class SecretMemory {
    let start: UnsafeMutableRawPointer
    private let size: Int

    /// Creates memory filled with zeros; nil if the system has none, or cannot keep it out of core dumps.
    init?(size: Int) {
        let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
        guard let memory, memory != MAP_FAILED else { return nil }
        #if os(Linux)
        guard madvise(memory, size, MADV_DONTDUMP) == 0 else {
            munmap(memory, size)
            return nil
        }
        #endif
        start = memory
        self.size = size
    }

    /// Overwrites it with zeros, in a way that the compiler does not leave out.
    func wipe() { OPENSSL_cleanse(start, size) }

    deinit {
        wipe()
        munmap(start, size)
    }
}
