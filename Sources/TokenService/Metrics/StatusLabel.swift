import ServiceSupport

/// A response's status code; those that this service doesn't send are one, `_OTHER`.
struct StatusLabel: MetricLabel {
    private let code: Int?

    static let labelName = "status"
    static let allCases: [Self] =
        [200, 204, 304, 400, 401, 403, 404, 405, 413, 414, 415, 429, 431, 500, 503].map { Self(code: $0) }
        + [Self(code: nil)]

    var labelValue: String { code.map { String($0) } ?? "_OTHER" }

    private init(code: Int?) {
        self.code = code
    }

    init(status code: Int) {
        let label = Self(code: code)
        self = Self.allCases.contains(label) ? label : Self(code: nil)
    }
}
