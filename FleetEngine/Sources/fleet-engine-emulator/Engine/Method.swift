import EngineCoding
import HTTPTypes

/// A method of the API: where it is, what a request may have, what it needs of a token, and what it does.
struct Method: Sendable {
    /// What the body of a request is.
    enum Body: Sendable {
        case none
        /// A resource; all else is in the query.
        case resource(Table)
        /// The request itself; the query has nothing.
        case request(Table)
    }

    /// The name in the `.proto` files.
    let name: String
    let verb: HTTPRequest.Method
    let collection: Collection
    /// Whether the path names one resource; otherwise it ends with the collection.
    var isOfOne = false
    /// What follows the colon at the end of the path; empty for none.
    var action = ""
    /// What the query may have.
    var parameters = Tables.plain
    var body = Body.none
    /// What a request needs of a token.
    let need: @Sendable (EngineRequest, Fleet) -> Need
    /// Performs a request, after the token was checked.
    let handle: @Sendable (inout Fleet, EngineRequest) throws(EngineError) -> Message

    /// Whether the method has an update mask.
    var isUpdate: Bool { name.hasPrefix("Update") }

    /// All methods.
    static let all: [Method] = trips + vehicles + deliveryVehicles + tasks

    /// The methods of Fleet Engine that the emulator does not have, by verb and path.
    static let unimplemented = [
        "POST billableTrips/*:report", "POST vehicles:searchFuzzed", "POST vehicles/*:updateAttributes",
        "PUT vehicles/*:updateLocation",
    ]

    /// Returns the method for a verb and a path below `/v1/`.
    ///
    /// - Throws: ``EngineError`` if there is none.
    static func find(_ verb: HTTPRequest.Method, _ path: ResourcePath) throws(EngineError) -> Method {
        let method = all.first {
            $0.verb == verb && $0.collection.rawValue == path.collection && $0.isOfOne == (path.id != nil)
                && $0.action == path.action
        }
        if let method { return method }
        let place = "\(path.collection)\(path.id == nil ? "" : "/*")\(path.action.isEmpty ? "" : ":\(path.action)")"
        let isKnown = unimplemented.contains("\(verb) \(place)")
        throw EngineError(
            isKnown ? .methodUnimplemented : .methodUnknown,
            isKnown ? "The emulator does not have this method." : "The API has no method \(verb) \(place)."
        )
    }
}

/// A request to a method, as it was read.
struct EngineRequest: Sendable {
    let name: ResourceName
    let parameters: Message
    let body: Message
    /// The emulator's clock.
    let now: Timestamp

    /// The fields that an update names.
    var mask: UpdateMask { UpdateMask(parameters.text("updateMask")) }
    /// The provider's ID.
    var provider: String { name.provider }
}

/// A path below `/v1/providers/{provider}`, taken apart.
struct ResourcePath: Sendable {
    let provider: String
    let collection: String
    let id: String?
    /// What follows the colon at the end; empty for none.
    let action: String

    /// The name of what the path names: a resource, or the provider.
    var name: String { "providers/\(provider)" + (id.map { "/\(collection)/\($0)" } ?? "") }

    /// Creates a path from decoded segments.
    ///
    /// - Throws: ``EngineError`` if they have another form.
    init(_ segments: [String]) throws(EngineError) {
        guard (4...5).contains(segments.count), segments[1] == "providers" else {
            throw EngineError(.methodUnknown, "The API has no method with this path.")
        }
        let last = segments[segments.count - 1]
        let colon = last.lastIndex(of: ":")
        let rest = String(last[..<(colon ?? last.endIndex)])
        action = colon.map { String(last[last.index(after: $0)...]) } ?? ""
        provider = segments[2]
        collection = segments.count == 4 ? rest : segments[3]
        id = segments.count == 5 ? rest : nil
    }
}
