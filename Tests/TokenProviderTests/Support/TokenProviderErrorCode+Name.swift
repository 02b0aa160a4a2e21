@testable import TokenProvider

extension TokenProviderError.Code {
    static let all = (0..<3_000).compactMap { Self(rawValue: $0) }

    /// The name in the table of cases, which JavaScript shares.
    var name: String { "\(self)" }
}
