#if Emulator
/// How the emulator listens, and whose tokens it accepts.
public struct EmulatorConfiguration: Sendable {
    /// The address to listen on.
    public var host = "127.0.0.1"
    /// The port of the REST API and the pages; 0 selects any free port.
    public var restPort = 0
    /// The port of the gRPC API; 0 selects any free port.
    public var grpcPort = 0
    /// The port of the control plane; 0 selects any free port.
    public var controlPort = 0
    /// Where the public keys of service accounts are.
    public var keys: [KeySource] = []
    /// Roles of service accounts by their addresses, such as `consumerSdkUser`.
    ///
    /// The accounts of `tokend dev` have theirs.
    public var roles: [String: String] = [:]
    /// The token server of the journey page: an origin such as `http://127.0.0.1:8080`.
    public var tokenServer = "http://127.0.0.1:8080"
    /// Whether providers need not begin with `demo-`.
    ///
    /// They must by default, so that a client which is configured for a real project fails here.
    public var allowsAnyProvider = false
    /// Whether `host` may be an address that other machines reach.
    public var allowsOtherMachines = false

    /// Creates a configuration for this machine, with free ports and no keys.
    public init() {}
}
#endif
