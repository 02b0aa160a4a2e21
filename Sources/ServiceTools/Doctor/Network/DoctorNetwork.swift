/// The network access of the doctor.
protocol DoctorNetwork: Sendable {
    /// Reads a document, following no redirect.
    ///
    /// - Parameters:
    ///   - url: Its URL.
    ///   - authorities: The certificate authorities to trust instead of the system's, PEM.
    /// - Returns: The response.
    /// - Throws: ``ProbeFailure`` if there is none.
    func get(_ url: String, trusting authorities: [UInt8]?) async throws(ProbeFailure) -> ProbeAnswer

    /// Connects to the server of a URL, with TLS if the scheme requires it, and sends nothing.
    func connect(to url: String) async throws(ProbeFailure)
}

/// A server's response.
struct ProbeAnswer: Sendable {
    /// The HTTP status code.
    let status: Int
    let date: String?
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
