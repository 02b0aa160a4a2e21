import FleetToken
package import ServiceConfiguration
import ServiceSupport
import TokenIssuance

/// Sends one request to Redis, as the service does, to check whether it responds.
package enum RedisProbe {
    /// The time for connecting and for the reply, longer than the service's, to tell a slow Redis from one that hangs.
    private static let patience = Duration.seconds(2)

    /// Takes a request from a bucket of its own.
    ///
    /// - Returns: Why it could not; nil where it could.
    package static func failure(of settings: LimitsConfiguration.Redis) async -> String? {
        do {
            let password = try settings.passwordFile.map {
                try SecretFile.read($0, minimumSize: RedisRateStore.minimumPasswordSize)
            }
            let start = ContinuousClock.now
            let connection = try await RedisConnection(settings, password: password, timeout: patience)
            _ = try await RateScript.take(.probe, over: connection)
            let took = start.duration(to: .now)
            return took > .milliseconds(settings.timeout) * 2
                ? "it took \(Int(took / .milliseconds(1))) milliseconds, and limits.redis.timeoutMilliseconds is \(settings.timeout)"
                : nil
        } catch {
            return "\(OperatorMessage(error))"
        }
    }
}
