import FleetToken

/// What is taken is kept byte by byte, in bounds, and nothing that opens more than itself.
@Sendable func fuzzResourceID(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let id = try? ResourceID(text) else { return }
    precondition(id.rawValue.utf8.elementsEqual(text.utf8))
    precondition((1...256).contains(text.utf8.count) && text.unicodeScalars.count <= 64)
    precondition(!text.utf8.contains { "/:?,#*\\".utf8.contains($0) || $0 < 0x20 || $0 == 0x7F })
}
