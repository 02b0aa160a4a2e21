@testable import TokenService

/// A line of any bytes is a reply or invalid, and of an error only a short word is kept: what Redis sent reaches the log only
/// as this.
@Sendable func fuzzRedis(_ bytes: [UInt8]) {
    guard case .error(let code)? = try? RedisReply(line: bytes) else { return }
    let isCode = (1...32).contains(code.utf8.count) && code.utf8.allSatisfy { (0x41...0x5A).contains($0) }
    precondition(isCode || code == "an error")
}
