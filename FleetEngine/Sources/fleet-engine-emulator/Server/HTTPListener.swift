import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle

/// The listener, for HTTP/1.1 without TLS.
struct HTTPListener: Service {
    let address: ListenAddress
    let logger: Logger
    let responder: EmulatorResponder
    let onListening: @Sendable (String) -> Void

    func run() async throws {
        let respond = CallbackResponder { [responder] (request: Request, _: BasicRequestContext) in
            let body = try? await request.body.collect(upTo: EmulatorResponder.maximumBody)
            return await responder.respond(to: request.head, body: body.map { Array(buffer: $0) })
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
}
