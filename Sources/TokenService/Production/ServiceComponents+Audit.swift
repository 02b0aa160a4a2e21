import Crypto
import FleetToken
import ServiceConfiguration
import TokenIssuance

extension ServiceComponents {
    /// Checks that the trail could be kept, and keeps none.
    static func inspect(_ configuration: AuditConfiguration) throws -> AuditTrail? {
        if case .file(let path) = configuration.sink { try AuditFile.inspect(path: path) }
        _ = try ids(configuration)
        return nil
    }

    /// The trail: the one in use, which the service keeps until it ends, or a new one.
    static func audit(
        _ configuration: AuditConfiguration,
        _ metrics: IssuanceMetrics,
        replacing previous: ServiceComponents?
    ) throws -> AuditTrail {
        if let previous, var trail = previous.issuance?.audit {
            // The next start shall not be the first to find out that it cannot be kept there.
            if configuration.sink != previous.configuration.audit.sink { _ = try inspect(configuration) }
            trail.ids = try ids(configuration)
            return trail
        }
        let ids = try ids(configuration)
        let sink: any AuditSink =
            switch configuration.sink {
            case .standardOutput:
                MeasuredAuditSink(AuditStandardOutput(), label: .standardOutput, metrics: metrics)
            case .file(let path): MeasuredAuditSink(try AuditFile(path: path), label: .file, metrics: metrics)
            }
        return try AuditTrail(sink: sink, ids: ids)
    }

    private static func ids(_ configuration: AuditConfiguration) throws -> AuditIDs {
        switch configuration.ids {
        case .plain: .plain
        case .hmac(let keyFile): .keyed(SymmetricKey(data: try SecretFile.read(keyFile).reveal()))
        }
    }
}
