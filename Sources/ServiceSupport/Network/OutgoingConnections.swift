package import AsyncHTTPClient
import NIOCore
package import NIOSSL

extension TLSConfiguration {
    /// The cipher suites of TLS 1.2 with forward secrecy and authenticated encryption; TLS 1.3 has no others.
    ///
    /// The library's own list also has suites with CBC or the key exchange of RSA, for old clients.
    package static let forwardSecretSuites: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]

    /// The one policy for connections to others: TLS 1.2 or later, and a certificate that is checked.
    package static var outgoing: Self {
        var configuration = makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.cipherSuiteValues = forwardSecretSuites
        return configuration
    }

    /// The same for servers of private authorities, PEM, which are the only ones to trust.
    ///
    /// - Throws: When there is no certificate in it.
    package static func outgoing(trusting authorities: [UInt8]) throws -> Self {
        var configuration = outgoing
        configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(authorities))
        return configuration
    }
}

extension HTTPClient.Configuration {
    /// The settings for all requests to others.
    ///
    /// A connection that cannot be made, or takes more than three seconds, is not retried: the caller gets the error and
    /// decides.
    ///
    /// Each request has its own connection and never waits for another's. Concurrency is limited where requests begin,
    /// by the configuration, and not here, where waiting would look like a slow server.
    package static var outgoing: Self {
        var configuration = Self(
            tlsConfiguration: .outgoing,
            redirectConfiguration: .disallow,
            decompression: .disabled
        )
        // Its spans would have whole URLs.
        configuration.tracing.tracer = nil
        configuration.timeout.connect = .seconds(3)
        configuration.httpVersion = .http1Only
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = .max
        return configuration
    }
}
