package import ServiceSupport

/// No access to other servers: for development, and for checking a configuration.
package struct NoNetwork: OutgoingHTTP {
    package init() {}

    package func send(_ request: OutgoingRequest) async throws(OutgoingError) -> OutgoingResponse {
        throw .failed("network access is disabled")
    }
}
