/// Accepts every request without authentication: for development, where only this machine can connect.
package struct AnonymousAuthenticator: Authenticator {
    package init() {}

    package func caller(of call: IncomingCall) -> Caller { .anonymous }
}
