@testable import TokenService

/// Replies are the same however their bytes are split.
@Sendable func fuzzRedis(_ bytes: [UInt8]) {
    var whole = RedisReplyReader()
    let together = Result { () throws(RedisFailure) in try whole.read(bytes) }
    var split = RedisReplyReader()
    var replies: [RedisReply] = []
    do throws(RedisFailure) {
        for byte in bytes { replies += try split.read(CollectionOfOne(byte)) }
        guard case .success(let expected) = together else { preconditionFailure("A split made it valid.") }
        precondition(replies == expected)
    } catch {
        precondition(error == .invalidResponse)
        guard case .failure = together else { preconditionFailure("A split made it invalid.") }
    }
    for case .error(let code) in replies {
        // What Redis sent reaches the log only as this.
        let isCode = (1...32).contains(code.utf8.count) && code.utf8.allSatisfy { (0x41...0x5A).contains($0) }
        precondition(isCode || code == "an error")
    }
}
