import FleetToken
import StrictCoding

/// An additional key in the response body, for apps that expect another name.
package struct ResponseAlias: Sendable, Hashable {
    /// The value that it names.
    enum Value: String, Sendable, CaseIterable {
        case token
        case expiresInSeconds
        /// `exp` in seconds since 1970.
        case expirationSeconds
    }

    /// The key.
    let name: String
    let value: Value

    func write(_ response: TokenResponse, to writer: inout JSONWriter) {
        writer.name(text: name)
        switch value {
        case .token: writer.string(utf8: response.token.reveal())
        case .expiresInSeconds: writer.integer(response.expiresIn)
        case .expirationSeconds: writer.integer(response.expiresAt.seconds)
        }
    }
}
