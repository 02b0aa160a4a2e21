import FleetToken
import HTTPServer
import Logging
package import ServiceConfiguration
package import ServiceSupport
package import StrictCoding
import TokenMinting

/// All that is wrong with a configuration, the files that it names and the ports that it takes.
package struct ConfigurationReport: Sendable {
    /// The configuration's file.
    package let path: String
    /// What keeps the service from starting, in the order of the file's lines.
    package let problems: [ConfigurationProblem]
    /// What runs, and would better be otherwise.
    package let warnings: [ConfigurationProblem]

    /// Reads a configuration and looks at everything but the network; it leaves no trace.
    ///
    /// Checks the parts that can be read, even if others have problems.
    ///
    /// - Parameters:
    ///   - path: The configuration's file.
    ///   - environment: The process's environment.
    /// - Throws: ``ConfigurationError`` when the file cannot be read.
    package init(path: String, environment: [String: String] = [:]) async throws(ConfigurationError) {
        self.path = path
        let file = ConfigurationFile(yaml: try OperatorFile.read(path), path: path)
        var problems = file.problems
        var warnings: [ConfigurationProblem] = []
        if var configuration = file.readable {
            if let listen = environment["TOKEND_LISTEN"] {
                do throws(ConfigurationError) {
                    let address = try ListenAddress(setting: listen)
                    // With other problems, it would repeat them.
                    if problems.isEmpty { configuration = try configuration.listening(at: address) }
                } catch {
                    problems += error.problems.map {
                        ConfigurationProblem(path: "TOKEND_LISTEN", line: nil, message: $0)
                    }
                }
            }
            let found = await Self.check(configuration, at: path, environment)
            problems += found.problems.map(configuration.places.problem)
            warnings = found.warnings.map(configuration.places.problem)
            let listeners = [("service.listen", configuration.listen), ("admin.listen", configuration.admin)]
            for (setting, address) in listeners {
                guard let obstacle = await address.problem() else { continue }
                let problem = configuration.places.problem("\(setting): \(obstacle.text)")
                // A running service has its own port.
                if obstacle.isInUse { warnings.append(problem) } else { problems.append(problem) }
            }
        }
        self.problems = Self.sorted(problems)
        self.warnings = Self.sorted(warnings)
    }

    private static func check(
        _ configuration: ProductionConfiguration,
        at path: String,
        _ environment: [String: String]
    ) async -> (problems: [String], warnings: [String]) {
        let logger = Logger(label: "tokend", factory: { _ in SwiftLogNoOpLogHandler() })
        let shared = SharedResources(
            network: .none,
            signing: configuration.signing,
            processor: Processor(environment: environment),
            logger: logger,
            now: { .now }
        )
        await shared.accounts.open(configuration.kinds.values)
        let loaded = LoadedConfiguration(configuration, at: path, shared, isTrial: true)
        // Keys at Google cannot be tried without asking it.
        let local = loaded.keys.rings.filter { configuration.kinds[$0.key]?.asksGoogle == false }
        let test = await SigningTest(of: local, at: shared.now())
        var warnings = loaded.warnings
        if loaded.certificate?.usesRSA == true {
            warnings.append(
                "service.tls.certificate: has an RSA key, with which each new connection takes more than twice the processor time. Use a certificate with an ECDSA key (P-256)."
            )
        }
        return (loaded.problems + test.problems, warnings)
    }

    private static func sorted(_ problems: [ConfigurationProblem]) -> [ConfigurationProblem] {
        // Those of one line stay in their order.
        problems.enumerated()
            .sorted { ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset) }
            .map(\.element)
    }

    /// The problems, a line each, and how many there are; empty where there is none.
    package var problemText: String {
        guard !problems.isEmpty else { return "" }
        let lines = problems.map { "\(path): \($0)".harmlessLine }
        return (lines + ["\(problems.count) problem\(problems.count == 1 ? "" : "s")."]).joined(separator: "\n")
    }

    /// The warnings, a line each.
    package var warningText: String {
        warnings.map { "\(path): warning: \($0)".harmlessLine }.joined(separator: "\n")
    }

    /// The report for programs: schema 1, to which later versions only add.
    package var json: JSONValue {
        JSONValue(members: [
            ("schema", .integer(1)), ("ok", .bool(problems.isEmpty)), ("configuration", .string(path)),
            ("problems", .array(problems.map(\.json))), ("warnings", .array(warnings.map(\.json))),
        ])
    }
}

extension KindConfiguration {
    /// Whether one of its keys is at Google.
    fileprivate var asksGoogle: Bool {
        [account, next?.account, previous].contains { if case .iam? = $0 { true } else { false } }
    }
}
