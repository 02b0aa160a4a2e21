/// How much is too much.
struct LimitsConfiguration: Sendable, Hashable {
    /// A token bucket's size and the rate at which it fills.
    struct Rate: Sendable, Hashable {
        /// Requests a minute in the long run.
        var perMinute: Double
        /// Requests at once.
        var burst: Double
    }

    /// A Redis or Valkey that keeps the rates' buckets for all replicas.
    struct Redis: Sendable, Hashable {
        /// Where it is.
        var address: ListenAddress
        /// Who asks; nil for the default user.
        var user: String?
        /// The file with the password; nil where Redis asks for none.
        var passwordFile: String?
        /// What the names of all keys begin with.
        var prefix: String
        /// How long connecting, and each question, may take, in milliseconds.
        var timeout: Int
    }

    /// For each caller.
    var caller = Rate(perMinute: 600, burst: 100)
    /// For each address whose requests fail to say who asks.
    var unauthenticated = Rate(perMinute: 30, burst: 30)
    /// Where replicas share the rates; nil where each replica limits on its own.
    var redis: Redis?
    /// Signatures under way and waiting before more are refused.
    var signatures = 64
    /// Connections at once.
    var connections = 2048
    /// Connections at once from one address.
    var connectionsPerAddress = 256
    /// How long a connection lasts, in seconds; it ends after the requests that are under way then.
    var connection = 3600
    /// How long a connection may be silent, in seconds.
    var idle = 60
    /// How long a request may take to arrive whole, in seconds.
    var receive = 10
    /// How long its answer may take, in seconds.
    var handle = 10
}

/// Where decisions are recorded.
struct AuditConfiguration: Sendable, Hashable {
    /// Where the lines go.
    enum Sink: Sendable, Hashable {
        /// Standard output.
        case standardOutput
        /// A file, appended to.
        case file(String)
    }

    /// How IDs are recorded.
    enum IDs: Sendable, Hashable {
        /// As they are.
        case plain
        /// As HMAC-SHA-256 with the key in a file, so that equal IDs can be found and none be read.
        case hmac(keyFile: String)
    }

    /// Where the lines go.
    var sink = Sink.standardOutput
    /// How IDs are recorded.
    var ids = IDs.plain
}
