#if Emulator
import HTTPServer
import HTTPTypes

/// The pages that the REST listener serves beside the API.
struct PageAssets: Sendable {
    /// Returns the response for a path; nil if no page is there.
    func response(for path: [String], method: HTTPRequest.Method) -> Response? {
        nil
    }
}
#endif
