import Logging
import ServiceConfiguration
import ServiceSupport
import TokenIssuance

/// Checks an issuer's keys, fetched as the service does: by discovery, and trusting the issuer's own authorities.
struct KeySetCheck {
    /// Why a document could not be fetched, and what to do.
    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let network: any DoctorNetwork
    let clock: ClockCheck

    /// Returns the finding for an issuer; nil if its keys are in a file.
    func finding(caller: String, issuer: JWTIssuerConfiguration) async -> Finding? {
        let subject = "callers.\(caller)"
        let plan: KeySetPlan
        do throws(ConfigurationError) {
            plan = try KeySetPlan(issuer)
        } catch {
            return Finding(.fail, subject: subject, "\(error)")
        }
        guard plan.isRemote else { return nil }
        do {
            let logger = Logger(label: "doctor", factory: { _ in SwiftLogNoOpLogHandler() })
            _ = try await KeySetFetching(transfer: document, logger: logger).keys(of: plan)
            return Finding(
                .ok,
                subject: subject,
                "\(plan.location) \(plan.isDiscovered ? "leads to" : "has") usable keys."
            )
        } catch let failure as Failure {
            return Finding(.fail, subject: subject, "\(failure)")
        } catch {
            return Finding(.fail, subject: subject, "\(plan.location): \(error)")
        }
    }

    /// Fetches a key set, or the document that names it.
    @Sendable private func document(_ url: KeySetURL, _ authorities: [UInt8]?) async throws -> KeySetAnswer {
        let answer: ProbeAnswer
        do {
            answer = try await clock.timed(url.text) { () throws(ProbeFailure) in
                try await network.get(url.text, trusting: authorities)
            }
        } catch {
            throw Failure(
                description:
                    "\(url.text) is unreachable: \(error). Its callers cannot authenticate. Check the address and the firewall."
            )
        }
        guard answer.status == 200 else {
            throw Failure(
                description: "\(url.text) returned status \(answer.status) instead of keys. Check the URL."
            )
        }
        return KeySetAnswer(status: answer.status, body: answer.body)
    }
}
