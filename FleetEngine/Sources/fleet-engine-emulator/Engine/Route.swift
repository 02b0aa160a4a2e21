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

extension Route {
    /// Returns whether a target is a collection of a provider, or in one: `/v1/providers/{provider}/{collection}/{id}`.
    static func isOfProvider(_ target: RequestTarget) -> Bool {
        (4...5).contains(target.segments.count) && target.segments[1] == "providers"
    }

    /// Returns whether a verb and a target lead to the method.
    func matches(_ verb: HTTPRequest.Method, _ target: RequestTarget) -> Bool {
        Self.isOfProvider(target) && verb == self.verb && target.segments[3] == collection.rawValue
            && isOfOne == (target.segments.count == 5) && target.action == action
    }

    /// Returns the name of the resource at a target of this route, or of the provider.
    func name(at target: RequestTarget) throws(EngineError) -> ResourceName {
        let provider = target.segments[2]
        guard isOfOne else { return try ResourceName(provider: provider) }
        return try ResourceName(provider: provider, collection: collection, id: target.segments[4])
    }

    /// Whether it creates a resource.
    var isCreation: Bool { verb == .post && action.isEmpty }

    /// Whether it changes a resource.
    var isUpdate: Bool { verb == .put || verb == .patch }

    /// Returns the claim that a request requires: that of the resource in the path, of the one that is created, or of all.
    func claim(for request: MethodRequest) -> Requirement.Claim {
        if isOfOne { return .id(collection.claim, request.name.id) }
        return isCreation
            ? .id(collection.claim, request.parameters.text(collection.newID)) : .wildcard(collection.claim)
    }
}
