/// Who asks.
struct Caller: Sendable, Hashable {
    /// How it is known who asks.
    enum Method: String, Sendable {
        /// Nobody asked who it is: development only.
        case anonymous
    }

    /// How it is known.
    let method: Method
}
