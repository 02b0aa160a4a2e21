import ExpiringCache
import FleetToken
import ServiceSupport

/// Google Cloud's metadata server, which knows the account that a machine, pod or Cloud Run service runs as.
struct MetadataServer {
    private static let flavor = (name: "Metadata-Flavor", value: "Google")

    let http: any OutgoingHTTP
    let endpoints: GoogleEndpoints

    /// Requests an access token.
    ///
    /// - Throws: ``IAMError`` that describes the fix.
    func accessToken() async throws(IAMError) -> Fetched<Secret> {
        var request = OutgoingRequest(
            .get,
            "\(endpoints.metadata)/computeMetadata/v1/instance/service-accounts/default/token"
        )
        // The server requires this header as protection against request forgery.
        request.headers = [Self.flavor]
        let response: OutgoingResponse
        do {
            response = try await http.send(request)
        } catch {
            throw IAMError(
                .credentials,
                "No response from Google's metadata server (\(error)). Outside Google Cloud, set credentials to a service account's key file."
            )
        }
        // Another server at this address, such as a proxy, does not send this header.
        guard response.headers["metadata-flavor"] == Self.flavor.value else {
            throw IAMError(
                .credentials,
                "The response is not from Google's metadata server. Outside Google Cloud, set credentials to a service account's key file."
            )
        }
        guard response.status == 200 else { throw Self.refusal(GoogleStatus(response)) }
        return try Fetched(accessTokenResponse: response.body, from: "Google's metadata server")
    }

    private static func refusal(_ status: GoogleStatus) -> IAMError {
        switch status.code {
        case 404:
            IAMError(
                .credentials,
                "This machine has no service account (the metadata server returned \(status.text)). Attach one.",
                retry: .permanent
            )
        case 403:
            IAMError(
                .credentials,
                "The metadata server refuses to issue an access token (\(status.text)). With workload identity, check that the Kubernetes account is bound to a service account by roles/iam.workloadIdentityUser.",
                retry: .permanent
            )
        case 429:
            IAMError(
                .quota,
                "The metadata server received too many requests.",
                retry: .retryable(after: status.retryAfter)
            )
        default:
            IAMError(
                .unavailable,
                "The metadata server cannot issue an access token now (\(status.text)).",
                retry: .retryable(after: status.retryAfter)
            )
        }
    }
}
