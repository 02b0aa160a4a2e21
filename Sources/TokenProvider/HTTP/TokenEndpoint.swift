import FleetToken
import Foundation
import StrictCoding

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Builds requests to a token server, such that no ID can change their destination.
///
/// The URL is built from bytes: the server's own, and segments in which all but RFC 3986's unreserved characters are
/// percent-encoded. Nothing is resolved as a relative reference, which would let `//host` and `../server` through.
struct TokenEndpoint: Sendable {
    private let server: String

    /// Creates an endpoint from a server's URL.
    ///
    /// - Throws: ``TokenProviderError`` with code ``TokenProviderError/Code/invalidConfiguration``.
    init(server: URL, allowsInsecureHTTP: Bool) throws(TokenProviderError) {
        guard var parts = URLComponents(url: server, resolvingAgainstBaseURL: true),
            let scheme = parts.scheme?.lowercased(), scheme == "https" || scheme == "http",
            let host = parts.host, !host.isEmpty
        else { throw .invalidServer("It must be an absolute https URL.") }
        guard parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil else {
            throw .invalidServer("It may have a path, but no user, query or fragment.")
        }
        guard scheme == "https" || allowsInsecureHTTP || Self.isLoopback(host) else {
            throw .invalidServer("Use https: over http anybody on the way reads the credentials and the tokens.")
        }
        // FoundationNetworking accepts schemes in lower case only.
        parts.scheme = scheme
        let text = parts.string ?? ""
        self.server = String(decoding: text.utf8.reversed().drop { $0 == UInt8(ascii: "/") }.reversed(), as: UTF8.self)
    }

    private static func isLoopback(_ host: String) -> Bool {
        ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host.lowercased())
    }

    /// Creates the request for a scope.
    ///
    /// - Parameters:
    ///   - scope: The scope of the token.
    ///   - segments: The path below the server's URL, not encoded.
    ///   - fields: Additional header fields, such as the credentials.
    ///   - allowsReuse: Whether the server may return a token that it has returned before.
    /// - Returns: The request.
    /// - Throws: ``TokenProviderError`` with code ``TokenProviderError/Code/invalidConfiguration``.
    func request(
        for scope: TokenScope,
        segments: [String],
        fields: [String: String],
        allowsReuse: Bool = true
    ) throws(TokenProviderError) -> URLRequest {
        guard segments.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else {
            throw TokenProviderError(.invalidConfiguration, "A path segment is empty, `.` or `..`: correct the path.")
        }
        let path = segments.map { "/" + Self.percentEncoded($0) }.joined()
        guard let url = URL(string: server + path + Self.query(for: scope)) else { throw .invalidServer("") }
        var request = URLRequest(url: url)
        for (name, value) in fields {
            guard HeaderField.isValid(name: name, value: value) else {
                throw TokenProviderError(
                    .invalidConfiguration,
                    "The credentials give a header field with a character that HTTP doesn't allow, such as a line break."
                )
            }
            request.setValue(value, forHTTPHeaderField: name)
        }
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        if !allowsReuse { request.setValue("no", forHTTPHeaderField: "Fleet-Token-Reuse") }
        if case .deliveryBatch(let tasks) = scope {
            request.httpMethod = "POST"
            request.httpBody = Data(Self.body(for: tasks))
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        return request
    }

    private static func query(for scope: TokenScope) -> String {
        guard case .trustedDeliveryDriver(_, let task?) = scope else { return "" }
        return "?taskId=" + percentEncoded(task.rawValue)
    }

    private static func body(for tasks: TaskBatch) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.name("taskIds")
            writer.array { writer in
                for id in tasks.ids { writer.string(id.rawValue) }
            }
        }
        return writer.bytes
    }

    private static func percentEncoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var output: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                output.append(byte)
            default:
                output += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0x0F)]]
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}

extension TokenProviderError {
    fileprivate static func invalidServer(_ rule: String) -> Self {
        Self(.invalidConfiguration, "The token server's URL is not usable. \(rule)")
    }
}
