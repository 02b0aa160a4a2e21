import TestSupport

@testable import ServiceSupport
@testable import TokenService

/// Ways to damage the sample.
extension ConfigurationSample {
    /// What is wrong with a file, as an operator sees it.
    static func problems(_ yaml: String) -> [String] {
        problems(Array(yaml.utf8))
    }

    static func problems(_ yaml: [UInt8]) -> [String] {
        ConfigurationFile(yaml: yaml).problems.map(\.description)
    }

    /// What is wrong with the sample once a part of it is another.
    static func problems(replacing part: String, with other: String) -> [String] {
        let parts = yaml.split(separator: part, maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return ["The sample has no \(part)"] }
        return problems(parts[0] + other + parts[1])
    }
}
