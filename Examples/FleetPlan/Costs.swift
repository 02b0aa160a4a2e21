import Foundation

/// What one operation costs, as measured: the service's benchmark and a run on loopback.
package struct Costs: Hashable, Sendable {
    /// The tokens that one core issues in a second, and a replica with two cores.
    package var tokensPerCore: Double
    package var tokensPerReplica: Double
    /// The resident memory of a replica, in MiB.
    package var memory: Double
    /// The bytes of a request and of its response on the wire, without TLS, and of its audit line.
    package var requestBytes: Double
    package var responseBytes: Double
    package var auditBytes: Double

    /// Creates costs.
    package init(
        tokensPerCore: Double,
        tokensPerReplica: Double,
        memory: Double,
        requestBytes: Double,
        responseBytes: Double,
        auditBytes: Double
    ) {
        self.tokensPerCore = tokensPerCore
        self.tokensPerReplica = tokensPerReplica
        self.memory = memory
        self.requestBytes = requestBytes
        self.responseBytes = responseBytes
        self.auditBytes = auditBytes
    }

    /// Reads the costs from `docs/performance.json`, which `make bench` writes, and `docs/scale.json`, which `make scale`
    /// writes.
    ///
    /// - Throws: `DecodingError`, also if a figure is missing.
    package init(benchmark: Data, run: Data) throws {
        let benchmark = try JSONDecoder().decode(Benchmark.self, from: benchmark)
        let run = try JSONDecoder().decode(Run.self, from: run)
        let onKeptConnections = try benchmark.median("cold tokend")
        let tokensPerCore = run.tokensPerCore ?? onKeptConnections
        self.init(
            tokensPerCore: tokensPerCore,
            tokensPerReplica: try tokensPerCore * benchmark.median("cold tokend on two cores") / onKeptConnections,
            memory: try run.memory?.values.max() ?? benchmark.median("resident tokend"),
            requestBytes: run.requestBytes,
            responseBytes: run.responseBytes,
            auditBytes: run.auditBytes
        )
    }
}

private struct Benchmark: Decodable {
    let rounds: [[String: Double]]

    func median(_ name: String) throws -> Double {
        let values = rounds.compactMap { $0[name] }.sorted()
        guard !values.isEmpty else {
            throw DecodingError.valueNotFound(
                Double.self,
                .init(codingPath: [], debugDescription: "The benchmark has no figure “\(name)”.")
            )
        }
        return (values[(values.count - 1) / 2] + values[values.count / 2]) / 2
    }
}

private struct Run: Decodable {
    /// Nil before the first run with the traffic of a fleet.
    let tokensPerCore: Double?
    /// Of each replica at most, in MiB.
    let memory: [String: Double]?
    let requestBytes: Double
    let responseBytes: Double
    let auditBytes: Double
}
