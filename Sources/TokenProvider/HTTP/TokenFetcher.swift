import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Fetches tokens from a token server over HTTPS.
///
/// After a 401 it requests new credentials and tries once more.
final class TokenFetcher: Sendable {
    typealias Credentials = @Sendable (TokenRequest) async throws -> [String: String]

    private let server: TokenServer
    private let credentials: Credentials
    let session: HTTPSession

    init(_ server: TokenServer, credentials: @escaping Credentials) {
        self.server = server
        self.credentials = credentials
        session = HTTPSession(server)
    }

    /// Requests a token from the server.
    ///
    /// - Throws: ``TokenProviderError``, or `CancellationError` when the task is cancelled.
    func token(for request: TokenRequest) async throws -> Token {
        do {
            let response = try await response(to: request)
            return try response.token(server.decode, now: Date().timeIntervalSince1970)
        } catch {
            try Task.checkCancellation()
            throw TokenProviderError(source: error)
        }
    }

    /// Returns the server's response; if it rejects the credentials, retries once with new ones.
    private func response(to request: TokenRequest) async throws -> ServerResponse {
        let target = try target(of: request)
        let fields = try await fields(for: request)
        let response = try await session.send(Self.adding(fields, to: target))
        guard response.status == 401 else { return response }
        let renewed = try await self.fields(
            for: TokenRequest(request.scope, mustBeNew: request.mustBeNew, credentialsWereRejected: true)
        )
        return renewed == fields ? response : try await session.send(Self.adding(renewed, to: target))
    }

    /// Returns the credentials' header fields.
    private func fields(for request: TokenRequest) async throws -> [String: String] {
        do {
            let fields = try await credentials(request)
            try Self.check(fields)
            return fields
        } catch {
            var failure = TokenProviderError(source: error)
            if !request.credentialsWereRejected {
                // Nothing was sent, so there is no server to protect.
                failure.cooldown = .none
                failure.retryAfter = nil
            } else {
                // A request was sent and rejected, so the scope must pause, and no other.
                if failure.code == .unauthenticated, failure.httpStatus == nil { failure.httpStatus = 401 }
                failure.cooldown = failure.cooldown.afterResponse
                if case .server(let delay) = failure.cooldown { failure.cooldown = .scope(delay) }
            }
            throw failure
        }
    }

    /// Creates the request, without credentials.
    private func target(of request: TokenRequest) throws -> URLRequest {
        let target: URLRequest
        do {
            target = try server.request(server.url, request)
        } catch let error as TokenProviderError {
            throw error
        } catch {
            throw TokenProviderError(
                .invalidConfiguration,
                "The request could not be created. Check the server's request."
            )
        }
        try Self.check(target.url, allowsInsecureHTTP: server.allowsInsecureHTTP)
        return target
    }

    /// Checks that a URL is `https`, or `http` on this device or if it is allowed.
    private static func check(_ url: URL?, allowsInsecureHTTP: Bool) throws(TokenProviderError) {
        func invalid(_ rule: String) -> TokenProviderError {
            TokenProviderError(.invalidConfiguration, "The token server's URL is invalid. \(rule)")
        }
        guard let url, let scheme = url.scheme?.lowercased(), scheme == "https" || scheme == "http",
            let host = url.host?.lowercased(), !host.isEmpty
        else { throw invalid("It must be an absolute https URL.") }
        guard url.user == nil, url.password == nil, url.fragment == nil else {
            throw invalid("It must have no user and no fragment.")
        }
        let isLoopback = ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host)
        guard scheme == "https" || allowsInsecureHTTP || isLoopback else {
            throw invalid("Use https. With http, credentials and tokens can be intercepted.")
        }
    }

    /// Checks header fields (RFC 9110 sections 5.5 and 5.6.2): some URL loading systems accept a line break, which would let a
    /// value add others.
    private static func check(_ fields: [String: String]) throws(TokenProviderError) {
        let areValid = fields.allSatisfy { name, value in
            !name.isEmpty && name.utf8.allSatisfy(isTokenByte)
                && value.utf8.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x09 }
        }
        guard !areValid else { return }
        throw TokenProviderError(
            .invalidConfiguration,
            "The credentials have a header field with a character that HTTP does not allow, such as a line break."
        )
    }

    private static func adding(_ fields: [String: String], to target: URLRequest) -> URLRequest {
        var request = target
        if request.value(forHTTPHeaderField: "Accept") == nil {
            request.setValue("application/json", forHTTPHeaderField: "Accept")
        }
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !#""(),/:;<=>?@[\]{}"#.utf8.contains(byte)
    }
}
