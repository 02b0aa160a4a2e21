import FleetToken
import ServiceSupport
import TokenMinting

/// Checks whether Fleet Engine accepts an account's tokens, by reading a resource that does not exist.
///
/// `NOT_FOUND` shows that Fleet Engine knows the key, that the account has the kind's role, and that the API is enabled.
/// Nothing changes at Google.
package struct FleetEngineCheck: Sendable {
    private let url: String
    private let project: String?
    /// The ID of a resource that no fleet has.
    let missingID: String

    /// Creates a check.
    ///
    /// - Parameters:
    ///   - addresses: Where Google's services are.
    ///   - project: The project; nil for that of each account's address.
    init(_ addresses: GoogleAddresses, project: String?) {
        url = addresses.fleetEngine
        self.project = project
        missingID = "tokend-check-" + String(UInt64.random(in: .min ... .max), radix: 36)
    }

    /// Calls Fleet Engine with a token, and says what the response means.
    ///
    /// - Parameters:
    ///   - token: A token of the kind, for ``missingID`` unless the kind is privileged.
    ///   - subject: The account that signed it.
    ///   - keyID: The key that signed it.
    ///   - http: Sends the request.
    /// - Returns: The finding about the account.
    func finding(_ token: Secret, of subject: SigningCheck.Subject, keyID: String, over http: any OutgoingHTTP) async
        -> Finding
    {
        let email = subject.signer.issuer
        guard let project = project ?? ServiceAccountAddress.project(of: email) else {
            return Finding(
                .warn,
                subject: subject.name,
                "Fleet Engine was not asked: \(email) names no project. Use --project."
            )
        }
        var request = OutgoingRequest(
            .get,
            "\(url)/v1/providers/\(project)/\(Self.collection(of: subject.kind))/\(missingID)"
        )
        request.bearer = token
        request.timeout = ConfigurationCheck.timeout
        let response: OutgoingResponse
        do {
            response = try await http.send(request)
        } catch {
            return Finding(.fail, subject: subject.name, "Fleet Engine at \(url) is unreachable: \(error.finding).")
        }
        let (level, text) = meaning(of: GoogleStatus(response), subject, keyID: keyID, project: project)
        return Finding(level, subject: subject.name, text)
    }

    private func meaning(
        of status: GoogleStatus,
        _ subject: SigningCheck.Subject,
        keyID: String,
        project: String
    ) -> (Finding.Level, String) {
        let (kind, email) = (subject.kind, subject.signer.issuer)
        switch status.code {
        case let code where code == 200 || code == 404 && status.says("NOT_FOUND"):
            return (.ok, "Fleet Engine accepts \(kind.rawValue) tokens of \(email) in \(project).")
        case 401:
            let text =
                "Fleet Engine rejected the token (\(status.text)): it does not know the key \(keyID) of \(email), or this machine's clock is wrong, or \(project) is not the account's project."
            return (.fail, text)
        case 403 where status.says("SERVICE_DISABLED"):
            let fix = "gcloud services enable fleetengine.googleapis.com --project=\(project)"
            return (.fail, "The Fleet Engine API is not enabled in \(project). Enable it: \(fix)")
        case 403:
            let fix =
                "gcloud projects add-iam-policy-binding \(project) --member=serviceAccount:\(email) --role=\(kind.role)"
            let text =
                "Permission denied by Fleet Engine (\(status.text)): \(email) does not have \(kind.role) in \(project). Grant it: \(fix)"
            return (.fail, text)
        case 429, 500...599:
            return (.warn, "Fleet Engine is unavailable or overloaded (\(status.text)). Run this check again.")
        default:
            let text =
                "Fleet Engine's response is unexpected (\(status.text)). Check --project, and what answers at \(url)."
            return (.fail, text)
        }
    }

    /// The collection with a method that the kind's role permits, for the resource of its claim.
    private static func collection(of kind: TokenKind) -> String {
        switch kind.claims.last {
        case .trip: "trips"
        case .vehicle: "vehicles"
        case .deliveryVehicle: "deliveryVehicles"
        case .tracking: "taskTrackingInfo"
        case .task, .tasks, nil: "tasks"
        }
    }
}
