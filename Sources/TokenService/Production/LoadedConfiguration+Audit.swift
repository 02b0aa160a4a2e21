import FleetToken
import ServiceConfiguration
import ServiceSupport
import TokenIssuance

extension ProductionConfiguration {
    /// Checks that the trail can be written, without writing to it.
    func inspectAudit() throws -> AuditTrail? {
        if case .file(let path) = audit.sink { try AuditFile.inspect(path: path) }
        _ = try auditIDs()
        return nil
    }

    /// Returns the trail: the one in use, which the service keeps until shutdown, or a new one.
    func auditTrail(_ shared: SharedResources, replacing previous: LoadedService?) throws -> AuditTrail {
        let ids = try auditIDs()
        if var trail = previous?.audit {
            trail.ids = ids
            return trail
        }
        let sink =
            switch audit.sink {
            case .standardOutput:
                MeasuredAuditSink(AuditStandardOutput(), label: .standardOutput, metrics: shared.metrics.issuance.audit)
            case .file(let path):
                MeasuredAuditSink(
                    try AuditFile(path: path, sync: audit.sync),
                    label: .file,
                    metrics: shared.metrics.issuance.audit
                )
            }
        let writer = Worker()
        var writing = AuditWriting()
        // Shorter than the time for the whole request, so that the caller gets a response.
        writing.timeout = min(writing.timeout, .seconds(limits.handle) * 3 / 4)
        writing.run = writer.run
        writing.clock = shared.clock
        writing.events = sink.events
        return try AuditTrail(sink: sink, ids: ids, writing)
    }

    private func auditIDs() throws -> AuditIDs {
        switch audit.ids {
        case .plain: .plain
        case .hmac(let keyFile): .keyed(try SecretFile.read(keyFile))
        }
    }
}
