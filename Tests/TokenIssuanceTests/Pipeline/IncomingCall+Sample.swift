import HTTPTypes

@testable import TokenIssuance

extension IncomingCall {
    /// Somebody who asks for a vehicle's token.
    static let sample = IncomingCall(
        HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/token/driver/v1"),
        at: 0,
        from: "192.0.2.1"
    )
}
