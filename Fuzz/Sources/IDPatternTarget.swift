import FleetToken

@testable import TokenIssuance

/// A pattern and, behind the first NUL, an ID that it is tried on.
@Sendable func fuzzIDPattern(_ bytes: [UInt8]) {
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    let text = String(decoding: parts[0], as: UTF8.self)
    guard let pattern = try? IDPattern(text) else { return }
    let candidate = String(decoding: parts.count > 1 ? parts[1] : parts[0], as: UTF8.self)
    guard let id = try? ResourceID(candidate) else { return }
    let (isMatch, steps) = pattern.match(id.rawValue.unicodeScalars)
    precondition(pattern.matches(id) == isMatch && steps <= 64 * 129)
}
