import TokenIssuance
import TokenMinting

/// Checks an issuer's keys, fetched as the service does.
struct KeySetCheck {
    let network: any DoctorNetwork
    let clock: ClockCheck

    func finding(caller: String, url: String) async -> Finding {
        let subject = "callers.\(caller)"
        let answer: ProbeAnswer
        do {
            answer = try await clock.timed(url) { () throws(ProbeFailure) in try await network.get(url) }
        } catch {
            return Finding(
                .fail,
                subject,
                "\(url) is unreachable: \(error). Its callers cannot authenticate. Check the address and the firewall."
            )
        }
        guard answer.status == 200 else {
            return Finding(.fail, subject, "\(url) returned status \(answer.status) instead of keys. Check the URL.")
        }
        do {
            _ = try IssuerKeySet(parsing: answer.body)
            return Finding(.ok, subject, "\(url) has usable keys.")
        } catch {
            return Finding(.fail, subject, "\(url): \(error)")
        }
    }
}
