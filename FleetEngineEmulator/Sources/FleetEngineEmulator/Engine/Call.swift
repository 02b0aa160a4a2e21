/// What the transports know of a request beside its message.
struct Call: Sendable {
    /// A way to the emulator.
    enum Transport: String, Sendable {
        case rest, grpc
    }

    let transport: Transport
    /// The field `Authorization`.
    let authorization: String?
}
