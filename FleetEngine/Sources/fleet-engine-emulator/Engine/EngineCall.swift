import HTTPTypes

/// A request as it arrives.
struct EngineCall: Sendable {
    let verb: HTTPRequest.Method
    let path: ResourcePath
    let parameters: [(name: String, value: String)]
    /// The field `Authorization`.
    let authorization: String?
    let body: [UInt8]
}
