import FleetToken
import NIOCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Where a listener is: a name or an address of this machine, and a port.
struct ListenAddress: Sendable {
    let host: String
    let port: Int

    private var isIPv6: Bool { host.utf8.contains(UInt8(ascii: ":")) }

    /// The host as a URL has it.
    var authority: String { isIPv6 ? "[\(host)]" : host }

    /// Returns `HOST:PORT`, with the port that the system chose.
    func bound(to port: Int?) -> String { "\(authority):\(port ?? self.port)" }

    /// Returns the error of a listener that could not begin.
    func failure(_ error: any Error) -> EmulatorError {
        let reason = (error as? IOError).map { String(cString: strerror($0.errnoCode)).lowercased() } ?? "\(error)"
        return EmulatorError(
            "The emulator cannot listen on \(bound(to: nil)): \(reason). "
                + "Choose another port with --port, or 0 for any free one."
        )
    }
}
