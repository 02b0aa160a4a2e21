import Foundation

/// What one operation costs, as measured: the service's benchmark and a run on loopback.
package struct Costs: Hashable, Sendable {
    /// The signed and reused tokens that one core issues in a second.
    package var signedPerCore: Double
    package var reusedPerCore: Double
    /// The signed tokens that a replica with two cores issues in a second.
    package var signedPerReplica: Double
    /// The resident memory of a replica, in MiB.
    package var memory: Double
    /// The bytes of a request and of its response on the wire, without TLS, and of its audit line.
    package var requestBytes: Double
    package var responseBytes: Double
    package var auditBytes: Double

    /// Creates costs.
    package init(
        signedPerCore: Double,
        reusedPerCore: Double,
        signedPerReplica: Double,
        memory: Double,
        requestBytes: Double,
        responseBytes: Double,
        auditBytes: Double
    ) {
        self.signedPerCore = signedPerCore
        self.reusedPerCore = reusedPerCore
        self.signedPerReplica = signedPerReplica
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
        self.init(
            signedPerCore: try benchmark.median("cold tokend"),
            reusedPerCore: try benchmark.median("reused tokend"),
            signedPerReplica: try benchmark.median("cold tokend on two cores"),
            memory: try benchmark.median("memory after"),
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
    let requestBytes: Double
    let responseBytes: Double
    let auditBytes: Double
}
