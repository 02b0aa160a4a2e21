import FleetToken
import NIOPosix
package import ServiceConfiguration
import ServiceSupport
import Telemetry
import TokenIssuance

/// Sends one request to Redis, as the service does, to check whether it responds.
package enum RedisProbe {
    /// The maximum time for connecting and the reply, however short the service's limit is, in milliseconds.
    private static let patience = 2_000

    /// Takes a request from a bucket of its own.
    ///
    /// - Returns: Why it could not; nil where it could.
    package static func failure(of settings: LimitsConfiguration.Redis) async -> String? {
        // Looking up a name and waiting for a reply block.
        do {
            return try await NIOThreadPool.singleton.runIfActive { Self.ask(settings) }
        } catch {
            return "the check could not run"
        }
    }

    private static func ask(_ settings: LimitsConfiguration.Redis) -> String? {
        do {
            let password = try settings.passwordFile.map {
                try SecretFile.read($0, minimumSize: RedisLimits.minimumPasswordSize)
            }
            let start = ContinuousClock.now
            var patient = settings
            patient.timeout = max(settings.timeout, patience)
            let connection = try RedisConnection(patient, password: password)
            _ = try connection.take([RateBucket(key: "\(settings.prefix)probe", interval: 1, capacity: 1_000)])
            let took = start.duration(to: .now) / .milliseconds(1)
            return took > Double(settings.timeout) * 2
                ? "it took \(Int(took)) milliseconds, and limits.redis.timeoutMilliseconds is \(settings.timeout)" : nil
        } catch let failure as RedisFailure {
            return "\(failure)"
        } catch {
            return "\(OperatorMessage(error))"
        }
    }
}
