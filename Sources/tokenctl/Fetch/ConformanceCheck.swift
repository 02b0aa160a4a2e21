import FleetToken
import JOSE
import ServiceSupport
import TokenService

/// A check of a token server: its number, what a failure breaks, and how it is judged.
struct ConformanceCheck: Sendable {
    typealias Verdict = (level: Finding.Level, text: String)

    let number: Int
    /// What does not work if it fails.
    let breaks: String
    let verdict: @Sendable (Conformance) -> Verdict

    static let all = [
        Self(number: 1, breaks: "Apps connect by https to a trusted certificate only.", verdict: connection),
        Self(number: 2, breaks: "Apps wait 10 s for a token, and follow no redirect.", verdict: status),
        Self(number: 3, breaks: "Apps read at most 64 KiB of JSON.", verdict: body),
        Self(number: 4, breaks: "The on-demand samples read jwt, the last-mile samples token.", verdict: tokenKey),
        Self(number: 5, breaks: "An app cannot tell when to get the next token.", verdict: expiry),
        Self(
            number: 6,
            breaks: "Both SDKs require 300 s, Google's web samples 3,300 s, and Fleet Engine accepts 3,600 s at most.",
            verdict: lifetime
        ),
        Self(number: 7, breaks: "Fleet Engine rejects the token.", verdict: claims),
        Self(number: 8, breaks: "The app gets access to something else than it requested.", verdict: authorization),
        Self(number: 9, breaks: "A cache may keep a token, or give it to others.", verdict: caching),
        Self(number: 10, breaks: "Anyone gets tokens. Respond with 401.", verdict: noCredentials),
    ]
}

// MARK: - The response

extension ConformanceCheck {
    private static func connection(_ run: Conformance) -> Verdict {
        if case .noResponse(.failed(let reason)) = run.authenticated { return (.fail, "\(reason).") }
        return (.ok, "https with a trusted certificate, or this machine")
    }

    private static func status(_ run: Conformance) -> Verdict {
        if case .noResponse(.timedOut) = run.authenticated { return (.fail, "No response within 10 s.") }
        return run.authenticated.judge { response in
            let (status, seconds) = (response.response.status, response.duration / .seconds(1))
            guard (200...299).contains(status) else { return (.fail, "HTTP status \(status).") }
            return seconds < 2
                ? (.ok, "HTTP status \(status)") : (.warn, "The response took \(Int(seconds)) s.")
        }
    }

    private static func body(_ run: Conformance) -> Verdict {
        if case .noResponse(.tooLarge) = run.authenticated { return (.fail, "The body is larger than 64 KiB.") }
        return run.authenticated.judge { response in
            guard response.body != nil else { return (.fail, "The body is not a JSON object.") }
            let type = response.response.headers["content-type"] ?? ""
            let isJSON = type.utf8.split(separator: UInt8(ascii: ";")).first.map {
                String(decoding: $0, as: UTF8.self).utf8.isEqual(ignoringCase: "application/json")
            }
            return isJSON == true ? (.ok, "a JSON object") : (.warn, "The content type is not application/json.")
        }
    }

    private static func tokenKey(_ run: Conformance) -> Verdict {
        run.authenticated.judge { response in
            guard let token = response.token else { return (.fail, "The body has no JWT under token or jwt.") }
            let digest = SHA256Digest(of: token.text).hexadecimal.prefix(12)
            guard response.body?["token"] != nil, response.body?["jwt"] != nil else {
                return (.warn, "The token is under \(token.key) only (SHA-256 \(digest)…).")
            }
            return (.ok, "a JWT under token and jwt (SHA-256 \(digest)…)")
        }
    }

    private static func expiry(_ run: Conformance) -> Verdict {
        run.authenticated.judgeToken { response, _ in
            var readers: [String] = []
            for dialect in ResponseDialect.all where response.body?[dialect.token] != nil {
                guard let value = response.body?[dialect.expiry] else { continue }
                guard let number = value.integerValue else { return (.fail, "\(dialect.expiry) is not an integer.") }
                guard let unit = ResponseDialect.Unit(of: number) else {
                    return (.fail, "\(dialect.expiry) is in no unit that apps know.")
                }
                guard unit == dialect.unit else {
                    return (.fail, "\(dialect.expiry) is in \(unit) instead of \(dialect.unit).")
                }
                readers.append(dialect.reader)
            }
            guard !readers.isEmpty else {
                let keys = ResponseDialect.all.map(\.expiry).joined(separator: ", ")
                return (.fail, "The body has no expiry under \(keys).")
            }
            return (.ok, "an expiry for \(readers.joined(separator: ", "))")
        }
    }

    private static func lifetime(_ run: Conformance) -> Verdict {
        run.authenticated.judgeToken { response, claims in
            guard let expiresAt = claims.expiresAt else { return (.fail, "The token has no exp.") }
            let left = expiresAt - response.receivedAt
            let level: Finding.Level = left <= 300 || left > 3600 ? .fail : left <= 3300 ? .warn : .ok
            return (level, level == .ok ? "\(left) s are left" : "\(left) s are left.")
        }
    }

    private static func claims(_ run: Conformance) -> Verdict {
        run.authenticated.judgeToken { response, claims in
            guard let header = response.token?.jws.header, header.signatureAlgorithm == .rs256, header.keyID != nil
            else { return (.fail, "The token's header must have alg RS256 and a kid.") }
            // Other checks are about the rest.
            let problem = claims.refusalsInWords(at: response.receivedAt).first {
                ![.expired, .tooLong, .authorization, .invalidID].contains($0.code)
            }
            return problem.map { (.fail, $0.text) } ?? (.ok, "RS256, kid, iss, sub, aud and iat")
        }
    }

    private static func authorization(_ run: Conformance) -> Verdict {
        run.authenticated.judgeToken { _, claims in
            if let problem = claims.problems.first(where: { [.authorization, .invalidID].contains($0.code) }) {
                return (.fail, problem.description)
            }
            guard claims.authorization.count == 1, claims.authorization.first?.name == run.kind.idClaim,
                claims.authorization.first?.value == .id(run.id)
            else { return (.fail, "The token gives access to \(claims.scopeInWords).") }
            return (.ok, "access to \(claims.scopeInWords)")
        }
    }

    private static func caching(_ run: Conformance) -> Verdict {
        run.authenticated.judge { response in
            let fields = response.response.headers
            let directives = (fields["cache-control"] ?? "").lowercased()
            guard directives.contains("no-store") || directives.contains("private") else {
                return (.warn, "Cache-Control is neither no-store nor private.")
            }
            guard fields["age"] == nil else { return (.warn, "Age tells that a cache responded.") }
            return fields["set-cookie"] == nil ? (.ok, "not cached, no cookie") : (.warn, "The response sets a cookie.")
        }
    }

    private static func noCredentials(_ run: Conformance) -> Verdict {
        run.anonymous.judge { response in
            let status = response.response.status
            return status == 401
                ? (.ok, "HTTP status 401 without credentials")
                : (.fail, "HTTP status \(status) without credentials.")
        }
    }
}

extension Conformance.Outcome {
    /// Judges the response; without one the check is skipped.
    fileprivate func judge(_ verdict: (FetchedResponse) -> ConformanceCheck.Verdict) -> ConformanceCheck.Verdict {
        switch self {
        case .response(let response): verdict(response)
        case .noResponse(let error): (.skip, "no response: \(error)")
        case .notSent(let reason): (.skip, reason)
        }
    }

    /// Judges the token; without one the check is skipped.
    fileprivate func judgeToken(
        _ verdict: (FetchedResponse, ClaimsReading) -> ConformanceCheck.Verdict
    ) -> ConformanceCheck.Verdict {
        judge { response in
            guard let claims = response.claims else {
                return (.skip, "no token: HTTP status \(response.response.status)")
            }
            return verdict(response, claims)
        }
    }
}
