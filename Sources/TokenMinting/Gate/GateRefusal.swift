/// A gate's refusal to let an operation wait for its turn.
package struct GateRefusal: Error, Hashable {
    /// When the client should retry, in seconds.
    package let retryAfter: Int

    package init(retryAfter: Int) {
        self.retryAfter = retryAfter
    }
}
