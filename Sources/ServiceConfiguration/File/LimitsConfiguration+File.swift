import ServiceSupport
import StrictCoding

extension LimitsConfiguration {
    init(_ value: ConfigurationValue) {
        self.init()
        var limits = self
        _ = value.section { section in
            if let rate = section["person"]?.rate() { limits.person = rate }
            if let rate = section["machine"]?.rate() { limits.machine = rate }
            if let rate = section["unauthenticated"]?.rate() { limits.unauthenticated = rate }
            if let redis = section["redis"] { limits.redis = Redis(redis) }
            section.read("connections", 1...1_000_000, into: &limits.connections)
            section.read("idleSeconds", 1...3600, into: &limits.idle)
            section.read("receiveSeconds", 1...300, into: &limits.receive)
            section.read("handleSeconds", 1...300, into: &limits.handle)
            // Half of the time is left to the rest of the way.
            limits.wait = min(limits.wait, limits.handle * 500)
        }
        self = limits
    }
}

extension LimitsConfiguration.Redis {
    fileprivate init?(_ value: ConfigurationValue) {
        let redis = value.section { section -> Self? in
            let address = section.required("address")?.redisAddress()
            let user = section["user"]
            let passwordFile = section["passwordFile"]?.file()
            if passwordFile == nil { user?.report("requires passwordFile.") }
            let name = user?.text()
            let timeout = section["timeoutMilliseconds"]?.integer(5...5_000) ?? 100
            let tls = section["tls"]?.section { TLS(authorities: $0["caFile"]?.file()) }
            guard let address else { return nil }
            return Self(address: address, user: name, passwordFile: passwordFile, timeout: Int(timeout), tls: tls)
        }
        guard let redis else { return nil }
        self = redis
    }
}

extension ConfigurationSection {
    fileprivate func read(_ name: String, _ range: ClosedRange<Int64>, into value: inout Int) {
        if let integer = self[name]?.integer(range) { value = Int(integer) }
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
        section { section in
            let perMinute = section.required("perMinute")?.integer(1...10_000_000)
            let burst = section.required("burst")?.integer(1...1_000_000)
            guard let perMinute, let burst else { return nil }
            return .init(perMinute: Double(perMinute), burst: Double(burst))
        }
    }
}

extension AuditConfiguration {
    init(_ value: ConfigurationValue) {
        self.init()
        var audit = self
        _ = value.section { section in
            if let path = section["file"]?.file() { audit.sink = .file(path) }
            let sync = section["sync"]
            audit.sync = sync?.choice(Sync.self) ?? audit.sync
            if audit.sync != .never, audit.sink == .standardOutput { sync?.report("goes with audit.file.") }
            if let keyFile = section["idHmacKeyFile"]?.file() { audit.ids = .hmac(keyFile: keyFile) }
        }
        self = audit
    }
}
