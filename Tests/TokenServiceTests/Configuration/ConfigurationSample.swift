@testable import ServiceConfiguration

/// A small configuration with nothing wrong, and ways to damage it.
enum ConfigurationSample {
    static let yaml = """
        version: 1
        service: {listen: "127.0.0.1:8080"}
        kinds:
          driver: {serviceAccount: driver.json}
        callers:
          app: {firebase: {project: my-project}}
          backend: {apiKeys: {file: keys}}
        grants:
          own:
            callers: [app]
            kinds: [driver]
            ids: "{claims.vehicle_id}"
        """

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
