import Logging
import ServiceSupport
import TokenIssuance

/// Checks an issuer's keys, fetched as the service does: by discovery, and trusting the issuer's own authorities.
struct KeySetCheck {
    let http: any OutgoingHTTP
    let clock: ServiceClock

    /// Returns the findings for the issuers whose keys are not in a file.
    func findings(_ callers: [CallerConfiguration]) async -> [Finding] {
        var findings: [Finding] = []
        for caller in callers {
            guard case .jwt(let issuer) = caller.method else { continue }
            if let finding = await finding(caller: caller.name, issuer: issuer) { findings.append(finding) }
        }
        return findings
    }

    /// Returns the finding for an issuer; nil if its keys are in a file.
    func finding(caller: String, issuer: JWTIssuerConfiguration) async -> Finding? {
        let subject = "callers.\(caller)"
        let plan = KeySetPlan(issuer)
        guard plan.isRemote else { return nil }
        do {
            let logger = Logger(label: "check", factory: { _ in SwiftLogNoOpLogHandler() })
            let fetching = KeySetFetching(http: http, clock: clock, logger: logger)
            let unusable = try await fetching.keys(of: plan).unusableKeys.map { " \($0)" }.joined()
            return Finding(
                unusable.isEmpty ? .ok : .warn,
                subject: subject,
                "\(plan.location) \(plan.isDiscovered ? "leads to" : "has") usable keys.\(unusable)"
            )
        } catch KeySetFetchError.noResponse(let url, let error) {
            return Finding(
                .fail,
                subject: subject,
                "\(url.text) is unreachable: \(error.finding). Its callers cannot authenticate. Check the address and the firewall."
            )
        } catch KeySetFetchError.status(let status, let url, _) {
            return Finding(
                .fail,
                subject: subject,
                "\(url.text) returned status \(status) instead of keys. Check the URL."
            )
        } catch {
            return Finding(.fail, subject: subject, "\(plan.location): \(error)")
        }
    }
}
