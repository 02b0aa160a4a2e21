/// Where an emulator listens: `HOST:PORT` each.
package struct EmulatorAddresses: Hashable, Sendable {
    /// The REST API and the pages; what `FLEET_ENGINE_EMULATOR_HOST` is set to.
    package let rest: String
    /// The gRPC API.
    package let grpc: String
    /// The control plane.
    package let control: String
}

/// How the emulator listens, and whose tokens it accepts.
package struct EmulatorConfiguration: Sendable {
    /// The address to listen on.
    package var host = "127.0.0.1"
    /// The port of the REST API and the pages; 0 selects any free port.
    package var restPort = 0
    /// The port of the gRPC API; 0 selects any free port.
    package var grpcPort = 0
    /// The port of the control plane; 0 selects any free port.
    package var controlPort = 0
    /// Where the package keys of service accounts are.
    package var keys: [KeySource] = []
    /// Roles of service accounts by their addresses, such as `consumerSdkUser`.
    ///
    /// The accounts of `tokend dev` have theirs.
    package var roles: [String: String] = [:]
    /// The token server of the journey page: an origin such as `http://127.0.0.1:8080`.
    package var tokenServer = "http://127.0.0.1:8080"
    /// Whether providers need not begin with `demo-`.
    ///
    /// They must by default, so that a client which is configured for a real project fails here.
    package var allowsAnyProvider = false
    /// Whether `host` may be an address that other machines reach.
    package var allowsOtherMachines = false
    /// The host names that are accepted beside this machine's, IP addresses and names without a dot.
    package var allowedHosts: [String] = []

    /// The resources to begin with, as the control plane's `GET state` returns them; nil for none.
    package var seed: [UInt8]?

    /// The journey page's map tiles: a URL with `{z}`, `{x}` and `{y}`, and whose they are; nil for none.
    package var tiles: (url: String, attribution: String)?

    /// Creates a configuration for this machine, with free ports and no keys.
    package init() {}
}
