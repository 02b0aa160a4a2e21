@testable import TokenService

/// A target that was read, written with every byte escaped, is read alike.
@Sendable func fuzzRequestTarget(_ bytes: [UInt8]) {
    guard let target = try? RequestTarget(String(decoding: bytes, as: UTF8.self)) else { return }
    precondition(!target.segments.isEmpty)
    let query = target.parameters.map { "\(escaped($0.name))=\(escaped($0.value))" }.joined(separator: "&")
    let text = target.segments.map { "/" + escaped($0) }.joined() + "?" + query
    guard text.utf8.count <= RequestTarget.maximumSize else { return }
    guard let again = try? RequestTarget(text) else { preconditionFailure("What was written cannot be read.") }
    precondition(again.segments.map { Array($0.utf8) } == target.segments.map { Array($0.utf8) })
    precondition(again.parameters.map { Array($0.name.utf8) } == target.parameters.map { Array($0.name.utf8) })
    precondition(again.parameters.map { Array($0.value.utf8) } == target.parameters.map { Array($0.value.utf8) })
}

private func escaped(_ text: String) -> String {
    text.utf8.map { ($0 < 0x10 ? "%0" : "%") + String($0, radix: 16) }.joined()
}
