import CommandSupport
import FleetToken
import Foundation
import StrictCoding
import TokenProvider

extension FetchCommand.Output {
    func write(_ token: Token) throws {
        switch self {
        case .token: try Console.write(token.value.reveal() + (Console.isOutputTerminal ? Array("\n".utf8) : []))
        case .json:
            var writer = JSONWriter()
            writer.object { writer in
                writer.member("token", utf8: token.value.reveal())
                writer.member("expirationTimestamp", Int64(token.expirationDate.timeIntervalSince1970 * 1000))
            }
            try Console.write(writer.bytes + Array("\n".utf8))
        }
    }
}

extension CommandError {
    init(fetching error: any Error) {
        guard let error = error as? TokenProviderError else {
            self.init(.failure, "The fetch was cancelled.")
            return
        }
        let isNetwork = [.offline, .unavailable, .deadlineExceeded, .resourceExhausted, .insecureConnection].contains(
            error.code
        )
        // The provider pauses after any error; the pause matters only if waiting helps.
        let seconds = error.recovery == .retry ? error.retryAfter.map { Int($0.rounded(.up)) } : nil
        let advice = seconds.map { " Try again in \($0) second\($0 == 1 ? "" : "s")." } ?? ""
        self.init(isNetwork ? .network : .failure, error.message + advice)
    }
}
