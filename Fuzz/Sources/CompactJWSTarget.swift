import JOSE

@Sendable func fuzzCompactJWS(_ bytes: [UInt8]) {
    guard let jws = try? CompactJWS(parsing: bytes) else { return }
    precondition(bytes.count { $0 == UInt8(ascii: ".") } == 2)
    precondition(jws.headerJSON.count + jws.payload.count <= bytes.count)
}
