/// A value that was just fetched.
package struct Fresh<Value: Sendable>: Sendable {
    let value: Value
    let lifetime: Duration
    let refreshAfter: Duration

    /// Creates a value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - lifetime: How long it is good after its fetch began.
    ///   - refreshAfter: The age at which its use starts a fetch in the background.
    package init(_ value: Value, lifetime: Duration, refreshAfter: Duration) {
        self.value = value
        self.lifetime = lifetime
        self.refreshAfter = refreshAfter
    }
}
