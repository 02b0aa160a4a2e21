import HTTPTypes

/// A request to the API as it arrives.
struct RawRequest: Sendable {
    let verb: HTTPRequest.Method
    let path: ResourcePath
    let parameters: [(name: String, value: String)]
    /// The field `Authorization`.
    let authorization: String?
    let body: [UInt8]
}
