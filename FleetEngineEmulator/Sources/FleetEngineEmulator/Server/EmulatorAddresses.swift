#if Emulator
/// Where an emulator listens: `HOST:PORT` each.
public struct EmulatorAddresses: Hashable, Sendable {
    /// The REST API and the pages; what `FLEET_ENGINE_EMULATOR_HOST` is set to.
    public let rest: String
    /// The gRPC API.
    public let grpc: String
    /// The control plane.
    public let control: String
}
#endif
