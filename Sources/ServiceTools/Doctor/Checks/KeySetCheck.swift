import TokenIssuance
import TokenMinting

/// Looks at an issuer's keys, as the service fetches them.
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
                "\(url) cannot be reached: \(error). Nobody can call with its tokens. Check the address and the firewall."
            )
        }
        guard answer.status == 200 else {
            return Finding(.fail, subject, "\(url) answers with status \(answer.status), and not with keys. Check it.")
        }
        do {
            _ = try IssuerKeySet(parsing: answer.body)
            return Finding(.ok, subject, "\(url) has keys that can be used.")
        } catch {
            return Finding(.fail, subject, "\(url): \(error)")
        }
    }
}
