import ServiceLifecycle

@testable import ServiceSupport
@testable import TokenService

extension Listener {
    /// Runs a listener, on a port of the system's choice, while a closure runs.
    static func run<Result>(
        _ responder: any Responder,
        _ lifecycle: Lifecycle = Lifecycle(),
        certificate: ServerCertificate? = nil,
        _ body: (_ port: Int) async throws -> Result
    ) async throws -> Result {
        try await ServiceGroup.run { (onReady: @escaping @Sendable (Int) -> Void) in
            Listener(
                address: ListenAddress(host: "127.0.0.1", port: 0),
                responder: responder,
                lifecycle: lifecycle,
                clock: .system,
                certificate: certificate
            ) { onReady($0.port) }
        } whileRunning: { port in
            try await body(port)
        }
    }
}
