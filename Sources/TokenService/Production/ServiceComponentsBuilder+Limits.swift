import FleetToken
import NIOSSL
import ServiceConfiguration
import ServiceSupport
import TokenIssuance

extension ServiceComponentsBuilder {
    /// Creates the limits.
    ///
    /// Counters with the same rate are kept, because a reload must not refill the buckets.
    mutating func limits() -> CallerLimits? {
        let settings = configuration.limits.redis
        let read = attempt("limits.redis.passwordFile") {
            try settings?.passwordFile.map { try SecretFile.read($0, minimumSize: RedisLimits.minimumPasswordSize) }
        }
        guard let password = read else { return nil }
        if let settings, password == nil, settings.tls?.certificate == nil, !settings.address.isLoopback {
            warnings.append(
                "limits.redis: any client that can reach \(settings.address) can reset the limits. Set passwordFile, and outside a private network tls."
            )
        }
        if let tls = settings?.tls {
            _ = attempt("limits.redis.tls") { try Self.checkRedis(tls) }
        }
        if let previous {
            redis = previous.redis
        } else if let settings {
            redis = RedisLimits(
                settings,
                password: password,
                metrics: RedisMetrics(registry: shared.registry),
                logger: shared.logger
            )
        }
        let limits = configuration.limits
        let known = previous?.configuration.limits
        let inUse = previous?.issuance?.limits
        shared.metrics.issuance.limits.add(configuration.callers.map(\.name))
        let person = limit(limits.person, name: .person, for: .caller, unless: known?.person, inUse: inUse?.callers)
        let machine = limit(
            limits.machine,
            name: .machine,
            for: .caller,
            unless: known?.machine,
            inUse: inUse?.machines
        )
        return CallerLimits(
            callers: person,
            machines: machine,
            addresses: limit(
                limits.unauthenticated,
                name: .unauthenticated,
                for: .address,
                unless: known?.unauthenticated,
                inUse: inUse?.addresses
            ),
            examinations: inUse?.examinations ?? RateLimiter(CallerLimits.examinationRate),
            strangers: strangers(unless: known?.unauthenticated, inUse?.strangers),
            tally: shared.tally,
            metrics: shared.metrics.issuance.limits,
            clock: shared.monotonic
        )
    }

    /// Reads the files as each connection to Redis does, so that invalid files are found before.
    private static func checkRedis(_ tls: LimitsConfiguration.Redis.TLS) throws {
        let configuration = try TLSConfiguration.redis(tls)
        do {
            _ = try NIOSSLContext(configuration: configuration)
        } catch {
            throw ConfigurationError("certificate and key do not match.")
        }
    }

    private func strangers(
        unless known: LimitsConfiguration.Rate?,
        _ inUse: StrangerBudget?
    ) -> StrangerBudget {
        let rate = configuration.limits.unauthenticated
        if let inUse, known == rate { return inUse }
        return StrangerBudget(address: rate)
    }

    private func limit(
        _ rate: LimitsConfiguration.Rate,
        name: RateSetting,
        for purpose: SharedRate.Purpose,
        unless known: LimitsConfiguration.Rate?,
        inUse: RateLimit?
    ) -> RateLimit {
        if let inUse, known == rate { return inUse }
        let setting = name.text(rate, isShared: configuration.limits.caller == rate)
        return redis?.limit(rate, for: purpose, setting) ?? RateLimit(RateLimiter(rate), setting: setting)
    }
}

/// The setting of a rate.
private enum RateSetting: String {
    case person
    case machine
    case unauthenticated

    /// Returns the setting and its values, as the log names them.
    ///
    /// - Parameters:
    ///   - rate: The rate.
    ///   - isShared: Whether persons and machines have one setting.
    /// - Returns: One line.
    func text(_ rate: LimitsConfiguration.Rate, isShared: Bool) -> String {
        let name = isShared && self != .unauthenticated ? "caller" : rawValue
        return "limits.\(name): {perMinute: \(Int(rate.perMinute)), burst: \(Int(rate.burst))}"
    }
}
