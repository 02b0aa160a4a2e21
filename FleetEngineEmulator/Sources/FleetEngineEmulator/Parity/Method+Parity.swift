import HTTPTypes

extension Method {
    /// The method's line in the parity table.
    var parity: Parity.Entry {
        let path = "`\(http.verb.rawValue) \(http.template.text)`"
        return Parity.Entry(rawValue, path + (note.map { "; \($0)" } ?? ""), .documented, "`.proto` files")
    }

    /// What is different, or left out.
    private var note: String? {
        switch self {
        case .reportBillableTrip: "checked and forgotten"
        case .searchVehicles: "on straight lines"
        case .searchFuzzedVehicles: "answers are not fuzzed"
        default: nil
        }
    }
}
