package import HTTPTypes
package import NIOCore
import NIOSSL
package import ServiceSupport

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A request that is here whole, and where it came from.
package struct Request: Sendable {
    /// The request line and header fields.
    package var head: HTTPRequest
    /// The body; if it is larger than the maximum, its beginning.
    package let body: ByteBuffer
    /// The other end of the connection: a caller, or a proxy in front of one.
    package let peer: Peer
    /// The place of the connection or stream; nil in tests.
    package var place: ConnectionPlace?
}

/// The other end of a connection.
package final class Peer: Sendable {
    /// The address in its canonical form; `unknown` if there is none.
    let address: String
    /// The address's bytes, 4 or 16.
    let bytes: [UInt8]?
    /// The peer's certificate; nil if TLS requested none or the peer has none.
    package let certificate: PeerCertificate?

    init(_ address: SocketAddress?, certificate: PeerCertificate? = nil) {
        self.certificate = certificate
        let text = address?.ipAddress
        bytes = text.flatMap(AddressRange.bytes)
        self.address = bytes.map(AddressRange.text) ?? text ?? "unknown"
    }
}

/// The certificate that a client showed, read once for its connection.
package struct PeerCertificate: Sendable {
    /// The URI and DNS names of its subject alternative name extension; the subject's common name is none.
    private let names: [CertificateName]
    private let notBefore: Date
    private let notAfter: Date

    /// Creates the certificate of a connection after its TLS handshake; nil if the client sent none.
    ///
    /// TLS has checked its chain; a certificate that was not valid then never gets here. The library that checked it
    /// also reads it, so that both see the same names.
    init?(_ channel: any Channel) {
        guard let certificate = try? channel.pipeline.syncOperations.nioSSL_peerCertificate() else { return nil }
        names = certificate._subjectAlternativeNames().compactMap { name in
            switch name.nameType {
            case .dnsName: .dns(Array(name.contents))
            case .uri: .uri(Array(name.contents))
            default: nil
            }
        }
        notBefore = Date(timeIntervalSince1970: Double(certificate.notValidBefore))
        notAfter = Date(timeIntervalSince1970: Double(certificate.notValidAfter))
    }

    /// Returns its names while it is valid; a connection, or a resumed TLS session, can outlive the certificate.
    package func names(at now: Date) -> [CertificateName] {
        notBefore <= now && now < notAfter ? names : []
    }
}

extension Peer {
    /// Returns its address or, behind trusted proxies, the last address in `X-Forwarded-For` that is not one of them.
    ///
    /// Reads from the right, because everything to the left of a trusted proxy's entry can be forged.
    package func client(behind proxies: [AddressRange], _ headers: HTTPFields) -> String {
        guard isTrusted(by: proxies) else { return address }
        var address = address
        // By bytes: some scalars join the comma behind them into one character.
        let hops = headers[values: .xForwardedFor]
            .flatMap { $0.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) }
        for hop in hops.reversed() {
            // An invalid hop is not trustworthy, nor are the hops to its left.
            guard let hopAddress = Self.address(Self.trimmed(hop)) else { break }
            address = AddressRange.text(of: hopAddress)
            guard proxies.contains(hopAddress) else { break }
        }
        return address
    }

    /// Returns whether it is a trusted proxy.
    package func isTrusted(by proxies: [AddressRange]) -> Bool { bytes.map { proxies.contains($0) } ?? false }

    /// Returns a hop's address: plain, in brackets, or with a port, as some proxies send it.
    private static func address(_ hop: String) -> [UInt8]? {
        if let address = AddressRange.bytes(of: hop) { return address }
        return (ListenAddress(hop) ?? ListenAddress(hop + ":0")).flatMap { AddressRange.bytes(of: $0.host) }
    }

    private static func trimmed(_ hop: Substring.UTF8View) -> String {
        let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let end = hop.lastIndex { !isSpace($0) }
        return end.map { String(decoding: hop[...$0].drop(while: isSpace), as: UTF8.self) } ?? ""
    }
}

extension HTTPField.Name {
    // swift-format-ignore: NeverForceUnwrap
    package static let xForwardedFor = Self("X-Forwarded-For")!
}
