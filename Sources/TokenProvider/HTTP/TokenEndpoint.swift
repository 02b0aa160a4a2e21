import FleetToken
import Foundation
import StrictCoding

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Builds requests to a token server.
struct TokenEndpoint: Sendable {
    private let server: ServerURL

    /// Creates an endpoint from a server's URL.
    ///
    /// - Throws: ``TokenProviderError`` with code ``TokenErrorCode/invalidConfiguration``.
    init(server: URL, allowsInsecureHTTP: Bool) throws(TokenProviderError) {
        do throws(ServerURL.Problem) {
            self.server = try ServerURL(server, allowsInsecureHTTP: allowsInsecureHTTP)
        } catch {
            throw .invalidServer(error.rule)
        }
    }

    /// Creates the request for a scope.
    ///
    /// - Parameters:
    ///   - scope: The scope of the token.
    ///   - segments: The path below the server's URL, not encoded.
    ///   - fields: Additional header fields, such as the credentials.
    ///   - allowsReuse: Whether the server may return a token that it has returned before.
    /// - Returns: The request.
    /// - Throws: ``TokenProviderError`` with code ``TokenErrorCode/invalidConfiguration``.
    func request(
        for scope: TokenScope,
        segments: [String],
        fields: [String: String],
        allowsReuse: Bool = true
    ) throws(TokenProviderError) -> URLRequest {
        guard let url = server.url(segments: segments, query: Self.query(for: scope)) else {
            throw TokenProviderError(.invalidConfiguration, "A path segment is empty, `.` or `..`. Correct the path.")
        }
        var request = URLRequest(url: url)
        for (name, value) in fields {
            guard HeaderField.isValid(name: name, value: value) else {
                throw TokenProviderError(
                    .invalidConfiguration,
                    "The credentials have a header field with a character that HTTP does not allow, such as a line break."
                )
            }
            request.setValue(value, forHTTPHeaderField: name)
        }
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        if !allowsReuse { request.setValue("no", forHTTPHeaderField: "Fleet-Token-Reuse") }
        if case .batch(let tasks) = scope.resources {
            request.httpMethod = "POST"
            request.httpBody = Data(Self.body(for: tasks))
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        return request
    }

    private static func query(for scope: TokenScope) -> [(name: String, value: String)] {
        guard case .oneWithTask(_, let task) = scope.resources else { return [] }
        return [("taskId", task.rawValue)]
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
}

extension TokenProviderError {
    fileprivate static func invalidServer(_ rule: String) -> Self {
        Self(.invalidConfiguration, "The token server's URL is invalid. \(rule)")
    }
}

/// The syntax of a header field (RFC 9110 sections 5.5 and 5.6.2).
///
/// Some URL loading systems accept a line break, which would let a value add header fields.
enum HeaderField {
    /// Returns whether the name is a token, and the value visible ASCII with spaces and tabs.
    static func isValid(name: String, value: String) -> Bool {
        !name.utf8.isEmpty && name.utf8.allSatisfy(isTokenByte)
            && value.utf8.allSatisfy { $0.isASCIIPrintable || $0 == 0x09 }
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
}
