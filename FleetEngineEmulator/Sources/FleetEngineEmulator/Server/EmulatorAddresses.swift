/// Where an emulator listens: `HOST:PORT` each.
package struct EmulatorAddresses: Hashable, Sendable {
    /// The REST API and the pages; what `FLEET_ENGINE_EMULATOR_HOST` is set to.
    package let rest: String
    /// The gRPC API.
    package let grpc: String
    /// The control plane.
    package let control: String
}
