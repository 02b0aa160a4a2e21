import ServiceConfiguration
import TokenService

/// Checks that Redis shares the limits, with the service's own calls.
struct RedisCheck {
    static func finding(_ settings: LimitsConfiguration.Redis) async -> Finding {
        let subject = "limits.redis"
        guard let failure = await RedisProbe.failure(of: settings) else {
            return Finding(.ok, subject: subject, "Redis at \(settings.address) shares the limits.")
        }
        return Finding(
            .fail,
            subject: subject,
            "Redis at \(settings.address) does not share the limits: \(failure). Until it does, each replica uses local limits."
        )
    }
}
