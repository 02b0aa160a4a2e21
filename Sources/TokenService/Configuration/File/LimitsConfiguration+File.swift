extension LimitsConfiguration {
    init(_ value: ConfigurationValue) {
        self.init()
        var limits = self
        _ = value.section { section in
            if let rate = section["caller"]?.rate() { limits.caller = rate }
            if let rate = section["unauthenticated"]?.rate() { limits.unauthenticated = rate }
            section.read("signatures", 1...10_000, into: &limits.signatures)
            section.read("connections", 1...1_000_000, into: &limits.connections)
            section.read("connectionsPerAddress", 1...1_000_000, into: &limits.connectionsPerAddress)
            section.read("idleSeconds", 1...3600, into: &limits.idle)
            section.read("receiveSeconds", 1...300, into: &limits.receive)
            section.read("handleSeconds", 1...300, into: &limits.handle)
        }
        self = limits
    }
}

extension ConfigurationSection {
    fileprivate func read(_ name: String, _ range: ClosedRange<Int64>, into value: inout Int) {
        if let integer = self[name]?.integer(range) { value = Int(integer) }
    }
}

extension ConfigurationValue {
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
            if let (name, value) = section.oneOf(["file", "stdout"]) {
                if name == "file" {
                    if let path = value.text() { audit.sink = .file(path) }
                } else if value.bool() != true {
                    value.report("must be true; name a file to write elsewhere.")
                }
            }
            if let keyFile = section["idHmacKeyFile"]?.text() { audit.ids = .hmac(keyFile: keyFile) }
        }
        self = audit
    }
}
