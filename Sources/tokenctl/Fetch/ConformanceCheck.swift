import FleetToken
import JOSE
import ServiceSupport
import TokenService

/// The checks of a token server: a table of their numbers, what a failure breaks, and how each is judged.
struct ConformanceCheck: Sendable {
    typealias Verdict = (level: Finding.Level, text: String)

    let number: Int
    /// What does not work if it fails.
    let breaks: String
    let verdict: @Sendable (Conformance) -> Verdict

    static let all = [
        Self(number: 1, breaks: "Apps connect by https to a trusted certificate only.", verdict: connection),
        Self(
            number: 2,
            breaks: "Apps wait 10 s for a token, and follow no redirect to another server.",
            verdict: status
        ),
        Self(number: 3, breaks: "Apps read at most 64 KiB of JSON.", verdict: body),
        Self(number: 4, breaks: "The on-demand samples read jwt, the last-mile samples token.", verdict: tokenKey),
        Self(number: 5, breaks: "An app cannot tell when to get the next token.", verdict: expiry),
        Self(number: 6, breaks: "An app gets the next token too late, or too early.", verdict: expiryTime),
        Self(
            number: 7,
            breaks: "Both SDKs require 300 s, Google's web samples 3,300 s, and Fleet Engine accepts 3,600 s at most.",
            verdict: lifetime
        ),
        Self(number: 8, breaks: "Fleet Engine rejects the token.", verdict: claims),
        Self(number: 9, breaks: "The app gets access to something else than it requested.", verdict: authorization),
        Self(number: 10, breaks: "One account's role is then every app's. Use one account a kind.", verdict: signers),
        Self(number: 11, breaks: "An app gets access to what is another's.", verdict: secondID),
        Self(number: 12, breaks: "The token is for another resource than the app's.", verdict: unusualID),
        Self(number: 13, breaks: "Fleet Engine has no such resource. Answer 400.", verdict: invalidIDs),
        Self(number: 14, breaks: "Anyone gets tokens. Answer 401.", verdict: noCredentials),
        Self(number: 15, breaks: "Apps renew their credentials after 401 only.", verdict: wrongCredentials),
        Self(number: 16, breaks: "An app cannot replace a token that Fleet Engine rejected.", verdict: reuse),
        Self(number: 17, breaks: "A cache may keep a token, or give it to others.", verdict: caching),
        Self(number: 18, breaks: "Apps and their logs read the error.", verdict: errors),
    ]
}

// MARK: - The first response

extension ConformanceCheck {
    private static func connection(_ run: Conformance) -> Verdict {
        if case .noResponse(.failed(let reason))? = run.outcomes[.first] { return (.fail, "\(reason).") }
        return (.ok, "https with a trusted certificate, or this machine")
    }

    private static func status(_ run: Conformance) -> Verdict {
        if case .noResponse(.timedOut)? = run.outcomes[.first] { return (.fail, "No response within 10 s.") }
        return run.judge(.first) { answer in
            let seconds = answer.duration / .seconds(1)
            guard answer.isSuccess else { return (.fail, "HTTP status \(answer.response.status).") }
            return seconds < 2
                ? (.ok, "HTTP status \(answer.response.status)") : (.warn, "The response took \(Int(seconds)) s.")
        }
    }

    private static func body(_ run: Conformance) -> Verdict {
        if case .noResponse(.tooLarge)? = run.outcomes[.first] { return (.fail, "The body is larger than 64 KiB.") }
        return run.judge(.first) { answer in
            guard answer.body != nil else { return (.fail, "The body is not a JSON object.") }
            let type = answer.response.headers["content-type"] ?? ""
            let isJSON = type.utf8.split(separator: UInt8(ascii: ";")).first.map {
                String(decoding: $0, as: UTF8.self).utf8.isEqual(ignoringCase: "application/json")
            }
            return isJSON == true ? (.ok, "a JSON object") : (.warn, "The content type is not application/json.")
        }
    }

    private static func tokenKey(_ run: Conformance) -> Verdict {
        run.judge(.first) { answer in
            guard let token = answer.token else {
                return (.fail, "The body has no JWT under \(run.keys(\.token)).")
            }
            let digest = SHA256Digest(of: token.text).hexadecimal.prefix(12)
            let isOwn = run.dialects.count == 1
            guard isOwn || answer.body?["token"] != nil && answer.body?["jwt"] != nil else {
                return (.warn, "The token is under \(token.key) only (SHA-256 \(digest)…).")
            }
            return (.ok, "a JWT under \(isOwn ? token.key : "token and jwt") (SHA-256 \(digest)…)")
        }
    }

    private static func expiry(_ run: Conformance) -> Verdict {
        run.judgeToken(.first) { answer, _ in
            let fitting = run.dialects(of: answer)
            guard !fitting.isEmpty else {
                return (.fail, "The body has no expiry under \(run.keys(\.expiry)).")
            }
            for (dialect, value) in fitting {
                guard let number = value.integerValue else { return (.fail, "\(dialect.expiry) is not an integer.") }
                guard let unit = ResponseDialect.Unit(of: number) else {
                    return (.fail, "\(dialect.expiry) is in no unit that apps know.")
                }
                if let expected = dialect.unit, unit != expected {
                    return (.fail, "\(dialect.expiry) is in \(unit) instead of \(expected).")
                }
            }
            return (.ok, "an expiry for \(fitting.map(\.dialect.reader).joined(separator: ", "))")
        }
    }

    private static func expiryTime(_ run: Conformance) -> Verdict {
        run.judgeToken(.first) { answer, claims in
            guard let expiresAt = claims.expiresAt else { return (.skip, "The token has no exp.") }
            let date = answer.response.headers["date"].flatMap(HTTPDate.parse)
            for (dialect, value) in run.dialects(of: answer) {
                guard let number = value.integerValue, let unit = ResponseDialect.Unit(of: number) else { continue }
                let difference = unit.date(number, from: date ?? answer.receivedAt) - expiresAt
                guard (-5...5).contains(difference) else {
                    return (.fail, "\(dialect.expiry) is \(difference) s after the token's exp.")
                }
            }
            guard let date else { return (.warn, "The response has no Date.") }
            let skew = date - answer.receivedAt
            return (-10...10).contains(skew)
                ? (.ok, "the expiry is the token's exp")
                : (.warn, "The server's Date is \(skew) s after this machine's.")
        }
    }

    private static func lifetime(_ run: Conformance) -> Verdict {
        run.judgeToken(.first) { answer, claims in
            guard let expiresAt = claims.expiresAt else { return (.fail, "The token has no exp.") }
            let left = expiresAt - answer.receivedAt
            let level: Finding.Level = left <= 300 || left > 3600 ? .fail : left <= 3300 ? .warn : .ok
            return (level, level == .ok ? "\(left) s are left" : "\(left) s are left.")
        }
    }

    private static func claims(_ run: Conformance) -> Verdict {
        run.judgeToken(.first) { answer, claims in
            guard let header = answer.token?.jws.header, header.signatureAlgorithm == .rs256, header.keyID != nil else {
                return (.fail, "The token's header must have alg RS256 and a kid.")
            }
            // Other checks are about the rest.
            let problem = claims.refusalsInWords(at: answer.receivedAt).first {
                ![.expired, .tooLong, .authorization, .invalidID].contains($0.code)
            }
            return problem.map { (.fail, $0.text) } ?? (.ok, "RS256, kid, iss, sub, aud and iat")
        }
    }

    private static func authorization(_ run: Conformance) -> Verdict {
        run.judgeToken(.first) { _, claims in
            if let problem = claims.problems.first(where: { [.authorization, .invalidID].contains($0.code) }) {
                return (.fail, problem.description)
            }
            guard claims.isExactly(run.id, run.kind) else {
                return (.fail, "The token gives access to \(claims.scopeInWords).")
            }
            return (.ok, "access to \(claims.scopeInWords)")
        }
    }

    private static func caching(_ run: Conformance) -> Verdict {
        run.judge(.first) { answer in
            let fields = answer.response.headers
            let directives = (fields["cache-control"] ?? "").lowercased()
            guard directives.contains("no-store") || directives.contains("private") else {
                return (.warn, "Cache-Control is neither no-store nor private.")
            }
            guard fields["age"] == nil else { return (.warn, "Age tells that a cache answered.") }
            return fields["set-cookie"] == nil ? (.ok, "not cached, no cookie") : (.warn, "The response sets a cookie.")
        }
    }
}

extension Conformance {
    /// Judges a response; without one the check is skipped.
    func judge(
        _ probe: Probe,
        _ verdict: (Answer) -> ConformanceCheck.Verdict
    ) -> ConformanceCheck.Verdict {
        switch outcomes[probe] {
        case .answer(let answer)?: verdict(answer)
        case .noResponse(let error)?: (.skip, "no response: \(error)")
        case .notSent(let reason)?: (.skip, reason)
        case nil: (.skip, "not sent")
        }
    }

    /// Judges a token; without one the check is skipped.
    func judgeToken(
        _ probe: Probe,
        _ verdict: (Answer, ClaimsReading) -> ConformanceCheck.Verdict
    ) -> ConformanceCheck.Verdict {
        judge(probe) { answer in
            guard let claims = answer.claims else { return (.skip, "no token: HTTP status \(answer.response.status)") }
            return verdict(answer, claims)
        }
    }

    /// Returns the names that the dialects have for a member.
    func keys(_ member: (ResponseDialect) -> String) -> String {
        Set(dialects.map(member)).sorted().joined(separator: ", ")
    }

    /// Returns the dialects whose keys a response has, with the expiry of each.
    func dialects(of answer: Answer) -> [(dialect: ResponseDialect, expiry: JSONValue)] {
        dialects.compactMap { dialect in
            guard let body = answer.body, body[path: dialect.token] != nil else { return nil }
            return body[path: dialect.expiry].map { (dialect, $0) }
        }
    }
}

extension ClaimsReading {
    /// Returns whether the token gives access to one resource of a kind, and to nothing else.
    func isExactly(_ id: String, _ kind: TokenKind) -> Bool {
        guard problems.allSatisfy({ $0.code != .authorization && $0.code != .invalidID }), authorization.count == 1,
            let claim = authorization.first, case .id(let granted) = claim.value
        else { return false }
        return claim.name == kind.idClaim && granted.rawValue.hasSameBytes(as: id)
    }
}
