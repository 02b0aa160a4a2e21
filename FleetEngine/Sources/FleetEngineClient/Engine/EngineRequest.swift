/// A request to Fleet Engine, without the server and the token.
struct EngineRequest: Sendable {
    var method = "GET"
    /// The path below the provider, as segments that are not yet encoded.
    var path: [String]
    /// What follows the path after a colon, such as `search`; nil for none.
    var action: String?
    /// The query's parameters, not yet encoded.
    var query: [(name: String, value: String)] = []
    /// The body, in JSON.
    var body: [UInt8]?
    var purpose: TokenPurpose
}
