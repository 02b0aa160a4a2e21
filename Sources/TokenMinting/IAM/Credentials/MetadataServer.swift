import ExpiringCache
import FleetToken

/// Google Cloud's metadata server, which knows the account that a machine, pod or Cloud Run service runs as.
struct MetadataServer {
    private static let flavor = (name: "Metadata-Flavor", value: "Google")

    let transport: any GoogleTransport
    let endpoints: GoogleEndpoints

    /// Asks for an access token.
    ///
    /// - Throws: ``IAMError`` that says what to do.
    func accessToken() async throws(IAMError) -> Fetched<Secret> {
        var request = GoogleRequest(
            .get,
            "\(endpoints.metadata)/computeMetadata/v1/instance/service-accounts/default/token"
        )
        // Without it the server refuses, so that nobody is tricked into asking.
        request.headers = [Self.flavor]
        let answer: GoogleAnswer
        do {
            answer = try await transport.send(request)
        } catch {
            throw IAMError(
                .credentials,
                "There is no answer from Google's metadata server (\(error.text)). Outside Google Cloud, name a service account's key file under credentials."
            )
        }
        // Somebody else who answers at this address, such as a proxy, doesn't say so.
        guard answer.headers["metadata-flavor"] == Self.flavor.value else {
            throw IAMError(
                .credentials,
                "What answers in place of Google's metadata server is something else. Outside Google Cloud, name a service account's key file under credentials."
            )
        }
        guard answer.status == 200 else { throw Self.refusal(GoogleStatus(answer)) }
        return try Fetched(accessTokenAnswer: answer.body, from: "Google's metadata server")
    }

    private static func refusal(_ status: GoogleStatus) -> IAMError {
        switch status.code {
        case 404:
            IAMError(
                .credentials,
                "This machine runs as no service account (the metadata server answers with \(status.text)). Attach one.",
                retry: .permanent
            )
        case 403:
            IAMError(
                .credentials,
                "The metadata server refuses an access token (\(status.text)). With workload identity, check that the Kubernetes account is bound to a service account by roles/iam.workloadIdentityUser.",
                retry: .permanent
            )
        case 429:
            IAMError(.quota, "The metadata server was asked too often.", retry: .retryable(after: status.retryAfter))
        default:
            IAMError(
                .unavailable,
                "The metadata server gives no access token now (\(status.text)).",
                retry: .retryable(after: status.retryAfter)
            )
        }
    }
}

extension GoogleTransportError {
    /// What happened, for the operator.
    var text: String {
        switch self {
        case .tooLarge: "the answer is too large"
        case .failed(let reason): reason
        }
    }
}
