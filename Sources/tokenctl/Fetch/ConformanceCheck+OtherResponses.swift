import FleetToken
import ServiceSupport
import TokenService

/// The checks of the responses after the first.
extension ConformanceCheck {
    static func signers(_ run: Conformance) -> Verdict {
        run.judgeToken(.otherKind) { _, claims in
            guard let first = run.answers.first?.claims?.issuer, let other = claims.issuer else {
                return (.skip, "A token has no iss.")
            }
            return first.hasSameBytes(as: other)
                ? (.warn, "Tokens for consumers and drivers have the same signer.") : (.ok, "a signer for each kind")
        }
    }

    static func secondID(_ run: Conformance) -> Verdict {
        run.judge(.secondID) { answer in
            if run.otherID != nil {
                return [403, 404].contains(answer.response.status)
                    ? (.ok, "HTTP status \(answer.response.status) for another's ID")
                    : (.fail, "HTTP status \(answer.response.status) for another's ID.")
            }
            guard let token = answer.token else {
                let text = "HTTP status \(answer.response.status) for a second ID"
                return answer.isRefusal ? (.ok, text) : (.fail, text + " is neither a token nor a refusal.")
            }
            guard token.text != run.answers.first?.token?.text, answer.claims?.isExactly(run.secondID, run.kind) == true
            else { return (.fail, "The token for a second ID is not its own.") }
            return (.ok, "a token of its own for a second ID")
        }
    }

    static func unusualID(_ run: Conformance) -> Verdict {
        run.judge(.unusualID) { answer in
            if answer.isRefusal {
                return (.ok, "HTTP status \(answer.response.status) for an ID with a space, % and é")
            }
            return answer.claims?.isExactly(Conformance.unusualID, run.kind) == true
                ? (.ok, "an ID with a space, % and é")
                : (.fail, "An ID with a space, % and é is not in the claim as it was sent.")
        }
    }

    static func invalidIDs(_ run: Conformance) -> Verdict {
        let verdicts = [(Conformance.Probe.noID, "no ID"), (.longID, "65 characters")].map { probe, id in
            run.judge(probe) { answer in
                answer.isRefusal
                    ? (.ok, "no ID, or 65 characters, is refused")
                    : (.warn, "HTTP status \(answer.response.status) for \(id).")
            }
        }
        return verdicts.first { $0.level == .warn } ?? verdicts[1]
    }

    static func noCredentials(_ run: Conformance) -> Verdict {
        run.judge(.noCredentials) { isUnauthorized($0, "without credentials") }
    }

    static func wrongCredentials(_ run: Conformance) -> Verdict {
        run.judge(.wrongCredentials) { isUnauthorized($0, "with wrong credentials") }
    }

    static func isUnauthorized(_ answer: Conformance.Answer, _ request: String) -> Verdict {
        let text = "HTTP status \(answer.response.status) \(request)"
        return answer.response.status == 401 ? (.ok, text) : (.fail, text + ".")
    }

    static func reuse(_ run: Conformance) -> Verdict {
        run.judgeToken(.notReused) { answer, _ in
            answer.token?.text != run.answers.first?.token?.text
                ? (.ok, "Fleet-Token-Reuse: no gives another token")
                : (.warn, "Fleet-Token-Reuse: no gives the same token.")
        }
    }

    static func errors(_ run: Conformance) -> Verdict {
        let errors = run.answers.filter { $0.response.status >= 400 }
        guard !errors.isEmpty else { return (.skip, "No request failed.") }
        for answer in errors {
            let (response, status) = (answer.response, answer.response.status)
            guard answer.body != nil else { return (.warn, "HTTP status \(status) without a JSON object.") }
            // A short ID may be there by chance.
            let texts = [answer.id.map { Array($0.utf8) }, run.answers.first?.token?.text].compactMap(\.self)
            guard !texts.contains(where: { $0.count >= 8 && response.body.reveal().firstRange(of: $0) != nil }) else {
                return (.warn, "HTTP status \(status) repeats the ID or a token.")
            }
            guard ![429, 503].contains(status) || response.retryAfter() != nil else {
                return (.warn, "HTTP status \(status) without Retry-After.")
            }
        }
        return (.ok, "errors are JSON and repeat neither ID nor token")
    }
}
