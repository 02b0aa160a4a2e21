import EngineCoding

/// A request to a method, as it was read.
struct EngineRequest: Sendable {
    let method: Method
    let name: ResourceName
    let parameters: Message
    let body: Message
    /// The emulator's clock.
    let now: Timestamp

    /// The fields that an update names.
    var mask: UpdateMask { UpdateMask(parameters.text("updateMask")) }
    /// The provider's ID.
    var provider: String { name.provider }
    /// The ID of the resource that is to be created.
    var newID: String { parameters.text(method.route.collection.newID) }
}
