import FleetToken

/// What is decoded is the only text of its bytes.
@Sendable func fuzzBase64URL(_ bytes: [UInt8]) {
    if let decoded = try? Base64URL.decode(bytes) { precondition(Base64URL.encode(decoded) == bytes) }
    precondition((try? Base64URL.decode(Base64URL.encode(bytes))) == bytes)
}
