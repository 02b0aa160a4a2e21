import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle

/// The listener, for HTTP/1.1 without TLS.
struct HTTPListener: Service {
    /// How large a body may be, in bytes: a batch of tasks has 500.
    private static let maximumBody = 1 << 20

    let address: ListenAddress
    let logger: Logger
    let responder: EmulatorResponder
    let onListening: @Sendable (String) -> Void

    func run() async throws {
        let respond = CallbackResponder { [responder] (request: Request, _: BasicRequestContext) in
            await responder.respond(to: request.head, body: await Self.body(of: request))
        }
        let application = Application(
            responder: respond,
            // Followers keep their connections while they wait for the next poll, and faults may delay responses.
            server: .http1(configuration: .init(idleTimeout: .seconds(300))),
            configuration: .init(address: .hostname(address.host, port: address.port), backlog: 1024),
            onServerRunning: { onListening(address.bound(to: $0.localAddress?.port)) },
            logger: logger
        )
        do {
            try await application.run()
        } catch {
            throw address.failure(error)
        }
    }

    private static func body(of request: Request) async -> Result<[UInt8], EngineError> {
        do {
            return .success(Array(buffer: try await request.body.collect(upTo: maximumBody)))
        } catch is NIOTooManyBytesError {
            return .failure(.malformed("body", "is larger than 1 MiB"))
        } catch {
            return .failure(.malformed("body", "is incomplete or wrongly encoded"))
        }
    }
}
