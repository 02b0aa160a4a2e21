import HTTPTypes

@testable import TokenService

extension TokenIssuance.Asking {
    /// Somebody who asks for a vehicle's token.
    static let sample = TokenIssuance.Asking(
        head: HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/token/driver/v1"),
        certificateNames: [],
        address: "192.0.2.1",
        requestID: "request-1"
    )
}
