package import ServiceSupport

/// The limits of the service.
package struct LimitsConfiguration: Sendable, Hashable {
    /// A token bucket's size and the rate at which it fills.
    package struct Rate: Sendable, Hashable {
        /// Requests a minute in the long run.
        package var perMinute: Double
        /// Simultaneous requests.
        package var burst: Double

        /// Creates a rate.
        package init(perMinute: Double, burst: Double) {
            self.perMinute = perMinute
            self.burst = burst
        }
    }

    /// A Redis or Valkey server that stores the buckets for all replicas.
    package struct Redis: Sendable, Hashable {
        /// Where it is.
        package var address: ListenAddress
        /// The user; nil for the default user.
        package var user: String?
        /// The file with the password; nil for none.
        package var passwordFile: String?
        /// How long connecting and each call may take, in milliseconds.
        ///
        /// A script takes microseconds, and the network of a region a millisecond. 50 milliseconds were too short on a
        /// loaded host; an outage costs the requests in progress this time once.
        package var timeout = 100
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
    /// The rate of each machine, which requests tokens for a fleet: an API key, a client certificate, or the JWT of a
    /// caller that is no app.
    package var machine = Rate(perMinute: 60_000, burst: 5000)
    /// The rate of each address for requests that fail before authentication.
    package var unauthenticated = Rate(perMinute: 30, burst: 30)
    /// Where replicas share the rates; nil where each replica limits on its own.
    package var redis: Redis?
    /// How long a request may wait for its signature in a burst, in milliseconds: about as long as a person notices.
    package var wait = 1000
    /// The maximum number of signatures in progress and waiting, which bounds the memory: about 12 KB each.
    package var signatures = 10_000
    package var connections = 2048
    /// How long a connection may be silent, in seconds.
    package var idle = 60
    /// How long a request may take to arrive whole, in seconds.
    package var receive = 10
    /// The maximum duration of a call, in seconds.
    package var handle = 10

    package init() {}
}

/// The record of decisions.
package struct AuditConfiguration: Sendable, Hashable {
    /// The destination of the lines.
    package enum Sink: Sendable, Hashable {
        case standardOutput
        case file(String)
    }

    /// How IDs are recorded.
    package enum IDs: Sendable, Hashable {
        /// Unchanged.
        case plain
        /// As HMAC-SHA-256 with the key in a file, so that equal IDs can be found and none be read.
        case hmac(keyFile: String)
    }

    /// When a file's lines become durable, so that they survive a crash of the machine.
    package enum Sync: String, CaseIterable, Sendable {
        /// When the system writes them.
        case never
        /// Before their tokens are issued.
        case each
    }

    /// The destination of the lines.
    package var sink = Sink.standardOutput
    /// When a file's lines become durable.
    package var sync = Sync.never
    /// How IDs are recorded.
    package var ids = IDs.plain

    /// Creates the default: standard output, IDs as they are.
    package init() {}
}
