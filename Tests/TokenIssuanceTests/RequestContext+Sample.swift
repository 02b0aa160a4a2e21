import HTTPTypes

@testable import TokenIssuance

extension RequestContext {
    /// Somebody who asks for a vehicle's token.
    static let sample = RequestContext(
        head: HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/token/driver/v1"),
        certificateNames: [],
        address: "192.0.2.1",
        requestID: "request-1"
    )
}
