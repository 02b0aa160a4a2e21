import Crypto
import FleetToken
import ServiceConfiguration
import Telemetry
import TokenIssuance

extension ServiceComponents {
    /// Checks that the trail can be written, without writing to it.
    static func inspect(_ configuration: AuditConfiguration) throws -> AuditTrail? {
        if case .file(let path) = configuration.sink { try AuditFile.inspect(path: path) }
        _ = try ids(configuration)
        return nil
    }

    /// Returns the trail: the one in use, which the service keeps until shutdown, or a new one.
    static func audit(
        _ configuration: AuditConfiguration,
        _ limits: LimitsConfiguration,
        _ shared: SharedResources,
        replacing previous: ServiceComponents?
    ) throws -> AuditTrail {
        if let previous, var trail = previous.issuance?.audit {
            trail.ids = try ids(configuration)
            return trail
        }
        let ids = try ids(configuration)
        let sink =
            switch configuration.sink {
            case .standardOutput:
                MeasuredAuditSink(AuditStandardOutput(), label: .standardOutput, metrics: shared.metrics.issuance.audit)
            case .file(let path):
                MeasuredAuditSink(
                    try AuditFile(path: path, sync: configuration.sync),
                    label: .file,
                    metrics: shared.metrics.issuance.audit
                )
            }
        let thread = JobThread()
        var writing = AuditWriting()
        // Shorter than the time for the whole request, so that the caller gets a response.
        writing.timeout = min(.seconds(configuration.timeout), .seconds(limits.handle) * 3 / 4)
        writing.run = thread.run
        writing.monotonic = shared.monotonic
        writing.now = shared.now
        writing.events = sink.events
        return try AuditTrail(sink: sink, ids: ids, writing)
    }

    private static func ids(_ configuration: AuditConfiguration) throws -> AuditIDs {
        switch configuration.ids {
        case .plain: .plain
        case .hmac(let keyFile): .keyed(SymmetricKey(data: try SecretFile.read(keyFile).reveal()))
        }
    }
}
