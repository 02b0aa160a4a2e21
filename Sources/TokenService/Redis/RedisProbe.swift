import FleetToken
package import ServiceConfiguration
import ServiceSupport
import TokenIssuance

/// Sends one request to Redis, as the service does, to check whether it responds.
package enum RedisProbe {
    /// The time for connecting and for the reply, however short the service's limit is, in milliseconds.
    private static let patience = 2_000

    /// Takes a request from a bucket of its own.
    ///
    /// - Returns: Why it could not; nil where it could.
    package static func failure(of settings: LimitsConfiguration.Redis) async -> String? {
        do {
            let password = try settings.passwordFile.map {
                try SecretFile.read($0, minimumSize: RedisRateStore.minimumPasswordSize)
            }
            let start = ContinuousClock.now
            var patient = settings
            patient.timeout = max(settings.timeout, patience)
            let connection = try await RedisConnection(patient, password: password)
            _ = try await RateScript.take(.probe(settings), over: connection)
            let took = start.duration(to: .now) / .milliseconds(1)
            return took > Double(settings.timeout) * 2
                ? "it took \(Int(took)) milliseconds, and limits.redis.timeoutMilliseconds is \(settings.timeout)" : nil
        } catch {
            return "\(OperatorMessage(error))"
        }
    }
}
