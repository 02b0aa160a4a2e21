import ServiceSupport
import StrictCoding

extension LimitsConfiguration {
    init(_ value: ConfigurationValue) {
        self.init()
        var limits = self
        _ = value.section { section in
            limits.caller = section["caller"]?.rate()
            limits.person = section["person"]?.rate() ?? limits.caller ?? limits.person
            limits.machine = section["machine"]?.rate() ?? limits.caller ?? limits.machine
            if let rate = section["unauthenticated"]?.rate() { limits.unauthenticated = rate }
            if let redis = section["redis"] { limits.redis = Redis(redis) }
            section.read("connections", 1...1_000_000, into: &limits.connections)
            section.read("connectionsPerAddress", 1...1_000_000, into: &limits.connectionsPerAddress)
            section.read("connectionSeconds", 1...86_400, into: &limits.connection)
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
            let prefix = section["prefix"]?.redisPrefix() ?? "fleet-token:"
            let timeout = section["timeoutMilliseconds"]?.integer(5...5_000) ?? 50
            let name = user?.text()
            let tls = section["tls"]?.section { tls in
                TLS(
                    authorities: tls["caFile"]?.file(),
                    certificate: tls["certificate"]?.file(),
                    key: tls["key"]?.file()
                )
            }
            guard let address else { return nil }
            return Self(
                address: address,
                user: name,
                passwordFile: passwordFile,
                prefix: prefix,
                timeout: Int(timeout),
                tls: tls
            )
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

    /// Returns the prefix of all keys, which must not contain characters with a meaning in Redis or its tools.
    fileprivate func redisPrefix() -> String? {
        guard let text = text() else { return nil }
        let isPlain = text.utf8.allSatisfy { $0.isASCIILetterOrDigit || "-_:.".utf8.contains($0) }
        guard isPlain, text.utf8.count <= 64 else {
            report("must be up to 64 letters, digits, and the characters - _ : .")
            return nil
        }
        return text
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
