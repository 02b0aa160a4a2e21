import Foundation
import ServiceSupport
import Testing

/// The socket on which systemd would listen.
final class NotifySocket: Sendable {
    let path: String
    private let descriptor: CInt

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("notify-\(UUID())").path
        #if canImport(Glibc)
        descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue), 0)
        #else
        descriptor = socket(AF_UNIX, SOCK_DGRAM, 0)
        #endif
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = Array(path.utf8)
        try #require(name.count < MemoryLayout.size(ofValue: address.sun_path))
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
    }

    deinit {
        close(descriptor)
        unlink(path)
    }

    /// What it heard, from the first to the last.
    func heard() -> [String] {
        var states: [String] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = recv(descriptor, &buffer, buffer.count, CInt(MSG_DONTWAIT)), count > 0 {
            states.append(String(decoding: buffer[..<count], as: UTF8.self))
        }
        return states
    }
}
