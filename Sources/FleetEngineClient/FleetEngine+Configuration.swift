import FleetToken
public import Foundation
import Timing
public import TokenProvider

extension FleetEngine {
    /// Settings for requests to Fleet Engine.
    public struct Configuration: Sendable {
        /// The server's URL: Google's by default.
        public var server = Self.googleServer

        /// The maximum time for a response, in seconds: 15, as in Google's published client configuration.
        public var timeout: TimeInterval = 15

        /// Whether `http` is allowed to hosts other than this device: false.
        public var allowsInsecureHTTP = false

        /// How requests are sent: through a URL session of the client by default.
        public var transport = HTTPTransport.session()

        /// How many times as fast as real time trips are polled and vehicles report: 1.
        ///
        /// For simulations with an emulator whose clock is as fast. ``timeout`` stays in real time.
        public var speed = 1.0

        /// Creates the configuration for Google's Fleet Engine.
        public init() {}

        /// Creates the configuration for an emulator.
        ///
        /// - Parameter emulatorHost: The emulator's host and port, as in the environment variable
        ///   `FLEET_ENGINE_EMULATOR_HOST`: `localhost:9190`. A scheme is allowed, and `http` is the default. With an
        ///   invalid value, each request fails.
        public init(emulatorHost: String) {
            let text = emulatorHost.contains("://") ? emulatorHost : "http://" + emulatorHost
            server = URL(string: text) ?? Self.unusable
            allowsInsecureHTTP = true
        }

        private static let googleServer = constant("https://fleetengine.googleapis.com")
        /// A URL that is never requested, because it has no host.
        private static let unusable = constant("invalid:")

        private static func constant(_ text: String) -> URL {
            // Both texts are constants that `URL` accepts, on all systems and in each version.
            guard let url = URL(string: text) else { preconditionFailure("invalid URL") }
            return url
        }

        /// Returns the clock and the timers of following and reporting.
        func environment(of real: ProviderEnvironment) -> ProviderEnvironment {
            let speed = speed
            guard speed > 0, speed != 1 else { return real }
            let start = real.clock.now
            let passed = { @Sendable in Int64(Double(real.clock.continuous() - start.continuous) * speed) }
            return ProviderEnvironment(
                clock: AgeClock(continuous: { start.continuous + passed() }, wall: { start.wall + passed() }),
                scheduler: Scheduler { real.scheduler.schedule($0 / speed, $1) },
                random: real.random
            )
        }

        func serverURL(for provider: ResourceID) throws(FleetEngineError) -> ServerURL {
            guard server != Self.googleServer || !provider.rawValue.utf8.starts(with: "demo-".utf8) else {
                throw FleetEngineError(
                    .invalidArgument,
                    "Providers whose ID begins with demo- exist in the emulator only: set its URL, or use your project's ID."
                )
            }
            do throws(ServerURL.Problem) {
                return try ServerURL(server, allowsInsecureHTTP: allowsInsecureHTTP)
            } catch {
                throw FleetEngineError(.invalidArgument, "Fleet Engine's URL is not usable. \(error.rule)")
            }
        }
    }
}
