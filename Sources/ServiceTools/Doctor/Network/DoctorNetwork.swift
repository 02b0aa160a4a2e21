/// How the doctor reaches servers.
protocol DoctorNetwork: Sendable {
    /// Reads a document, following no redirect.
    func get(_ url: String) async throws(ProbeFailure) -> ProbeAnswer

    /// Connects to the server of a URL, with TLS if the scheme requires it, and sends nothing.
    func connect(to url: String) async throws(ProbeFailure)
}

/// A server's answer.
struct ProbeAnswer: Sendable {
    /// The HTTP status code.
    let status: Int
    /// `Date`.
    let date: String?
    /// `Age`.
    let age: String?
    /// The body, of at most ``IssuerKeySet/maximumSize`` bytes.
    let body: [UInt8]
}

/// Why a server is unreachable, in short.
struct ProbeFailure: Error, Hashable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
