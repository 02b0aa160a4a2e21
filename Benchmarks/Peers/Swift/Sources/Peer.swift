// A token service as a Swift team would begin it: Hummingbird and jwt-kit, a key parsed once, API keys kept as SHA-256.

import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import JWTKit
import Logging
import NIOCore
import NIOSSL

struct Account: Decodable {
    let clientEmail: String
    let privateKeyId: String
    let privateKey: String
}

struct Missing: Error {
    let setting: String
}

/// Returns a variable of the environment.
func setting(_ name: String) throws -> String {
    guard let value = ProcessInfo.processInfo.environment[name] else { throw Missing(setting: name) }
    return value
}

/// Claims with whole seconds: jwt-kit's own `IssuedAtClaim` encodes fractions.
struct Claims: JWTPayload {
    let iss: String
    let sub: String
    let aud: String
    let iat: Int
    let exp: Int
    let authorization: [String: String]

    func verify(using algorithm: some JWTAlgorithm) {}
}

struct Token: Sendable {
    let text: String
    let issuedAt: Int
    let expiresAt: Int
    let reuseEnds: Int

    func body(now: Int) -> String {
        """
        {"token":"\(text)","jwt":"\(text)","expiresInSeconds":\(expiresAt - now),\
        "creationTimestamp":\(issuedAt)000,"expirationTimestamp":\(expiresAt)000,\
        "creation_timestamp_ms":\(issuedAt)000,"expiration_timestamp_ms":\(expiresAt)000}
        """
    }
}

@main
struct Peer {
    static func main() async throws {
        let file = try Data(contentsOf: URL(fileURLWithPath: setting("ACCOUNT")))
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let account = try decoder.decode(Account.self, from: file)
        let keys = JWTKeyCollection()
        let key = try Insecure.RSA.PrivateKey(pem: account.privateKey)
        await keys.add(rsa: key, digestAlgorithm: .sha256, kid: JWKIdentifier(string: account.privateKeyId))
        let work = try Work(
            apiKey: setting("API_KEY_SHA256"),
            audit: setting("AUDIT"),
            keyID: account.privateKeyId
        )

        let router = Router()
        router.get("/token/driver/:id") { request, context -> Response in
            let start = ContinuousClock.now
            let response = try await respond(request, id: context.parameters.require("id"))
            await work.count(status: response.status.code, duration: ContinuousClock.now - start)
            return response
        }

        @Sendable func respond(_ request: Request, id: String) async throws -> Response {
            guard await work.accepts(apiKey: request.headers[.apiKey] ?? "") else {
                return Response(status: .unauthorized)
            }
            guard await work.admits(caller: "backend", kind: "driver") else { return Response(status: .forbidden) }
            let now = Int(Date().timeIntervalSince1970)
            let token: Token
            if let kept = await work.kept(id, now: now) {
                token = kept
            } else {
                let claims = Claims(
                    iss: account.clientEmail,
                    sub: account.clientEmail,
                    aud: "https://fleetengine.googleapis.com/",
                    iat: now - 60,
                    exp: now + 3540,
                    authorization: ["vehicleid": id]
                )
                let text = try await keys.sign(claims, kid: JWKIdentifier(string: account.privateKeyId))
                token = Token(text: text, issuedAt: claims.iat, expiresAt: claims.exp, reuseEnds: now + 240)
                await work.keep(token, for: id)
            }
            let requestID = String(UInt64.random(in: .min ... .max), radix: 36)
            try await work.record(token, requestID: requestID, caller: "backend", id: id, now: now)
            var headers: HTTPFields = [
                .contentType: "application/json", .cacheControl: "no-store", .pragma: "no-cache",
                .xContentTypeOptions: "nosniff",
            ]
            headers[.requestID] = requestID
            return Response(
                status: .ok,
                headers: headers,
                body: .init(byteBuffer: ByteBuffer(string: token.body(now: now)))
            )
        }

        let http: HTTPServerBuilder
        if let certificate = try? setting("TLS_CERTIFICATE") {
            let chain = try NIOSSLCertificate.fromPEMFile(certificate).map { NIOSSLCertificateSource.certificate($0) }
            let key = try NIOSSLPrivateKey(file: setting("TLS_KEY"), format: .pem)
            http = try .tls(
                tlsConfiguration: .makeServerConfiguration(certificateChain: chain, privateKey: .privateKey(key))
            )
        } else {
            http = .http1()
        }
        let address = try BindAddress.hostname("127.0.0.1", port: Int(setting("PORT")) ?? 0)
        var logger = Logger(label: "peer")
        logger.logLevel = .warning
        try await Application(
            router: router,
            server: http,
            configuration: .init(address: address, backlog: 1024),
            logger: logger
        ).runService()
    }
}

extension HTTPField.Name {
    static let apiKey = named("X-API-Key")
    static let requestID = named("X-Request-Id")
    static let pragma = named("Pragma")

    private static func named(_ name: String) -> Self {
        Self(name) ?? .contentType
    }
}
