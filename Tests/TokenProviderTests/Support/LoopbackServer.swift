import Foundation

@testable import TokenProvider

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A small HTTP/1.1 server on 127.0.0.1: a thread that accepts, and one for each connection.
final class LoopbackServer: Sendable {
    typealias Handler = @Sendable (LoopbackRequest) -> LoopbackResponse

    let port: UInt16
    private let listener: Int32
    private let handler: Handler
    private let connections = Lock<Set<Int32>>([])

    /// Starts a server on a port; zero for any that is free.
    init(port: UInt16 = 0, handler: @escaping Handler) throws {
        self.handler = handler
        // Writing to a connection that the other side closed is an error here, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        listener = socket(AF_INET, streamSocket, 0)
        guard listener >= 0 else { throw SocketError(errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        // A server that is restarted gets its port although old connections linger.
        var reuse: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 128) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard bound else {
            let error = SocketError(errno)
            close(listener)
            throw error
        }
        self.port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [self] in acceptConnections() }
    }

    /// Ends the listener and all connections; it can be called again.
    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        connections.withLock { for connection in $0 { shutdown(connection, Int32(SHUT_RDWR)) } }
    }

    private func acceptConnections() {
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { break }
            connections.withLock { _ = $0.insert(connection) }
            Thread.detachNewThread { [self] in
                serve(LoopbackConnection(descriptor: connection))
                connections.withLock { _ = $0.remove(connection) }
                close(connection)
            }
        }
        close(listener)
    }

    private func serve(_ connection: LoopbackConnection) {
        while let request = connection.readRequest() {
            guard handler(request).write(to: connection) else { return }
        }
    }
}

struct SocketError: Error {
    let number: Int32
    init(_ number: Int32) { self.number = number }
}

#if canImport(Glibc)
private let streamSocket = Int32(SOCK_STREAM.rawValue)
#else
private let streamSocket = SOCK_STREAM
#endif
