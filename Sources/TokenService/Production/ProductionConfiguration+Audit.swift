import ServiceSupport
import TokenIssuance

extension ProductionConfiguration {
    /// Checks that the trail can be written, without writing to it.
    func inspectAudit() throws {
        guard let path = audit.file else { return }
        try OperatorError.within("file") {
            // Its folder counts also where there is no file yet.
            let problems = TrustedFile(path, isWritten: true).problems
            guard problems.isEmpty else { throw OperatorError(problems: problems.map { Problem($0) }) }
            try AuditFile.inspect(path: path)
        }
    }

    /// Returns the trail: the one in use, which the service keeps until shutdown, or a new one.
    func auditTrail(_ shared: SharedResources, replacing previous: LoadedService?) throws -> AuditTrail {
        if let trail = previous?.audit { return trail }
        let file = try OperatorError.within("file") { try audit.file.map { try AuditFile(path: $0) } }
        let sink: any AuditSink = if let file { file } else { AuditStandardOutput() }
        return AuditTrail(
            sink: sink,
            // Shorter than the time for the whole request, so that the caller gets a response.
            timeout: min(AuditTrail.timeout, connections.request * 3 / 4),
            clock: shared.clock,
            metrics: AuditMetrics(sink: file == nil ? .standardOutput : .file, factory: shared.metrics.prometheus),
            logger: shared.logger
        )
    }
}
