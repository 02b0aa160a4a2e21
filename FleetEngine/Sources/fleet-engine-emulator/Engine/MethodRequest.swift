import EngineCoding

/// A request to a method, as its tables have read it.
struct MethodRequest: Sendable {
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
