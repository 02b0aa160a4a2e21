import ServiceConfiguration
import TokenService

/// Looks whether Redis keeps the limits' buckets, as the service asks it.
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
