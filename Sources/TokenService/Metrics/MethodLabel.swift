/// A request's method; those that no route has are one, `_OTHER`, as in OpenTelemetry's conventions.
enum MethodLabel: String {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case options = "OPTIONS"
    case other = "_OTHER"

    /// Creates the label for a method's name, which is case-sensitive.
    init(method: String) {
        self = Self(rawValue: method) ?? .other
    }
}
