import ArgumentParser
import FleetToken

/// `KIND=VALUE`.
struct KindOption: ExpressibleByArgument {
    let kind: TokenKind
    let value: String

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, let kind = TokenKind(name: parts[0]) else { return nil }
        self.kind = kind
        value = String(parts[1])
    }
}
