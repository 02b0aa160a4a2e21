import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle

/// A listener for HTTP/1.1, unencrypted.
struct HTTPListener: Service {
    /// What it is for, and the option that sets its port, for errors.
    let name: String
    let option: String
    let address: ListenAddress
    let logger: Logger
    let onListening: @Sendable (String) -> Void
    let respond: @Sendable (HTTPCall) async -> Response

    func run() async throws {
        let responder = CallbackResponder { [respond] (request: Request, _: BasicRequestContext) in
            let body = try? await request.body.collect(upTo: HTTPCall.maximumBodySize)
            return await respond(HTTPCall(head: request.head, body: body.map { Array(buffer: $0) }))
                .finished(for: request.head)
        }
        let application = Application(
            responder: responder,
            // Followers keep their connections while they wait for the next poll, and faults may delay responses.
            server: .http1(configuration: .init(idleTimeout: .seconds(300))),
            configuration: .init(address: .hostname(address.host, port: address.port), backlog: 1024),
            onServerRunning: { onListening(address.bound(to: $0.localAddress?.port)) },
            logger: logger
        )
        do {
            try await application.run()
        } catch {
            throw address.failure(error, name: name, option: option)
        }
    }
}
