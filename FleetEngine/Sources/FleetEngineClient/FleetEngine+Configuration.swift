public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension FleetEngine {
    /// Settings for requests to Fleet Engine.
    public struct Configuration: Sendable {
        /// Sends a request, and returns the response with its body.
        public typealias Transport = @Sendable (URLRequest) async throws -> (Data, URLResponse)

        /// The server's URL: Google's by default.
        public var server: String
        /// The maximum time in which nothing of a response arrives, in seconds: 15.
        ///
        /// It does not limit the whole response: one that arrives slowly but steadily takes as long as it needs.
        public var timeout: TimeInterval = 15
        /// Whether `http` is allowed to hosts other than this device: false.
        public var allowsInsecureHTTP: Bool
        /// How requests are sent: through a URL session that stores nothing and follows no redirection.
        public var transport: Transport = SessionTransport.shared.send
        /// Waits for a number of seconds: in real time.
        ///
        /// Tests pass that of a manual clock, and simulations a faster one.
        public var sleep: @Sendable (TimeInterval) async throws -> Void = { try await Task.sleep(for: .seconds($0)) }
        /// Returns a number from 0 up to 1, by which clients spread their attempts after errors.
        public var random: @Sendable () -> Double = { Double.random(in: 0..<1) }

        /// Creates the configuration for Google's Fleet Engine.
        public init() {
            server = "https://fleetengine.googleapis.com"
            allowsInsecureHTTP = false
        }

        /// Creates the configuration for an emulator.
        ///
        /// - Parameter emulatorHost: The emulator's host and port, as in the environment variable
        ///   `FLEET_ENGINE_EMULATOR_HOST`: `localhost:9190`. A scheme is allowed, and `http` is the default. With an
        ///   invalid value, each request fails.
        public init(emulatorHost: String) {
            server = emulatorHost.contains("://") ? emulatorHost : "http://" + emulatorHost
            allowsInsecureHTTP = true
        }
    }
}

/// Sends requests through a URL session.
private final class SessionTransport: Sendable {
    static let shared = SessionTransport()

    private let session: URLSession

    private init() {
        let redirections = RefusedRedirections()
        session = URLSession(configuration: .ephemeral, delegate: redirections, delegateQueue: nil)
    }

    /// Sends a request in a task of its own, which is never cancelled.
    ///
    /// On Linux, to cancel it while its response arrives can deadlock (swift-corelibs-foundation, issue 5412).
    @Sendable
    func send(_ request: URLRequest) async throws -> (Data, URLResponse) {
        try await Task { [session] in try await session.data(for: request) }.value
    }
}

/// Follows no redirection: the token is for Fleet Engine alone.
private final class RefusedRedirections: NSObject, URLSessionTaskDelegate, Sendable {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
