import HTTPTypes

/// Where a method is, and what a request of it may have.
struct Route: Sendable {
    /// What the body of a request is.
    enum Body: Sendable {
        case none
        /// A resource; all else is in the query.
        case resource(Table)
        /// The request itself; the query has nothing.
        case request(Table)
    }

    let verb: HTTPRequest.Method
    let collection: Collection
    /// Whether the path names one resource; otherwise it ends with the collection.
    var isOfOne = false
    /// What follows the colon at the end of the path; empty for none.
    var action = ""
    /// What the query may have.
    var parameters = Tables.plain
    var body = Body.none
}

extension Route {
    static func create(_ collection: Collection, _ table: Table) -> Self {
        let parameters = Tables.creation(collection.newID)
        return Self(verb: .post, collection: collection, parameters: parameters, body: .resource(table))
    }

    static func list(_ collection: Collection, _ parameters: Table) -> Self {
        Self(verb: .get, collection: collection, parameters: parameters)
    }

    static func one(
        _ verb: HTTPRequest.Method,
        of collection: Collection,
        _ parameters: Table = Tables.plain
    ) -> Self {
        Self(verb: verb, collection: collection, isOfOne: true, parameters: parameters)
    }

    static func update(_ verb: HTTPRequest.Method, of collection: Collection, _ table: Table) -> Self {
        var route = one(verb, of: collection, Tables.update)
        route.body = .resource(table)
        return route
    }

    static func action(_ action: String, on collection: Collection, _ table: Table) -> Self {
        Self(verb: .post, collection: collection, action: action, body: .request(table))
    }
}

extension Method {
    /// The methods of Fleet Engine that the emulator does not have, by verb and path.
    private static let unimplemented = [
        "POST billableTrips/*:report", "POST vehicles:searchFuzzed", "POST vehicles/*:updateAttributes",
        "PUT vehicles/*:updateLocation",
    ]

    /// Returns the method for a verb and a path below `/v1/`.
    ///
    /// - Throws: ``EngineError`` if there is none.
    static func find(_ verb: HTTPRequest.Method, _ path: ResourcePath) throws(EngineError) -> Method {
        let method = allCases.first { method in
            let route = method.route
            return route.verb == verb && route.collection.rawValue == path.collection
                && route.isOfOne == (path.id != nil) && route.action == path.action
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
