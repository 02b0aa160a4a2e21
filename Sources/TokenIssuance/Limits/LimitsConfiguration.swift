package import ServiceConfiguration
package import ServiceSupport
import StrictCoding

/// How many requests callers may make.
package struct LimitsConfiguration: Sendable, Hashable {
    /// A token bucket's size and the rate at which it fills.
    package struct Rate: Sendable, Hashable {
        /// Requests a minute in the long run.
        package var perMinute: Double
        /// Simultaneous requests.
        package var burst: Double
    }

    /// A Redis or Valkey server that stores the buckets for all replicas.
    package struct Redis: Sendable, Hashable {
        /// Where it is.
        package var address: ListenAddress
        /// The user; nil for the default user.
        package var user: String?
        /// The file with the password; nil for none.
        package var passwordFile: String?
        /// The file for TLS; nil for an unencrypted connection.
        package var tls: TLS?

        /// How TLS verifies the server.
        ///
        /// There is no client certificate: a password proves who the service is, over a connection that only Redis reads.
        package struct TLS: Sendable, Hashable {
            /// The certificate authorities of the server, PEM; nil for the system's.
            package var authorities: String?
        }
    }

    /// The rate of each person, the subject of a JWT.
    package var person = Rate(perMinute: 600, burst: 100)
    /// The rate of each machine, which requests tokens for a fleet: an API key, or the JWT of a
    /// caller that is no app.
    package var machine = Rate(perMinute: 60_000, burst: 5000)
    /// The rate of each address for requests that fail before authentication.
    package var unauthenticated = Rate(perMinute: 30, burst: 30)
    /// Where replicas share the rates; nil where each replica limits on its own.
    package var redis: Redis?

    /// Creates the default.
    package init() {}
}

// MARK: - Reading

extension LimitsConfiguration {
    /// Creates the limits by reading the settings that are there.
    package init(_ section: ConfigurationSection) {
        self.init()
        if let rate = section["person"]?.rate() { person = rate }
        if let rate = section["machine"]?.rate() { machine = rate }
        if let rate = section["unauthenticated"]?.rate() { unauthenticated = rate }
        redis = section["redis"]?.section { Redis($0) }
    }
}

extension LimitsConfiguration.Redis {
    fileprivate init?(_ section: ConfigurationSection) {
        let address = section.required("address")?.redisAddress()
        let user = section["user"]
        let passwordFile = section["passwordFile"]?.file()
        if passwordFile == nil { user?.report("requires passwordFile.") }
        let name = user?.text()
        let tls = section["tls"]?.section { TLS(authorities: $0["caFile"]?.file()) }
        guard let address else { return nil }
        self.init(address: address, user: name, passwordFile: passwordFile, tls: tls)
    }
}

extension ConfigurationValue {
    fileprivate func redisAddress() -> ListenAddress? {
        guard let text = text() else { return nil }
        guard !text.utf8.starts(with: "rediss:".utf8) else {
            report("must be HOST:PORT; for TLS, set limits.redis.tls.")
            return nil
        }
        guard let address = address(such: "\"127.0.0.1:6379\", not a URL") else { return nil }
        guard address.port != 0 else {
            report("needs a port, such as 6379.")
            return nil
        }
        return address
    }

    fileprivate func rate() -> LimitsConfiguration.Rate? {
        section(such: "{perMinute: 600, burst: 100}") { section in
            let perMinute = section.required("perMinute")?.integer(1...10_000_000)
            let burst = section.required("burst")?.integer(1...1_000_000)
            guard let perMinute, let burst else { return nil }
            return .init(perMinute: Double(perMinute), burst: Double(burst))
        }
    }
}
