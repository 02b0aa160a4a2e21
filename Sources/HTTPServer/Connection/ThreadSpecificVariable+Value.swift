import NIOPosix

extension ThreadSpecificVariable {
    /// Returns the current thread's value, which is made when it is first needed.
    func value(orNew makeValue: @autoclosure () -> Value) -> Value {
        if let currentValue { return currentValue }
        let new = makeValue()
        currentValue = new
        return new
    }
}
